"""Serves the driver protocol: JSON-RPC 2.0, a message a line."""

import asyncio
import contextlib
import dataclasses
import json
import logging
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

from . import egress, environment
from .values import Surfaces, pick, plain, settled, snake, text

Message = dict[str, Any]  # of JSON-RPC: a request or an answer
_log = logging.getLogger("specassay_kit")


class ToolError(Exception):
    """What `execute_tool` raises where the scenario lets the tool throw, with the scenario's text."""

    def __init__(self, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.data = data or {"message": message}


class ControlError(Exception):
    """What `execute_control` raises where the service fails; `data` is {message, status?, partial?}."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(data["message"])
        self.data = data


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
    _running: contextlib.AsyncExitStack = dataclasses.field(default_factory=contextlib.AsyncExitStack, repr=False)

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

    async def execute_control(self, action: str, given: Any, context_directory: str | None) -> Any:
        """Delegate a request of the agent's tool to the harness, and give its data; raises `ControlError`.

        Cancelling this tells the harness that the request was aborted.
        """
        params = {"action": action, "input": given, "contextDirectory": context_directory}
        request_id, answer = self._driver.ask("control.execute", params)
        try:
            return await answer
        except ToolError as error:
            raise ControlError(error.data) from None
        except asyncio.CancelledError:
            self._driver.tell("control.aborted", {"requestId": request_id})
            raise

    async def reload(self) -> None:
        """Make the client anew on the same storage: calls `end`, then `begin` with this scenario again."""
        await self._driver._end()
        await self._driver._begin(self)


@dataclasses.dataclass(kw_only=True, eq=False)
class Driver:
    """The conformance statement, and what begins and ends a scenario; both may be async.

    `serve` speaks with the harness over standard input and output, `receive` over whatever carries a message. `close`,
    which may be async, frees at the shutdown what outlives a scenario.
    """

    name: str
    version: str
    surfaces: Sequence[str]
    begin: Callable[[Scenario], Surfaces | Awaitable[Surfaces]]
    end: Callable[[], object] | None = None
    close: Callable[[], object] | None = None
    operations: Sequence[str] = ()
    isolation: Literal["session", "process"] = "session"
    conventions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    limits: Mapping[str, float] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        self._begun: Surfaces | None = None
        self._scenario: Scenario | None = None
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
            answer = {"error": {"code": -32000, "message": text(error), "data": {"message": text(error), **kind}}}
        if "id" in message:
            send({"jsonrpc": "2.0", "id": message["id"], **answer})
        return None

    async def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """Ask the harness, and give its result; raises `ToolError` with the message of an error."""
        return await self.ask(method, params)[1]

    def ask(self, method: str, params: Mapping[str, Any]) -> tuple[int, asyncio.Future[Any]]:
        """Ask the harness; gives the id of the request, and what its answer will be."""
        self._last_id += 1
        self._asked[self._last_id] = answer = asyncio.get_running_loop().create_future()
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": plain(params)})
        return self._last_id, answer

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Notify the harness, which does not answer."""
        self._send({"jsonrpc": "2.0", "method": method, "params": plain(params)})

    def serve(self) -> None:
        """Serve until standard input ends or the harness says `shutdown`."""
        self._owns_process = True
        egress.install()
        asyncio.run(_serve(self))

    def _settle(self, message: Message) -> None:
        asked = self._asked.pop(message["id"], None)
        if asked is None or asked.done():
            return
        if error := message.get("error"):
            data = error.get("data", error)
            asked.set_exception(ToolError(data["message"], data))
        else:
            asked.set_result(message["result"])

    async def _perform(self, method: str, params: dict[str, Any]) -> Any:
        match method:
            case "initialize":
                statement = pick(self, ("surfaces", "operations", "conventions", "isolation", "limits"))
                implementation = {"name": self.name, "version": self.version, "language": "python"}
                return {"protocolVersion": "1.0", "implementation": implementation, **statement}
            case "scenario.begin":
                await self._finish()
                given = pick(params, ("id", "endpoints", "environment", "seed"))
                self._scenario = Scenario(**given, storage=params.get("storage") or {}, _driver=self)
                if self._owns_process:
                    egress.send_to(self._scenario.endpoints.get("egress"))
                self._set_environment(self._scenario.environment)
                await self._begin(self._scenario)
                return {}
            case "scenario.end":
                await self._finish()
                return {}
            case "shutdown":
                await self._shut_down()
                return {}
        surface, _, name = method.partition(".")
        operation = (self._begun or {}).get(surface, {}).get(name)
        if operation is None:
            raise _NoSuchOperationError(f"no such operation: {method}")
        return await settled(operation(**{snake(key): value for key, value in params.items()}))

    def _set_environment(self, variables: Mapping[str, str]) -> None:
        if self._owns_process:
            environment.replace(variables)

    async def _begin(self, scenario: Scenario) -> None:
        surfaces = await settled(self.begin(scenario))
        if not isinstance(surfaces, Mapping):
            given = type(surfaces).__name__
            raise TypeError(f"begin() returned {given}; return the operations of each surface, a dict")
        if missing := [surface for surface in self.surfaces if surface not in surfaces]:
            raise TypeError(f"begin() gave no operations for {', '.join(missing)}, which the driver declares")
        self._begun = surfaces

    async def _finish(self) -> None:
        """End the scenario; a reload ends the client alone, and a server goes on."""
        scenario, self._scenario = self._scenario, None
        try:
            if scenario is not None:
                await scenario._running.aclose()
        finally:
            await self._end()

    async def _shut_down(self) -> None:
        try:
            await self._finish()
        finally:
            if self.close:
                await settled(self.close())

    async def _end(self) -> None:
        for asked_id in list(self._asked):  # else a thread would wait for ever
            self._settle({"id": asked_id, "error": {"message": "the scenario has ended"}})
        begun, self._begun = self._begun, None
        if begun is not None and self.end:
            await settled(self.end())


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
    ending = asyncio.create_task(driver._shut_down())
    await asyncio.wait({*tasks, ending}, timeout=1)  # of the two seconds that we are given
