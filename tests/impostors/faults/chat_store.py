"""Chat stores with one fault each."""

import html
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

import pytest

from specassay.reference import stores
from specassay.reference.stores import STORAGE_KEY, ChatStore
from specassay.reference.types import ChatMessage, new_id
from tests.impostors.impostor import impostor

_BEGIN_WITHOUT_ERROR = (
    "chat-store.5",
    "chat-store.10",
    "orchestrator-shell.13",
    "orchestrator-shell.14",
    "orchestrator-shell.16",
    "orchestrator-shell/robustness/an-answer-that-is-none-is-an-api-error",
)
_HOLD_EXACTLY = (
    "chat-store.1",
    "chat-store.7",
    "chat-store.8",
    "chat-store/robustness/a-reload-ends-the-loading",
    "orchestrator-shell.10",
)


def _made(message: ChatMessage | Mapping[str, Any]) -> ChatMessage:
    return message if isinstance(message, ChatMessage) else ChatMessage.new(**message)


@impostor(
    "agent-session-shell/chat-store.1",
    elsewhere={"chat-store.8": "What is not held cannot survive a reload."},
)
def drops_calls(patch: pytest.MonkeyPatch) -> None:
    """Keep role and content of a message, and drop its tool calls and the call id of a tool's result."""
    original = ChatStore.add_message

    def add_message(self: ChatStore, message: Any) -> None:
        original(self, ChatMessage.new(role=_made(message).role, content=_made(message).content))

    patch.setattr(ChatStore, "add_message", add_message)


@impostor("agent-session-shell/chat-store.1")
def trims(patch: pytest.MonkeyPatch) -> None:
    """Lose the spaces around a content."""
    _write(patch, str.strip)


@impostor("agent-session-shell/chat-store.1")
def escapes_markup(patch: pytest.MonkeyPatch) -> None:
    """Escape a content for HTML before it is kept."""
    _write(patch, html.escape)


@impostor("agent-session-shell/chat-store.1")
def loses_other_scripts(patch: pytest.MonkeyPatch) -> None:
    """Turn characters outside ASCII into question marks."""
    _write(patch, lambda content: content.encode("ascii", "replace").decode())


@impostor("agent-session-shell/chat-store.1")
def drops_empty_messages(patch: pytest.MonkeyPatch) -> None:
    """Drop a message that has neither content nor calls."""
    original = ChatStore.add_message

    def add_message(self: ChatStore, message: Any) -> None:
        if _made(message).content or _made(message).tool_calls:
            original(self, message)

    patch.setattr(ChatStore, "add_message", add_message)


def _write(patch: pytest.MonkeyPatch, change: Any) -> None:
    original = ChatStore.add_message

    def add_message(self: ChatStore, message: Any) -> None:
        original(self, _made(message).model_copy(update={"content": change(_made(message).content)}))

    patch.setattr(ChatStore, "add_message", add_message)


@impostor(
    "agent-session-shell/chat-store.2",
    elsewhere={"chat-store/robustness/a-reload-ends-the-loading": "A reload makes a fresh store."},
)
def has_no_loading_at_first(patch: pytest.MonkeyPatch) -> None:
    """Have no `loading` until the first change, which reads as false."""
    _begin_with(patch, lambda state: state.model_construct({"messages", "error"}, **dict(state)))


@impostor(
    "agent-session-shell/chat-store.3",
    elsewhere=dict.fromkeys(_BEGIN_WITHOUT_ERROR, "It proves that no error was there before."),
)
def begins_with_empty_error(patch: pytest.MonkeyPatch) -> None:
    """Begin with an empty text as the error."""
    _begin_with(patch, lambda state: state.model_copy(update={"error": ""}))


def _begin_with(patch: pytest.MonkeyPatch, change: Any) -> None:
    original = ChatStore.__init__

    def begin(self: ChatStore, storage: MutableMapping[str, str]) -> None:
        original(self, storage)
        self._state = change(self._state)

    patch.setattr(ChatStore, "__init__", begin)


@impostor("agent-session-shell/chat-store.4")
def prepends(patch: pytest.MonkeyPatch) -> None:
    """Put a user's message in front of all others."""
    original = ChatStore.add_message

    def add_message(self: ChatStore, message: Any) -> None:
        if _made(message).role != "user":
            return original(self, message)
        return self._keep((_made(message), *self.state.messages))

    patch.setattr(ChatStore, "add_message", add_message)


