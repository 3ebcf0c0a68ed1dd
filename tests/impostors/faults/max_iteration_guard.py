"""Loops whose guard has one fault each."""

from collections.abc import Sequence

import pytest

from specassay.reference import orchestrator
from specassay.reference.orchestrator import LIMIT_MESSAGE, MAX_ITERATIONS, Orchestrator
from specassay.reference.types import AgentContext, ChatMessage, ChatResponse
from tests.impostors.impostor import impostor

History = tuple[ChatMessage, ...]

_AT_THE_CAP = dict.fromkeys(
    (
        "max-iteration-guard.3",
        "max-iteration-guard.4",
        "max-iteration-guard.5",
        "max-iteration-guard.6",
        "shared-foundational-types.2",
    ),
    "It proves by the number of calls that the cap was reached.",
)
_AFTER_THE_CAP = {
    "max-iteration-guard/robustness/a-conversation-goes-on-after-the-cap-without-open-calls": "The next run's answer "
    "is the ninth of the script."
}


@impostor("agent-session-shell/max-iteration-guard.1", elsewhere=_AT_THE_CAP | _AFTER_THE_CAP)
def has_a_cap_of_nine(patch: pytest.MonkeyPatch) -> None:
    """Begin a ninth iteration."""
    patch.setattr(orchestrator, "MAX_ITERATIONS", 9)


@impostor(
    "agent-session-shell/max-iteration-guard.1",
    elsewhere={"max-iteration-guard.5": _AT_THE_CAP["max-iteration-guard.5"]},
)
def does_not_count_failing_rounds(patch: pytest.MonkeyPatch) -> None:
    """Count no round in which a call ends in an error."""

    async def loop(self: Orchestrator, history: History, context: AgentContext) -> None:
        iteration = 1
        while True:
            answer = await self._ask(history, context)
            if not answer.tool_calls:
                return self._finish(answer.content)
            if iteration == MAX_ITERATIONS:
                return self._finish(LIMIT_MESSAGE)
            turn = await self._take_turn(answer, answer.tool_calls, context)
            history += turn
            iteration += not any('"error"' in message.content for message in turn)

    patch.setattr(Orchestrator, "_loop", loop)


@impostor(
    "agent-session-shell/max-iteration-guard.1",
    elsewhere={
        "max-iteration-guard/robustness/a-conversation-goes-on-after-the-cap-without-open-calls": "It runs twice."
    },
)
def counts_on(patch: pytest.MonkeyPatch) -> None:
    """Count the iterations of all runs together."""
    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: History, context: AgentContext) -> ChatResponse:
        asked = self.__dict__["asked"] = self.__dict__.get("asked", 0) + 1
        answer = await original(self, history, context)
        return answer if asked <= MAX_ITERATIONS else ChatResponse(content=LIMIT_MESSAGE)

    patch.setattr(Orchestrator, "_ask", ask)


@impostor("agent-session-shell/max-iteration-guard.2")
def counts_calls(patch: pytest.MonkeyPatch) -> None:
    """Count tool calls instead of rounds."""

    async def loop(self: Orchestrator, history: History, context: AgentContext) -> None:
        count = 0
        while True:
            answer = await self._ask(history, context)
            if not answer.tool_calls:
                return self._finish(answer.content)
            count += len(answer.tool_calls)
            if count >= MAX_ITERATIONS:
                return self._finish(LIMIT_MESSAGE)
            history += await self._take_turn(answer, answer.tool_calls, context)

    patch.setattr(Orchestrator, "_loop", loop)


@impostor(
    "agent-session-shell/max-iteration-guard.3",
    elsewhere=dict.fromkeys(
        _AT_THE_CAP.keys() - {"max-iteration-guard.3"} | {"max-iteration-guard.1"},
        "The call for a summary is a ninth call.",
    )
    | _AFTER_THE_CAP,
)
def asks_for_a_summary(patch: pytest.MonkeyPatch) -> None:
    """Ask a ninth time, for a summary, and append it in front of the message about the limit."""

    async def loop(self: Orchestrator, history: History, context: AgentContext) -> None:
        for _ in range(MAX_ITERATIONS):
            answer = await self._ask(history, context)
            if not answer.tool_calls:
                return self._finish(answer.content)
            history += await self._take_turn(answer, answer.tool_calls, context)
        summary = await self._ask(history, context)
        self._finish(summary.content)
        return self._finish(LIMIT_MESSAGE)

    patch.setattr(Orchestrator, "_loop", loop)


