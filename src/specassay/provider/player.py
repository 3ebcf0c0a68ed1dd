"""The fake provider that plays exchanges in turn, over and over, for as long as it is left running."""

from collections.abc import Callable, Iterable
from itertools import cycle

from specassay.provider.answers import Turn
from specassay.provider.exchange import ExchangeFile
from specassay.provider.fake import FakeProvider
from specassay.provider.families import Family
from specassay.provider.journal import Answer, Exchange, Request

Show = Callable[[Exchange, ExchangeFile | None], None]


class Player(FakeProvider):
    """Plays the exchanges of each family in turn, and then again from the first.

    `show` is told each request with the exchange that was played for it, None where there was none.
    """

    def __init__(self, exchanges: Iterable[ExchangeFile], show: Show) -> None:
        super().__init__()
        chosen = list(exchanges)
        self._rings = {family: cycle([one for one in chosen if one.provider is family]) for family in Family}
        self._show = show
        self._played: ExchangeFile | None = None

    def turn(self, family: Family) -> Turn | None:
        """Take the family's next exchange; None where it has none."""
        self._played = next(self._rings[family], None)
        return self._played.response.answer() if self._played is not None else None

    async def handle(self, request: Request) -> Answer:
        """Answer one request, and show it."""
        self._played = None
        answer = await super().handle(request)
        self._show(self.exchanges[-1], self._played)
        return answer
