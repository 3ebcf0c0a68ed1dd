"""Loops with one fault each, in what they post and in how they run tools."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from specassay.reference import orchestrator
from specassay.reference.orchestrator import Orchestrator, ToolCallError
from specassay.reference.types import (
    EMPTY_CONTEXT,
    AgentContext,
    ChatMessage,
    ChatResponse,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from tests.impostors.impostor import impostor

History = tuple[ChatMessage, ...]
_REPLAY = "chat-store/robustness/a-conversation-with-a-tool-is-replayed-whole-after-a-reload"
_ABORT = "orchestrator-shell/robustness/a-run-that-is-aborted-while-a-tool-runs-leaves-no-call-open"
_AFTER_A_CAP = "max-iteration-guard/robustness/a-conversation-goes-on-after-the-cap-without-open-calls"
_FROM_END_TO_END = ("gemini-tool-calling/robustness", "provider-adapter-interface/robustness")
_HAS_TWO_CALLS = (
    *_FROM_END_TO_END,
    "agent-store.9",
    "orchestrator-shell.6",
    "orchestrator-shell.17",
    "orchestrator-shell/robustness/calls-without-an-id-of-their-own-run-all-the-same",
    "tool-argument-validation.1",
    "tool-argument-validation.2",
    "tool-argument-validation.3",
    "tool-argument-validation/robustness/a-required-argument-with-an-inherited-name-is-missing-where-it-is-not-given",
)
_HAS_A_ROUND_AFTER_A_THROW = (
    "max-iteration-guard.1",
    "max-iteration-guard.2",
    "max-iteration-guard.5",
    "orchestrator-shell.11",
    "orchestrator-shell.17",
)
_READS_A_RESULT = (
    *_FROM_END_TO_END,
    _REPLAY,
    "orchestrator-shell.5",
    "orchestrator-shell.6",
    "orchestrator-shell.17",
    "tool-argument-validation.1",
    "tool-argument-validation.3",
    "tool-argument-validation.6",
    "tool-registry-shell.2",
)


@impostor("agent-session-shell/orchestrator-shell.1")
def posts_the_store(patch: pytest.MonkeyPatch) -> None:
    """Post the messages of the store, where it holds any, instead of those of the run."""
    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        await original(self, self._chat.state.messages or messages, context)

    patch.setattr(Orchestrator, "run", run)


@impostor("agent-session-shell/orchestrator-shell.2")
def sends_before_it_says_so(patch: pytest.MonkeyPatch) -> None:
    """Set the status "sending" once the answer is there."""

    def begin(self: Orchestrator) -> None:
        self._chat.set_error(None)
        self._chat.set_loading(True)

    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: History, context: AgentContext) -> ChatResponse:
        answer = await original(self, history, context)
        self._agent.set_status("sending")
        return answer

    patch.setattr(Orchestrator, "_begin", begin)
    patch.setattr(Orchestrator, "_ask", ask)


def _ask_with(patch: pytest.MonkeyPatch, change: Any) -> None:
    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: History, context: AgentContext) -> ChatResponse:
        return await original(self, *change(history, context))

    patch.setattr(Orchestrator, "_ask", ask)


@impostor("agent-session-shell/orchestrator-shell.3")
def tells_the_context_once(patch: pytest.MonkeyPatch) -> None:
    """Post the context with the first call, and an empty one with the others."""
    _ask_with(patch, lambda history, context: (history, EMPTY_CONTEXT if history[-1].role == "tool" else context))


@impostor(
    "agent-session-shell/orchestrator-shell.3",
    elsewhere={"shared-foundational-types.6": "It looks at the same context in the same place."},
)
def leaves_the_assets_out(patch: pytest.MonkeyPatch) -> None:
    """Post the context without its media assets."""
    _ask_with(patch, lambda history, context: (history, context.model_copy(update={"media_assets": ()})))


def _results(history: History) -> int:
    return sum(message.role == "tool" for message in history)


@impostor(
    "agent-session-shell/orchestrator-shell.3",
    elsewhere=dict.fromkeys((_REPLAY, _AFTER_A_CAP, _ABORT), "It goes on from messages that hold a result."),
)
def posts_to_another_path(patch: pytest.MonkeyPatch) -> None:
    """Post messages that hold an earlier result to another path."""
    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        url = self._url
        if _results(tuple(messages)):
            self._url = f"{url}/resume"
        try:
            await original(self, messages, context)
        finally:
            self._url = url

    patch.setattr(Orchestrator, "run", run)


@impostor(
    "agent-session-shell/orchestrator-shell.3",
    elsewhere={_REPLAY: "It goes on from messages that hold a call."},
)
def posts_arguments_as_text(patch: pytest.MonkeyPatch) -> None:
    """Post the arguments of earlier calls as JSON text."""

    def flat(message: ChatMessage) -> ChatMessage:
        calls = message.tool_calls and tuple(
            call.model_copy(update={"args": json.dumps(call.args)}) for call in message.tool_calls
        )
        return message.model_copy(update={"tool_calls": calls}) if calls else message

    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        await original(self, [flat(message) for message in messages], context)

    patch.setattr(Orchestrator, "run", run)


@impostor(
    "agent-session-shell/orchestrator-shell.5",
    elsewhere=dict.fromkeys(_HAS_TWO_CALLS, "It tells something by the second call of an answer."),
)
def runs_the_first_call_only(patch: pytest.MonkeyPatch) -> None:
    """Run the first call of an answer alone, and refuse the others."""
    take_turn, resolve = Orchestrator._take_turn, Orchestrator._resolve

    async def take_first(
        self: Orchestrator, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> History:
        async def first(self: Orchestrator, call: ToolCall, context: AgentContext) -> ToolResult:
            return await resolve(self, call, context) if call is calls[0] else self._failure(call, "One at a time.")

        with pytest.MonkeyPatch.context() as meanwhile:
            meanwhile.setattr(Orchestrator, "_resolve", first)
            return await take_turn(self, answer, calls, context)

    patch.setattr(Orchestrator, "_take_turn", take_first)


@impostor("agent-session-shell/orchestrator-shell.5")
def gives_tools_no_context(patch: pytest.MonkeyPatch) -> None:
    """Give tools an empty context."""
    original = Orchestrator._execute
    patch.setattr(Orchestrator, "_execute", lambda self, call, context: original(self, call, EMPTY_CONTEXT))


@impostor("agent-session-shell/orchestrator-shell.5")
def keeps_the_tools_of_the_first_run(patch: pytest.MonkeyPatch) -> None:
    """Know only the tools that were registered when the first run began."""
    begin, find = Orchestrator._begin, Orchestrator._find_tool

    def begin_once(self: Orchestrator) -> None:
        begin(self)
        self.__dict__.setdefault("known", {tool.name for tool in self._registry.get_all()})

    def find_known(self: Orchestrator, name: str) -> ToolDefinition:
        return find(self, name if name in self.__dict__["known"] else f"{name} (unknown)")

    patch.setattr(Orchestrator, "_begin", begin_once)
    patch.setattr(Orchestrator, "_find_tool", find_known)


@impostor("agent-session-shell/orchestrator-shell.5")
def refuses_all_for_an_unknown_tool(patch: pytest.MonkeyPatch) -> None:
    """Run no call of an answer that calls an unknown tool."""
    take_turn, find_tool = Orchestrator._take_turn, Orchestrator._find_tool

    async def take_known(
        self: Orchestrator, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> History:
        unknown = [call.name for call in calls if self._registry.get(call.name) is None]

        def find_none(self: Orchestrator, name: str) -> ToolDefinition:
            return find_tool(self, unknown[0])

        with pytest.MonkeyPatch.context() as meanwhile:
            if unknown:
                meanwhile.setattr(Orchestrator, "_find_tool", find_none)
            return await take_turn(self, answer, calls, context)

    patch.setattr(Orchestrator, "_take_turn", take_known)


def _on_throw(patch: pytest.MonkeyPatch, change: Any) -> None:
    """Change the text of an error that a tool has thrown, as opposed to one of the loop's own."""
    original = Orchestrator._execute

    async def execute(self: Orchestrator, call: ToolCall, context: AgentContext) -> Any:
        try:
            return await original(self, call, context)
        except ToolCallError:
            raise
        except Exception as error:
            return change(self, call, error)

    patch.setattr(Orchestrator, "_execute", execute)


