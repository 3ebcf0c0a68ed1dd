"""The reference's parts, as one scenario uses them."""

import ssl
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass

import httpx

from specassay.drivers.kits.python import specassay_kit as kit
from specassay.drivers.kits.python.specassay_kit import egress
from specassay.reference.context import EditorContextAdapter
from specassay.reference.core import EditorCore
from specassay.reference.orchestrator import Orchestrator
from specassay.reference.registry import ToolRegistry, default_registry
from specassay.reference.stores import AgentStore, ChatStore


@dataclass(frozen=True)
class Shell:
    """The parts; the client serves the orchestrator and the adapters."""

    chat: ChatStore
    agent: AgentStore
    registry: ToolRegistry
    orchestrator: Orchestrator
    client: httpx.AsyncClient
    editor: EditorCore
    context: EditorContextAdapter


class Transport(httpx.AsyncHTTPTransport):
    """Sends what is meant for another host to the egress; in the harness's own process nothing else may change."""

    def __init__(self, egress: str | None) -> None:
        # By default all certificates of the machine are loaded, for traffic that never leaves it.
        super().__init__(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), trust_env=False)
        self._egress = egress

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        return await super().handle_async_request(egress.forward(request, self._egress))


def build_shell(
    scenario: kit.Scenario,
    *,
    chat_store: Callable[[MutableMapping[str, str]], ChatStore] = ChatStore,
    agent_store: Callable[[], AgentStore] = AgentStore,
    registry: Callable[[], ToolRegistry] = default_registry,
    orchestrator: Callable[..., Orchestrator] = Orchestrator,
    context: Callable[[EditorCore], EditorContextAdapter] = EditorContextAdapter,
) -> Shell:
    """Make the parts for a scenario; a variant of the reference gives another class for the part that it changes."""
    chat, agent, tools, editor = chat_store(scenario.storage), agent_store(), registry(), EditorCore()
    client = httpx.AsyncClient(transport=Transport(scenario.endpoints.get("egress")), trust_env=False, timeout=30)
    loop = orchestrator(chat, agent, tools, scenario.endpoints["chatOrigin"], client)
    return Shell(chat, agent, tools, loop, client, editor, context(editor))
