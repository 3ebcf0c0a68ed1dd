"""The driver of the reference: in process, or served with `python -m specassay.drivers.reference`."""

import ssl
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

import httpx

from specassay import __version__
from specassay.drivers.kits.python import specassay_kit as kit
from specassay.reference.orchestrator import Orchestrator
from specassay.reference.registry import ToolRegistry, default_registry
from specassay.reference.stores import AgentStore, ChatStore
from specassay.reference.types import AgentContext, ChatMessage, ToolDefinition


@dataclass(frozen=True)
class Shell:
    """The reference's parts, as one scenario uses them."""

    chat: ChatStore
    agent: AgentStore
    registry: ToolRegistry
    orchestrator: Orchestrator
    client: httpx.AsyncClient


def build_shell(
    scenario: kit.Scenario,
    *,
    chat_store: Callable[[MutableMapping[str, str]], ChatStore] = ChatStore,
    agent_store: Callable[[], AgentStore] = AgentStore,
    registry: Callable[[], ToolRegistry] = default_registry,
    orchestrator: Callable[..., Orchestrator] = Orchestrator,
) -> Shell:
    """Make the parts for a scenario; a variant of the reference gives another class for the part that it changes."""
    chat, agent, tools = chat_store(scenario.storage), agent_store(), registry()
    no_certificates = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # by default all are loaded, for a route on loopback
    client = httpx.AsyncClient(verify=no_certificates, trust_env=False, timeout=30)
    origin = scenario.endpoints["chatOrigin"]
    return Shell(chat, agent, tools, orchestrator(chat, agent, tools, origin, client), client)


def driver(build: Callable[[kit.Scenario], Shell] = build_shell) -> kit.Driver:
    """Make a driver of the reference, or of the variant that `build` makes of it."""
    shells: list[Shell] = []

    def begin(scenario: kit.Scenario) -> kit.Surfaces:
        shell = build(scenario)
        shells.append(shell)

        async def run(messages: list[Any], context: Any) -> None:
            loaded = [ChatMessage.model_validate(message) for message in messages]
            await shell.orchestrator.run(loaded, AgentContext.model_validate(context))

        return {
            "chat-store": kit.chat_store(scenario, shell.chat, get_state=lambda: shell.chat.state.to_json()),
            "agent-store": kit.agent_store(scenario, shell.agent, get_state=lambda: shell.agent.state.to_json()),
            "tool-registry": kit.tool_registry(
                scenario, shell.registry, define=lambda fields, execute: ToolDefinition(**fields, execute=execute)
            ),
            "orchestrator": kit.orchestrator(run, shell.orchestrator.abort),
        }

    async def end() -> None:
        await shells.pop().client.aclose()

    return kit.Driver(
        name="reference",
        version=__version__,
        surfaces=("chat-store", "agent-store", "tool-registry", "orchestrator"),
        operations=("orchestrator.abort",),
        begin=begin,
        end=end,
    )


if __name__ == "__main__":
    driver().serve()
