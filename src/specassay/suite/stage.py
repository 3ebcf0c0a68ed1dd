"""One scenario as it is played: the port that its steps call, its doubles, and all that is recorded of it."""

import asyncio
import hashlib
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from specassay.catalogue import Scenario
from specassay.drivers.connection import REQUEST_ID, Refused, Sender, unknown_method
from specassay.drivers.loop import turn
from specassay.drivers.namespace import Namespace
from specassay.drivers.protocol import Declaration, ScenarioBegin, params_of
from specassay.drivers.server import usual_environment
from specassay.drivers.session import Running, Session
from specassay.errors import DriverStartError
from specassay.port import ImplementationError, Undecided
from specassay.provider.endpoints import Endpoints
from specassay.provider.journal import Answer, Exchange, Request
from specassay.provider.server import Fault
from specassay.results.plan import TimeLimits
from specassay.suite.agent_tool import AgentTool
from specassay.suite.chat_route import ChatRoute
from specassay.suite.client import Client
from specassay.suite.control import ControlFailure
from specassay.suite.outside import Outside, set_aside
from specassay.suite.tools import ToolFailure, Tools
from specassay.suite.values import Values

if TYPE_CHECKING:
    from collections.abc import Coroutine

LOG_LIMIT = 16 * 1024 * 1024
REFUSED_ROUTE = "chat-route.refused"
"""A scenario with this tag is given a closed port as its chat origin."""


