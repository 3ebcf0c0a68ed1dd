"""The fake provider: it answers both families from a script, and keeps a journal of all that it was asked."""

from dataclasses import replace
from typing import Any

from specassay.errors import UsageError
from specassay.provider import rules_gemini, rules_openai
from specassay.provider.answers import Turn, answer_to
from specassay.provider.families import Family, family_error, family_of, model_in
from specassay.provider.journal import Answer, Exchange, Request, json_answer
from specassay.provider.script import RAN_OUT, Turns

EGRESS = "egress"
TRAP = "trap"

_RULES = {Family.OPENAI: rules_openai.violation, Family.GEMINI: rules_gemini.violation}


class FakeProvider:
    """One fake provider; give each scenario its own, under an address of its own.

    `script` holds its turns, for both families. `exchanges` holds all that came, in order of arrival: to the provider
    under any prefix, to `/egress` what was meant for other hosts (`Exchange.url` is the original URL), and to `/trap`
    what should not have come. With `strict` it refuses what the real provider refuses, with the real error, and takes
    no turn for it.
    """

    def __init__(self) -> None:
        self.script: Turns[Turn] = Turns()
        self.strict = False
        self.exchanges: list[Exchange] = []

    @property
    def posts(self) -> list[Exchange]:
        """The calls of a model, direct and forwarded, in order of arrival."""
        return [one for one in self.exchanges if one.server != TRAP and _called(one) is not None]

    def posted(self, number: int) -> Any:
        """Give the JSON body of the call with this number, counted from 1; None where there is none."""
        return self.posts[number - 1].request.json if 0 < number <= len(self.posts) else None

    def came_to(self, server: str) -> list[Exchange]:
        """Give what came to "provider", "egress" or "trap"."""
        return [one for one in self.exchanges if one.server == server]

    def turn(self, family: Family) -> Turn | None:
        """Take the turn that answers a call of this family; None where there is none left."""
        return self.script.take()

    async def handle(self, request: Request) -> Answer:
        """Answer one request."""
        place = f"{request.path}/".split("/")[1]
        exchange = Exchange(place if place in (EGRESS, TRAP) else "provider", request)
        self.exchanges.append(exchange)
        answer, exchange.note = self._answer(exchange)
        exchange.answer = _final(answer)
        return exchange.answer

    def _answer(self, exchange: Exchange) -> tuple[Answer, str | None]:
        family = _called(exchange)
        if family is None or exchange.server == TRAP:
            note = "this address must stay silent" if exchange.server == TRAP else "no provider serves this"
            return json_answer({"error": {"message": note}}, status=404), note
        refused = _RULES[family](exchange.request, exchange.url) if self.strict else None
        if refused is not None:
            return refused, "refused as the provider refuses it"
        turn = self.turn(family)
        if turn is None:
            return json_answer(family_error(family, 500, RAN_OUT), status=500), RAN_OUT
        try:
            said = turn(exchange.request) if callable(turn) else turn
            return answer_to(said, family, _model(exchange), len(self.posts)), None
        except UsageError as error:
            return json_answer(family_error(family, 500, str(error)), status=500), str(error)


def _called(exchange: Exchange) -> Family | None:
    return family_of(exchange.url) if exchange.request.method == "POST" else None


def _model(exchange: Exchange) -> str:
    body = exchange.request.json
    named = model_in(exchange.url) or (body.get("model") if isinstance(body, dict) else None)
    return str(named)


def _final(answer: Answer) -> Answer:
    """Tell the SDKs not to retry an error: they wait for it, and one call would come three times."""
    if answer.status < 400 or any(name == "x-should-retry" for name, _ in answer.headers):
        return answer
    return replace(answer, headers=(*answer.headers, ("x-should-retry", "false")))
