"""The harness around a managed agent tool: the child that it plays, the calls that it makes, and its attacks."""

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from specassay.drivers.namespace import ADDRESS, Namespace
from specassay.provider.journal import Answer, Exchange, Request
from specassay.suite.checks import at
from specassay.suite.control import Control, ControlCall
from specassay.suite.peer import Connect, Raw, exchange
from specassay.suite.relay import Relay

CALLBACK = "callback"
DIRECTORY = "/work/of-the-session"
"""The session directory of a call that names none."""

ELSEWHERE = ADDRESS
"""The address of a peer that is not loopback."""

_ANSWERS = 5.0
"""Within how many seconds a request that nobody holds is answered."""

_ARRIVES = 5.0
_ABORTS = 1.0
"""Within how many seconds a request reaches the service, and its abort."""


@dataclass(frozen=True)
class Child:
    """A managed child as it was prepared: its environment, and what stands in it under the two names."""

    environment: dict[str, str]
    token: str
    url: str
    url_variable: str


@dataclass(frozen=True)
class Preparation:
    """One answer of `prepareEnvironment`, with the environment that was given."""

    given: dict[str, str]
    answer: Any

    @property
    def environment(self) -> Any:
        """What the child gets; None where nothing is injected."""
        return at(self.answer, "environment")


@dataclass(frozen=True)
class Invocation:
    """One call of the tool by the agent, and what the agent got."""

    action: Any
    parameters: Any
    result: Any


@dataclass(frozen=True)
class Attack:
    """One attack in words, how it was answered, what the service saw of it, and of the legal call right after it."""

    words: str
    answer: Any
    seen: list[Any]
    legal_status: Any
    legal_seen: list[Any]


@dataclass(frozen=True)
class Abort:
    """A held call that was aborted while others went on."""

    held: ControlCall | None
    at: float
    others: list[Invocation]
    result: Any


