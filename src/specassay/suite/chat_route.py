"""The double of the chat route: it answers `POST /api/agent/chat` from a script, and remembers what was posted."""

from collections.abc import Awaitable, Callable
from typing import Any

from specassay.provider.journal import Answer, Exchange, Request, json_answer
from specassay.provider.script import Script
from specassay.suite.tools import Read

PATH = "/api/agent/chat"


class ChatRoute:
    """The chat route of one scenario. `script` holds its answers, `exchanges` all that it was asked.

    With `forward`, a request is handed on to the implementation's own route, and its answer given back.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self.script = Script()
        self.read_while_held: tuple[str, ...] = ()
        self.forward: Callable[[Request], Awaitable[Answer]] | None = None
        self.exchanges: list[Exchange] = []

    @property
    def posts(self) -> list[Exchange]:
        """The calls of the chat route proper, in the order in which they arrived."""
        return [exchange for exchange in self.exchanges if _is_call(exchange.request)]

    def posted(self, number: int) -> Any:
        """Give the JSON body of the call with this number, counted from 1; None where there is none."""
        return self.posts[number - 1].request.json if 0 < number <= len(self.posts) else None

    async def handle(self, request: Request) -> Answer:
        """Answer one request, after the stores were read where a step asked for that."""
        exchange = Exchange("chat route", request)
        self.exchanges.append(exchange)
        for operation in self.read_while_held:
            exchange.seen[operation] = await self._read(operation)
        if self.forward is not None:
            exchange.answer = await self.forward(request)
        elif _is_call(request):
            exchange.answer, exchange.note = self.script.next()
        else:
            exchange.answer = json_answer({"error": f"only POST {PATH} is served here"}, status=404)
        return exchange.answer


def _is_call(request: Request) -> bool:
    return request.method == "POST" and request.path == PATH