@impostor("agent-session-shell/chat-store.4")
def drops_a_repetition(patch: pytest.MonkeyPatch) -> None:
    """Take a message that says what the last one says for a double click."""
    original = ChatStore.add_message

    def add_message(self: ChatStore, message: Any) -> None:
        said = [(entry.role, entry.content) for entry in (*self.state.messages[-1:], _made(message))]
        if len(said) == 1 or said[0] != said[1]:
            original(self, message)

    patch.setattr(ChatStore, "add_message", add_message)


@impostor(
    "agent-session-shell/chat-store.4", elsewhere=dict.fromkeys(_HOLD_EXACTLY, "It looks for exactly what was added.")
)
def adds_twice(patch: pytest.MonkeyPatch) -> None:
    """Append the first message of a chat twice, once as a draft."""
    original = ChatStore.add_message

    def add_message(self: ChatStore, message: Any) -> None:
        if not self.state.messages:
            original(self, message)
        original(self, message)

    patch.setattr(ChatStore, "add_message", add_message)


@impostor("agent-session-shell/chat-store.5")
def toggles_loading(patch: pytest.MonkeyPatch) -> None:
    """Toggle, when loading is set to true."""
    original = ChatStore.set_loading

    def set_loading(self: ChatStore, loading: bool) -> None:
        original(self, loading and not self.state.loading)

    patch.setattr(ChatStore, "set_loading", set_loading)


@impostor(
    "agent-session-shell/chat-store.6",
    elsewhere={"chat-store.10": "That the error persists until it is cleared is proved by clearing it."},
)
def cannot_clear_the_error(patch: pytest.MonkeyPatch) -> None:
    """Ignore an error that is null, so that none can be cleared."""
    original = ChatStore.set_error

    def set_error(self: ChatStore, error: str | None) -> None:
        if error is not None:
            original(self, error)

    patch.setattr(ChatStore, "set_error", set_error)


@impostor("agent-session-shell/chat-store.6")
def keeps_the_first_error(patch: pytest.MonkeyPatch) -> None:
    """Keep an error although a later one comes."""
    original = ChatStore.set_error

    def set_error(self: ChatStore, error: str | None) -> None:
        original(self, error and (self.state.error or error))

    patch.setattr(ChatStore, "set_error", set_error)


@impostor("agent-session-shell/chat-store.7")
def clears_memory_only(patch: pytest.MonkeyPatch) -> None:
    """Clear the messages in memory, and leave the storage as it is."""
    patch.setattr(ChatStore, "clear_messages", lambda self: self._set(messages=()))


@impostor("agent-session-shell/chat-store.7")
def clears_storage_only(patch: pytest.MonkeyPatch) -> None:
    """Clear the storage, and leave the messages until a reload."""
    patch.setattr(ChatStore, "clear_messages", lambda self: self._save(()))


@impostor(
    "agent-session-shell/chat-store.8",
    elsewhere={
        "chat-store/robustness/a-reload-ends-the-loading": "It proves that the reload kept the messages.",
        "chat-store/robustness/a-conversation-with-a-tool-is-replayed-whole-after-a-reload": "It replays what is kept.",
    },
)
def never_reads(patch: pytest.MonkeyPatch) -> None:
    """Write the storage and never read it."""
    patch.setattr(ChatStore, "_load", lambda self: ())


@impostor(
    "agent-session-shell/chat-store.8",
    elsewhere={
        "chat-store/robustness/a-conversation-with-a-tool-is-replayed-whole-after-a-reload": "It replays a call.",
    },
)
def persists_text_only(patch: pytest.MonkeyPatch) -> None:
    """Write role and content of each message alone to the storage."""
    original = ChatStore._save

    def save(self: ChatStore, messages: Iterable[ChatMessage]) -> None:
        fields = ("id", "role", "content", "timestamp")
        original(self, tuple(ChatMessage(**{name: getattr(m, name) for name in fields}) for m in messages))

    patch.setattr(ChatStore, "_save", save)


@impostor("agent-session-shell/chat-store.8")
def stamps_anew(patch: pytest.MonkeyPatch) -> None:
    """Give messages new ids when they are loaded."""
    original = ChatStore._load

    def load(self: ChatStore) -> tuple[ChatMessage, ...]:
        return tuple(message.model_copy(update={"id": new_id()}) for message in original(self))

    patch.setattr(ChatStore, "_load", load)


