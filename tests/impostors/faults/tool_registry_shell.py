"""Registries, and loops that use them, with one fault each."""

from collections.abc import Mapping
from typing import Any

import pytest

from specassay.reference import registry
from specassay.reference.orchestrator import Orchestrator
from specassay.reference.providers.interface import ProviderChatParams
from specassay.reference.registry import DefinitionRegistry, ToolRegistry
from specassay.reference.route import ChatRequest, ChatRoute
from specassay.reference.types import ToolDefinition
from tests.impostors.impostor import impostor

_TAKES_TWO = (
    "agent-store.9",
    "gemini-tool-calling/robustness",
    "orchestrator-shell.5",
    "orchestrator-shell.6",
    "orchestrator-shell.7",
    "orchestrator-shell.17",
    "tool-registry-shell.4",
    "tool-registry-shell.6",
    "tool-registry-shell.7",
    "tool-registry-shell.8",
)
_GETS = ("tool-registry-shell.2", "tool-registry-shell/robustness/an-inherited-name-is-no-tool")
_ASKS_HAS = ("tool-registry-shell.10", "tool-registry-shell/robustness/an-inherited-name-is-no-tool")
_EXPORTS = (
    "api-proxy-route.8",
    "tool-registry-shell.7",
    "tool-registry-shell.10",
    "tool-registry-shell.11",
)
_OFFERS = ("api-proxy-route.8", "gemini-tool-calling.1", "gemini-tool-calling.6", "provider-adapter-interface.7")
_GETS_ALL = (
    "tool-registry-shell.3",
    "tool-registry-shell.10",
    "tool-registry-shell.11",
    "tool-registry-shell/robustness/a-name-that-a-provider-would-refuse-is-refused-at-registration",
)
_COUNTS_TOOLS = (
    "tool-registry-shell.3",
    "tool-registry-shell.6",
    "tool-registry-shell.7",
    "tool-registry-shell.8",
    "tool-registry-shell/robustness/a-name-that-a-provider-would-refuse-is-refused-at-registration",
)
_SHIPPED = "transcribe_video"
_INHERITED = ("toString", "constructor", "hasOwnProperty", "__proto__")


def _keep_the_loop(patch: pytest.MonkeyPatch) -> None:
    """Let the loop find its tools as before, whatever becomes of the registry's own operations."""
    get, get_all = DefinitionRegistry.get, DefinitionRegistry.get_all

    class Untouched:
        def __init__(self, tools: ToolRegistry) -> None:
            self._tools = tools

        def get(self, name: str) -> ToolDefinition | None:
            return get(self._tools, name)

        def get_all(self) -> list[ToolDefinition]:
            return get_all(self._tools)

    find = Orchestrator._find_tool

    def find_tool(self: Orchestrator, name: str) -> ToolDefinition:
        with pytest.MonkeyPatch.context() as aside:
            aside.setattr(self, "_registry", Untouched(self._registry))
            return find(self, name)

    patch.setattr(Orchestrator, "_find_tool", find_tool)


def _tool(name: str, result: Any = None) -> ToolDefinition:
    return ToolDefinition(name=name, description="Another tool.", parameters=(), execute=lambda args, context: result)


@impostor("agent-session-shell/tool-registry-shell.2")
def gives_no_execute(patch: pytest.MonkeyPatch) -> None:
    """Give a registered tool without its execute."""
    _keep_the_loop(patch)
    original = ToolRegistry.get

    def get(self: ToolRegistry, key: str) -> ToolDefinition | None:
        tool = original(self, key)
        return tool.model_copy(update={"execute": None}) if tool and tool.name != _SHIPPED else tool

    patch.setattr(ToolRegistry, "get", get)


@impostor(
    "agent-session-shell/tool-registry-shell.3",
    elsewhere=dict.fromkeys((*_TAKES_TWO, "gemini-tool-calling.1"), "It takes two registered tools."),
)
def keeps_the_last(patch: pytest.MonkeyPatch) -> None:
    """Drop the tool that was registered before, when another is."""
    original = ToolRegistry.register

    def register(self: ToolRegistry, definition: ToolDefinition) -> None:
        shipped = self._definitions.get(_SHIPPED)
        original(self, definition)
        self._definitions = {tool.name: tool for tool in (shipped, definition) if tool}

    patch.setattr(ToolRegistry, "register", register)


@impostor(
    "agent-session-shell/tool-registry-shell.4",
    elsewhere=dict.fromkeys(_GETS, "It gets a registered tool by its name."),
)
def gets_the_first(patch: pytest.MonkeyPatch) -> None:
    """Get the first tool for every name that there is."""
    _keep_the_loop(patch)
    patch.setattr(ToolRegistry, "get", lambda self, key: self.get_all()[0] if self.has(key) else None)