class AgentTool:
    """The agent's tool of one scenario.

    `call` calls an operation within the loop, `notify` tells the driver something, `turn` runs work until it is done.
    """

    def __init__(
        self,
        call: Callable[..., Awaitable[Any]],
        notify: Callable[[str, dict[str, Any]], None],
        turn: Callable[[Coroutine[Any, Any, Any]], Any],
        network: Namespace | None,
    ) -> None:
        self._call = call
        self._notify = notify
        self._turn = turn
        self._network = network
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._relaying = False
        self._numbers = 0
        self.relay = Relay(self._connect_from("127.0.0.1"), network.listen if network is not None else None)
        self.control = Control()
        self.preparations: list[Preparation] = []
        self.children: list[Child] = []
        self.invocations: list[Invocation] = []
        self.attacks: list[Attack] = []
        self.aborts: list[Abort] = []
        self.exchanges: list[Exchange] = []

    @property
    def folder(self) -> Path:
        """The folder with `data`, the product's data directory, and `home`, the child's home."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="specassay-")
            for name in ("data", "home"):
                Path(self._folder.name, name).mkdir()
        return Path(self._folder.name)

    async def close(self) -> None:
        """Stop what listens, and remove the folder."""
        self.control.release()
        await self.relay.close()
        if self._folder is not None:
            self._folder.cleanup()

    # preparing

    def prepare(
        self, environment: Mapping[str, str] | None = None, settings: Any = None, launch: str = "managed"
    ) -> Preparation:
        """Prepare a child; one that gets token and URL is the current one from then on."""
        given = {"HOME": str(self.folder / "home"), "PATH": os.environ.get("PATH", "")} | dict(environment or {})
        preparation: Preparation = self._turn(self._prepare(given, settings or {}, launch))
        return preparation

    async def _prepare(self, given: dict[str, str], settings: Any, launch: str) -> Preparation:
        data = str(self.folder / "data")
        answer = await self._call(
            "agent-tool.prepareEnvironment", environment=given, settings=settings, launch=launch, dataDirectory=data
        )
        made = Preparation(given, answer)
        self.preparations.append(made)
        child = _child(made)
        if child is not None:
            self.children.append(child)
            self.relay.target = child.url
            if not self._relaying:
                self._relaying = True
                await self.relay.start()
        return made

    @property
    def child(self) -> Child | None:
        """The current child; None before one was prepared."""
        return self.children[-1] if self.children else None

    @property
    def environment(self) -> dict[str, str]:
        """The current child's environment, with the relay in place of the callback; empty without a child."""
        child = self.child
        return {**child.environment, child.url_variable: self.relay.url} if child is not None else {}

    # the agent's calls

    def invoke(
        self,
        action: Any,
        parameters: Any,
        directory: str = DIRECTORY,
        environment: Mapping[str, str] | None = None,
    ) -> Invocation:
        """Call the tool as the agent does."""
        made: Invocation = self._turn(self._invoke(action, parameters, directory, environment))
        return made

    async def _invoke(
        self, action: Any, parameters: Any, directory: str = DIRECTORY, environment: Mapping[str, str] | None = None
    ) -> Invocation:
        self._numbers += 1
        result = await self._call(
            "agent-tool.invoke",
            invocationId=f"invocation-{self._numbers}",
            environment=dict(self.environment if environment is None else environment),
            action=action,
            parameters=parameters,
            context={"directory": directory},
        )
        made = Invocation(action, parameters, result)
        self.invocations.append(made)
        return made

    # attacks

    @property
    def legal(self) -> Raw | None:
        """What the plugin sent last, with the current child's token; None before it sent anything."""
        captured, child = self.relay.captured, self.child
        if captured is None or child is None:
            return None
        return captured.without("authorization").with_header("authorization", f"Bearer {child.token}")

    def attack(self, words: str, request: Raw, *, host: str | None = None, source: str = "127.0.0.1") -> None:
        """Send a request to the callback, and right after it a legal one from this machine."""
        self._turn(self._attack(words, request, host, source))

    async def _attack(self, words: str, request: Raw, host: str | None, source: str) -> None:
        legal = self.legal
        assert legal is not None
        before = len(self.control.calls)
        answer = await self._send(request, host, source, words)
        seen = self.control.calls[before:]
        afterwards = await self._send(legal, None, "127.0.0.1", f"a legal call after: {words}")
        legal_seen = self.control.calls[before + len(seen) :]
        self.attacks.append(
            Attack(words, answer, [call.shown for call in seen], afterwards, [call.shown for call in legal_seen])
        )

    def send(self, request: Raw, note: str, *, host: str | None = None) -> Any:
        """Send a request to the callback, and give what came back."""
        return self._turn(self._send(request, host, "127.0.0.1", note))

    async def _send(self, request: Raw, host: str | None, source: str, note: str) -> Any:
        parts = urlsplit(self.relay.target)
        made = Exchange(
            CALLBACK, Request(request.method, request.target, request.headers, request.body[:20_000]), note=note
        )
        self.exchanges.append(made)
        connect = self._connect_from(source)
        try:
            async with asyncio.timeout(_ANSWERS):
                made.answer = await exchange(connect, host or parts.hostname or "", parts.port or 80, request)
        except TimeoutError:
            return f"no answer within {_ANSWERS:g} s"
        except OSError:
            return "the connection was refused"
        return shown(made.answer)

    # aborts

    def abort(self, action: str, other: str, *, by_signal: bool) -> None:
        """Abort a call while the service works on it, and make another call before and after."""
        self.aborts.append(self._turn(self._abort(action, other, by_signal)))

    async def _abort(self, action: str, other: str, by_signal: bool) -> Abort:
        self.control.hold(action)
        cut = self.relay.cut_when_told()
        # a relay would hide from the callback that the plugin has hung up
        direct = self._direct if by_signal else None
        call = asyncio.ensure_future(self._invoke(action, {}, environment=direct))
        number = self._numbers + 1
        try:
            arrived = asyncio.ensure_future(self.control.until(action, _ARRIVES))
            await asyncio.wait({call, arrived}, return_when=asyncio.FIRST_COMPLETED)
            arrived.cancel()
            made = [await self._invoke(other, {}, environment=self._direct)]
            begun = asyncio.get_running_loop().time()
            if by_signal:
                self._notify("agent-tool.abort", {"invocationId": f"invocation-{number}"})
            else:
                cut.set()
            await self.control.until(action, _ABORTS, aborted=True)
            self.control.release()
            made.append(await self._invoke(other, {}, environment=self._direct))
            result = (await call).result
        finally:
            self.control.release()
            call.cancel()
        held = next((call for call in self.control.calls if call.action == action), None)
        return Abort(held, begun, made, result)

    @property
    def _direct(self) -> dict[str, str]:
        return self.child.environment if self.child is not None else {}

    def _connect_from(self, source: str) -> Connect:
        async def connect(host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            if self._network is None:
                return await asyncio.open_connection(host, port)
            return await asyncio.open_connection(sock=self._network.connect(host, port, source))

        return connect


def shown(answer: Answer | None) -> Any:
    """Write an answer as a check shows it: its status and what it says."""
    if answer is None:
        return "the connection was closed"
    return {"status": answer.status, "body": answer.body.decode("utf-8", "replace")[:500]}


def _child(made: Preparation) -> Child | None:
    environment = made.environment
    token = at(environment, str(at(made.answer, "tokenVariable")))
    name = str(at(made.answer, "callbackUrlVariable"))
    url = at(environment, name)
    if not (isinstance(token, str) and token and isinstance(url, str) and _has_port(url)):
        return None
    return Child(environment, token, url, name)


def _has_port(url: str) -> bool:
    try:
        return urlsplit(url).port is not None
    except ValueError:
        return False
