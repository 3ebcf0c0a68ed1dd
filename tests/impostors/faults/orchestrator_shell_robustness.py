"""Loops with one fault each, where the specification is silent."""

import json
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from specassay.reference import orchestrator
from specassay.reference.calls import read_calls
from specassay.reference.orchestrator import ChatRouteError, Orchestrator, ToolCallError, read_response
from specassay.reference.types import (
    AgentContext,
    ChatMessage,
    ChatResponse,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from tests.impostors.impostor import impostor

History = tuple[ChatMessage, ...]
_ABORT = "orchestrator-shell/robustness/a-run-that-is-aborted-while-a-tool-runs-leaves-no-call-open"
_NO_ANSWER = "orchestrator-shell/robustness/an-answer-that-is-none-is-an-api-error"
_AFTER_AN_API_ERROR = (
    "agent-store/robustness/no-tool-is-active-after-an-api-error",
    "orchestrator-shell/robustness/nothing-is-loading-after-an-api-error",
)


@impostor("agent-session-shell/orchestrator-shell/robustness/results-stand-in-the-order-of-their-calls")
def answers_backwards(patch: pytest.MonkeyPatch) -> None:
    """Resolve the calls of an answer from last to first."""
    original = Orchestrator._take_turn

    async def take_turn(
        self: Orchestrator, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> History:
        asked, *results = await original(self, answer, calls, context)
        return (asked, *reversed(results))

    patch.setattr(Orchestrator, "_take_turn", take_turn)


@impostor(
    "agent-session-shell/orchestrator-shell/robustness/the-error-of-an-unknown-tool-names-the-tools-that-there-are"
)
def does_not_name_the_tools(patch: pytest.MonkeyPatch) -> None:
    """Say that a tool is unknown, and no more."""

    def find_tool(self: Orchestrator, name: str) -> ToolDefinition:
        tool = self._registry.get(name)
        if tool is None:
            raise ToolCallError("Unknown tool.")
        return tool

    patch.setattr(Orchestrator, "_find_tool", find_tool)


def _results(history: History) -> int:
    return sum(message.role == "tool" for message in history)


@impostor("agent-session-shell/orchestrator-shell/robustness/a-tool-that-returns-nothing-much-is-answered-too")
def drops_falsy_results(patch: pytest.MonkeyPatch) -> None:
    """Send no result that is null, "", false, 0 or []."""
    original = Orchestrator._take_turn

    async def take_turn(
        self: Orchestrator, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> History:
        asked, *results = await original(self, answer, calls, context)
        said = [json.loads(message.content) for message in results]
        return (asked, *(m for m, entry in zip(results, said, strict=True) if entry["result"] or entry.get("error")))

    patch.setattr(Orchestrator, "_take_turn", take_turn)


@impostor("agent-session-shell/orchestrator-shell/robustness/what-the-model-says-beside-its-calls-stays-in-the-history")
def drops_what_is_said_beside_calls(patch: pytest.MonkeyPatch) -> None:
    """Drop the content of an answer that calls tools."""
    original = Orchestrator._take_turn
    patch.setattr(
        Orchestrator,
        "_take_turn",
        lambda self, answer, calls, context: original(self, answer.model_copy(update={"content": ""}), calls, context),
    )


@impostor("agent-session-shell/orchestrator-shell/robustness/calls-without-an-id-of-their-own-run-all-the-same")
def insists_on_ids(patch: pytest.MonkeyPatch) -> None:
    """Refuse an answer whose calls have no ids of their own."""

    def read(raw: Any) -> tuple[ToolCall, ...]:
        ids = [call.get("id") for call in raw or ()]
        if not all(ids) or len(set(ids)) < len(ids):
            raise ValueError("Each call must have an id of its own.")
        return read_calls(raw)

    patch.setattr(orchestrator, "read_calls", read)


@impostor(f"agent-session-shell/{_NO_ANSWER}")
def takes_anything_for_an_answer(patch: pytest.MonkeyPatch) -> None:
    """Take a body that is no JSON for the text of the answer."""

    def read(response: httpx.Response) -> ChatResponse:
        try:
            response.json()
        except ValueError:
            return ChatResponse(content=response.text)
        return read_response(response)

    patch.setattr(orchestrator, "read_response", read)


@impostor(f"agent-session-shell/{_NO_ANSWER}")
def takes_a_torn_body_for_an_answer(patch: pytest.MonkeyPatch) -> None:
    """Take a body that is cut short for an empty answer."""
    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: History, context: AgentContext) -> ChatResponse:
        try:
            return await original(self, history, context)
        except ChatRouteError as error:
            if isinstance(error.__cause__, httpx.RemoteProtocolError):
                return ChatResponse(content="")
            raise

    patch.setattr(Orchestrator, "_ask", ask)


def _load_on_in(patch: pytest.MonkeyPatch, status: str) -> None:
    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        await original(self, messages, context)
        if self._agent.state.status == status:
            self._chat.set_loading(True)

    patch.setattr(Orchestrator, "run", run)


@impostor("agent-session-shell/orchestrator-shell/robustness/nothing-is-loading-after-a-run")
def loads_on_after_a_run(patch: pytest.MonkeyPatch) -> None:
    """Leave the chat loading after a run that succeeded."""
    _load_on_in(patch, "idle")


@impostor(f"agent-session-shell/{_AFTER_AN_API_ERROR[1]}")
def loads_on_after_an_api_error(patch: pytest.MonkeyPatch) -> None:
    """Leave the chat loading after a run that failed."""
    _load_on_in(patch, "error")


@impostor(f"agent-session-shell/{_ABORT}")
def leaves_calls_open_when_aborted(patch: pytest.MonkeyPatch) -> None:
    """Keep the calls of an aborted run, and no results of those that were cancelled."""
    original = orchestrator.result_message

    def message(result: ToolResult) -> ChatMessage:
        return original(result) if result.error != "cancelled" else ChatMessage.new(role="system", content="aborted")

    patch.setattr(orchestrator, "result_message", message)


@impostor("agent-session-shell/orchestrator-shell/robustness/a-second-run-does-not-go-on-beside-the-first")
def runs_twice_at_a_time(patch: pytest.MonkeyPatch) -> None:
    """Begin a second run while the first is open."""
    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        self._running = False
        await original(self, messages, context)

    patch.setattr(Orchestrator, "run", run)
