"""Makes a driver for specassay short: serves the driver protocol, and turns your stores and functions into surfaces.

One file, standard library only: copy it beside your driver, and import it before your own modules.

    def begin(scenario: kit.Scenario) -> kit.Surfaces:
        shell = create_shell(origin=scenario.endpoints["chatOrigin"], storage=scenario.storage)
        return {"chat-store": kit.chat_store(scenario, shell.chat), "orchestrator": kit.orchestrator(shell.run), ...}

    kit.Driver(name="my-shell", version="1.0", surfaces=["chat-store", ...], begin=begin).serve()

A surface is a dict: for the protocol's name of an operation a function, sync or async, that takes the parameters as
keywords in snake case (`activeTool` comes as `active_tool`) and returns what `plain` can turn into the result.
"""

import asyncio
import contextlib
import copy
import dataclasses
import inspect
import json
import logging
import math
import operator
import os
import re
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from typing import Any, Literal

if __name__ == "specassay_kit":  # the copied file: its process is a driver, where standard output is the protocol's
    sys.stdout = sys.stderr

Operations = dict[str, Callable[..., Any]]
"""The operations of one surface, by the protocol's name."""

Surfaces = Mapping[str, Operations]
"""What `begin` gives: the operations of each surface that the driver declares."""

Message = dict[str, Any]  # of JSON-RPC: a request or an answer
_log = logging.getLogger("specassay_kit")


class ToolError(Exception):
    """What `execute_tool` raises where the scenario lets the tool throw, with the scenario's text."""


class _NoSuchOperationError(Exception):
    """The harness asked for what no surface offers."""


@dataclasses.dataclass(kw_only=True, eq=False)
class Scenario:
    """What `scenario.begin` brings.

    `endpoints` are addresses by name, `environment` is the complete set of `LLM_*`, `storage` the client's storage, to
    be read and written in place, and `seed` a number for whatever the implementation draws.
    """

    id: str
    endpoints: Mapping[str, str]
    environment: Mapping[str, str]
    storage: dict[str, str]
    seed: int
    _driver: "Driver" = dataclasses.field(repr=False)
    _histories: dict[str, list[dict[str, Any]]] = dataclasses.field(default_factory=dict, repr=False)
    _loop: asyncio.AbstractEventLoop = dataclasses.field(default_factory=asyncio.get_running_loop, repr=False)

    def execute_tool(self, name: str, args: Any, context: Any = None) -> Any:
        """Have the harness run a tool and give what it returns; raises `ToolError` where it throws.

        Within an event loop this gives an awaitable; elsewhere, in a thread say, it waits and gives the result itself.
        """
        request = self._driver.request("tool.execute", {"name": name, "args": args, "context": context})
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run_coroutine_threadsafe(request, self._loop).result()
        if running is self._loop:
            return request
        return asyncio.wrap_future(asyncio.run_coroutine_threadsafe(request, self._loop))

    async def reload(self) -> None:
        """Make the client anew on the same storage: calls `end`, then `begin` with this scenario again."""
        await self._driver._end()
        await self._driver._begin(self)


