"""The relay: it stands between the plugin and the callback, keeps what the plugin sent, and hands it on."""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from specassay.provider.journal import Answer, Exchange, Headers, Request
from specassay.provider.server import Fault, Server
from specassay.suite.peer import Connect, Raw, exchange

_HOP = {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "expect", "keep-alive"}
"""Headers of one connection, which a relay makes anew."""


class Relay:
    """A server of the harness whose URL stands in the child's environment in place of the callback's.

    `target` is the callback's URL. `answer`, where given, is what the plugin gets instead of the callback's answer.
    """

    def __init__(self, connect: Connect, listen: Callable[[], socket.socket] | None = None) -> None:
        self._connect = connect
        self._listen = listen
        self._server = Server(self._handle)
        self._cut: asyncio.Event | None = None
        self.target = ""
        self.answer: Answer | None = None
        self.exchanges: list[Exchange] = []

    async def start(self) -> None:
        """Listen; in another network by the socket that `listen` makes there."""
        await self._server.start(listener=self._listen() if self._listen is not None else None)

    async def close(self) -> None:
        """Stop listening."""
        await self._server.close()

    @property
    def url(self) -> str:
        """The URL for the child: the relay's origin, with path and query of the callback's."""
        parts = urlsplit(self.target)
        return self._server.origin + parts._replace(scheme="", netloc="").geturl()

    @property
    def captured(self) -> Raw | None:
        """What the plugin sent last, as it can be sent again to the callback; None before it sent anything."""
        return raw(self.exchanges[-1].request, self.target) if self.exchanges else None

    def cut_when_told(self) -> asyncio.Event:
        """Let the connections of calls to come break, to both sides, as soon as the event is set."""
        self._cut = asyncio.Event()
        return self._cut

    async def _handle(self, request: Request) -> Answer:
        made = Exchange("relay", request)
        self.exchanges.append(made)
        made.answer = self.answer or await self._forward(request)
        return made.answer

    async def _forward(self, request: Request) -> Answer:
        parts = urlsplit(self.target)
        call = asyncio.ensure_future(
            exchange(self._connect, parts.hostname or "", parts.port or 80, raw(request, self.target))
        )
        cut = asyncio.ensure_future(self._cut.wait()) if self._cut is not None else None
        try:
            await asyncio.wait({call, cut} if cut is not None else {call}, return_when=asyncio.FIRST_COMPLETED)
            answer = call.result() if call.done() else None
            return replace(answer, headers=_end_to_end(answer.headers)) if answer else Answer(fault=Fault.RESET)
        except OSError:
            return Answer(fault=Fault.RESET)
        finally:
            for task in filter(None, (call, cut)):
                task.cancel()
            await asyncio.gather(*filter(None, (call, cut)), return_exceptions=True)


def raw(request: Request, url: str) -> Raw:
    """Write a request that came to the relay as it goes to the callback."""
    headers = (("host", urlsplit(url).netloc), *_end_to_end(request.headers))
    return Raw(request.method, request.target, headers, request.body)


def _end_to_end(headers: Headers) -> Headers:
    return tuple(pair for pair in headers if pair[0].lower() not in _HOP)
