"""A driver to start from: it runs as it stands. Put your own code where the comments say."""

from collections.abc import Callable
from typing import Any

import specassay_kit as kit  # first: from here on, print() goes to standard error

# Then import your own modules, and delete the placeholder.


class PlaceholderStore:
    """Stands for your chat store: observable, and with the four actions."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.loading = False
        self.error: str | None = None
        self.changed: Callable[[], None] = lambda: None

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change."""
        self.changed = listener

    def add_message(self, message: dict[str, Any]) -> None:
        """Append a message; yours gives it an id and a timestamp, and keeps it in the storage."""
        self.messages.append(message)
        self.changed()

    def set_loading(self, loading: bool) -> None:
        """Set `loading`."""
        self.loading = loading
        self.changed()

    def set_error(self, error: str | None) -> None:
        """Set or clear the error."""
        self.error = error
        self.changed()

    def clear_messages(self) -> None:
        """Remove all messages."""
        self.messages.clear()
        self.changed()


def begin(scenario: kit.Scenario) -> kit.Surfaces:
    """Make your implementation anew: its route is at scenario.endpoints["chatOrigin"], its storage scenario.storage."""
    store = PlaceholderStore()
    return {
        "chat-store": kit.chat_store(scenario, store),
        # "agent-store": kit.agent_store(scenario, your_agent_store),
        # "tool-registry": kit.tool_registry(scenario, your_registry, define=your_tool_class),
        # "orchestrator": kit.orchestrator(your_run),
        # "chat-route": kit.chat_route(scenario, lambda environment, tools: your_asgi_app),
        # "provider-adapter": kit.provider_adapter(your_factory, lambda adapter, *params: adapter.chat(*params)),
        # "context-bridge": kit.context_bridge(your_adapter, set_editor=..., editor_state=..., build_context=..., ...),
        # "source-layout": kit.source_layout(root=..., agent_directory=..., core_directory=..., modules={...}),
    }


if __name__ == "__main__":
    kit.Driver(name="my-shell", version="0.1", surfaces=["chat-store"], begin=begin).serve()