@impostor("agent-session-shell/chat-store.10")
def forgets_the_error(patch: pytest.MonkeyPatch) -> None:
    """Clear the error when a message is added."""
    original = ChatStore.add_message

    def add_message(self: ChatStore, message: Any) -> None:
        original(self, message)
        self._set(error=None)

    patch.setattr(ChatStore, "add_message", add_message)


@impostor("agent-session-shell/chat-store.10")
def loading_ends_the_error(patch: pytest.MonkeyPatch) -> None:
    """Clear the error when loading begins."""

    def set_loading(self: ChatStore, loading: bool) -> None:
        self._set(loading=loading, error=None if loading else self.state.error)

    patch.setattr(ChatStore, "set_loading", set_loading)


@impostor("agent-session-shell/chat-store.10")
def wears_the_error_down(patch: pytest.MonkeyPatch) -> None:
    """Keep the first word of an error alone."""
    original = ChatStore.set_error

    def set_error(self: ChatStore, error: str | None) -> None:
        original(self, error and error.split()[0])

    patch.setattr(ChatStore, "set_error", set_error)


@impostor("agent-session-shell/chat-store.11")
def rolls_loading_back(patch: pytest.MonkeyPatch) -> None:
    """Bring back, with an error, what `loading` was before it was set last."""
    before: dict[ChatStore, bool] = {}
    original = ChatStore.set_loading

    def set_loading(self: ChatStore, loading: bool) -> None:
        before[self] = self.state.loading
        original(self, loading)

    def set_error(self: ChatStore, error: str | None) -> None:
        self._set(error=error, loading=before.get(self, False))

    patch.setattr(ChatStore, "set_loading", set_loading)
    patch.setattr(ChatStore, "set_error", set_error)


@impostor("agent-session-shell/chat-store/robustness/an-error-ends-the-loading")
def loads_on_after_an_error(patch: pytest.MonkeyPatch) -> None:
    """Leave `loading` as it is when an error is set."""
    patch.setattr(ChatStore, "set_error", lambda self, error: self._set(error=error))


@impostor("agent-session-shell/chat-store/robustness/a-reload-ends-the-loading")
def persists_loading(patch: pytest.MonkeyPatch) -> None:
    """Keep `loading` in the storage too."""
    begin, set_loading = ChatStore.__init__, ChatStore.set_loading

    def begin_with_loading(self: ChatStore, storage: MutableMapping[str, str]) -> None:
        begin(self, storage)
        self._set(loading="loading" in storage)

    def keep_loading(self: ChatStore, loading: bool) -> None:
        set_loading(self, loading)
        self._storage.pop("loading", None)
        if loading:
            self._storage["loading"] = "true"

    patch.setattr(ChatStore, "__init__", begin_with_loading)
    patch.setattr(ChatStore, "set_loading", keep_loading)


@impostor("agent-session-shell/chat-store/robustness/a-conversation-with-a-tool-is-replayed-whole-after-a-reload")
def persists_no_rounds(patch: pytest.MonkeyPatch) -> None:
    """Write a message that is added alone to the storage, but not the calls and results of a round."""
    add_message, add_messages = ChatStore.add_message, ChatStore.add_messages

    def kept(self: ChatStore) -> tuple[ChatMessage, ...]:
        return stores._MESSAGES.validate_json(self._storage.get(STORAGE_KEY, "[]"))

    def add_and_write(self: ChatStore, message: Any) -> None:
        before = kept(self)
        add_message(self, message)
        self._save((*before, self.state.messages[-1]))

    def add_without_writing(self: ChatStore, messages: Iterable[ChatMessage]) -> None:
        before = kept(self)
        add_messages(self, messages)
        self._save(before)

    patch.setattr(ChatStore, "add_message", add_and_write)
    patch.setattr(ChatStore, "add_messages", add_without_writing)


@impostor(
    "agent-session-shell/chat-store/robustness/a-call-that-was-left-open-by-a-reload-is-not-sent-on-without-a-result"
)
def leaves_calls_open(patch: pytest.MonkeyPatch) -> None:
    """Load what was stored as it is, open calls too."""
    patch.setattr(stores, "_closed", tuple)
