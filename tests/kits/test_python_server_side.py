"""The Python kit's surfaces of the server, the context bridge and the sources, spoken with in process."""

import asyncio
import json
import math
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import httpx
import pytest
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from specassay.drivers.kits.python import specassay_kit as kit
from specassay.drivers.kits.python.specassay_kit.context import inspect_context, serialise
from tests.kits.test_python_kit import Harness, begun, conversation, driver

Json = Any


async def get(url: str) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, verify=False) as client:
        return await client.get(url)


def asgi(body: str, events: list[str] | None = None) -> Callable[..., Any]:
    """Make an ASGI application that answers with a text, and notes the events of its life."""

    async def app(scope: Json, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        if scope["type"] == "lifespan":
            for event in ("startup", "shutdown"):
                await receive()
                if events is not None:
                    events.append(event)
                await send({"type": f"lifespan.{event}.complete"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body.encode()})

    return app


def is_open(origin: str) -> bool:
    address = httpx.URL(origin)
    assert address.port is not None
    with socket.socket() as probe:
        return probe.connect_ex((address.host, address.port)) == 0


def routes(start: Callable[..., Any], **options: Any) -> Callable[[kit.Scenario], kit.Surfaces]:
    return lambda scenario: {"chat-route": kit.chat_route(scenario, start, **options)}


@conversation
async def test_a_route_is_served_on_loopback_until_it_is_stopped() -> None:
    events: list[str] = []
    harness = await begun(routes(lambda environment, tools: asgi("hello", events)))

    origin = (await harness.result("chat-route.start", environment={}))["origin"]
    answer = await get(f"{origin}/api/agent/chat")
    await harness.result("chat-route.stop")

    assert origin.startswith("http://127.0.0.1:")
    assert answer.text == "hello"
    assert (events, is_open(origin)) == (["startup", "shutdown"], False)


@conversation
async def test_a_route_may_be_started_again_and_a_start_ends_the_one_before() -> None:
    harness = await begun(routes(lambda environment, tools: asgi(environment["LLM_MODEL"])))

    first = (await harness.result("chat-route.start", environment={"LLM_MODEL": "a"}))["origin"]
    second = (await harness.result("chat-route.start", environment={"LLM_MODEL": "b"}))["origin"]

    assert (is_open(first), (await get(second)).text) == (False, "b")
    await harness.result("chat-route.stop")
    await harness.result("chat-route.stop")
    assert not is_open(second)


@pytest.mark.parametrize("ending", ["scenario.end", "shutdown"])
@conversation
async def test_the_end_of_the_scenario_stops_the_route_before_the_client_is_ended(ending: str) -> None:
    seen: list[bool] = []
    origins: list[str] = []
    harness = await begun(routes(lambda environment, tools: asgi("x")), end=lambda: seen.append(is_open(origins[0])))

    origins.append((await harness.result("chat-route.start", environment={}))["origin"])
    await harness.result(ending)

    assert seen == [False]


@conversation
async def test_a_reload_of_the_client_leaves_the_route_running() -> None:
    async def reload(scenario: kit.Scenario) -> None:
        await scenario.reload()

    harness = await begun(
        lambda scenario: {
            **routes(lambda environment, tools: asgi("x"))(scenario),
            "client": {"reload": lambda: reload(scenario)},
        }
    )

    origin = (await harness.result("chat-route.start", environment={}))["origin"]
    await harness.result("client.reload")
    assert (await get(origin)).text == "x"
    await harness.result("chat-route.stop")
    assert not is_open(origin)


@conversation
async def test_start_is_given_the_environment_and_tools_that_can_be_registered_and_run() -> None:
    given: list[Any] = []

    async def start(environment: Mapping[str, str], tools: list[Json]) -> Callable[..., Any]:
        given.append((environment, tools))
        return asgi("x")

    harness = await begun(routes(start))
    definition = {"name": "probe", "description": "d", "parameters": []}
    await harness.result("chat-route.start", environment={"LLM_MODEL": "m"}, tools=[definition])
    await harness.result("chat-route.stop")

    environment, (tool,) = given[0]
    run = tool.pop("execute")({"q": 1}, {"projectId": None})
    pending = asyncio.ensure_future(run)
    request = await harness.asked.get()
    await harness.answer(request, result="found")
    assert (environment, tool, await pending) == ({"LLM_MODEL": "m"}, definition, "found")
    assert request["params"] == {"name": "probe", "args": {"q": 1}, "context": {"projectId": None}}


@conversation
async def test_an_application_that_refuses_to_start_is_an_error_that_says_so() -> None:
    async def app(scope: Json, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        await receive()
        await send({"type": "lifespan.startup.failed", "message": "no database"})

    harness = await begun(routes(lambda environment, tools: app))
    answer = await harness.call("chat-route.start", environment={})

    assert answer["error"]["data"]["message"] == "the application refused to start; its log says why"


@conversation
async def test_a_wsgi_application_is_served_as_well() -> None:
    def app(environ: Json, start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [])
        return [environ["PATH_INFO"].encode()]

    harness = await begun(routes(lambda environment, tools: app, serve=kit.serve_wsgi))
    origin = (await harness.result("chat-route.start", environment={}))["origin"]

    assert (await get(f"{origin}/api/agent/chat")).text == "/api/agent/chat"
    await harness.result("chat-route.stop")
    assert not is_open(origin)


@dataclass(frozen=True)
class Answer:
    content: str
    tool_calls: list[Json] | None = None


class Adapter:
    def __init__(self, config: Json) -> None:
        if config["provider"] != "gemini":
            raise ValueError(f"Unknown LLM provider: {config['provider']}")
        self.asked: list[Any] = []

    async def chat(self, *params: Any) -> Answer:
        return Answer(json.dumps(params), [{"id": "c1"}])

    def close(self) -> None: ...


class Interface:
    def chat(self) -> None: ...

    def _private(self) -> None: ...


CONFIG = {"provider": "gemini", "model": "m", "apiKey": "k"}


async def adapters(interface: Any = None) -> Harness:
    operations = kit.provider_adapter(Adapter, lambda adapter, *params: adapter.chat(*params), interface)
    return await begun(lambda scenario: {"provider-adapter": operations})


@conversation
async def test_an_adapter_is_made_by_the_factory_whose_refusal_is_the_implementation_s_error() -> None:
    harness = await adapters()

    await harness.result("provider-adapter.create", config=CONFIG)
    answer = await harness.call("provider-adapter.create", config=CONFIG | {"provider": "x"})

    assert answer["error"]["data"]["message"] == "Unknown LLM provider: x"


@conversation
async def test_an_adapter_is_called_once_with_what_is_given_and_absent_schemas_are_none() -> None:
    harness = await adapters()
    messages = [{"role": "user", "content": "Hi"}]

    for schemas, seen in (({}, None), ({"toolSchemas": []}, []), ({"toolSchemas": [{"name": "a"}]}, [{"name": "a"}])):
        result = await harness.result(
            "provider-adapter.chat", config=CONFIG, messages=messages, systemPrompt="S", **schemas
        )
        assert result == {"content": json.dumps((messages, "S", seen)), "toolCalls": [{"id": "c1"}]}


@conversation
async def test_the_methods_are_those_of_the_interface_or_else_of_the_adapter() -> None:
    described = [
        await (await adapters(interface)).result("provider-adapter.describe", config=CONFIG)
        for interface in (None, Interface)
    ]

    assert described == [{"methods": ["chat", "close"]}, {"methods": ["chat"]}]


class Editor:
    """An editor, which no context may hold."""


@dataclass
class Summary:
    id: str
    media_type: str = "video"
    extra: Any = None


@dataclass
class Context:
    project_id: str | None
    media_assets: list[Summary] = field(default_factory=list)


class Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow", frozen=True)
    project_id: str | None = None
    inner: "Model | None" = None


def model(**fields: Any) -> Model:
    return Model.model_validate(fields)


class Kind(Enum):
    VIDEO = "video"


MODEL: Json = {"projectId": None, "inner": None}
SUMMARY: Json = {"id": "a", "mediaType": "video", "extra": None}
CONTEXT: Json = {"projectId": None, "mediaAssets": [SUMMARY]}


def cycle() -> Json:
    value: dict[str, Any] = {"a": [1]}
    value["a"].append(value)
    return value


@pytest.mark.parametrize(
    ("value", "copy", "pointers"),
    [
        ({"a": [1, 2.5, None, True, "é"], "b": ()}, {"a": [1, 2.5, None, True, "é"], "b": []}, []),
        (Context("p", [Summary("a")]), {"projectId": "p", "mediaAssets": [SUMMARY]}, []),
        (model(inner=model(a_key=1)), {"projectId": None, "inner": {**MODEL, "a_key": 1}}, []),
        ({"kind": Kind.VIDEO}, {"kind": "video"}, []),
        ({"a": print}, {"a": None}, ["/a"]),
        ({"a": [0, Editor()]}, {"a": [0, None]}, ["/a/1"]),
        ({"a/b": {"~": object()}}, {"a/b": {"~": None}}, ["/a~1b/~0"]),
        ({"a": math.nan, "b": math.inf}, {"a": None, "b": None}, ["/a", "/b"]),
        ({"a": {1, 2}, "b": b"x"}, {"a": None, "b": None}, ["/a", "/b"]),
        (cycle(), {"a": [1, None]}, ["/a/1"]),
        (Context(None, [Summary("a", extra=Editor())]), CONTEXT, ["/mediaAssets/0/extra"]),
        (model(editor=Editor()), {**MODEL, "editor": None}, ["/editor"]),
        (Editor(), None, [""]),
        (Summary, None, [""]),
    ],
)
def test_what_is_no_plain_data_is_pointed_to(value: Any, copy: Any, pointers: list[str]) -> None:
    assert inspect_context(value) == (copy, pointers)


def test_the_same_data_twice_is_no_cycle() -> None:
    shared = [1]

    assert inspect_context({"a": shared, "b": shared}) == ({"a": [1], "b": [1]}, [])


def test_an_object_of_the_editor_is_pointed_to_though_it_holds_plain_data_alone() -> None:
    context = {"asset": Summary("a"), "other": Answer("x")}

    assert inspect_context(context, (Summary,))[1] == ["/asset"]


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ({"a": "é"}, '{"a": "\\u00e9"}'),
        (Summary("a"), '{"id": "a", "mediaType": "video", "extra": null}'),
        (Model(project_id="p"), '{"projectId":"p","inner":null}'),
        ({"a": Editor()}, ""),
        (cycle(), ""),
    ],
)
def test_a_context_is_serialised_as_the_language_does_it(context: Any, text: str) -> None:
    assert serialise(context) == text


