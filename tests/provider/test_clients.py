"""The official clients, pointed at the fake provider, take it for the real one."""

import asyncio
from typing import Any

import pytest

from specassay.provider.answers import Play
from specassay.provider.exchange import ExchangeFile
from specassay.provider.fake import FakeProvider
from specassay.provider.library import shipped, shipped_names
from tests.provider import clients
from tests.provider.clients import Outcome
from tests.provider.loopback import listening

CLIENTS: dict[str, tuple[str, clients.Client]] = {
    "openai-python": ("openai", clients.openai_python),
    "openai-javascript": ("openai", clients.openai_javascript),
    "google-python": ("gemini", clients.google_python),
    "google-javascript": ("gemini", clients.google_javascript),
}
_OPENAI_ERRORS = {
    **{400: "BadRequestError", 401: "AuthenticationError", 403: "PermissionDeniedError", 404: "NotFoundError"},
    **{409: "ConflictError", 422: "UnprocessableEntityError", 429: "RateLimitError"},
}


def _played(family: str) -> list[ExchangeFile]:
    """Give what a client understands: answers of the official type, and errors."""
    exchanges = [shipped(name) for name in shipped_names() if name.startswith(f"{family}/")]
    return [one for one in exchanges if "error" in one.tags or _is_answer(one)]


def _is_answer(exchange: ExchangeFile) -> bool:
    body = exchange.response.body
    whole = isinstance(body, dict) and not {"deviation", "network"} & set(exchange.tags)
    return whole and (exchange.provider == "gemini" or bool(body["choices"]))  # type: ignore[index, call-overload]


CASES = [(client, one) for client, (family, _) in CLIENTS.items() for one in _played(family)]


class Plays:
    """What each client made of each exchange, played once for all tests."""

    def __init__(self) -> None:
        self._done: dict[str, tuple[dict[str, Outcome], int]] = {}

    def of(self, client: str) -> tuple[dict[str, Outcome], int]:
        """Give the outcomes by the exchange's name, and how many requests came for them."""
        if client not in self._done:
            family, use = CLIENTS[client]
            if client.endswith("javascript"):
                clients.installed()
            self._done[client] = asyncio.run(_play(use, [one.name for one in _played(family)]))
        return self._done[client]


@pytest.fixture(scope="module")
def plays() -> Plays:
    return Plays()


async def _play(use: clients.Client, names: list[str]) -> tuple[dict[str, Outcome], int]:
    fake = FakeProvider()
    fake.script.then(*map(Play, names))
    async with listening(fake.handle) as origin:
        outcomes = await use(origin, len(names))
    return dict(zip(names, outcomes, strict=True)), len(fake.posts)


@pytest.mark.parametrize(("client", "exchange"), CASES, ids=[f"{client}:{one.name}" for client, one in CASES])
def test_a_client_gets_what_the_exchange_holds(plays: Plays, client: str, exchange: ExchangeFile) -> None:
    outcome = plays.of(client)[0][exchange.name]
    status = exchange.response.status
    if status >= 400:
        assert outcome == {"error": _error(client, status), "status": status}
    else:
        assert outcome == _said(exchange)


@pytest.mark.parametrize("client", CLIENTS)
def test_no_client_retries(plays: Plays, client: str) -> None:
    outcomes, posts = plays.of(client)
    assert posts == len(outcomes)


@pytest.mark.parametrize("family", ["openai", "gemini"])
def test_text_one_call_parallel_calls_and_every_error_are_among_what_is_played(family: str) -> None:
    names = {one.name for one in _played(family)}
    assert names >= {f"{family}/{slug}" for slug in ("text", "one-call", "parallel-calls", "text-beside-calls")}
    assert names >= {name for name in shipped_names() if name.startswith(f"{family}/error-") and "200" not in name}


def _error(client: str, status: int) -> str:
    match client:
        case "google-python":
            return "ServerError" if status >= 500 else "ClientError"
        case "google-javascript":
            return "ApiError"
        case _:
            other = "APIStatusError" if client == "openai-python" else "APIError"
            return "InternalServerError" if status >= 500 else _OPENAI_ERRORS.get(status, other)


def _said(exchange: ExchangeFile) -> Outcome:
    body: Any = exchange.response.body
    if exchange.provider == "openai":
        message = body["choices"][0]["message"]
        calls = [call["function"] for call in message.get("tool_calls") or [] if call["type"] == "function"]
        return {"text": message.get("content") or "", "calls": [[call["name"], call["arguments"]] for call in calls]}
    candidates = body.get("candidates") or [{}]
    parts = candidates[0].get("content", {}).get("parts", [])
    calls = [part["functionCall"] for part in parts if "functionCall" in part]
    text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
    return {"text": text, "calls": [[call["name"], call.get("args", {})] for call in calls]}
