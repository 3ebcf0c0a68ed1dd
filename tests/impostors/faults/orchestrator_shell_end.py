"""Loops with one fault each, in how a run ends."""

from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from specassay.reference import orchestrator
from specassay.reference.orchestrator import LIMIT_MESSAGE, ChatRouteError, Orchestrator, read_response
from specassay.reference.types import (
    AgentContext,
    ChatMessage,
    ChatResponse,
    ToolCall,
    ToolResult,
)
from tests.impostors.impostor import impostor

History = tuple[ChatMessage, ...]
_REPLAY = "chat-store/robustness/a-conversation-with-a-tool-is-replayed-whole-after-a-reload"
_NO_ANSWER = "orchestrator-shell/robustness/an-answer-that-is-none-is-an-api-error"
_AFTER_AN_API_ERROR = (
    "agent-store/robustness/no-tool-is-active-after-an-api-error",
    "orchestrator-shell/robustness/nothing-is-loading-after-an-api-error",
)
_FROM_END_TO_END = ("gemini-tool-calling/robustness", "provider-adapter-interface/robustness")
_ENDS_IN_IDLE = (
    "agent-store/robustness/no-tool-is-active-after-a-run",
    "max-iteration-guard.7",
    "orchestrator-shell.5",
    "orchestrator-shell.7",
    "orchestrator-shell.16",
    "orchestrator-shell.17",
)


@impostor(
    "agent-session-shell/orchestrator-shell.10",
    elsewhere=dict.fromkeys(
        ("orchestrator-shell.6", "orchestrator-shell.17"), "The specification's own scenario ends with an empty list."
    ),
)
def takes_an_empty_list_for_calls(patch: pytest.MonkeyPatch) -> None:
    """Take an empty list of tool calls for tool calls, and ask again."""

    class Truthy(tuple[ToolCall, ...]):
        def __bool__(self) -> bool:
            return True

    def read(response: httpx.Response) -> ChatResponse:
        answer = read_response(response)
        if response.json().get("toolCalls") == []:
            return ChatResponse.model_construct(content=answer.content, tool_calls=Truthy())
        return answer

    patch.setattr(orchestrator, "read_response", read)


@impostor("agent-session-shell/orchestrator-shell.10")
def refuses_null(patch: pytest.MonkeyPatch) -> None:
    """Refuse an answer whose tool calls are null."""

    def read(response: httpx.Response) -> ChatResponse:
        answer = read_response(response)
        if response.json().get("toolCalls", ()) is None:
            raise ChatRouteError("toolCalls is null.")
        return answer

    patch.setattr(orchestrator, "read_response", read)


@impostor(
    "agent-session-shell/orchestrator-shell.10",
    elsewhere={"orchestrator-shell.17": "It counts the final answer."},
)
def answers_twice(patch: pytest.MonkeyPatch) -> None:
    """Append the final answer twice."""
    original = Orchestrator._finish

    def finish(self: Orchestrator, content: str) -> None:
        original(self, content)
        if content != LIMIT_MESSAGE:
            original(self, content)

    patch.setattr(Orchestrator, "_finish", finish)


def _results(history: History) -> int:
    return sum(message.role == "tool" for message in history)


def _end_in(patch: pytest.MonkeyPatch, is_left: Any) -> None:
    """Leave the status at "responding" after the runs that are meant."""
    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        before = len(self._chat.state.messages)
        await original(self, messages, context)
        new = self._chat.state.messages[before:]
        if self._agent.state.status == "idle" and new and new[-1].content != LIMIT_MESSAGE and is_left(new):
            self._agent.set_status("responding")

    patch.setattr(Orchestrator, "run", run)


@impostor(
    "agent-session-shell/orchestrator-shell.11",
    elsewhere={"orchestrator-shell.10": "The specification's own scenario looks at the status too."},
)
def goes_on_responding(patch: pytest.MonkeyPatch) -> None:
    """Leave the status at "responding" after a run without a tool."""
    _end_in(patch, lambda new: not _results(new))


@impostor(
    "agent-session-shell/orchestrator-shell.11",
    elsewhere=dict.fromkeys(_ENDS_IN_IDLE, "It tells by the status that a run with a tool has ended well."),
)
def goes_on_after_a_tool(patch: pytest.MonkeyPatch) -> None:
    """Leave the status at "responding" after a run with a tool."""
    _end_in(patch, lambda new: _results(new) > 0)