@impostor(
    "agent-session-shell/orchestrator-shell.6",
    elsewhere={"orchestrator-shell.17": "One of the results that the store holds is an error."},
)
def hides_the_error(patch: pytest.MonkeyPatch) -> None:
    """Say "Tool failed", whatever a tool throws."""

    def fail(self: Orchestrator, call: ToolCall, error: Exception) -> None:
        raise RuntimeError("Tool failed")

    _on_throw(patch, fail)


@impostor("agent-session-shell/orchestrator-shell.6")
def spreads_the_error(patch: pytest.MonkeyPatch) -> None:
    """Put the error of one call into the results of all calls of its answer."""
    original = orchestrator.result_message
    take_turn = Orchestrator._take_turn
    errors: list[str] = []

    def fail(self: Orchestrator, call: ToolCall, error: Exception) -> None:
        errors.append(str(error))
        raise error

    async def take(
        self: Orchestrator, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> History:
        errors.clear()
        return await take_turn(self, answer, calls, context)

    def message(result: ToolResult) -> ChatMessage:
        return original(result.model_copy(update={"error": " ".join(errors)}) if errors else result)

    _on_throw(patch, fail)
    patch.setattr(Orchestrator, "_take_turn", take)
    patch.setattr(orchestrator, "result_message", message)


@impostor(
    "agent-session-shell/orchestrator-shell.7",
    elsewhere=dict.fromkeys(_HAS_A_ROUND_AFTER_A_THROW, "A tool throws, and another round follows."),
)
def ends_after_a_throw(patch: pytest.MonkeyPatch) -> None:
    """Take the answer after a tool has thrown for the final one."""
    ask = Orchestrator._ask

    def fail(self: Orchestrator, call: ToolCall, error: Exception) -> None:
        self.__dict__["thrown"] = True
        raise error

    async def ask_once_more(self: Orchestrator, history: History, context: AgentContext) -> ChatResponse:
        answer = await ask(self, history, context)
        return answer.model_copy(update={"tool_calls": ()}) if "thrown" in self.__dict__ else answer

    _on_throw(patch, fail)
    patch.setattr(Orchestrator, "_ask", ask_once_more)


@impostor(
    "agent-session-shell/orchestrator-shell.8",
    elsewhere=dict.fromkeys(_READS_A_RESULT, "It tells by the result that a tool ran."),
)
def says_ok(patch: pytest.MonkeyPatch) -> None:
    """Say "ok" to the model instead of what the tool returned."""
    original = orchestrator.result_message
    patch.setattr(
        orchestrator,
        "result_message",
        lambda result: original(result if result.error else result.model_copy(update={"result": "ok"})),
    )


@impostor("agent-session-shell/orchestrator-shell.8")
def writes_object_object(patch: pytest.MonkeyPatch) -> None:
    """Write a result that is no text as "[object Object]"."""
    original = orchestrator._as_json
    patch.setattr(
        orchestrator, "_as_json", lambda value: value if isinstance(value, str) else original("[object Object]")
    )


@impostor(
    "agent-session-shell/orchestrator-shell.9",
    elsewhere={_FROM_END_TO_END[0]: "Two rounds are played from end to end."},
)
def posts_the_latest_round(patch: pytest.MonkeyPatch) -> None:
    """Post the messages of the run and the latest round, without the rounds between."""

    def latest(history: History) -> History:
        assistants = [place for place, message in enumerate(history) if message.tool_calls]
        return history[assistants[-1] :] if assistants else ()

    original = Orchestrator._loop

    async def loop(self: Orchestrator, history: History, context: AgentContext) -> None:
        self.__dict__["given"] = history
        await original(self, history, context)

    ask = Orchestrator._ask

    async def ask_latest(self: Orchestrator, history: History, context: AgentContext) -> ChatResponse:
        given = self.__dict__["given"]
        return await ask(self, (*given, *latest(history[len(given) :])), context)

    patch.setattr(Orchestrator, "_loop", loop)
    patch.setattr(Orchestrator, "_ask", ask_latest)
