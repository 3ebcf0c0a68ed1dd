"""The driver of the reference: in process, or served with `python -m specassay.drivers.reference`."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from specassay import __version__
from specassay.drivers.kits.python import specassay_kit as kit
from specassay.drivers.reference import agent_tool
from specassay.drivers.reference.editor import EDITOR_TYPES, editor_state, set_editor
from specassay.drivers.reference.layout import layout
from specassay.drivers.reference.shell import Shell, build_shell
from specassay.drivers.reference.transcript import OPTIONAL, transcript_surface
from specassay.reference import context_mapper, prompt
from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers import factory
from specassay.reference.providers.interface import ProviderAdapter, ProviderChatParams
from specassay.reference.route import ChatRoute
from specassay.reference.types import AgentContext, ChatMessage, ToolDefinition

__all__ = ["Shell", "build_shell", "driver"]

SURFACES = (
    "chat-store",
    "agent-store",
    "tool-registry",
    "orchestrator",
    "chat-route",
    "provider-adapter",
    "context-bridge",
    "source-layout",
    "transcript",
    "agent-tool",
    "control-service",
)


def driver(build: Callable[[kit.Scenario], Shell] = build_shell) -> kit.Driver:
    """Make a driver of the reference, or of the variant that `build` makes of it."""
    shells: list[Shell] = []
    plugins = kit.PluginHost()
    runs_plugins = agent_tool.can_run_plugins()

    def begin(scenario: kit.Scenario) -> kit.Surfaces:
        shell = build(scenario)
        shells.append(shell)
        return {
            **_client(scenario, shell),
            **_server(scenario, shell),
            "source-layout": {"getSources": lambda: kit.source_layout(**layout())["getSources"]()},
            "transcript": transcript_surface(scenario, shell.client),
            **agent_tool.agent_tool_surfaces(scenario, plugins),
        }

    async def end() -> None:
        await shells.pop().client.aclose()

    return kit.Driver(
        name="reference",
        version=__version__,
        surfaces=[name for name in SURFACES if runs_plugins or name != "agent-tool"],
        operations=("orchestrator.abort", *OPTIONAL, *(agent_tool.OPTIONAL if runs_plugins else ())),
        begin=begin,
        end=end,
        close=plugins.close,
    )


def _client(scenario: kit.Scenario, shell: Shell) -> kit.Surfaces:
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
        "context-bridge": kit.context_bridge(
            shell.context,
            set_editor=partial(set_editor, shell.editor),
            editor_state=editor_state,
            build_context=lambda state: context_mapper.build_context_from_editor_state(state),
            build_prompt=lambda context: prompt.build_system_prompt(AgentContext.model_validate(context)),
            editor_types=EDITOR_TYPES,
        ),
    }


def _server(scenario: kit.Scenario, shell: Shell) -> kit.Surfaces:
    def start(environment: Mapping[str, str], tools: list[dict[str, Any]]) -> ChatRoute:
        for tool in tools:
            shell.registry.register(ToolDefinition(**tool))
        return ChatRoute(shell.registry, shell.client, environment)

    def create(config: dict[str, Any]) -> ProviderAdapter:
        return factory.create_adapter(ProviderConfiguration.model_validate(config), shell.client)

    async def chat(adapter: ProviderAdapter, messages: Any, system_prompt: str, tool_schemas: Any) -> dict[str, Any]:
        schemas = {} if tool_schemas is None else {"tool_schemas": tool_schemas}
        params = {"messages": messages, "system_prompt": system_prompt, **schemas}
        return (await adapter.chat(ProviderChatParams.model_validate(params))).to_json()

    return {
        "chat-route": kit.chat_route(scenario, start),
        "provider-adapter": kit.provider_adapter(create, chat, ProviderAdapter),
    }
