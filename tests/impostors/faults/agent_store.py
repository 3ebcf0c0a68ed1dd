"""Agent stores, and loops that use them, with one fault each."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from specassay.reference.orchestrator import Orchestrator
from specassay.reference.stores import AgentStore
from specassay.reference.types import AgentContext, ChatMessage, ChatResponse, ExecutionState, ToolCall, ToolDefinition
from tests.impostors.impostor import impostor

_STEPS = {
    "idle": ("sending",),
    "sending": ("processing", "responding", "error"),
    "processing": ("processing", "responding", "error"),
    "responding": ("idle",),
    "error": ("sending",),
}
_SET_BY_HAND = dict.fromkeys(
    ("agent-store.4", "agent-store.6", "agent-store.7"), "Its starting point is a status that is set by hand."
)


@impostor("agent-session-shell/agent-store.1", elsewhere=_SET_BY_HAND)
def demands_the_order_of_a_run(patch: pytest.MonkeyPatch) -> None:
    """Ignore a status that does not come next in a run."""
    original = AgentStore.set_status

    def set_status(self: AgentStore, status: ExecutionState) -> None:
        if status in _STEPS[self.state.status]:
            original(self, status)

    patch.setattr(AgentStore, "set_status", set_status)


@impostor(
    "agent-session-shell/agent-store.1",
    elsewhere={place: _SET_BY_HAND[place] for place in ("agent-store.6", "agent-store.7")},
)
def knows_no_responding(patch: pytest.MonkeyPatch) -> None:
    """Ignore the status "responding" as unknown."""
    original = AgentStore.set_status

    def set_status(self: AgentStore, status: ExecutionState) -> None:
        if status != "responding":
            original(self, status)

    patch.setattr(AgentStore, "set_status", set_status)


@impostor(
    "agent-session-shell/agent-store.2",
    elsewhere={
        "agent-store.1": "It looks at the tool too, so that no answer that fits every question passes.",
        "agent-store/robustness/no-tool-is-active-after-a-run": "Where no tool runs the store is still as it was made.",
    },
)
def begins_with_an_empty_tool(patch: pytest.MonkeyPatch) -> None:
    """Begin with an empty text as the active tool."""
    original = AgentStore.__init__

    def begin(self: AgentStore) -> None:
        original(self)
        self._set(active_tool="")

    patch.setattr(AgentStore, "__init__", begin)


@impostor("agent-session-shell/agent-store.3")
def keeps_one_asset(patch: pytest.MonkeyPatch) -> None:
    """Keep the first media asset of a context alone."""
    original = AgentStore.set_context

    def set_context(self: AgentStore, context: Any) -> None:
        loaded = AgentContext.model_validate(context)
        original(self, loaded.model_copy(update={"media_assets": loaded.media_assets[:1]}))

    patch.setattr(AgentStore, "set_context", set_context)


@impostor(
    "agent-session-shell/agent-store.4",
    elsewhere={"agent-store.9": "The loop tells the store of a tool first, and of the status then."},
)
def status_clears_the_tool(patch: pytest.MonkeyPatch) -> None:
    """Clear the active tool with each status."""
    patch.setattr(AgentStore, "set_status", lambda self, status: self._set(status=status, active_tool=None))


@impostor("agent-session-shell/agent-store.4")
def idle_clears_the_tool(patch: pytest.MonkeyPatch) -> None:
    """Reset the store when the status is set to "idle"."""
    original = AgentStore.set_status

    def set_status(self: AgentStore, status: ExecutionState) -> None:
        if status == "idle":
            return self.reset()
        return original(self, status)

    patch.setattr(AgentStore, "set_status", set_status)


@impostor(
    "agent-session-shell/agent-store.5",
    elsewhere={"agent-store.7": "It sets a status and then a tool, as the specification's scenario does."},
)
def derives_the_status(patch: pytest.MonkeyPatch) -> None:
    """Derive the status from the active tool: processing with one, idle without."""

    def set_active_tool(self: AgentStore, name: str | None) -> None:
        self._set(active_tool=name, status="idle" if name is None else "processing")

    patch.setattr(AgentStore, "set_active_tool", set_active_tool)


@impostor("agent-session-shell/agent-store.5")
def no_tool_is_idle(patch: pytest.MonkeyPatch) -> None:
    """Set the status to "idle" when the active tool is cleared."""
    original = AgentStore.set_active_tool

    def set_active_tool(self: AgentStore, name: str | None) -> None:
        original(self, name)
        if name is None:
            self._set(status="idle")

    patch.setattr(AgentStore, "set_active_tool", set_active_tool)


@impostor("agent-session-shell/agent-store.6")
def merges_contexts(patch: pytest.MonkeyPatch) -> None:
    """Merge a context into the one before, where the new one is empty."""
    original = AgentStore.set_context

    def set_context(self: AgentStore, context: Any) -> None:
        loaded = AgentContext.model_validate(context)
        news = {key: value for key, value in loaded if value}
        original(self, self.state.context.model_copy(update=news) if self.state.context else loaded)

    patch.setattr(AgentStore, "set_context", set_context)


@impostor("agent-session-shell/agent-store.7")
def resets_the_status_only(patch: pytest.MonkeyPatch) -> None:
    """Reset the status and leave the active tool."""
    patch.setattr(AgentStore, "reset", lambda self: self._set(status="idle"))


@impostor("agent-session-shell/agent-store.7")
def resets_from_processing_only(patch: pytest.MonkeyPatch) -> None:
    """Reset nothing unless the status is "processing"."""
    original = AgentStore.reset

    def reset(self: AgentStore) -> None:
        if self.state.status == "processing":
            original(self)

    patch.setattr(AgentStore, "reset", reset)


@impostor("agent-session-shell/agent-store.9")
def tells_of_a_tool_afterwards(patch: pytest.MonkeyPatch) -> None:
    """Set status and active tool once the tool has ended."""

    @contextmanager
    def showing(self: Orchestrator, tool: ToolDefinition) -> Iterator[None]:
        try:
            yield
        finally:
            self._agent.set_status("processing")
            self._agent.set_active_tool(tool.name)
            self._agent.set_active_tool(None)

    patch.setattr(Orchestrator, "_showing", showing)


@impostor("agent-session-shell/agent-store.9")
def tells_of_the_first_tool_only(patch: pytest.MonkeyPatch) -> None:
    """Show the first tool of an answer while all of its tools run."""
    original = Orchestrator._take_turn

    @contextmanager
    def showing(self: Orchestrator, tool: ToolDefinition) -> Iterator[None]:
        yield

    async def take_turn(
        self: Orchestrator, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> tuple[ChatMessage, ...]:
        self._agent.set_active_tool(calls[0].name)
        self._agent.set_status("processing")
        try:
            return await original(self, answer, calls, context)
        finally:
            self._agent.set_active_tool(None)

    patch.setattr(Orchestrator, "_showing", showing)
    patch.setattr(Orchestrator, "_take_turn", take_turn)


@impostor("agent-session-shell/agent-store.9")
def stays_sending(patch: pytest.MonkeyPatch) -> None:
    """Leave the status at "sending" while a tool runs."""

    @contextmanager
    def showing(self: Orchestrator, tool: ToolDefinition) -> Iterator[None]:
        self._agent.set_active_tool(tool.name)
        try:
            yield
        finally:
            self._agent.set_active_tool(None)

    patch.setattr(Orchestrator, "_showing", showing)


@impostor(
    "agent-session-shell/agent-store/robustness/no-tool-is-active-after-a-run",
    elsewhere={"agent-store/robustness/no-tool-is-active-after-an-api-error": "A tool ran before the error."},
)
def never_clears_the_tool(patch: pytest.MonkeyPatch) -> None:
    """Leave the tool that ran last as the active one."""

    @contextmanager
    def showing(self: Orchestrator, tool: ToolDefinition) -> Iterator[None]:
        self._agent.set_active_tool(tool.name)
        self._agent.set_status("processing")
        yield

    patch.setattr(Orchestrator, "_showing", showing)


@impostor("agent-session-shell/agent-store/robustness/no-tool-is-active-after-a-run")
def forgets_to_clear_the_tool(patch: pytest.MonkeyPatch) -> None:
    """Leave the tool of a call that fails, before or while it runs, as the active one."""
    original = Orchestrator._execute

    @contextmanager
    def showing(self: Orchestrator, tool: ToolDefinition) -> Iterator[None]:
        self._agent.set_status("processing")
        yield
        self._agent.set_active_tool(None)

    async def execute(self: Orchestrator, call: ToolCall, context: AgentContext) -> Any:
        self._agent.set_active_tool(call.name)
        return await original(self, call, context)

    patch.setattr(Orchestrator, "_showing", showing)
    patch.setattr(Orchestrator, "_execute", execute)


@impostor("agent-session-shell/agent-store/robustness/no-tool-is-active-after-an-api-error")
def clears_the_tool_with_the_answer(patch: pytest.MonkeyPatch) -> None:
    """Clear the active tool when the final answer comes, and not before."""
    finish = Orchestrator._finish

    @contextmanager
    def showing(self: Orchestrator, tool: ToolDefinition) -> Iterator[None]:
        self._agent.set_active_tool(tool.name)
        self._agent.set_status("processing")
        yield

    def finish_and_clear(self: Orchestrator, content: str) -> None:
        self._agent.set_active_tool(None)
        finish(self, content)

    patch.setattr(Orchestrator, "_showing", showing)
    patch.setattr(Orchestrator, "_finish", finish_and_clear)