class ContextAdapter:
    def __init__(self, editor: dict[str, Any]) -> None:
        self._editor = editor

    def get_context(self) -> Any:
        return self._editor["context"]


@dataclass
class State:
    project: Json
    editor: Any = field(default_factory=Editor)


async def bridges(build: Callable[[State], Any], read: Callable[[Json], Any] = lambda state: state) -> Harness:
    editor: dict[str, Any] = {}
    operations = kit.context_bridge(
        ContextAdapter(editor),
        set_editor=lambda state: editor.update(context=read(state)),
        editor_state=lambda state: State(state["project"]),
        build_context=build,
        build_prompt=lambda context: f"prompt of {context['projectId']}",
        editor_types=(Editor,),
    )
    return await begun(lambda scenario: {"context-bridge": operations})


STATE: Json = {"project": {"id": "p"}, "activeScene": None, "assets": [], "currentTimeMs": 5}


@conversation
async def test_a_context_is_asked_for_after_the_editor_was_put_into_the_state() -> None:
    harness = await bridges(lambda state: None, lambda state: Model(project_id=state["project"]["id"]))

    assert await harness.result("context-bridge.getContext", editorState=STATE) == {
        "context": {"projectId": "p", "inner": None},
        "json": '{"projectId":"p","inner":null}',
        "notPlain": [],
    }