def _fail_quietly(patch: pytest.MonkeyPatch, words: str) -> None:
    """Set no error of the chat store where the error has these words."""
    original = Orchestrator._fail

    def fail(self: Orchestrator, error: Exception) -> None:
        if words in str(error):
            return self._agent.set_status("error")
        return original(self, error)

    patch.setattr(Orchestrator, "_fail", fail)


@impostor(
    "agent-session-shell/orchestrator-shell.13",
    elsewhere={_AFTER_AN_API_ERROR[1]: "It proves by the error of the store that there was one."},
)
def swallows_api_errors(patch: pytest.MonkeyPatch) -> None:
    """Set the status alone on an API error."""
    _fail_quietly(patch, "The chat route answered")


@impostor(
    "agent-session-shell/orchestrator-shell.13",
    elsewhere=dict.fromkeys(
        ("orchestrator-shell.15", *_AFTER_AN_API_ERROR, _FROM_END_TO_END[0]),
        "An error that is taken for an answer shows nowhere.",
    ),
)
def takes_an_error_for_an_answer(patch: pytest.MonkeyPatch) -> None:
    """Read the JSON body of an error as an answer."""

    def read(response: httpx.Response) -> ChatResponse:
        if not response.is_success and response.headers.get("content-type", "").startswith("application/json"):
            return ChatResponse(content=response.json().get("error", ""))
        return read_response(response)

    patch.setattr(orchestrator, "read_response", read)


@impostor(
    "agent-session-shell/orchestrator-shell.14",
    elsewhere={_NO_ANSWER: "A body that is cut short is a network error."},
)
def swallows_network_errors(patch: pytest.MonkeyPatch) -> None:
    """Set the status alone on a network error."""
    _fail_quietly(patch, "cannot be reached")


@impostor(
    "agent-session-shell/orchestrator-shell.15",
    elsewhere=dict.fromkeys(
        (_AFTER_AN_API_ERROR[0], _NO_ANSWER, _FROM_END_TO_END[0]), "It tells by the status that the run has failed."
    ),
)
def ends_every_run_in_idle(patch: pytest.MonkeyPatch) -> None:
    """Set the status to "idle" at the end, after an error too."""
    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        try:
            await original(self, messages, context)
        finally:
            self._agent.set_status("idle")

    patch.setattr(Orchestrator, "run", run)


@impostor("agent-session-shell/orchestrator-shell.16")
def shows_a_tools_error(patch: pytest.MonkeyPatch) -> None:
    """Put a tool's error into the chat store, and clear it before the next call."""
    original = Orchestrator._failure

    def failure(self: Orchestrator, call: ToolCall, error: str) -> ToolResult:
        self._chat.set_error(error)
        self._chat.set_error(None)
        self._chat.set_loading(True)
        return original(self, call, error)

    patch.setattr(Orchestrator, "_failure", failure)


@impostor("agent-session-shell/orchestrator-shell.16")
def has_the_status_error_for_a_moment(patch: pytest.MonkeyPatch) -> None:
    """Set the status "error" on a tool's error, until the next call."""
    original = Orchestrator._failure

    def failure(self: Orchestrator, call: ToolCall, error: str) -> ToolResult:
        self._agent.set_status("error")
        return original(self, call, error)

    patch.setattr(Orchestrator, "_failure", failure)


@impostor(
    "agent-session-shell/orchestrator-shell.17",
    elsewhere={_REPLAY: "It replays what is in the store."},
)
def stores_the_answer_only(patch: pytest.MonkeyPatch) -> None:
    """Keep calls and results out of the chat store."""
    original = Orchestrator._take_turn

    async def take_turn(
        self: Orchestrator, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> History:
        with pytest.MonkeyPatch.context() as meanwhile:
            meanwhile.setattr(type(self._chat), "add_messages", lambda self, messages: None)
            return await original(self, answer, calls, context)

    patch.setattr(Orchestrator, "_take_turn", take_turn)


@impostor("agent-session-shell/orchestrator-shell.3")
def tries_an_older_path_first(patch: pytest.MonkeyPatch) -> None:
    """Post to a path of its own first, and to the specified one where that is not there."""
    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: Any, context: AgentContext) -> Any:
        await self._client.post(self._url.replace("/api/agent/chat", "/api/chat"), json={})
        return await original(self, history, context)

    patch.setattr(Orchestrator, "_ask", ask)
