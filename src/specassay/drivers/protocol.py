"""The messages of the driver protocol, as types (docs/driver-protocol.md).

The models cover the envelope and what the harness itself sends. What an implementation answers is any JSON, which
only checks judge; a result is a model here where the harness must read it to go on.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

VERSION = "1.0"
NO_SUCH_OPERATION = -32601
NOT_RUNNABLE = -32001
"""Only what stands in for a driver within the harness may say so: this run cannot offer what a call takes."""
NEEDS_DRIVER = -32002
"""Only what stands in for a driver may say so: a call takes what nothing but a driver can offer."""
IMPLEMENTATION_ERROR = -32000
LINE_LIMIT = 16 * 1024 * 1024
DEPTH_LIMIT = 100
"""How deep the objects and lists of a message may be nested."""


class Model(BaseModel):
    """A part of a message; its names are camelCase on the wire, and an unknown field is ignored."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Strict(Model):
    """A part of a message that the harness sends, in which an unknown field is a fault of the harness."""

    model_config = ConfigDict(extra="forbid")


class Program(Model):
    """Name and version of a program."""

    name: str = Field(min_length=1)
    version: str


class ImplementationName(Program):
    """The implementation under test."""

    language: str


class Conventions(Model):
    """How an implementation writes a tool result into the message history."""

    tool_result_role: str = "tool"
    tool_call_id_field: str = "toolCallId"


_Seconds = Annotated[float, Field(gt=0, strict=True, allow_inf_nan=False)]


class Limits(Model):
    """Longer time limits that a driver asks for, in seconds."""

    start_seconds: _Seconds | None = None
    call_seconds: _Seconds | None = None
    scenario_seconds: _Seconds | None = None


class InitializeParams(Strict):
    """The handshake, as the harness opens it."""

    protocol_version: str
    harness: Program


class Declaration(Model):
    """The conformance statement: what a driver declares at the handshake."""

    protocol_version: str
    implementation: ImplementationName
    surfaces: tuple[str, ...]
    operations: tuple[str, ...] = ()
    conventions: Conventions = Conventions()
    isolation: Literal["session", "process"] = "session"
    limits: Limits = Limits()


class Endpoints(Strict):
    """The addresses of one scenario."""

    provider: str
    chat_origin: str
    egress: str
    trap: str
    refused: str


class ScenarioBegin(Strict):
    """The start of a scenario: fresh state."""

    id: str
    endpoints: Endpoints
    environment: dict[str, str]
    storage: dict[str, str] | None = None
    seed: int


class ToolExecute(Model):
    """The implementation runs a tool that a scenario registered or stubbed."""

    name: str
    args: Any
    context: Any = None


class Nothing(Strict):
    """No parameters."""


class _Message(Strict):
    message: dict[str, Any]


class _Loading(Strict):
    loading: bool


class _Error(Strict):
    error: str | None


class _Status(Strict):
    status: str


class _ActiveTool(Strict):
    active_tool: str | None


class _Context(Strict):
    context: dict[str, Any] | None


class _Parameter(Strict):
    key: str
    type: Literal["string", "number", "boolean", "object", "array"]
    required: bool


class _Definition(Strict):
    name: str
    description: str
    parameters: tuple[_Parameter, ...]


class _Register(Strict):
    definition: _Definition


class _Name(Strict):
    name: str


class _Run(Strict):
    messages: list[dict[str, Any]]
    context: dict[str, Any]


class _StartRoute(Strict):
    environment: dict[str, str]
    tools: tuple[_Definition, ...] | None = None


class _Config(Strict):
    provider: str
    model: str
    api_key: str
    base_url: str | None = None


class _Configured(Strict):
    config: _Config


class _Chat(_Configured):
    messages: list[dict[str, Any]]
    system_prompt: str
    tool_schemas: list[dict[str, Any]] | None = None


class _Named(Strict):
    id: str


class _Asset(Strict):
    id: str
    name: str
    type: str
    duration: float | None = None


class _EditorState(Strict):
    project: _Named | None
    active_scene: _Named | None
    assets: tuple[_Asset, ...]
    current_time_ms: float


class _Editor(Strict):
    editor_state: _EditorState


class _Prompt(Strict):
    context: dict[str, Any]


class _TranscriptMessage(Strict):
    message: dict[str, Any]


class _Send(Strict):
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None


class _GenerateArguments(Strict):
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    selected: str


class _RuntimeTurn(Strict):
    text: str
    tools: list[dict[str, Any]]


class _PublicRequest(Strict):
    request: Any


class _History(Strict):
    messages: list[dict[str, Any]]


class _Prepare(Strict):
    environment: dict[str, str]
    settings: dict[str, Any]
    launch: Literal["managed", "external-host", "skip-start", "vscode"]
    data_directory: str


