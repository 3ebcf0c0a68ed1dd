"""The Python kit, spoken with in process."""

import asyncio
import functools
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from specassay.drivers.kits.python import specassay_kit as kit

Json = Any
BEGIN = {"id": "a/b.1/c", "endpoints": {"chatOrigin": "http://127.0.0.1:9"}, "environment": {}, "seed": 7}


def conversation(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test, for ten seconds at most."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(asyncio.wait_for(test(**fixtures), timeout=10))

    return run


class Harness:
    """The other side of a driver, in process: `call` gives the whole answer, `asked` holds the driver's requests."""

    def __init__(self, driver: kit.Driver) -> None:
        self._driver = driver
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.asked: asyncio.Queue[Json] = asyncio.Queue()

    def start(self, method: str, **params: Json) -> asyncio.Future[Json]:
        number = len(self._answers) + 1
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._hand({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self._answers[number]

    async def call(self, method: str, **params: Json) -> Json:
        return await self.start(method, **params)

    async def result(self, method: str, **params: Json) -> Json:
        answer = await self.call(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def answer(self, request: Json, **outcome: Json) -> asyncio.Task[None]:
        return self._hand({"jsonrpc": "2.0", "id": request["id"], **outcome})

    def _hand(self, message: Json) -> asyncio.Task[None]:
        task = asyncio.create_task(self._driver.receive(message, self._take))
        self._tasks.append(task)
        return task

    def _take(self, message: Json) -> None:
        assert message["jsonrpc"] == "2.0"
        if "method" in message:
            self.asked.put_nowait(message)
        else:
            self._answers[message["id"]].set_result(message)


class Chat:
    """An observable chat store that keeps its messages in a storage."""

    def __init__(self, storage: dict[str, str] | None = None) -> None:
        self.storage = {} if storage is None else storage
        self.messages: list[Json] = json.loads(self.storage.get("chat", "[]"))
        self.loading = False
        self.error: str | None = None
        self._listeners: list[Callable[..., None]] = []

    def subscribe(self, listener: Callable[..., None]) -> object:
        self._listeners.append(listener)
        return object()

    def add_message(self, message: Json) -> object:
        self.messages.append(message)
        self.storage["chat"] = json.dumps(self.messages)
        return self._changed()

    def set_loading(self, loading: bool) -> object:
        self.loading = loading
        return self._changed()

    def set_error(self, error: str | None) -> object:
        self.error = error
        return self._changed()

    def clear_messages(self) -> object:
        self.messages.clear()
        return self._changed()

    def _changed(self) -> object:
        for listener in self._listeners:
            listener("the state", "of before")
        return object()


class Registry:
    """A registry of definitions by name, of any type."""

    def __init__(self, *tools: Any) -> None:
        self.tools: dict[str, Any] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Any) -> object:
        self.tools[tool["name"] if isinstance(tool, dict) else tool.name] = tool
        return object()

    def get(self, name: str) -> Any:
        return self.tools.get(name)

    def has(self, name: str) -> bool:
        return name in self.tools

    def get_all(self) -> list[Any]:
        return list(self.tools.values())

    def to_tool_schemas(self) -> Json:
        return [{"is": name} for name in self.tools]


@dataclass(frozen=True)
class DataTool:
    name: str
    description: str
    parameters: list[Json]
    execute: Callable[..., Any] | None


class ModelTool(BaseModel):
    model_config = ConfigDict(frozen=True)
    name: str
    description: str
    parameters: list[Json]
    execute: Callable[..., Any] | None


def dict_tool(**fields: Any) -> Json:
    return fields


def driver(
    begin: Callable[[kit.Scenario], kit.Surfaces | Awaitable[kit.Surfaces]] = lambda scenario: {}, **statement: Any
) -> kit.Driver:
    return kit.Driver(name="it", version="2.1", begin=begin, **({"surfaces": []} | statement))


async def begun(begin: Callable[[kit.Scenario], kit.Surfaces | Awaitable[kit.Surfaces]], **statement: Any) -> Harness:
    harness = Harness(driver(begin, **statement))
    await harness.result("scenario.begin", **BEGIN)
    return harness


@conversation
async def test_the_handshake_says_what_the_driver_declares() -> None:
    harness = Harness(
        driver(
            surfaces=("chat-store", "orchestrator"),
            operations=["orchestrator.abort"],
            isolation="process",
            conventions={"toolResultRole": "function"},
            limits={"callSeconds": 60},
        )
    )

    assert await harness.result("initialize", protocolVersion="1.0") == {
        "protocolVersion": "1.0",
        "implementation": {"name": "it", "version": "2.1", "language": "python"},
        "surfaces": ["chat-store", "orchestrator"],
        "operations": ["orchestrator.abort"],
        "isolation": "process",
        "conventions": {"toolResultRole": "function"},
        "limits": {"callSeconds": 60},
    }


@conversation
async def test_an_operation_that_nobody_offers_is_refused_before_and_within_a_scenario() -> None:
    harness = Harness(driver(lambda scenario: {"chat-store": kit.chat_store(scenario, Chat())}))

    before = await harness.call("chat-store.getState")
    await harness.result("scenario.begin", **BEGIN)
    within = [await harness.call(method) for method in ("chat-store.x7", "x7.getState", "x7", "chat-store")]

    assert [answer["error"]["code"] for answer in (before, *within)] == [-32601] * 5
    assert "error" not in await harness.call("chat-store.getState")


@conversation
async def test_parameters_come_as_keywords_in_snake_case_and_an_inner_point_belongs_to_the_operation() -> None:
    harness = await begun(lambda scenario: {"transcript": {"eventAgent.generate": lambda **params: params}})

    given = {"toolChoice": {"aKey": 1}, "q": None}
    assert await harness.result("transcript.eventAgent.generate", **given) == {"tool_choice": {"aKey": 1}, "q": None}


@conversation
async def test_an_exception_is_the_implementation_s_error_with_its_text_and_kind() -> None:
    class GuardError(Exception):
        kind = "orphan"

    def fail(error: Exception) -> None:
        raise error

    async def fail_later() -> None:
        raise GuardError("no call c1")

    operations = {"early": lambda: fail(ValueError("bad")), "late": fail_later, "mute": lambda: fail(KeyError())}
    harness = await begun(lambda scenario: {"x": operations})

    errors = [(await harness.call(f"x.{name}"))["error"] for name in operations]
    assert [error["code"] for error in errors] == [-32000] * 3
    assert [error["data"] for error in errors] == [
        {"message": "bad"},
        {"message": "no call c1", "kind": "orphan"},
        {"message": "KeyError"},
    ]


@conversation
async def test_a_result_that_is_no_json_is_an_error_that_names_it() -> None:
    harness = await begun(lambda scenario: {"x": {"object": object, "nan": lambda: [float("nan")]}})

    assert "<object object" in (await harness.call("x.object"))["error"]["data"]["message"]
    assert "nan" in (await harness.call("x.nan"))["error"]["data"]["message"]


@conversation
async def test_a_scenario_without_operations_for_a_declared_surface_is_an_error_that_names_it() -> None:
    answer = await Harness(driver(surfaces=["chat-store", "agent-store"])).call("scenario.begin", **BEGIN)

    assert "chat-store, agent-store" in answer["error"]["data"]["message"]


@pytest.mark.parametrize("begin_is_async", [False, True])
@conversation
async def test_begin_is_given_the_scenario_and_end_is_called_once_a_scenario(begin_is_async: bool) -> None:
    seen: list[Any] = []

    async def begin(scenario: kit.Scenario) -> kit.Surfaces:
        seen.append((scenario.id, scenario.endpoints, scenario.environment, scenario.seed))
        return {}

    def begin_now(scenario: kit.Scenario) -> kit.Surfaces:
        seen.append((scenario.id, scenario.endpoints, scenario.environment, scenario.seed))
        return {}

    async def end() -> None:
        seen.append("end")

    harness = await begun(begin if begin_is_async else begin_now, end=end)
    await harness.result("scenario.end")
    await harness.result("shutdown")

    assert seen == [(BEGIN["id"], BEGIN["endpoints"], {}, 7), "end"]


@conversation
async def test_a_store_s_actions_reach_it_and_its_state_is_read_without_them() -> None:
    harness = await begun(lambda scenario: {"chat-store": kit.chat_store(scenario, Chat())})

    for name, params in (
        ("addMessage", {"message": {"role": "user", "content": "A", "toolCalls": []}}),
        ("setLoading", {"loading": True}),
        ("setError", {"error": "no"}),
    ):
        assert await harness.result(f"chat-store.{name}", **params) is None
    filled = await harness.result("chat-store.getState")
    await harness.result("chat-store.clearMessages")

    assert filled == {
        "messages": [{"role": "user", "content": "A", "toolCalls": []}],
        "loading": True,
        "error": "no",
    }
    assert (await harness.result("chat-store.getState"))["messages"] == []


@conversation
async def test_an_action_that_is_given_replaces_the_store_s_own_and_may_be_async() -> None:
    chat = Chat()

    async def add(message: Json) -> None:
        chat.add_message({**message, "id": "m1"})

    harness = await begun(lambda scenario: {"chat-store": kit.chat_store(scenario, chat, add_message=add)})
    await harness.result("chat-store.addMessage", message={"role": "user"})

    assert chat.messages == [{"role": "user", "id": "m1"}]


class SnakeState:
    status, active_tool, context = "idle", None, None


class AliasedState(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
    status: str = "idle"
    active_tool: str | None = None
    context: None = None


@pytest.mark.parametrize(
    "state",
    [
        SnakeState(),
        AliasedState(),
        {"status": "idle", "active_tool": None, "context": None},
        {"status": "idle", "activeTool": None, "context": None, "setStatus": print},
    ],
    ids=lambda state: type(state).__name__,
)
@conversation
async def test_a_state_may_be_an_object_a_model_or_a_dict_in_either_case(state: Any) -> None:
    nothing = dict.fromkeys(("set_status", "set_active_tool", "set_context", "reset", "subscribe"), lambda *_: None)
    harness = await begun(
        lambda scenario: {"agent-store": kit.agent_store(scenario, get_state=lambda: state, **nothing)}
    )

    assert await harness.result("agent-store.getState") == {"status": "idle", "activeTool": None, "context": None}


@conversation
async def test_a_field_that_the_state_has_not_is_left_out_and_not_made_up() -> None:
    chat = Chat()
    del chat.loading
    harness = await begun(lambda scenario: {"chat-store": kit.chat_store(scenario, chat)})

    assert await harness.result("chat-store.getState") == {"messages": [], "error": None}


@conversation
async def test_the_history_holds_the_first_state_and_each_later_one_as_it_was_then() -> None:
    harness = await begun(lambda scenario: {"chat-store": kit.chat_store(scenario, Chat())})

    await harness.result("chat-store.addMessage", message={"role": "user"})
    await harness.result("chat-store.setError", error="no")
    entries = (await harness.result("chat-store.getHistory"))["entries"]

    assert [entry["state"] for entry in entries] == [
        {"messages": [], "loading": False, "error": None},
        {"messages": [{"role": "user"}], "loading": False, "error": None},
        {"messages": [{"role": "user"}], "loading": False, "error": "no"},
    ]
    times = [entry["at"] for entry in entries]
    assert times == sorted(times)
    assert times[0] > 1_700_000_000_000


@conversation
async def test_the_storage_begins_with_the_scenario_s_entries_and_shows_what_was_written() -> None:
    harness = Harness(driver(lambda scenario: {"chat-store": kit.chat_store(scenario, Chat(scenario.storage))}))

    await harness.result("scenario.begin", **BEGIN, storage={"chat": '[{"id": "m0"}]', "other": "x"})
    assert (await harness.result("chat-store.getState"))["messages"] == [{"id": "m0"}]
    await harness.result("chat-store.addMessage", message={"id": "m1"})
    kept = await harness.result("chat-store.getStorage")
    await harness.result("scenario.begin", **BEGIN)

    assert kept == {"storage": {"chat": '[{"id": "m0"}, {"id": "m1"}]', "other": "x"}}
    assert await harness.result("chat-store.getStorage") == {"storage": {}}
    assert (await harness.result("chat-store.getState"))["messages"] == []


@conversation
async def test_reload_makes_the_client_anew_on_the_same_storage_and_the_history_goes_on() -> None:
    clients: list[Chat] = []
    ended: list[int] = []

    def begin(scenario: kit.Scenario) -> kit.Surfaces:
        clients.append(Chat(scenario.storage))
        return {"chat-store": kit.chat_store(scenario, clients[-1])}

    harness = await begun(begin, end=lambda: ended.append(len(clients)))
    await harness.result("chat-store.addMessage", message={"id": "m0"})
    await harness.result("chat-store.setError", error="no")
    await harness.result("chat-store.reload")

    assert (len(clients), ended) == (2, [1])
    assert await harness.result("chat-store.getState") == {"messages": [{"id": "m0"}], "loading": False, "error": None}
    entries = (await harness.result("chat-store.getHistory"))["entries"]
    assert [entry["state"]["error"] for entry in entries] == [None, None, "no", None]


@conversation
async def test_a_store_that_cannot_be_watched_is_an_error_that_says_what_is_missing() -> None:
    begin = driver(lambda scenario: {"chat-store": kit.chat_store(scenario, object(), set_error=print)})
    answer = await Harness(begin).call("scenario.begin", **BEGIN)

    message = answer["error"]["data"]["message"]
    assert "chat-store: add_message, set_loading, clear_messages, subscribe: neither given nor" in message


@conversation
async def test_a_begin_that_returns_nothing_is_an_error_that_says_so() -> None:
    nothing: Any = None
    answer = await Harness(driver(lambda scenario: nothing)).call("scenario.begin", **BEGIN)

    message = answer["error"]["data"]["message"]
    assert message == "begin() returned NoneType; return the operations of each surface, a dict"


@conversation
async def test_an_operation_that_is_given_under_an_unknown_name_is_an_error_that_says_so() -> None:
    begin = driver(lambda scenario: {"chat-store": kit.chat_store(scenario, Chat(), add_mesage=print)})
    answer = await Harness(begin).call("scenario.begin", **BEGIN)

    assert "add_mesage" in answer["error"]["data"]["message"]


@pytest.mark.parametrize("tool_type", [dict_tool, DataTool, ModelTool])
@conversation
async def test_a_registered_tool_comes_back_as_it_was_given_and_runs_at_the_harness(tool_type: Any) -> None:
    registry = Registry()
    definition = {
        "name": "probe",
        "description": "A probe.",
        "parameters": [{"key": "q", "type": "string", "required": True}],
    }
    harness = await begun(
        lambda scenario: {
            "tool-registry": kit.tool_registry(
                scenario, registry, define=lambda fields, execute: tool_type(**fields, execute=execute)
            )
        }
    )

    await harness.result("tool-registry.register", definition=definition)
    shown = definition | {"executable": True}
    assert await harness.result("tool-registry.get", name="probe") == {"definition": shown}
    assert await harness.result("tool-registry.getAll") == {"definitions": [shown]}
    assert await harness.result("tool-registry.has", name="probe") == {"result": True}
    assert await harness.result("tool-registry.has", name="nothing") == {"result": False}
    assert await harness.result("tool-registry.get", name="nothing") == {"definition": None}
    assert await harness.result("tool-registry.toToolSchemas") == {"schemas": [{"is": "probe"}]}

    tool = registry.tools["probe"]
    execute = tool["execute"] if isinstance(tool, dict) else tool.execute
    running = asyncio.create_task(execute({"q": "x"}, {"projectId": None}))
    request = await harness.asked.get()
    harness.answer(request, result={"found": 1})

    assert request["params"] == {"name": "probe", "args": {"q": "x"}, "context": {"projectId": None}}
    assert await running == {"found": 1}


@conversation
async def test_a_tool_without_execute_is_shown_as_one_that_cannot_run() -> None:
    registry = Registry(DataTool("idle", "", [], None))
    harness = await begun(lambda scenario: {"tool-registry": kit.tool_registry(scenario, registry)})

    assert (await harness.result("tool-registry.get", name="idle"))["definition"]["executable"] is False


@pytest.mark.parametrize("tool_type", [dict_tool, DataTool, ModelTool])
@conversation
async def test_a_stub_keeps_the_declaration_and_leaves_the_product_s_own_definition_alone(tool_type: Any) -> None:
    shipped = tool_type(name="transcribe", description="Ships.", parameters=[], execute=print)
    registry = Registry(shipped)
    harness = await begun(lambda scenario: {"tool-registry": kit.tool_registry(scenario, registry)})

    before = await harness.result("tool-registry.get", name="transcribe")
    await harness.result("tool-registry.stub", name="transcribe")

    stubbed = registry.tools["transcribe"]
    executes = [tool["execute"] if isinstance(tool, dict) else tool.execute for tool in (shipped, stubbed)]
    assert executes[0] is print
    assert await harness.result("tool-registry.get", name="transcribe") == before
    running = asyncio.ensure_future(executes[1]({}))
    request = await harness.asked.get()
    harness.answer(request, result=None)
    assert (request["params"], await running) == ({"name": "transcribe", "args": {}, "context": None}, None)


def runs(run_of: Callable[[kit.Scenario], Callable[[Any, Any], Any]]) -> Callable[[kit.Scenario], kit.Surfaces]:
    """Give a begin whose orchestrator is what `run_of` makes of the scenario."""
    return lambda scenario: {
        "chat-store": kit.chat_store(scenario, Chat()),
        "orchestrator": kit.orchestrator(run_of(scenario)),
    }


def async_run(scenario: kit.Scenario) -> Callable[[Any, Any], Any]:
    async def run(messages: Json, context: Json) -> None:
        found = await scenario.execute_tool("probe", {"of": messages}, context)
        await scenario.execute_tool("report", found, context)

    return run


def blocking_run(scenario: kit.Scenario) -> Callable[[Any, Any], Any]:
    def run(messages: Json, context: Json) -> None:
        found = scenario.execute_tool("probe", {"of": messages}, context)
        scenario.execute_tool("report", found, context)

    return run


def run_with_its_own_loop(scenario: kit.Scenario) -> Callable[[Any, Any], Any]:
    return lambda messages, context: asyncio.run(async_run(scenario)(messages, context))


def run_behind_a_lambda(scenario: kit.Scenario) -> Callable[[Any, Any], Any]:
    return lambda messages, context: async_run(scenario)(messages, context)


every_kind_of_run = pytest.mark.parametrize(
    "run_of", [async_run, blocking_run, run_with_its_own_loop, run_behind_a_lambda]
)


@every_kind_of_run
@conversation
async def test_the_driver_goes_on_serving_while_a_run_waits_for_its_tool(run_of: Any) -> None:
    harness = await begun(runs(run_of))

    running = harness.start("orchestrator.run", messages=["m"], context={"projectId": None})
    probe = await harness.asked.get()
    await harness.result("chat-store.setLoading", loading=True)
    state = await harness.result("chat-store.getState")
    still_open = not running.done()
    harness.answer(probe, result="found")
    report = await harness.asked.get()
    harness.answer(report, result=None)

    assert (await running)["result"] == {"rejected": None}
    assert (state["loading"], still_open) == (True, True)
    assert probe["params"] == {"name": "probe", "args": {"of": ["m"]}, "context": {"projectId": None}}
    assert report["params"]["args"] == "found"
    assert probe["id"] != report["id"]


@every_kind_of_run
@conversation
async def test_a_tool_throws_what_the_harness_answers_and_the_run_s_rejection_is_reported(run_of: Any) -> None:
    harness = await begun(runs(run_of))

    running = harness.start("orchestrator.run", messages=[], context={})
    request = await harness.asked.get()
    harness.answer(request, error={"code": -32000, "message": "the tool failed", "data": {"message": "boom-7f3a"}})

    assert (await running)["result"] == {"rejected": {"message": "boom-7f3a"}}


@every_kind_of_run
@conversation
async def test_the_end_of_the_scenario_ends_the_tools_that_still_run(run_of: Any) -> None:
    harness = await begun(runs(run_of))

    running = harness.start("orchestrator.run", messages=[], context={})
    request = await harness.asked.get()
    await harness.result("scenario.end")
    await harness.answer(request, result="too late")

    assert (await running)["result"] == {"rejected": {"message": "the scenario has ended"}}


@conversation
async def test_tools_that_run_at_the_same_time_are_answered_in_any_order() -> None:
    results: list[Any] = []

    def run_of(scenario: kit.Scenario) -> Callable[[Any, Any], Any]:
        async def run(messages: Json, context: Json) -> None:
            results.extend(await asyncio.gather(*(scenario.execute_tool(name, {}) for name in ("a", "b", "c"))))

        return run

    harness = await begun(runs(run_of))
    running = harness.start("orchestrator.run", messages=[], context={})
    requests = [await harness.asked.get() for _ in range(3)]
    for request in (requests[1], requests[2], requests[0]):
        harness.answer(request, result=f"of {request['params']['name']}")
    await running

    assert results == ["of a", "of b", "of c"]


@conversation
async def test_a_run_that_was_aborted_by_cancellation_is_reported_as_rejected() -> None:
    tasks: list[asyncio.Task[None]] = []
    started = asyncio.Event()

    async def run(messages: Json, context: Json) -> None:
        tasks.append(asyncio.create_task(asyncio.Event().wait()))  # type: ignore[arg-type]
        started.set()
        await tasks[0]

    harness = await begun(lambda scenario: {"orchestrator": kit.orchestrator(run, lambda: tasks[0].cancel())})
    running = harness.start("orchestrator.run", messages=[], context={})
    await started.wait()
    await harness.result("orchestrator.abort")

    assert (await running)["result"] == {"rejected": {"message": "CancelledError"}}


@conversation
async def test_abort_is_offered_only_where_it_is_given() -> None:
    harness = await begun(runs(async_run))

    assert (await harness.call("orchestrator.abort"))["error"]["code"] == -32601
