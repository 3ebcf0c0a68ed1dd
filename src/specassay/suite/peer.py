"""A peer of a server: sends whatever bytes, from whichever address, and reads what comes back."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import h11

from specassay.provider.journal import Answer

Connect = Callable[[str, int], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
"""Opens a connection to a host and port. Raises `OSError`."""

_CHUNK = 65536


@dataclass(frozen=True)
class Raw:
    """A request as its bytes are: nothing is added but `content-length` and `connection: close`."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    announced: int | None = None
    """How long the body is said to be; None for as long as it is."""

    def without(self, name: str) -> "Raw":
        """Leave a header out."""
        return replace(self, headers=tuple(pair for pair in self.headers if pair[0] != name))

    def with_header(self, name: str, value: str) -> "Raw":
        """Add a header."""
        return replace(self, headers=(*self.headers, (name, value)))

    def encode(self) -> bytes:
        """Write it as it goes over the wire; headers are Latin-1."""
        head = [f"{self.method} {self.target} HTTP/1.1", *(f"{name}: {value}" for name, value in self.headers)]
        if self.body or self.method == "POST":
            head.append(f"content-length: {len(self.body) if self.announced is None else self.announced}")
        return "\r\n".join([*head, "connection: close", "", ""]).encode("latin-1") + self.body


async def exchange(connect: Connect, host: str, port: int, request: Raw) -> Answer | None:
    """Send a request; None where the connection is closed without an answer. Raises `OSError` where there is none."""
    reader, writer = await connect(host, port)
    try:
        with contextlib.suppress(ConnectionError):  # it may have been answered before all of it was sent
            writer.write(request.encode())
            await writer.drain()
        return await _answer(reader)
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def _answer(reader: asyncio.StreamReader) -> Answer | None:
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("host", "any")]))
    connection.send(h11.EndOfMessage())
    head: h11.Response | None = None
    body = bytearray()
    try:
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(await reader.read(_CHUNK))
            elif isinstance(event, h11.Response):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                named = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers)
                return Answer(head.status_code, bytes(body), named)
            elif event is h11.PAUSED or isinstance(event, h11.ConnectionClosed):
                return None
    except (ConnectionError, h11.RemoteProtocolError):
        return None
