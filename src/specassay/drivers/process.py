"""A driver as a child process: JSON lines over its standard input and output, its standard error kept as a log."""

import asyncio
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from specassay.drivers.command import split_command
from specassay.drivers.connection import Connection
from specassay.drivers.group import Ending, Group, signal_name
from specassay.drivers.protocol import DEPTH_LIMIT, LINE_LIMIT
from specassay.errors import DriverStartError

GRACE = 2.0
"""Seconds that a driver is given to end by itself, and again after TERM."""

SETTLE = 0.3
"""Seconds between the end of a process and the end of its output, either of which may come first, or alone."""

_HASTE = 0.2
_SHOWN = 200
_DIAGNOSED = 20


class ChildProcess:
    """One child process in a process group of its own.

    `diagnose` is told what the user should know, `began` the process group once there is one.
    """

    def __init__(
        self,
        command: str,
        directory: str | None,
        environment: Mapping[str, str],
        diagnose: Callable[[str], None],
        began: Callable[[int], None] = lambda group: None,
    ) -> None:
        self._command = command
        self._began = began
        self._arguments = split_command(command, directory)
        self._directory = directory
        self._environment = environment
        self._diagnose = diagnose
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._group = Group()

    async def open(self, connection: Connection) -> None:
        """Start the process, and hand what it says to `connection`. Raises `DriverStartError`."""
        try:
            await self._group.start(
                _Output(connection, self._diagnose),
                self._arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=self._log,
                cwd=self._directory,
                env={**os.environ, **self._environment},
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise DriverStartError(
                f"the driver cannot be started: {self._command}: {reason.lower()}; does the command work in a shell?"
            ) from None
        assert self._group.id is not None
        self._began(self._group.id)

    def send(self, message: Any) -> None:
        """Write one message; a process that has gone is noticed by what reads from it."""
        pipe = self._input()
        if pipe is not None and not pipe.is_closing():
            # half of a surrogate pair, which UTF-8 cannot hold, becomes the escape that JSON has for it
            pipe.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")

    def end_input(self) -> None:
        """Close the standard input of the process, which asks it to end."""
        pipe = self._input()
        if pipe is not None:
            pipe.close()

    async def close(self, *, patient: bool) -> None:
        """End the process and whatever it started: standard input closes, then TERM, then KILL, to the whole group."""
        self.end_input()
        try:
            if patient:
                await self._group.ended_within(GRACE)
        finally:
            await self._group.kill(GRACE if patient else _HASTE)
        pipe = self._input()
        if pipe is not None and pipe.get_write_buffer_size():
            pipe.abort()  # a process outside the group may hold the other end and never read it
        await self._group.release()
        self._log.close()

    @property
    def exit_status(self) -> int | None:
        """The exit status, negative for a signal; None while the process runs."""
        return self._group.exit_status

    async def ended_within(self, seconds: float) -> bool:
        """Wait for the process to end, at most so long; True if it has."""
        return await self._group.ended_within(seconds)

    def left_behind(self) -> bool:
        """Say whether something that the process started runs on in its group, once it has ended itself."""
        return self._group.signal(0)

    def log_size(self) -> int:
        """How much the log holds, in bytes: the place to read the next part from."""
        return 0 if self._log.closed else os.fstat(self._log.fileno()).st_size

    def log_since(self, start: int, limit: int = 4096) -> str:
        """Read the end of what was written to standard error since `start`, at most `limit` bytes."""
        if self._log.closed:
            return ""
        size = self.log_size()
        return os.pread(self._log.fileno(), limit, max(start, size - limit)).decode("utf-8", "replace")

    def _input(self) -> asyncio.WriteTransport | None:
        return cast("asyncio.WriteTransport | None", self._group.pipe(0))


class _Output(Ending):
    """What a process says line by line, and how it ends; both are handed to the connection.

    The end of the process and that of its output are apart: a child that it leaves behind holds the output open.
    """

    def __init__(self, connection: Connection, diagnose: Callable[[str], None]) -> None:
        super().__init__()
        self._connection = connection
        self._diagnose = diagnose
        self._diagnosed = 0
        self._transport: asyncio.SubprocessTransport | None = None
        self._parts: list[bytes] = []
        self._length = 0
        self._silent = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        for line in self._lines(data):
            if line.strip():
                self._take(line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._silent = True
            self._ending()

    def process_exited(self) -> None:
        super().process_exited()
        self._ending()

    def _lines(self, data: bytes) -> Iterator[bytes]:
        first, *rest = data.split(b"\n")
        self._keep(first)
        for part in rest:
            line = b"".join(self._parts)
            self._parts, self._length = [], 0
            yield line
            self._keep(part)

    def _keep(self, part: bytes) -> None:
        self._length += len(part)
        if self._length > LINE_LIMIT:
            self._connection.lose(f"the driver sent a line over {LINE_LIMIT // 2**20} MiB")
            self._parts = []
        else:
            self._parts.append(part)

    def _take(self, line: bytes) -> None:
        try:
            message = _parse(line)
        except (ValueError, RecursionError) as error:
            text = line.decode("utf-8", "replace").strip()[:_SHOWN]
            if line.lstrip().startswith(b"{") and b'"jsonrpc"' in line:
                self._connection.lose(f"the driver sent a message that is no JSON ({error}): {text}")
            else:
                self._tell_of(text)
            return
        try:
            self._connection.receive(message)
        except Exception as error:  # nobody would hear of it, and the call would wait for ever
            self._connection.lose(f"a fault of specassay: {type(error).__name__}: {error}")

    def _tell_of(self, text: str) -> None:
        self._diagnosed += 1
        if self._diagnosed <= _DIAGNOSED:
            self._diagnose(
                "a line on standard output is no JSON (a print to standard output? send it to standard error): " + text
            )
        if self._diagnosed == _DIAGNOSED:
            self._diagnose("further lines on standard output that are no JSON are not listed")

    def _ending(self) -> None:
        if self.exited.is_set() and self._silent:
            self._lose()
        else:
            asyncio.get_running_loop().call_later(SETTLE, self._lose)

    def _lose(self) -> None:
        assert self._transport is not None
        half = " in the middle of a message" if b"".join(self._parts).strip() else ""
        status = self._transport.get_returncode()
        if status is None:
            self._connection.lose(f"the driver closed its standard output{half}")
        elif status < 0:
            self._connection.lose(f"the driver was killed by {signal_name(-status)}{half}")
        else:
            self._connection.lose(f"the driver ended with exit status {status}{half}")


def _parse(line: bytes) -> Any:
    message = json.loads(line, parse_constant=_refuse_constant)
    if line.count(b"[") + line.count(b"{") > DEPTH_LIMIT and _is_deeper(message, DEPTH_LIMIT):
        raise ValueError(f"nested over {DEPTH_LIMIT} deep")
    return message


def _is_deeper(value: Any, limit: int) -> bool:
    """Say whether objects and lists are nested deeper than `limit`; without recursion, whatever their depth."""
    level = [value]
    for _ in range(limit + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return bool(level)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"JSON has no {name}")
