"""A loopback HTTP/1.1 server that can misbehave.

An ASGI application cannot reset a connection or cut a body short, and both are what an implementation must
survive; so this speaks HTTP by h11 itself, one listener an address.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import cast

import h11

from specassay.provider.journal import Answer, Request

Handler = Callable[[Request], Awaitable[Answer]]

HANG_SECONDS = 2.0
"""How long a connection that hangs is left open, unless the client closes it before."""

_RESET = struct.pack("ii", 1, 0)
_CHUNK = 65536


class Fault(StrEnum):
    """How a connection misbehaves instead of giving the whole answer."""

    RESET = "reset"
    CUT_SHORT = "cut-short"
    HANG = "hang"


class Server:
    """One listener on loopback, on a port that the system chose unless one is given."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.origin = ""

    async def start(self, port: int = 0, *, listener: socket.socket | None = None) -> "Server":
        """Listen; `origin` is then `http://127.0.0.1:<port>`. Raises `OSError` for a port that is taken.

        A `listener` that is given is one on 127.0.0.1, of another network namespace.
        """
        if listener is not None:
            self._server = await asyncio.start_server(self._connected, sock=listener)
        else:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", port)
        self.origin = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def close(self) -> None:
        """Stop listening, and end every connection that is still open."""
        if self._server is not None:
            self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(_converse(self._handler, reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)


async def _converse(handler: Handler, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    connection = h11.Connection(h11.SERVER)
    try:
        while (request := await _receive(connection, reader, writer)) is not None:
            answer = await handler(request)
            if answer.fault == Fault.RESET:
                _reset(writer)
                return
            if answer.fault == Fault.HANG:
                await _hang(reader)
                return
            await _send(connection, writer, answer, request)
            if answer.fault is not None or connection.our_state is not h11.DONE:
                return
            connection.start_next_cycle()
    except (h11.RemoteProtocolError, ConnectionError, asyncio.IncompleteReadError):
        return  # a client that breaks off, or speaks no HTTP, is heard no further
    finally:
        writer.close()


async def _receive(
    connection: h11.Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> Request | None:
    """Read one request; None where the client has closed the connection."""
    head: h11.Request | None = None
    body = bytearray()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            if connection.they_are_waiting_for_100_continue:
                writer.write(connection.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
            connection.receive_data(await reader.read(_CHUNK))
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage):
            return _as_request(cast(h11.Request, head), bytes(body))
        else:
            return None


def _as_request(head: h11.Request, body: bytes) -> Request:
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers)
    return Request(head.method.decode("ascii"), head.target.decode("latin-1"), headers, body)


async def _send(connection: h11.Connection, writer: asyncio.StreamWriter, answer: Answer, request: Request) -> None:
    headers = [(name.encode(), value.encode()) for name, value in answer.headers]
    headers.append((b"content-length", str(len(answer.body)).encode()))
    data = connection.send(h11.Response(status_code=answer.status, headers=headers))
    if answer.fault == Fault.CUT_SHORT:
        data += connection.send(h11.Data(data=answer.body[: len(answer.body) // 2]))
    else:
        if request.method != "HEAD":
            data += connection.send(h11.Data(data=answer.body))
        data += connection.send(h11.EndOfMessage())
    writer.write(data)
    await writer.drain()


async def _hang(reader: asyncio.StreamReader) -> None:
    """Say nothing until the client breaks off, or the time is over."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(reader.read(1), HANG_SECONDS)


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with a TCP reset: a linger time of zero drops the connection without a goodbye."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()
