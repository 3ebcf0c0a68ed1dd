"""Chat routes that change what comes in, what goes out, or what an error of the provider becomes."""

import json
import sys
import traceback
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from specassay.reference import route
from specassay.reference.providers.interface import ProviderChatParams
from specassay.reference.route import PROVIDER_ERROR, ChatRoute, Reply, error_reply

Json = dict[str, Any]

_ADAPTERS = "provider-adapter-interface/robustness"
_GEMINI = "gemini-tool-calling/robustness"

ANSWERED_RUNS = (
    f"{_ADAPTERS}/arguments-that-are-no-object-are-an-error-of-that-call-from-end-to-end",
    f"{_ADAPTERS}/a-tool-is-run-with-what-its-arguments-mean-from-end-to-end",
    f"{_ADAPTERS}/a-call-without-an-id-of-its-own-is-run-and-answered-from-end-to-end",
    f"{_ADAPTERS}/calls-that-share-an-id-are-both-run-and-answered-from-end-to-end",
    f"{_ADAPTERS}/a-call-of-a-tool-that-was-not-offered-is-an-error-of-that-call-from-end-to-end",
    f"{_ADAPTERS}/a-signature-beside-a-call-goes-back-with-it-from-end-to-end",
    f"{_GEMINI}/a-thought-signature-goes-back-on-the-part-that-it-came-with-from-end-to-end",
    f"{_GEMINI}/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
    f"{_GEMINI}/two-rounds-of-calls-without-ids-are-each-answered-from-end-to-end",
)
"""The scenarios in which the loop speaks to the route, and calls are answered."""

RUNS = (*ANSWERED_RUNS, f"{_GEMINI}/a-call-that-failed-runs-no-tool-from-end-to-end")
"""All scenarios in which the loop speaks to the route."""


def reads(patch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    """Let the route read what `change` makes of the JSON that is posted."""
    original = ChatRoute._chat

    async def chat(self: ChatRoute, body: bytes) -> Reply:
        try:
            posted = change(json.loads(body))
        except ValueError:
            return await original(self, body)
        return await original(self, json.dumps(posted).encode())

    patch.setattr(ChatRoute, "_chat", chat)


def answers(patch: pytest.MonkeyPatch, change: Callable[[Json], Json]) -> None:
    """Let the route answer what `change` makes of the JSON of a success."""
    original = ChatRoute._ask_provider

    async def ask(self: ChatRoute, params: ProviderChatParams) -> Reply:
        reply = await original(self, params)
        return Reply(reply.status, change(reply.body)) if reply.status is HTTPStatus.OK else reply

    patch.setattr(ChatRoute, "_ask_provider", ask)


def refuses(patch: pytest.MonkeyPatch, change: Callable[[Reply], Reply]) -> None:
    """Let the route answer what `change` makes of a refusal of its own."""

    def reply(status: HTTPStatus, error: str) -> Reply:
        made = error_reply(status, error)
        return change(made) if status is HTTPStatus.BAD_REQUEST else made

    patch.setattr(route, "error_reply", reply)


def fails(patch: pytest.MonkeyPatch, change: Callable[[Reply, int, str], Reply]) -> None:
    """Let the route answer what `change` makes of the 502, the provider's status (0 for none) and its own words."""

    def reply(status: HTTPStatus, error: str) -> Reply:
        made = error_reply(status, error)
        return change(made, *_said(sys.exception())) if error == PROVIDER_ERROR else made

    patch.setattr(route, "error_reply", reply)


def _said(error: BaseException | None) -> tuple[int, str]:
    """Find what the provider said in the frames that an error of its adapter came through."""
    for frame, _ in traceback.walk_tb(error.__traceback__ if error else None):
        if frame.f_code.co_name == "post_json":
            response = frame.f_locals.get("response")
            return (response.status_code, response.text) if isinstance(response, httpx.Response) else (0, "")
    return HTTPStatus.OK, "{}"
