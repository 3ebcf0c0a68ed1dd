"""The chat, held by this module: its messages are kept in the client's storage."""

import json
import time
import uuid
from collections.abc import Callable, MutableMapping
from typing import Any

messages: list[dict[str, Any]] = []
loading = False
error: str | None = None

_listeners: list[Callable[[], None]] = []
_storage: MutableMapping[str, str] = {}
_KEY = "module-stores/messages"


def open_storage(storage: MutableMapping[str, str]) -> None:
    """Keep the messages in `storage` from now on, and begin with those that are there, but for calls left open."""
    global _storage
    _storage = storage
    messages[:] = json.loads(storage.get(_KEY, "[]"))
    while messages and messages[-1].get("toolCalls"):
        messages.pop()


def subscribe(listener: Callable[[], None]) -> None:
    """Call `listener()` after every change."""
    _listeners.append(listener)


def add_message(fields: dict[str, Any]) -> dict[str, Any]:
    """Append a message, complete it with an id and a timestamp, and give it back."""
    message = {"id": uuid.uuid4().hex, "timestamp": int(time.time() * 1000), **fields}
    messages.append(message)
    _changed()
    return message


def clear_messages() -> None:
    """Remove all messages, from the storage too."""
    messages.clear()
    _changed()


def set_loading(value: bool) -> None:
    """Say whether something is being waited for."""
    global loading
    loading = value
    _changed()


def set_error(text: str | None) -> None:
    """Set or clear the error; an error ends the waiting."""
    global error, loading
    error, loading = text, loading and text is None
    _changed()


def _changed() -> None:
    _storage[_KEY] = json.dumps(messages)
    for listener in _listeners:
        listener()
