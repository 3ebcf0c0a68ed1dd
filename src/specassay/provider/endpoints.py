"""The addresses of one scenario: what listens on them, and what came to those that must stay silent."""

import socket

from specassay.provider.fake import FakeProvider
from specassay.provider.journal import Exchange
from specassay.provider.server import Handler, Server


class Endpoints:
    """The listeners of one scenario, each on loopback, so that no other scenario's requests come to them.

    `provider` is the fake provider, which also hears the egress and the trap. `refused` is a port that is taken and
    does not listen, so that a connection to it is refused and nobody else can get it meanwhile.

    Where the addresses must stay as they are, those of several scenarios in turn: `renew` before each.
    """

    def __init__(self, chat_route: Handler) -> None:
        self._chat_route = chat_route
        self.provider = FakeProvider()
        self._chat = Server(lambda request: self._chat_route(request))
        self._other = Server(lambda request: self.provider.handle(request))
        self._closed = socket.socket()

    def renew(self, chat_route: Handler) -> None:
        """Let a new chat route, and a new fake provider, answer from now on."""
        self._chat_route = chat_route
        self.provider = FakeProvider()

    @property
    def exchanges(self) -> list[Exchange]:
        """What came to the provider, the egress and the trap."""
        return self.provider.exchanges

    async def start(self, provider_port: int = 0) -> dict[str, str]:
        """Listen, and give the addresses by the protocol's names. Raises `OSError` for a port that is taken."""
        await self._chat.start()
        await self._other.start(provider_port)
        self._closed.bind(("127.0.0.1", 0))
        return {
            "provider": f"{self._other.origin}/v1",
            "chatOrigin": self._chat.origin,
            "egress": f"{self._other.origin}/egress",
            "trap": f"{self._other.origin}/trap/v1",
            "refused": f"http://127.0.0.1:{self._closed.getsockname()[1]}",
        }

    async def close(self) -> None:
        """Stop listening."""
        await self._chat.close()
        await self._other.close()
        self._closed.close()
