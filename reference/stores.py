"""The client's two observable stores: the chat, which survives a reload, and the agent's execution state."""

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from specassay.reference.types import AgentContext, ChatMessage, ExecutionState, Model

STORAGE_KEY = "chat-store"
_MESSAGES = TypeAdapter(tuple[ChatMessage, ...])


class ChatState(Model):
    """The chat as it is (agent-session-shell/chat-store.1, .2 and .3)."""

    messages: tuple[ChatMessage, ...]
    loading: bool
    error: str | None


class AgentState(Model):
    """What the agent is doing (agent-session-shell/agent-store.1, .2 and .3)."""

    status: ExecutionState
    active_tool: str | None
    context: AgentContext | None


State = TypeVar("State", bound=Model)


class Store(Generic[State]):
    """Holds one immutable state and tells its listeners each new one."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._listeners: dict[object, Callable[[State], None]] = {}

    @property
    def state(self) -> State:
        """The present state."""
        return self._state

    def subscribe(self, listener: Callable[[State], None]) -> Callable[[], None]:
        """Call `listener(state)` after each change, until the function that this returns is called."""
        token = object()
        self._listeners[token] = listener

        def unsubscribe() -> None:
            self._listeners.pop(token, None)

        return unsubscribe

    def _set(self, **changes: Any) -> None:
        self._state = self._state.model_validate({**dict(self._state), **changes})
        for listener in tuple(self._listeners.values()):
            listener(self._state)


class ChatStore(Store[ChatState]):
    """The chat, whose messages are kept in `storage` (agent-session-shell/chat-store.8).

    Raises `ValueError` if the storage holds something else under its key.
    """

    def __init__(self, storage: MutableMapping[str, str]) -> None:
        self._storage = storage
        super().__init__(ChatState(messages=self._load(), loading=False, error=None))

    def add_message(self, message: ChatMessage | Mapping[str, Any]) -> None:
        """Append a message, with an id and a timestamp if it has none (agent-session-shell/chat-store.4)."""
        self.add_messages([message if isinstance(message, ChatMessage) else ChatMessage.new(**message)])

    def add_messages(self, messages: Iterable[ChatMessage]) -> None:
        """Append messages that belong together as one change, so that no reload finds half of them."""
        self._keep((*self.state.messages, *messages))

    def set_loading(self, loading: bool) -> None:
        """Set `loading` (agent-session-shell/chat-store.5)."""
        self._set(loading=loading)

    def set_error(self, error: str | None) -> None:
        """Set or clear the error; an error ends `loading` (agent-session-shell/chat-store.6 and .11)."""
        self._set(error=error, loading=self.state.loading and error is None)

    def clear_messages(self) -> None:
        """Remove all messages, from the storage too (agent-session-shell/chat-store.7)."""
        self._keep(())

    def _keep(self, messages: tuple[ChatMessage, ...]) -> None:
        self._save(messages)
        self._set(messages=messages)

    def _save(self, messages: tuple[ChatMessage, ...]) -> None:
        self._storage[STORAGE_KEY] = _MESSAGES.dump_json(messages, by_alias=True, exclude_unset=True).decode()

    def _load(self) -> tuple[ChatMessage, ...]:
        try:
            return _closed(_MESSAGES.validate_json(self._storage.get(STORAGE_KEY, "[]")))
        except ValueError as error:
            raise ValueError(f'The storage holds no chat under "{STORAGE_KEY}"; remove the entry.') from error


def _closed(messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Answer each call that an interruption left without a result: no provider takes a history with open calls."""
    closed: list[ChatMessage] = []
    open_ids: list[str] = []
    for message in messages:
        if message.role == "tool":
            open_ids = [call_id for call_id in open_ids if call_id != message.tool_call_id]
        else:
            closed += map(_interrupted, open_ids)
            open_ids = [call.id for call in message.tool_calls or ()]
        closed.append(message)
    return (*closed, *map(_interrupted, open_ids))


def _interrupted(call_id: str) -> ChatMessage:
    return ChatMessage.new(role="tool", content="Interrupted before there was a result.", tool_call_id=call_id)


class AgentStore(Store[AgentState]):
    """The agent's execution state (agent-session-shell/agent-store.1 to .7); nothing of it is kept."""

    def __init__(self) -> None:
        super().__init__(AgentState(status="idle", active_tool=None, context=None))

    def set_status(self, status: ExecutionState) -> None:
        """Set the status alone (agent-session-shell/agent-store.4)."""
        self._set(status=status)

    def set_active_tool(self, name: str | None) -> None:
        """Set the tool that runs, alone (agent-session-shell/agent-store.5)."""
        self._set(active_tool=name)

    def set_context(self, context: AgentContext | None) -> None:
        """Replace the context (agent-session-shell/agent-store.6)."""
        self._set(context=context)

    def reset(self) -> None:
        """Return to idle without a tool; the context stays (agent-session-shell/agent-store.7)."""
        self._set(status="idle", active_tool=None)
