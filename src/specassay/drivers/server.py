"""No driver at all: a user's own server, tested from outside through its chat route.

This stands in for a driver: it answers the protocol for the surface `chat-route` alone, and runs one server for all
scenarios of one environment.
"""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from specassay.drivers.protocol import IMPLEMENTATION_ERROR, NO_SUCH_OPERATION, NOT_RUNNABLE, VERSION
from specassay.drivers.served import ServedProcess
from specassay.errors import DriverStartError, UsageError

KEPT = 3
"""How many servers, each of another environment, are kept at a time."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_NO_EGRESS = (
    "the kit could not be loaded into the server, so what it sends to other hosts cannot be caught; "
    "a driver can (see docs/driver-protocol.md)"
)

Environment = Mapping[str, str]


class _Refusal(Exception):  # noqa: N818 - it is an answer
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Server:
    """Answers for a server that a command starts. `egress_ready` says whether a server has loaded the kit."""

    def __init__(
        self,
        command: str,
        directory: str | None,
        conventions: Mapping[str, str],
        seconds: float | None,
        egress_ready: Callable[[], bool],
    ) -> None:
        self._command = command
        self._directory = directory
        self._conventions = conventions
        self._seconds = seconds
        self._egress_ready = egress_ready
        self._servers: dict[tuple[tuple[str, str], ...], ServedProcess] = {}
        self._endpoints: dict[str, str] = {}

    async def receive(self, message: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        """Answer one message of the harness."""
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message.get("id")}
        try:
            answer["result"] = await self._answer(message["method"], message.get("params", {}))
        except _Refusal as refusal:
            text = str(refusal)
            answer["error"] = {"code": refusal.code, "message": text, "data": {"message": text}}
        send(answer)

    async def close(self) -> None:
        """End every server."""
        servers, self._servers = list(self._servers.values()), {}
        for server in servers:
            await server.close()

    def log_size(self) -> int:
        """How much the latest server has written."""
        latest = next(reversed(self._servers.values()), None)
        return latest.log_size() if latest is not None else 0

    def log_since(self, start: int, limit: int = 4096) -> str:
        """Read the end of what the latest server has written."""
        latest = next(reversed(self._servers.values()), None)
        return latest.log_since(start, limit) if latest is not None else ""

    async def _answer(self, method: str, params: dict[str, Any]) -> Any:
        match method:
            case "initialize":
                return declaration(self._command, self._conventions)
            case "scenario.begin":
                self._endpoints = params["endpoints"]
            case "chat-route.start":
                return {"origin": await self._start(params["environment"], params.get("tools"))}
            case "shutdown":
                await self.close()
            case "scenario.end" | "chat-route.stop":
                pass
            case _:
                raise _Refusal(NO_SUCH_OPERATION, f"no such operation: {method}")
        return {}

    async def _start(self, environment: Environment, tools: Any) -> str:
        if tools:
            raise _Refusal(NOT_RUNNABLE, "a tool cannot be registered from outside; a driver can do that")
        key = tuple(sorted(environment.items()))
        server = self._servers.pop(key, None) or await self._fresh(environment)
        self._servers[key] = server
        if needs_egress(environment) and not self._egress_ready():
            raise _Refusal(NOT_RUNNABLE, _NO_EGRESS)
        return server.origin

    async def _fresh(self, environment: Environment) -> ServedProcess:
        while len(self._servers) >= KEPT:
            await self._servers.pop(next(iter(self._servers))).close()
        server = ServedProcess(self._command, self._directory)
        try:
            await server.start(environment, self._endpoints["egress"], self._seconds)
        except DriverStartError as error:
            await server.close()
            raise _Refusal(IMPLEMENTATION_ERROR, str(error)) from None
        except BaseException:
            await server.close()
            raise
        return server


class RunningServer:
    """Answers for a server that is up already; its environment cannot be changed."""

    def __init__(self, url: str, conventions: Mapping[str, str], environment: Environment, *, remote: bool) -> None:
        self._origin = origin_of(url, remote=remote)
        self._conventions = conventions
        self._environment = dict(environment)

    async def receive(self, message: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        """Answer one message of the harness."""
        method, params = message["method"], message.get("params", {})
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message.get("id")}
        if method == "initialize":
            answer["result"] = declaration(self._origin, self._conventions)
        elif method == "chat-route.start" and (params.get("tools") or params["environment"] != self._environment):
            text = "the environment and the tools of a server that is up already cannot be changed"
            answer["error"] = {"code": NOT_RUNNABLE, "message": text, "data": {"message": text}}
        elif method == "chat-route.start":
            answer["result"] = {"origin": self._origin}
        elif method in ("scenario.begin", "scenario.end", "chat-route.stop", "shutdown"):
            answer["result"] = {}
        else:
            text = f"no such operation: {method}"
            answer["error"] = {"code": NO_SUCH_OPERATION, "message": text, "data": {"message": text}}
        send(answer)


def declaration(name: str, conventions: Mapping[str, str]) -> dict[str, Any]:
    """Make the conformance statement of a server that is tested without a driver."""
    return {
        "protocolVersion": VERSION,
        "implementation": {"name": name, "version": "", "language": "unknown"},
        "surfaces": ["chat-route"],
        "conventions": dict(conventions),
    }


def needs_egress(environment: Environment) -> bool:
    """Say whether a provider call in this environment goes to a host that is not loopback."""
    return environment.get("LLM_PROVIDER") == "gemini" or not environment.get("LLM_BASE_URL")


def origin_of(url: str, *, remote: bool) -> str:
    """Give the origin of a server's URL. Raises `UsageError` where it is none, or not loopback without `remote`."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"--route-url {url}: give an origin such as http://127.0.0.1:3000")
    if parts.hostname not in _LOOPBACK and not remote:
        raise UsageError(
            f"--route-url {url}: {parts.hostname} is not loopback, and a conformance run sends faults; "
            "give --allow-remote if that server is yours to test"
        )
    return f"{parts.scheme}://{parts.netloc}"