@impostor(
    "agent-session-shell/tool-registry-shell.4",
    elsewhere=dict.fromkeys(_GETS, "It gets a registered tool by its name."),
)
def gets_nothing(patch: pytest.MonkeyPatch) -> None:
    """Get only what the registry shipped with."""
    _keep_the_loop(patch)
    original = ToolRegistry.get
    patch.setattr(ToolRegistry, "get", lambda self, key: original(self, key) if key == _SHIPPED else None)


@impostor(
    "agent-session-shell/tool-registry-shell.5",
    elsewhere=dict.fromkeys(_ASKS_HAS, "It asks for a name that is not there."),
)
def has_everything(patch: pytest.MonkeyPatch) -> None:
    """Have every name."""
    patch.setattr(ToolRegistry, "has", lambda self, key: True)


@impostor(
    "agent-session-shell/tool-registry-shell.5",
    elsewhere=dict.fromkeys(_ASKS_HAS, "It asks for a name that was registered, to prove that it can be there."),
)
def has_the_shipped_only(patch: pytest.MonkeyPatch) -> None:
    """Have no tool but the shipped one."""
    patch.setattr(ToolRegistry, "has", lambda self, key: key == _SHIPPED)


@impostor(
    "agent-session-shell/tool-registry-shell.6",
    elsewhere=dict.fromkeys(_GETS_ALL, "It finds registered tools by the list of all."),
)
def gets_all_shipped_only(patch: pytest.MonkeyPatch) -> None:
    """Get the shipped tool alone, when all are asked for."""
    _keep_the_loop(patch)
    original = ToolRegistry.get_all
    patch.setattr(ToolRegistry, "to_tool_schemas", lambda self: [tool.to_json() for tool in original(self)])
    patch.setattr(ToolRegistry, "get_all", lambda self: original(self)[:1])


@impostor("agent-session-shell/tool-registry-shell.6")
def gets_all_undescribed(patch: pytest.MonkeyPatch) -> None:
    """Get the names alone, when all registered tools are asked for."""
    _keep_the_loop(patch)
    original = ToolRegistry.get_all

    def get_all(self: ToolRegistry) -> list[ToolDefinition]:
        return [tool if tool.name == _SHIPPED else _tool(tool.name) for tool in original(self)]

    patch.setattr(ToolRegistry, "to_tool_schemas", lambda self: [tool.to_json() for tool in original(self)])
    patch.setattr(ToolRegistry, "get_all", get_all)


@impostor(
    "agent-session-shell/tool-registry-shell.7",
    elsewhere={
        "tool-registry-shell.8": "The specification's own scenario exports what was shipped, and another tool after it."
    },
)
def exports_once(patch: pytest.MonkeyPatch) -> None:
    """Export what was registered at the first export, for ever."""
    original = ToolRegistry.to_tool_schemas

    def to_tool_schemas(self: ToolRegistry) -> list[dict[str, Any]]:
        exported: list[dict[str, Any]] = self.__dict__.setdefault("exported", original(self))
        return exported

    patch.setattr(ToolRegistry, "to_tool_schemas", to_tool_schemas)


def _export(patch: pytest.MonkeyPatch, change: Any) -> None:
    original = ToolRegistry.to_tool_schemas
    patch.setattr(ToolRegistry, "to_tool_schemas", lambda self: [change(schema) for schema in original(self)])


@impostor(
    "agent-session-shell/tool-registry-shell.8",
    elsewhere=dict.fromkeys(_EXPORTS, "It depends on the form of the export."),
)
def exports_functions(patch: pytest.MonkeyPatch) -> None:
    """Export what OpenAI calls a function."""

    def function(schema: Mapping[str, Any]) -> dict[str, Any]:
        properties = {entry["key"]: {"type": entry["type"]} for entry in schema["parameters"]}
        required = [entry["key"] for entry in schema["parameters"] if entry["required"]]
        parameters = {"type": "object", "properties": properties, "required": required}
        return {"type": "function", "function": {**schema, "parameters": parameters}}

    _spare_the_route(patch)
    _export(patch, function)


def _spare_the_route(patch: pytest.MonkeyPatch) -> None:
    """Let the route read an export of its own, so that it still answers."""
    original, exported = ChatRoute._params, ToolRegistry.to_tool_schemas

    def params(self: ChatRoute, request: ChatRequest) -> ProviderChatParams:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(ToolRegistry, "to_tool_schemas", exported)
            return original(self, request)

    patch.setattr(ChatRoute, "_params", params)