@conversation
async def test_a_context_that_is_no_plain_data_is_reported_and_no_error() -> None:
    harness = await bridges(lambda state: None, lambda state: {"projectId": "p", "manager": Editor()})

    assert await harness.result("context-bridge.getContext", editorState=STATE) == {
        "context": {"projectId": "p", "manager": None},
        "json": "",
        "notPlain": ["/manager"],
    }


def mutating(state: State) -> Json:
    state.project["seen"] = True
    return {}


def mutating_deeply(state: State) -> Json:
    state.editor.used = 1
    return {}


def exchanging(state: State) -> Json:
    state.editor = Editor()
    return {}


@pytest.mark.parametrize(
    ("build", "unchanged"),
    [(lambda state: state.project, True), (mutating, False), (mutating_deeply, False), (exchanging, False)],
)
@conversation
async def test_the_mapper_s_input_is_compared_with_what_it_was(build: Callable[[State], Any], unchanged: bool) -> None:
    harness = await bridges(build)

    result = await harness.result("context-bridge.buildContextFromEditorState", editorState=STATE)
    assert result["inputUnchanged"] is unchanged


@conversation
async def test_the_prompt_is_made_of_the_context_alone_and_the_adapter_s_methods_are_named() -> None:
    harness = await bridges(lambda state: None)

    assert await harness.result("context-bridge.buildSystemPrompt", context={"projectId": "p"}) == {
        "prompt": "prompt of p"
    }
    assert await harness.result("context-bridge.describe") == {"methods": ["getContext"]}


@conversation
async def test_the_layout_comes_in_the_protocol_s_names() -> None:
    layout = kit.source_layout(
        root="/src",
        agent_directory="agent",
        core_directory="core",
        modules={"types": "agent/types.py"},
        client_entries=["agent/run.py"],
        typecheck=["mypy", "."],
    )
    harness = Harness(driver(lambda scenario: {"source-layout": layout}))
    await harness.result("scenario.begin", id="x", endpoints={}, environment={}, seed=1)

    assert await harness.result("source-layout.getSources") == {
        "root": "/src",
        "language": "python",
        "agentDirectory": "agent",
        "coreDirectory": "core",
        "aliases": {},
        "testPatterns": [],
        "serverEntries": [],
        "clientEntries": ["agent/run.py"],
        "modules": {"types": "agent/types.py"},
        "typecheck": {"command": ["mypy", "."], "directory": "."},
    }