@dataclasses.dataclass(kw_only=True, eq=False)
class Driver:
    """The conformance statement, and what begins and ends a scenario; both may be async.

    `serve` speaks with the harness over standard input and output, `receive` over whatever carries a message.
    """

    name: str
    version: str
    surfaces: Sequence[str]
    begin: Callable[[Scenario], Surfaces | Awaitable[Surfaces]]
    end: Callable[[], object] | None = None
    operations: Sequence[str] = ()
    isolation: Literal["session", "process"] = "session"
    conventions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    limits: Mapping[str, float] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        self._begun: Surfaces | None = None
        self._asked: dict[int, asyncio.Future[Any]] = {}  # our requests that the harness has still to answer
        self._last_id = 0
        self._send: Callable[[Message], None] = lambda message: None
        self._owns_process = False

    async def receive(self, message: Message, send: Callable[[Message], None]) -> None:
        """Perform a request and send its answer, or take the answer to a request of ours; several may be under way.

        `send` is called on this event loop, also later on, with each message to the harness. It may keep what it is
        given; a `message` is the implementation's to change.
        """
        self._send = send
        if "method" not in message:
            return self._settle(message)
        try:
            answer = {"result": plain(await self._perform(message["method"], message.get("params") or {}))}
        except _NoSuchOperationError as error:
            answer = {"error": {"code": -32601, "message": str(error)}}
        except Exception as error:  # whatever the implementation raises is its answer
            _log.warning("%s failed", message["method"], exc_info=error)
            kind = {"kind": str(error.kind)} if hasattr(error, "kind") else {}
            answer = {"error": {"code": -32000, "message": _text(error), "data": {"message": _text(error), **kind}}}
        if "id" in message:
            send({"jsonrpc": "2.0", "id": message["id"], **answer})
        return None

    async def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """Ask the harness, and give its result; raises `ToolError` with the message of an error."""
        self._last_id += 1
        self._asked[self._last_id] = answer = asyncio.get_running_loop().create_future()
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": plain(params)})
        return await answer

    def serve(self) -> None:
        """Serve until standard input ends or the harness says `shutdown`."""
        self._owns_process = True
        asyncio.run(_serve(self))

    def _settle(self, message: Message) -> None:
        asked = self._asked.pop(message["id"], None)
        if asked is None or asked.done():
            return
        if error := message.get("error"):
            asked.set_exception(ToolError(error.get("data", error)["message"]))
        else:
            asked.set_result(message["result"])

    async def _perform(self, method: str, params: dict[str, Any]) -> Any:
        match method:
            case "initialize":
                statement = _pick(self, ("surfaces", "operations", "conventions", "isolation", "limits"))
                implementation = {"name": self.name, "version": self.version, "language": "python"}
                return {"protocolVersion": "1.0", "implementation": implementation, **statement}
            case "scenario.begin":
                await self._end()
                given = _pick(params, ("id", "endpoints", "environment", "seed"))
                await self._begin(Scenario(**given, storage=params.get("storage") or {}, _driver=self))
                return {}
            case "scenario.end" | "shutdown":
                await self._end()
                return {}
        surface, _, name = method.partition(".")
        operation = (self._begun or {}).get(surface, {}).get(name)
        if operation is None:
            raise _NoSuchOperationError(f"no such operation: {method}")
        return await _settled(operation(**{_snake(key): value for key, value in params.items()}))

    async def _begin(self, scenario: Scenario) -> None:
        if self._owns_process:
            _set_environment(scenario.environment)
        surfaces = await _settled(self.begin(scenario))
        if missing := [surface for surface in self.surfaces if surface not in surfaces]:
            raise TypeError(f"begin() gave no operations for {', '.join(missing)}, which the driver declares")
        self._begun = surfaces

    async def _end(self) -> None:
        for asked_id in list(self._asked):  # else a thread would wait for ever
            self._settle({"id": asked_id, "error": {"message": "the scenario has ended"}})
        begun, self._begun = self._begun, None
        if begun is not None and self.end:
            await _settled(self.end())


# The surfaces. Any operation can be given by its name in snake case; it is called with the parameters by position.


def chat_store(scenario: Scenario, store: Any = None, **given: Callable[..., Any]) -> Operations:
    """Make the surface `chat-store` of an observable store: an object, a module, or functions by keyword.

    It takes `add_message`, `set_loading`, `set_error`, `clear_messages`, and `subscribe`, which is given a function to
    call after every change. The state is what `get_state()` gives or, without one, `messages`, `loading` and `error`.
    """
    actions = ("addMessage", "setLoading", "setError", "clearMessages")
    operations = _store("chat-store", scenario, store, given, actions, ("messages", "loading", "error"))
    return operations | {"reload": scenario.reload, "getStorage": lambda: {"storage": scenario.storage}}


