"""One run's dealings with one driver: the handshake, a fresh process where one is needed, and the end."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import ValidationError

from specassay import __version__
from specassay.drivers.connection import Connection, Sender, Serve
from specassay.drivers.protocol import (
    NO_SUCH_OPERATION,
    VERSION,
    Declaration,
    InitializeParams,
    Program,
    problems,
)
from specassay.errors import DriverStartError
from specassay.port import ImplementationError, Undecided

Observe = Callable[[Sender, Any, bool], None]
"""Is told of every message as it passes, and whether it belongs to the scenario that is played."""


_NO_OBJECT = ("model_type", "model_attributes_type", "dict_type")
"""What pydantic calls a value that is no object."""


class Transport(Protocol):
    """How a driver is reached: a child process, or the harness's own."""

    async def open(self, connection: Connection) -> None:
        """Start it, and hand what it says to `connection`."""
        ...

    def send(self, message: Any) -> None:
        """Send one message."""
        ...

    async def close(self, *, patient: bool) -> None:
        """End it; with patience where it may end by itself."""
        ...

    def log_size(self) -> int:
        """How much its log holds."""
        ...

    def log_since(self, start: int, limit: int = 4096) -> str:
        """Read the end of its log since `start`."""
        ...


@dataclass
class Running:
    """A driver that has shaken hands. `played` counts the scenarios that it has had."""

    transport: Transport
    connection: Connection
    declaration: Declaration
    played: int = 0


class Session:
    """Starts drivers by `make` and keeps one running; with `isolate`, one for each scenario and the next one warm."""

    def __init__(
        self,
        make: Callable[[], Transport],
        serve: Serve,
        observe: Observe,
        *,
        start_seconds: float | None,
        isolate: bool,
    ) -> None:
        self._make = make
        self._serve = serve
        self._observe = observe
        self._start_seconds = start_seconds
        self._isolate = isolate
        self._running: Running | None = None
        self._spare: asyncio.Task[Running] | None = None

    async def start(self) -> Declaration:
        """Start the driver for the first time, and try its honesty. Raises `DriverStartError`."""
        self._running = await self._open()
        declaration = self._running.declaration
        self._isolate = self._isolate or declaration.isolation == "process"
        if self._start_seconds is not None:
            self._start_seconds = max(self._start_seconds, declaration.limits.start_seconds or 0)
        try:
            await refuse_unknown(self._running.connection, declaration, self._start_seconds)
        except BaseException:
            await self.close()
            raise
        return declaration

    async def acquire(self, *, fresh: bool = False) -> Running:
        """Give the driver for the next scenario, a process that had none before where that is asked for.

        One that was lost after its scenario is given all the same, so that the loss is noticed.
        Raises `DriverStartError` where a new one is needed and does not start.
        """
        running = self._running
        if running is not None and running.played and (fresh or self._isolate):
            await self.discard()
            running = None
        if running is None:
            spare, self._spare = self._spare, None
            running = await spare if spare is not None else await self._open()
            self._running = running
        if self._isolate and self._spare is None:
            self._spare = asyncio.ensure_future(self._open())
        running.played += 1
        return running

    async def discard(self) -> None:
        """End the driver that is running, at once where it cannot be spoken with."""
        running, self._running = self._running, None
        if running is not None:
            await _end(running)

    async def close(self) -> None:
        """End every driver; one that is still starting is ended at once."""
        spare, self._spare = self._spare, None
        try:
            if spare is not None:
                spare.cancel()
                for running in await asyncio.gather(spare, return_exceptions=True):
                    if isinstance(running, Running):
                        await _end(running)
        finally:
            await self.discard()

    async def _open(self) -> Running:
        transport = self._make()
        connection = Connection(
            transport.send,
            self._serve,
            lambda sender, message: self._observe(sender, message, self._plays(connection)),
        )
        try:
            await transport.open(connection)
            return Running(transport, connection, await shake_hands(connection, self._start_seconds))
        except (Undecided, ImplementationError) as error:
            connection.lose("the driver did not start")
            log = transport.log_since(0, 2000).strip()
            await transport.close(patient=False)
            hint = "; let it answer sooner, or give it longer with --start-timeout" if connection.timed_out else ""
            text = f"the driver did not start: {error}{hint}" + (f"\nthe end of its log:\n{log}" if log else "")
            raise DriverStartError(text) from None
        except BaseException:  # an interruption leaves no process behind
            await transport.close(patient=False)
            raise

    def _plays(self, connection: Connection) -> bool:
        return self._running is not None and self._running.played > 0 and self._running.connection is connection


async def shake_hands(connection: Connection, seconds: float | None) -> Declaration:
    """Send `initialize`, and give the conformance statement. Raises `Undecided` where it is wrong or does not come."""
    params = InitializeParams(
        protocol_version=VERSION, harness=Program(name="specassay", version=__version__)
    ).model_dump(by_alias=True)
    answer = await connection.call("initialize", params, seconds)
    try:
        declaration = Declaration.model_validate(answer)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the answer"
        wrong = "must be an object" if first["type"] in _NO_OBJECT else first["msg"].lower()
        raise Undecided(f"its answer to initialize is wrong: {place}: {wrong}") from None
    found = problems(declaration)
    if found:
        raise Undecided("its conformance statement is wrong: " + "; ".join(found))
    return declaration


async def refuse_unknown(connection: Connection, declaration: Declaration, seconds: float | None) -> None:
    """Call an operation that does not exist: a driver that answers it would answer anything.

    Raises `DriverStartError` where it is not refused.
    """
    surface = declaration.surfaces[0] if declaration.surfaces else "chat-store"
    operation = f"{surface}.x{secrets.token_hex(4)}"
    try:
        await connection.call(operation, {}, seconds)
    except ImplementationError as error:
        if error.code == NO_SUCH_OPERATION:
            return
        raise DriverStartError(
            f"the driver answered {operation}, which does not exist, with error {error.code}; "
            f"it must answer {NO_SUCH_OPERATION}"
        ) from None
    except Undecided as reason:
        raise DriverStartError(f"the driver did not refuse {operation}, which does not exist: {reason}") from None
    raise DriverStartError(
        f"the driver answered {operation}, which does not exist, with a result; "
        f"it must answer error {NO_SUCH_OPERATION}"
    )


async def _end(running: Running) -> None:
    patient = False
    try:
        with suppress(Undecided, ImplementationError):
            await running.connection.call("shutdown", {}, 2.0)
        patient = running.connection.lost is None
    finally:  # an interruption leaves no process behind
        running.connection.lose("the driver was ended")
        await running.transport.close(patient=patient)
