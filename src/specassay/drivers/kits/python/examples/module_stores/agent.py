"""What the agent is doing, held by this module."""

from collections.abc import Callable
from typing import Any

state: dict[str, Any] = {"status": "idle", "active_tool": None, "context": None}

_listeners: list[Callable[[], None]] = []


def subscribe(listener: Callable[[], None]) -> None:
    """Call `listener()` after every change."""
    _listeners.append(listener)


def change(**fields: Any) -> None:
    """Change `status`, `active_tool` or `context`."""
    state.update(fields)
    for listener in _listeners:
        listener()


def reset() -> None:
    """Return to idle; the context stays."""
    change(status="idle", active_tool=None)