class _Listen(Strict):
    host: str


class _Child(Strict):
    environment: dict[str, str]


class _InvocationContext(Strict):
    directory: str


class _Invoke(Strict):
    invocation_id: str
    environment: dict[str, str]
    action: Any
    parameters: Any
    context: _InvocationContext


class _Cli(Strict):
    arguments: list[str]


class _Control(Strict):
    action: str
    input: dict[str, Any]


@dataclass(frozen=True)
class Surface:
    """A part of the specification that an implementation may offer.

    `operations` maps a name to the model of its parameters, `optional` names those that a driver need not offer,
    `needs` the surfaces that must be declared with it.
    """

    operations: dict[str, type[BaseModel]]
    optional: frozenset[str] = frozenset()
    needs: tuple[str, ...] = ()


SURFACES: dict[str, Surface] = {
    "chat-store": Surface(
        {
            "addMessage": _Message,
            "setLoading": _Loading,
            "setError": _Error,
            "clearMessages": Nothing,
            "getState": Nothing,
            "getHistory": Nothing,
            "reload": Nothing,
            "getStorage": Nothing,
        }
    ),
    "agent-store": Surface(
        {
            "setStatus": _Status,
            "setActiveTool": _ActiveTool,
            "setContext": _Context,
            "reset": Nothing,
            "getState": Nothing,
            "getHistory": Nothing,
        }
    ),
    "tool-registry": Surface(
        {
            "register": _Register,
            "get": _Name,
            "has": _Name,
            "getAll": Nothing,
            "toToolSchemas": Nothing,
            "stub": _Name,
        }
    ),
    "orchestrator": Surface(
        {"run": _Run, "abort": Nothing},
        optional=frozenset({"abort"}),
        needs=("chat-store", "agent-store", "tool-registry"),
    ),
    "chat-route": Surface({"start": _StartRoute, "stop": Nothing}),
    "provider-adapter": Surface({"create": _Configured, "chat": _Chat, "describe": _Configured}),
    "context-bridge": Surface(
        {
            "getContext": _Editor,
            "buildContextFromEditorState": _Editor,
            "buildSystemPrompt": _Prompt,
            "describe": Nothing,
        }
    ),
    "source-layout": Surface({"getSources": Nothing}),
    "transcript": Surface(
        {
            "validateMessage": _TranscriptMessage,
            "send": _Send,
            "chatAgent.respond": _Send,
            "eventAgent.generateArguments": _GenerateArguments,
            "runtime.respond": _RuntimeTurn,
            "acceptPublicRequest": _PublicRequest,
            "projectHistory": _History,
        },
        optional=frozenset({"acceptPublicRequest", "projectHistory"}),
    ),
    "agent-tool": Surface(
        {
            "prepareEnvironment": _Prepare,
            "listen": _Listen,
            "stop": Nothing,
            "describe": _Child,
            "invoke": _Invoke,
            "cli": _Cli,
        },
        optional=frozenset({"cli"}),
    ),
    "control-service": Surface({"execute": _Control}),
}

OPTIONAL_OPERATIONS = frozenset(
    f"{name}.{operation}" for name, surface in SURFACES.items() for operation in surface.optional
)


def params_of(operation: str) -> type[BaseModel]:
    """Give the model of an operation's parameters. Raises `KeyError` for a name that is none."""
    surface, _, name = operation.partition(".")
    return SURFACES[surface].operations[name]


def problems(declaration: Declaration) -> list[str]:
    """List what is wrong with a conformance statement, each with the way out; empty where nothing is."""
    found = []
    if declaration.protocol_version.split(".")[0] != VERSION.split(".")[0]:
        found.append(f"it speaks protocol version {declaration.protocol_version!r}; this harness speaks {VERSION!r}")
    found += _listed("surface", declaration.surfaces, tuple(SURFACES))
    found += _listed("optional operation", declaration.operations, tuple(sorted(OPTIONAL_OPERATIONS)))
    declared = set(declaration.surfaces)
    for name in sorted(declared & SURFACES.keys()):
        missing = [need for need in SURFACES[name].needs if need not in declared]
        if missing:
            found.append(f"surface {name!r} needs {_and(missing)}, which it does not declare")
    for operation in declaration.operations:
        if operation in OPTIONAL_OPERATIONS and operation.partition(".")[0] not in declared:
            found.append(f"operation {operation!r} is declared without its surface")
    return found


def _listed(what: str, names: tuple[str, ...], known: tuple[str, ...]) -> list[str]:
    found = [f"unknown {what} {name!r}; known are {_and(known)}" for name in dict.fromkeys(names) if name not in known]
    return found + [f"{what} {name!r} is declared twice" for name in sorted(set(names)) if names.count(name) > 1]


def _and(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(repr(name) for name in names)