@impostor("agent-session-shell/max-iteration-guard.4")
def says_it_twice(patch: pytest.MonkeyPatch) -> None:
    """Append the message about the limit twice."""
    original = Orchestrator._finish

    def finish(self: Orchestrator, content: str) -> None:
        original(self, content)
        if content == LIMIT_MESSAGE:
            original(self, content)

    patch.setattr(Orchestrator, "_finish", finish)


@impostor(
    "agent-session-shell/max-iteration-guard.4",
    elsewhere={"max-iteration-guard.6": "Where there is no message there is no wording."},
)
def says_it_as_an_error(patch: pytest.MonkeyPatch) -> None:
    """Put the message about the limit into the chat store's error."""
    original = Orchestrator._finish

    def finish(self: Orchestrator, content: str) -> None:
        if content == LIMIT_MESSAGE:
            return self._chat.set_error(content)
        return original(self, content)

    patch.setattr(Orchestrator, "_finish", finish)


@impostor(
    "agent-session-shell/max-iteration-guard.5",
    elsewhere={"max-iteration-guard.6": "The specification's own scenario looks at the status too."},
)
def ends_in_error_at_the_cap(patch: pytest.MonkeyPatch) -> None:
    """End in the status "error" at the cap."""
    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        await original(self, messages, context)
        if self._chat.state.messages[-1:] and self._chat.state.messages[-1].content == LIMIT_MESSAGE:
            self._agent.set_status("error")

    patch.setattr(Orchestrator, "run", run)


@impostor("agent-session-shell/max-iteration-guard.6")
def has_its_own_wording(patch: pytest.MonkeyPatch) -> None:
    """Say that there is a limit in other words."""
    patch.setattr(orchestrator, "LIMIT_MESSAGE", "The limit of iterations is reached.")


@impostor("agent-session-shell/max-iteration-guard.7")
def stops_at_the_eighth(patch: pytest.MonkeyPatch) -> None:
    """Take the eighth answer for the limit, also where it is the final one."""

    async def loop(self: Orchestrator, history: History, context: AgentContext) -> None:
        for _ in range(1, MAX_ITERATIONS):
            answer = await self._ask(history, context)
            if not answer.tool_calls:
                return self._finish(answer.content)
            history += await self._take_turn(answer, answer.tool_calls, context)
        await self._ask(history, context)
        return self._finish(LIMIT_MESSAGE)

    patch.setattr(Orchestrator, "_loop", loop)


@impostor(
    "agent-session-shell/max-iteration-guard.7",
    elsewhere={"max-iteration-guard.2": "It tells a normal end by the absence of the message."},
)
def warns_of_the_limit(patch: pytest.MonkeyPatch) -> None:
    """Append the message about the limit in front of an answer that took more than two rounds."""
    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: History, context: AgentContext) -> ChatResponse:
        answer = await original(self, history, context)
        if not answer.tool_calls and sum(message.role == "assistant" for message in history) >= 2:
            self._finish(LIMIT_MESSAGE)
        return answer

    patch.setattr(Orchestrator, "_ask", ask)


@impostor("agent-session-shell/max-iteration-guard/robustness/a-conversation-goes-on-after-the-cap-without-open-calls")
def leaves_the_last_calls_open(patch: pytest.MonkeyPatch) -> None:
    """Keep the calls of the eighth answer in the chat, without results."""
    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: History, context: AgentContext) -> ChatResponse:
        answer = await original(self, history, context)
        if answer.tool_calls and sum(message.role == "assistant" for message in history) == MAX_ITERATIONS - 1:
            self._chat.add_message(
                ChatMessage.new(role="assistant", content=answer.content, tool_calls=answer.tool_calls)
            )
        return answer

    patch.setattr(Orchestrator, "_ask", ask)