class Stage:
    """The implementation under test within one scenario, with everything that stands around it.

    Between two calls nothing runs: the loop turns only while a call is open, so a step reads the doubles undisturbed.
    """

    def __init__(
        self,
        scenario: Scenario,
        session: Session,
        loop: asyncio.AbstractEventLoop,
        limits: TimeLimits,
        seed: int,
        network: Namespace | None = None,
        outside: Outside | None = None,
    ) -> None:
        self.scenario = scenario
        self.seed = int.from_bytes(hashlib.blake2b(f"{seed}/{scenario.id}".encode(), digest_size=4).digest())
        self.values = Values(self.seed, outside.words if outside is not None else None)
        self.chat_route = ChatRoute(self.read)
        self.tools = Tools(self.read)
        self.messages: list[tuple[float, Sender, Any]] = []
        self.started = time.time()
        self.fault: ImplementationError | None = None
        self.lost: str | None = None
        """Why the driver could not be spoken with to the scenario's end."""
        self.crashed = False
        """Whether it was lost otherwise than by a time limit."""
        self.log = ""
        """The end of what the driver wrote to standard error."""
        self._session = session
        self._loop = loop
        self._limits = limits
        self._outside = outside
        self._listeners = outside.endpoints if outside is not None else Endpoints(self.chat_route.handle)
        if outside is not None:
            self._listeners.renew(self.chat_route.handle)
        self.provider = self._listeners.provider
        self.client = Client(self._run, self._seconds)
        self.agent_tool = AgentTool(self.request, self.notify, self._run, network)
        self._addresses: dict[str, str] = {}
        self._running: Running | None = None
        self._log_start = 0

    # the port

    @property
    def endpoints(self) -> Mapping[str, str]:
        """The addresses of this scenario."""
        return self._addresses

    @property
    def conventions(self) -> Mapping[str, str]:
        """How the implementation writes a tool result."""
        return self._declaration().conventions.model_dump(by_alias=True)

    @property
    def environment(self) -> dict[str, str]:
        """The `LLM_*` of a scenario that says nothing else: the fake provider, with a key that is drawn."""
        words = {word: self.values.text(word) for word in ("model", "key")}
        return usual_environment(words, self._addresses["provider"])

    def call(self, operation: str, /, **params: Any) -> Any:
        """Call an operation; see `specassay.port.Implementation.call`."""
        return self._run(self.request(operation, **params))

    async def request(self, operation: str, /, **params: Any) -> Any:
        """Call an operation from within the loop."""
        model = params_of(operation).model_validate(params)
        return await self._call(operation, model.model_dump(by_alias=True, exclude_unset=True))

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Tell the driver what it does not answer."""
        if self._running is not None:
            self._running.connection.notify(method, params)

    @property
    def whole_log(self) -> str:
        """All that the driver has written to standard error in this scenario, as far as a check can use it."""
        return self._running.transport.log_since(self._log_start, LOG_LIMIT) if self._running is not None else ""

    def reload(self) -> None:
        """Make the client surfaces anew on the same storage: by the driver, or by a process of its own."""
        if self._declaration().isolation == "session":
            self.call("chat-store.reload")
            return
        answer = self.call("chat-store.getStorage")
        storage = answer.get("storage") if isinstance(answer, dict) else None
        if not isinstance(storage, dict) or not all(isinstance(text, str) for text in storage.values()):
            raise ImplementationError("chat-store.getStorage", 0, "the storage is no object of texts")
        self._run(self._begin(storage, fresh=True))

    # what the runner does with it

    def begin(self, *, fresh: bool) -> None:
        """Start the scenario. Raises `Undecided`, or `ImplementationError` where the driver refuses it."""
        self._run(self._open(fresh=fresh))

    def end(self) -> None:
        """End the scenario, and close what listens for it."""
        self._run(self._close())

    @property
    def in_company(self) -> bool:
        """Say whether its process had played another scenario before."""
        return self._running is not None and self._running.played > 1

    @property
    def exchanges(self) -> list[Exchange]:
        """All that the servers of this scenario were asked, in order."""
        tool = (self.agent_tool.relay.exchanges, self.agent_tool.exchanges)
        journals = (self.chat_route.exchanges, self.provider.exchanges, self.client.exchanges, *tool)
        return sorted((exchange for journal in journals for exchange in journal), key=lambda exchange: exchange.at)

    def forward_chat_route(self, origin: str) -> None:
        """Let the chat route hand its requests on to the implementation's own, at this origin."""

        async def forward(request: Request) -> Answer:
            exchange = await self.client.send(request.method, origin + request.target, request.body)
            return exchange.answer or Answer(fault=Fault.RESET)

        self.chat_route.forward = forward

    async def serve(self, method: str, params: dict[str, Any]) -> Any:
        """Answer a request of the driver."""
        match method:
            case "tool.execute":
                return await self._execute_tool(params)
            case "control.execute":
                return await self._execute_control(params)
            case "control.aborted":
                return self.agent_tool.control.aborted(params)
        raise unknown_method(method)

    async def read(self, operation: str) -> Any:
        """Read a store for a double; an error of the implementation is kept for the step that is running."""
        try:
            return await self.request(operation)
        except ImplementationError as error:
            self.fault = self.fault or error
        except Undecided:
            pass
        return None

    async def _execute_tool(self, params: dict[str, Any]) -> Any:
        try:
            return await self.tools.execute(params)
        except ToolFailure as failure:
            raise Refused(str(failure)) from None

    async def _execute_control(self, params: dict[str, Any]) -> Any:
        try:
            return await self.agent_tool.control.execute(params, REQUEST_ID.get())
        except ControlFailure as failure:
            raise Refused(str(failure), data=failure.data) from None

    async def _open(self, *, fresh: bool) -> None:
        self._addresses = dict(self._outside.addresses) if self._outside else await self._listeners.start()
        if REFUSED_ROUTE in self.scenario.tags:
            self._addresses["chatOrigin"] = self._addresses["refused"]
        await self._begin(None, fresh=fresh)

    async def _begin(self, storage: dict[str, str] | None, *, fresh: bool) -> None:
        try:
            self._running = await self._session.acquire(fresh=fresh)
        except DriverStartError as error:
            raise Undecided(str(error)) from None
        self._log_start = self._running.transport.log_size()
        params = ScenarioBegin.model_validate(
            {
                "id": self.scenario.id,
                "endpoints": self._addresses,
                "environment": self.environment,
                "storage": storage,
                "seed": self.seed,
            }
        )
        await self._call("scenario.begin", params.model_dump(by_alias=True, exclude_none=True))

    async def _close(self) -> None:
        await self.tools.close()
        if self._running is not None:
            connection, transport = self._running.connection, self._running.transport
            try:
                await self._call("scenario.end", {})
            except ImplementationError:
                pass  # the verdict stands, and the next scenario begins afresh whatever this one could not end
            except Undecided as reason:
                self.lost, self.crashed = str(reason), not connection.timed_out
            self.log = transport.log_since(self._log_start)
            if self.lost is not None:
                await self._session.discard()
        if self._outside is None:
            await self._listeners.close()
        await self.agent_tool.close()

    async def _call(self, method: str, params: dict[str, Any]) -> Any:
        if self._running is None:
            raise Undecided("the scenario has not begun")
        try:
            return await self._running.connection.call(method, params, self._seconds())
        except ImplementationError as error:
            if self._outside is not None:
                set_aside(error)
            raise

    def _seconds(self) -> float | None:
        """How long a call may take: its own limit, or what is left of the scenario's."""
        asked = self._declaration().limits
        call = _longer(self._limits.call, asked.call_seconds)
        scenario = _longer(self._limits.scenario, asked.scenario_seconds)
        if scenario is None:
            return call
        left = max(0.001, round(self.started + scenario - time.time(), 3))
        return left if call is None else min(call, left)

    def _declaration(self) -> Declaration:
        assert self._running is not None
        return self._running.declaration

    def _run(self, work: "Coroutine[Any, Any, Any]") -> Any:
        try:
            return turn(self._loop, work)
        except KeyboardInterrupt:
            if self._running is not None:
                self._running.connection.lose("the run was interrupted")
            raise


def _longer(limit: float | None, asked: float | None) -> float | None:
    """Take the longer of the user's limit and the one that the driver asks for; None is no limit."""
    return None if limit is None else max(limit, asked or 0)
