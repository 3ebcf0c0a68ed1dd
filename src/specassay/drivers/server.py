"""No driver at all: a user's own server, tested from outside through its chat route.

What stands here answers as a driver of the surface `chat-route` would, for a server that a command starts, or for one
that is up already.
"""

import asyncio
import os
import tempfile
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from specassay.drivers.connection import Connection, Refused
from specassay.drivers.inprocess import InProcess
from specassay.drivers.protocol import NEEDS_DRIVER, NO_SUCH_OPERATION, NOT_RUNNABLE, VERSION
from specassay.drivers.served import ServedProcess, connects, environment_of
from specassay.errors import DriverStartError, UsageError

KEPT = 3
"""How many servers, each of another environment, are kept at a time."""

ROUTE_SECONDS = 20.0
"""How long a call of the route may take, without the start of a server."""

SCENARIO_SECONDS = 30.0
STARTS = 4
"""How many servers a scenario may have to start."""

FIXED = {"model": "specassay-model", "key": "specassay-key"}
"""The model and the key that a server must have that is up already."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PORTS = {"http": 80, "https": 443}

Environment = Mapping[str, str]
_Key = tuple[tuple[str, str], ...]


class _StandIn(InProcess):
    """Answers the protocol for a server, in place of a driver; `_origin` gives the origin of one."""

    def __init__(self, name: str, conventions: Mapping[str, str], seconds: float | None) -> None:
        super().__init__(self)
        start = seconds or 0
        self._declaration = {
            "protocolVersion": VERSION,
            "implementation": {"name": name, "version": "", "language": "no driver"},
            "surfaces": ["chat-route"],
            "conventions": dict(conventions),
            "limits": {
                "callSeconds": max(ROUTE_SECONDS, start + 2),
                "scenarioSeconds": SCENARIO_SECONDS + STARTS * start,
            },
        }

    async def receive(self, message: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        """Answer one message of the harness."""
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message.get("id")}
        try:
            answer["result"] = await self._answer(message["method"], message.get("params", {}))
        except Refused as refused:
            answer["error"] = {"code": refused.code, "message": str(refused)}
        send(answer)

    async def _answer(self, method: str, params: dict[str, Any]) -> Any:
        match method:
            case "initialize":
                return self._declaration
            case "chat-route.start":
                if params.get("tools"):
                    raise Refused("needs a driver: a tool cannot be registered from outside", NEEDS_DRIVER)
                return {"origin": await self._origin(params["environment"])}
            case "scenario.begin" | "scenario.end" | "chat-route.stop" | "shutdown":
                return {}
        raise Refused(f"no such operation: {method}", NO_SUCH_OPERATION)

    async def _origin(self, environment: Environment) -> str:
        raise NotImplementedError


class StartedServer(_StandIn):
    """Answers for a server that `command` starts, in `directory` and with `variables` beside its own environment.

    One process serves all scenarios of one environment. `usual` is that of a scenario that says nothing else: it is
    started first, and where that fails, so does the run. `began` is told of the process group of each.
    """

    def __init__(
        self,
        command: str,
        directory: str | None,
        variables: Mapping[str, str],
        usual: Environment,
        egress: str,
        *,
        conventions: Mapping[str, str],
        seconds: float | None,
        began: Callable[[int], None],
    ) -> None:
        super().__init__(command, conventions, seconds)
        self._command = command
        self._directory = directory
        self._variables = dict(variables)
        self._usual = usual
        self._egress = egress
        self._seconds = seconds
        self._began = began
        self._output = tempfile.TemporaryFile("ab", buffering=0)  # noqa: SIM115 - it lives as long as the servers
        self._servers: dict[_Key, ServedProcess] = {}
        self._failures: dict[_Key, str] = {}

    async def open(self, connection: Connection) -> None:
        """Start the server once, as scenarios usually want it. Raises `DriverStartError`."""
        await super().open(connection)
        await self._serve(self._usual)

    async def close(self, *, patient: bool) -> None:
        """End every server."""
        await super().close(patient=patient)
        try:
            await asyncio.gather(*(self._end(key) for key in list(self._servers)))
        finally:
            self._output.close()

    def log_size(self) -> int:
        """How much the servers have written, in bytes."""
        return 0 if self._output.closed else os.fstat(self._output.fileno()).st_size

    def log_since(self, start: int, limit: int = 4096) -> str:
        """Read the end of what the servers have written since `start`, at most `limit` bytes."""
        size = self.log_size()
        if not size:
            return ""
        return os.pread(self._output.fileno(), limit, max(start, size - limit)).decode("utf-8", "replace")

    async def _origin(self, environment: Environment) -> str:
        try:
            server = await self._serve(environment)
        except DriverStartError as error:
            raise Refused(str(error)) from None
        if not stays_here(environment) and not await server.has_kit():
            raise Refused(
                "the kit could not be loaded into the server (it can into Node and Python), so what it sends to other "
                "hosts would not be caught; a driver can do that",
                NOT_RUNNABLE,
            )
        return server.origin

    async def _serve(self, environment: Environment) -> ServedProcess:
        """Give the server of an environment, started where there is none, or none any more."""
        key = _key(environment)
        if key in self._failures:
            raise DriverStartError(self._failures[key])
        server = self._servers.get(key)
        if server is not None and not await server.listens():  # it ended, and perhaps has not been heard to yet
            await self._end(key)
            server = None
        if server is None:
            while len(self._servers) >= KEPT:
                await self._end(next(iter(self._servers)))
            server = self._servers[key] = ServedProcess(self._command, self._directory, self._output)
            await self._start(key, server)
        self._servers[key] = self._servers.pop(key)  # the latest one last
        return server

    async def _start(self, key: _Key, server: ServedProcess) -> None:
        try:
            given = {**os.environ, **self._variables}
            self._began(await server.start(environment_of(given, dict(key), self._egress)))
            await server.listening(self._seconds)
        except DriverStartError as error:
            self._failures[key] = str(error)
            await self._end(key)
            raise

    async def _end(self, key: _Key) -> None:
        await self._servers[key].close()
        del self._servers[key]


class RunningServer(_StandIn):
    """Answers for a server that is up already at `origin`, whose environment can be `usual` alone."""

    def __init__(self, origin: str, usual: Environment, conventions: Mapping[str, str]) -> None:
        super().__init__(origin, conventions, 0)
        self._address = origin
        self._usual = _key(usual)

    async def open(self, connection: Connection) -> None:
        """Make sure that something listens. Raises `DriverStartError`."""
        await super().open(connection)
        parts = urlsplit(self._address)
        if not await connects(parts.hostname or "", parts.port or _PORTS[parts.scheme]):
            raise DriverStartError(f"nothing listens at {self._address}; start the server there first")

    async def _origin(self, environment: Environment) -> str:
        if _key(environment) != self._usual:
            raise Refused("the environment of a server that is up already cannot be changed", NOT_RUNNABLE)
        return self._address


def usual_environment(words: Mapping[str, str], provider: str) -> dict[str, str]:
    """Give the `LLM_*` of a scenario that says nothing else: the fake provider, with this model and key."""
    return {
        "LLM_PROVIDER": "openai-compatible",
        "LLM_MODEL": words["model"],
        "LLM_API_KEY": words["key"],
        "LLM_BASE_URL": provider,
    }


def _key(environment: Environment) -> _Key:
    """Tell environments apart; an empty value is a missing one."""
    return tuple(sorted((name, value) for name, value in environment.items() if value))


def stays_here(environment: Environment) -> bool:
    """Say whether an implementation that keeps the specification calls this machine alone in this environment.

    One that does not keep it may take any other environment for Gemini's.
    """
    return environment.get("LLM_PROVIDER") == "openai-compatible" and bool(environment.get("LLM_BASE_URL"))


def origin_of(url: str, *, remote: bool) -> str:
    """Give the origin of a server's URL. Raises `UsageError` where it is none, or not loopback without `remote`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.query or port == 0:
        raise UsageError(f"--route-url {url!r} is no origin; write one as http://127.0.0.1:3000 is")
    if parts.hostname not in _LOOPBACK and not remote:
        raise UsageError(
            f"--route-url {url!r}: {parts.hostname} is not loopback, and a conformance run sends faults; "
            "give --allow-remote if that server is yours to test"
        )
    return f"{parts.scheme}://{parts.netloc}"
