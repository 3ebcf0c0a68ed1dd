"""The two observable stores. Names are Python's here; `as_json` gives the specification's."""

import json
import time
import uuid
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field, replace
from typing import Any

_KEY = "factory/messages"


@dataclass(frozen=True)
class ChatMessage:
    """One message of a chat; `timestamp` in Unix milliseconds."""

    role: str
    content: str
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    timestamp: float = field(default_factory=lambda: int(time.time() * 1000))

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "ChatMessage":
        """Read the specification's form; what it leaves out is filled in."""
        names = {"toolCalls": "tool_calls", "toolCallId": "tool_call_id"}
        return cls(**{names.get(name, name): value for name, value in fields.items()})

    def as_json(self) -> dict[str, Any]:
        """Give the specification's form, without the fields that are not set."""
        fields = {"id": self.id, "role": self.role, "content": self.content, "timestamp": self.timestamp}
        optional = {"toolCalls": self.tool_calls, "toolCallId": self.tool_call_id}
        return fields | {name: value for name, value in optional.items() if value is not None}


class Store:
    """Tells its listeners of every change."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener()` after every change."""
        self._listeners.append(listener)

    def _change(self, **fields: Any) -> None:
        for name, value in fields.items():
            setattr(self, name, value)
        for listener in self._listeners:
            listener()


class ChatStore(Store):
    """The chat, whose messages are kept in `storage`; calls that a reload left open are dropped."""

    def __init__(self, storage: MutableMapping[str, str]) -> None:
        super().__init__()
        self._storage = storage
        self.messages = tuple(ChatMessage.from_json(message) for message in json.loads(storage.get(_KEY, "[]")))
        while self.messages and self.messages[-1].tool_calls:
            self.messages = self.messages[:-1]
        self.loading = False
        self.error: str | None = None

    def add_message(self, message: ChatMessage) -> None:
        """Append a message."""
        self._keep((*self.messages, message))

    def clear_messages(self) -> None:
        """Remove all messages, from the storage too."""
        self._keep(())

    def set_loading(self, loading: bool) -> None:
        """Say whether something is being waited for."""
        self._change(loading=loading)

    def set_error(self, error: str | None) -> None:
        """Set or clear the error; an error ends the waiting."""
        self._change(error=error, loading=self.loading and error is None)

    def _keep(self, messages: tuple[ChatMessage, ...]) -> None:
        self._storage[_KEY] = json.dumps([message.as_json() for message in messages])
        self._change(messages=messages)


@dataclass(frozen=True)
class AgentState:
    """What the agent is doing."""

    status: str = "idle"
    active_tool: str | None = None
    context: dict[str, Any] | None = None


class AgentStore(Store):
    """What the agent is doing, one state after another."""

    state = AgentState()

    def get_state(self) -> AgentState:
        """Give the present state."""
        return self.state

    def set_status(self, status: str) -> None:
        """Change the status alone."""
        self._change(state=replace(self.state, status=status))

    def set_active_tool(self, name: str | None) -> None:
        """Change the running tool alone."""
        self._change(state=replace(self.state, active_tool=name))

    def set_context(self, context: dict[str, Any] | None) -> None:
        """Replace the context."""
        self._change(state=replace(self.state, context=context))

    def reset(self) -> None:
        """Begin again."""
        self._change(state=AgentState())