def agent_store(scenario: Scenario, store: Any = None, **given: Callable[..., Any]) -> Operations:
    """Make the surface `agent-store`, as `chat_store` does.

    It takes `set_status`, `set_active_tool`, `set_context`, `reset`, `subscribe`, and `get_state` or `status`,
    `active_tool` and `context`.
    """
    actions = ("setStatus", "setActiveTool", "setContext", "reset")
    return _store("agent-store", scenario, store, given, actions, ("status", "activeTool", "context"))


def _store(
    surface: str, scenario: Scenario, store: Any, given: Operations, actions: Sequence[str], fields: Sequence[str]
) -> Operations:
    get_state = given.pop("get_state", getattr(store, "get_state", lambda: store))
    methods = _methods(surface, store, given, (*actions, "subscribe"))
    history = scenario._histories.setdefault(surface, [])

    def state() -> dict[str, Any]:
        return _pick(get_state(), fields)

    def record(*_: Any) -> None:
        history.append({"at": time.time() * 1000, "state": plain(state())})

    record()
    methods.pop("subscribe")(record)
    operations = {name: _action(method) for name, method in methods.items()}
    return operations | {"getState": state, "getHistory": lambda: {"entries": history}}


def tool_registry(
    scenario: Scenario,
    registry: Any = None,
    *,
    define: Callable[[dict[str, Any], Callable[..., Any]], Any] = lambda fields, execute: fields | {"execute": execute},
    **given: Callable[..., Any],
) -> Operations:
    """Make the surface `tool-registry` of one with `register`, `get`, `has`, `get_all`, `to_tool_schemas`.

    `define` makes what `register` takes from `{name, description, parameters}` and `execute(args, context)`, which is
    `Scenario.execute_tool` and so serves async and blocking callers; by default a dict. Where a name can be registered
    once only, replace the operation `stub`, which registers a changed copy of what `get` gives.
    """
    methods = _methods("tool-registry", registry, given, ("register", "get", "has", "getAll", "toToolSchemas"))
    register, get = methods["register"], methods["get"]

    def describe(tool: Any) -> dict[str, Any] | None:
        if tool is None:
            return None
        fields = _pick(tool, ("name", "description", "parameters", "execute"))
        return fields | {"executable": callable(fields.pop("execute", None))}

    def add(definition: dict[str, Any]) -> object:
        return register(define(definition, partial(scenario.execute_tool, definition["name"])))

    def stub(name: str) -> object:
        tool, execute = copy.copy(get(name)), partial(scenario.execute_tool, name)
        if isinstance(tool, dict):
            tool["execute"] = execute
        else:
            object.__setattr__(tool, "execute", execute)  # also where its class is frozen
        return register(tool)

    return {
        "register": _action(add),
        "stub": _action(stub),
        "get": lambda name: {"definition": describe(get(name))},
        "has": lambda name: {"result": methods["has"](name)},
        "getAll": lambda: {"definitions": [describe(tool) for tool in methods["getAll"]()]},
        "toToolSchemas": lambda: {"schemas": methods["toToolSchemas"]()},
    }


def orchestrator(run: Callable[[Any, Any], Any], abort: Callable[[], object] | None = None) -> Operations:
    """Make the surface `orchestrator` of `run(messages, context)` and, where it is offered, `abort()`.

    A `run` that is no coroutine function runs in a thread, and may block. What it raises is reported as its rejection.
    """

    async def reported(messages: Any, context: Any) -> dict[str, Any]:
        try:
            is_async = inspect.iscoroutinefunction(run)
            await _settled(await (run(messages, context) if is_async else asyncio.to_thread(run, messages, context)))
        except (Exception, asyncio.CancelledError) as error:
            _log.warning("the run was rejected", exc_info=error)
            return {"rejected": {"message": _text(error)}}
        return {"rejected": None}

    return {"run": reported} | ({"abort": _action(abort)} if abort else {})


