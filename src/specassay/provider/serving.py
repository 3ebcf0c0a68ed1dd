"""Serves one handler on loopback until it is interrupted, for the commands that a developer leaves running."""

import asyncio
import os
import signal
from collections.abc import Callable

from specassay.errors import UsageError
from specassay.provider.server import Handler, Server


async def serve(handler: Handler, port: int, ready: Callable[[str], None]) -> None:
    """Serve until INT, TERM or HUP, and close every connection then. `ready` is told the origin.

    Raises `UsageError` for a port that cannot be had.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, ended.set)
    server = Server(handler)
    try:
        await server.start(port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot listen on port {port}: {_reason(error)}") from None
    try:
        ready(server.origin)
        await ended.wait()
    finally:
        await server.close()


def _reason(error: OSError | OverflowError) -> str:
    return os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
