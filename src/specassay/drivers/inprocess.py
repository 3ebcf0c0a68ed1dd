"""A driver in the harness's own process: the same messages, handed over as copies of plain data."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from specassay.drivers.connection import Connection


class Program(Protocol):
    """What a kit's driver is, without its transport."""

    def receive(self, message: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> Awaitable[None]:
        """Take one message of the harness, and send whatever answers it."""
        ...


class InProcess:
    """A program that is spoken with in process. What passes is copied through JSON, as over a pipe."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._connection: Connection | None = None
        self._tasks: set[asyncio.Future[None]] = set()
        self._log = _Log()

    async def open(self, connection: Connection) -> None:
        """Begin to hand what the program says to `connection`."""
        self._connection = connection
        logging.getLogger().addHandler(self._log)

    def send(self, message: Any) -> None:
        """Hand one message over."""
        task = asyncio.ensure_future(self._program.receive(_copy(message), self._take))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def close(self, *, patient: bool) -> None:
        """End whatever the program is still doing."""
        logging.getLogger().removeHandler(self._log)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def log_size(self) -> int:
        """How much was logged meanwhile, in characters."""
        return len(self._log.text)

    def log_since(self, start: int, limit: int = 4096) -> str:
        """Read the end of what was logged since `start`, at most `limit` characters."""
        return self._log.text[start:][-limit:]

    def _take(self, message: Any) -> None:
        if self._connection is not None:
            self._connection.receive(_copy(message))

    def _done(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and self._connection is not None:
            self._connection.lose(f"the driver broke: {type(error).__name__}: {error}")


class _Log(logging.Handler):
    """Keeps what is logged in this process, where a program writes no standard error of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += self.format(record) + "\n"


def _copy(message: Any) -> Any:
    return json.loads(json.dumps(message))
