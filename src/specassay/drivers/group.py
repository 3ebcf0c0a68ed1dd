"""A child process that leads a process group of its own, so that whatever it starts is ended with it."""

import asyncio
import atexit
import contextlib
import os
import signal
from collections.abc import Sequence
from typing import Any


class Ending(asyncio.SubprocessProtocol):
    """Notices when a process has exited, and when its last pipe is closed."""

    def __init__(self) -> None:
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()

    def process_exited(self) -> None:
        """Take note of the exit."""
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note of the last pipe."""
        self.closed.set()


_LIVE: set["Group"] = set()
"""The groups that have been started, and not been ended."""


class Group:
    """One process and its group, whose id is that of the process.

    A group that nothing has ended when this process ends, as where its clean-up is interrupted, is killed then.
    """

    def __init__(self) -> None:
        self._transport: asyncio.SubprocessTransport | None = None
        self._ending = Ending()

    async def start(self, ending: Ending, arguments: Sequence[str], **options: Any) -> None:
        """Start the process, with the options of `subprocess.Popen`. Raises `OSError` and `ValueError` as it does."""
        self._transport, self._ending = await asyncio.get_running_loop().subprocess_exec(
            lambda: ending, *arguments, start_new_session=True, **options
        )
        _LIVE.add(self)

    @property
    def id(self) -> int | None:
        """The id of the process, and of its group; None before the start."""
        return self._transport.get_pid() if self._transport is not None else None

    @property
    def exit_status(self) -> int | None:
        """The exit status, negative for a signal; None while the process runs."""
        return self._transport.get_returncode() if self._transport is not None else None

    def pipe(self, number: int) -> asyncio.BaseTransport | None:
        """Give the pipe to this descriptor of the process; None where there is none."""
        return self._transport.get_pipe_transport(number) if self._transport is not None else None

    async def ended_within(self, seconds: float) -> bool:
        """Wait for the process to end, at most so long; True if it has."""
        if self._transport is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._ending.exited.wait()
        return self.exit_status is not None

    async def kill(self, grace: float) -> None:
        """End the group: TERM, and after `grace` seconds, or once the process has ended, KILL."""
        try:
            if self.exit_status is None:
                self.signal(signal.SIGTERM)
                await self.ended_within(grace)
        finally:
            self.signal(signal.SIGKILL)
            _LIVE.discard(self)
        if self._transport is not None:
            await self._ending.exited.wait()

    async def release(self) -> None:
        """Close the pipes of a process that has ended."""
        if self._transport is not None:
            self._transport.close()
            await self._ending.closed.wait()

    def signal(self, number: int) -> bool:
        """Send a signal to the group; True if there was one."""
        if self.id is None:
            return False
        try:
            os.killpg(self.id, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True


@atexit.register
def _kill_the_rest() -> None:
    for group in _LIVE:
        group.signal(signal.SIGKILL)


def signal_name(number: int) -> str:
    """Name a signal: "signal SIGTERM"."""
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"