def _methods(surface: str, owner: Any, given: Operations, names: Sequence[str]) -> Operations:
    """For each operation what was given, or the owner's method of that name in snake case."""
    methods: dict[str, Any] = {name: given.pop(_snake(name), getattr(owner, _snake(name), None)) for name in names}
    if missing := [_snake(name) for name in names if not callable(methods[name])]:
        raise TypeError(f"{surface}: {', '.join(missing)}: neither given nor a method of {type(owner).__name__}")
    if given:
        raise TypeError(f"{surface} has no {', '.join(given)}")
    return methods


def _action(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make an operation that calls the method with the parameters by position, and whose result nobody reads."""

    async def act(**params: Any) -> None:
        await _settled(method(*params.values()))

    return act


def plain(value: Any) -> Any:
    """Turn what an implementation holds into JSON that shares nothing with it.

    Takes mappings, lists, tuples, sets, enumerations, pydantic models (dumped by alias) and dataclasses (their fields
    in camel case); raises TypeError for anything else, NaN too.
    """
    if value is None or type(value) in (str, int, bool) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, (dict, Mapping)):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return plain(value.value)
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(mode="json", by_alias=True))
    if dataclasses.is_dataclass(value):
        return {_camel(field.name): plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"no JSON: {value!r:.100}. Give dicts, lists, dataclasses or pydantic models")


def _pick(holder: Any, names: Sequence[str]) -> dict[str, Any]:
    """Read fields of a mapping or an object, named in camel or snake case; one that is not there is left out."""
    has, read = (operator.contains, operator.getitem) if isinstance(holder, Mapping) else (hasattr, getattr)
    return {name: read(holder, key) for name in names for key in {name, _snake(name)} if has(holder, key)}


@cache
def _snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


@cache
def _camel(name: str) -> str:
    return re.sub("_([a-z])", lambda letter: letter[1].upper(), name)


def _text(error: BaseException) -> str:
    return str(error) or type(error).__name__


async def _settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


# The process that `serve` has for itself


async def _serve(driver: Driver) -> None:
    sys.stdout = sys.stderr
    output = os.fdopen(os.dup(1), "wb")  # for the protocol alone: what child processes print goes to the log too
    os.dup2(2, 1)
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    tasks: set[asyncio.Task[None]] = set()

    def read() -> None:  # in a thread: standard input need not be a pipe that the event loop can watch
        with open(0, "rb", closefd=False) as stdin, contextlib.suppress(RuntimeError):  # the loop may have ended
            for line in stdin:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, b"")

    def send(message: Message) -> None:
        output.write(json.dumps(message).encode() + b"\n")
        output.flush()

    threading.Thread(target=read, daemon=True).start()
    method = None
    while method != "shutdown" and (line := await lines.get()):
        try:
            message = json.loads(line)
            method = message.get("method")
        except (ValueError, AttributeError):
            _log.warning("not a JSON-RPC message: %.200r", line)
            continue
        tasks.add(task := asyncio.create_task(driver.receive(message, send)))
        task.add_done_callback(tasks.discard)
    await asyncio.wait({*tasks, asyncio.create_task(driver._end())}, timeout=1)  # of the two seconds that we are given


def _set_environment(environment: Mapping[str, str]) -> None:
    """Leave only these `LLM_*`, and no proxy or key that a client library reads by itself.

    A variable that is missing is set and empty, since frameworks fill unset ones from .env files.
    """
    foreign = re.compile("(LLM|OPENAI|GEMINI|GOOGLE)_.*|(HTTP|HTTPS|ALL|NO)_PROXY", re.IGNORECASE)
    for name in filter(foreign.fullmatch, list(os.environ)):
        del os.environ[name]
    os.environ.update({"LLM_PROVIDER": "", "LLM_MODEL": "", "LLM_API_KEY": "", "LLM_BASE_URL": ""} | dict(environment))