@impostor("agent-session-shell/tool-registry-shell.8")
def exports_execute(patch: pytest.MonkeyPatch) -> None:
    """Export execute as well."""
    _export(patch, lambda schema: {**schema, "execute": "<function>"})


@impostor(
    "agent-session-shell/tool-registry-shell.8",
    elsewhere=dict.fromkeys((*_OFFERS, "gemini-tool-calling.2"), "The route offers what is exported."),
)
def loses_what_is_optional(patch: pytest.MonkeyPatch) -> None:
    """Export every parameter as required."""
    _export(
        patch, lambda schema: {**schema, "parameters": [{**entry, "required": True} for entry in schema["parameters"]]}
    )


@impostor(
    "agent-session-shell/tool-registry-shell.8",
    elsewhere=dict.fromkeys(_OFFERS, "The route offers what is exported."),
)
def loses_types(patch: pytest.MonkeyPatch) -> None:
    """Export every parameter as a string."""
    _export(
        patch, lambda schema: {**schema, "parameters": [{**entry, "type": "string"} for entry in schema["parameters"]]}
    )


@impostor("agent-session-shell/tool-registry-shell.10")
def hides_echo_context(patch: pytest.MonkeyPatch) -> None:
    """Leave echo_context out of the lists, and run it all the same."""
    original = Orchestrator._find_tool

    def find_tool(self: Orchestrator, name: str) -> ToolDefinition:
        if name != "echo_context" or self._registry.has(name):
            return original(self, name)
        return _tool(name).model_copy(update={"execute": lambda args, context: context.to_json()})

    patch.setattr(Orchestrator, "_find_tool", find_tool)


@impostor("agent-session-shell/tool-registry-shell.10")
def has_echo_context(patch: pytest.MonkeyPatch) -> None:
    """Have echo_context, without listing it."""
    original = ToolRegistry.has
    patch.setattr(ToolRegistry, "has", lambda self, key: key == "echo_context" or original(self, key))


@impostor(
    "agent-session-shell/tool-registry-shell.10",
    elsewhere=dict.fromkeys(
        (*_COUNTS_TOOLS, *_OFFERS, "gemini-tool-calling.2", "tool-registry-shell.11"),
        "It knows exactly which tools there are.",
    ),
)
def ships_echo_context(patch: pytest.MonkeyPatch) -> None:
    """Ship echo_context too."""
    _ship(patch, "echo_context")


@impostor(
    "agent-session-shell/tool-registry-shell.11",
    elsewhere=dict.fromkeys(
        (*_COUNTS_TOOLS, *_OFFERS, "gemini-tool-calling.2", "tool-registry-shell.10"),
        "It knows exactly which tools there are.",
    ),
)
def ships_another_tool(patch: pytest.MonkeyPatch) -> None:
    """Ship a second tool."""
    _ship(patch, "export_video")


@impostor(
    "agent-session-shell/tool-registry-shell.11",
    elsewhere={"tool-registry-shell.6": "The shipped tool is one of all."},
)
def ships_a_stub(patch: pytest.MonkeyPatch) -> None:
    """Ship transcribe_video without an execute."""
    original = ToolRegistry.get_all

    def get_all(self: ToolRegistry) -> list[ToolDefinition]:
        return [tool.model_copy(update={"execute": None}) if tool.name == _SHIPPED else tool for tool in original(self)]

    patch.setattr(ToolRegistry, "get_all", get_all)


def _ship(patch: pytest.MonkeyPatch, name: str) -> None:
    shipped = registry.shipped_tools
    patch.setattr(registry, "shipped_tools", lambda: (*shipped(), _tool(name)))


@impostor("agent-session-shell/tool-registry-shell/robustness/an-inherited-name-is-no-tool")
def has_inherited_names(patch: pytest.MonkeyPatch) -> None:
    """Have every name that an object inherits."""
    original = ToolRegistry.has
    patch.setattr(ToolRegistry, "has", lambda self, key: key in _INHERITED or original(self, key))


@impostor("agent-session-shell/tool-registry-shell/robustness/a-call-of-an-inherited-name-is-a-call-of-an-unknown-tool")
def runs_inherited_names(patch: pytest.MonkeyPatch) -> None:
    """Run what an object inherits."""
    original = Orchestrator._find_tool

    def find_tool(self: Orchestrator, name: str) -> ToolDefinition:
        return _tool(name, "[object Object]") if name in _INHERITED else original(self, name)

    patch.setattr(Orchestrator, "_find_tool", find_tool)


@impostor(f"agent-session-shell/{_GETS_ALL[-1]}")
def takes_any_name(patch: pytest.MonkeyPatch) -> None:
    """Register a tool of any name."""
    patch.setattr(ToolRegistry, "register", DefinitionRegistry.register)
