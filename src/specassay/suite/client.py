"""The harness as an HTTP client of the implementation's own server; it remembers what it sent and what came back."""

import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from specassay.port import Undecided
from specassay.provider.journal import Answer, Exchange, Request

ROUTE = "implementation"


class Client:
    """Speaks HTTP to the implementation. `turn` runs a piece of work in the harness's loop until it is done.

    `exchanges` holds every request with its answer; an answer is None where the connection broke, and `note` says how.
    """

    def __init__(self, turn: Callable[[Coroutine[Any, Any, Any]], Any], seconds: Callable[[], float | None]) -> None:
        self._turn = turn
        self._seconds = seconds
        self.exchanges: list[Exchange] = []

    @property
    def last(self) -> Exchange | None:
        """The latest exchange; None before the first."""
        return self.exchanges[-1] if self.exchanges else None

    def post(self, url: str, body: Any, headers: Mapping[str, str] | None = None) -> Exchange:
        """Post a body: bytes as they are, anything else as JSON. Raises `Undecided` where no answer comes in time."""
        content = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        exchange: Exchange = self._turn(self.send("POST", url, content, headers))
        return exchange

    async def send(
        self, method: str, url: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> Exchange:
        """Send a request from within the loop; a broken connection is an exchange without an answer."""
        named = {"content-type": "application/json", **(headers or {})}
        target = urlsplit(url)._replace(scheme="", netloc="").geturl()
        exchange = Exchange(ROUTE, Request(method, target, tuple(named.items()), body))
        self.exchanges.append(exchange)
        try:
            async with httpx.AsyncClient(verify=False, trust_env=False, timeout=self._seconds()) as client:  # noqa: S501 - loopback, no TLS
                response = await client.request(method, url, content=body, headers=named)
        except httpx.TimeoutException:
            raise Undecided(f"no answer to {method} {target} in time; it was the implementation's turn") from None
        except httpx.HTTPError as error:
            exchange.note = f"the connection broke: {type(error).__name__}"
            return exchange
        exchange.answer = Answer(response.status_code, response.content, tuple(response.headers.items()))
        return exchange
