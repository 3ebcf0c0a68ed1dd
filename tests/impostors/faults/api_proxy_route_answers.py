"""Chat routes with one fault each in what they answer."""

import html
import json
from collections.abc import Callable, Container
from http import HTTPStatus
from typing import Any

import pytest

from specassay.reference.providers.interface import ProviderChatParams
from specassay.reference.route import PROVIDER_ERROR, ChatRoute, Reply, error_reply
from tests.impostors.impostor import impostor
from tests.impostors.routes import ANSWERED_RUNS, answers, fails

REQUIREMENT = "agent-session-shell/api-proxy-route"

Json = dict[str, Any]


@impostor(f"{REQUIREMENT}.4")
def answers_null(patch: pytest.MonkeyPatch) -> None:
    """Pass on null where the provider gives calls of a shipped tool alone."""

    def change(body: Json) -> Json:
        shipped = any(call["name"] == "transcribe_video" for call in body.get("toolCalls", ()))
        return body | ({"content": None} if shipped and not body["content"] else {})

    answers(patch, change)


@impostor(f"{REQUIREMENT}.4", elsewhere=dict.fromkeys(("gemini-free-form-chat.2",), "The text has two lines there."))
def joins_lines(patch: pytest.MonkeyPatch) -> None:
    """Make one space of all white space."""
    _says(patch, lambda content: " ".join(content.split()))


@impostor(
    f"{REQUIREMENT}.4",
    elsewhere=dict.fromkeys(
        (
            "gemini-free-form-chat.2",
            "gemini-tool-calling/robustness/text-and-args-beyond-ascii-come-through",
            "provider-adapter-interface/robustness/text-and-arguments-beyond-ascii-come-through",
        ),
        "The text is beyond ASCII there.",
    ),
)
def answers_in_ascii(patch: pytest.MonkeyPatch) -> None:
    """Answer in ASCII."""
    _says(patch, lambda content: content.encode("ascii", "replace").decode())


@impostor(f"{REQUIREMENT}.4", elsewhere=dict.fromkeys(("gemini-free-form-chat.2",), "The text has markup there."))
def escapes_markup(patch: pytest.MonkeyPatch) -> None:
    """Escape the markup of the answer."""
    _says(patch, html.escape)


@impostor(f"{REQUIREMENT}.4")
def parses_the_content(patch: pytest.MonkeyPatch) -> None:
    """Take a content that is JSON for the answer itself."""

    def change(body: Json) -> Json:
        try:
            return dict(json.loads(body["content"]))
        except (ValueError, TypeError):
            return body

    answers(patch, change)


def _says(patch: pytest.MonkeyPatch, change: Callable[[str], Any]) -> None:
    answers(patch, lambda body: body | {"content": change(body["content"])})


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        ("gemini-tool-calling.3", "provider-adapter-interface.6"),
        "The args are nested there.",
    ),
)
def answers_in_the_providers_shape(patch: pytest.MonkeyPatch) -> None:
    """Pass calls with nested args on in the provider's own shape."""

    def change(call: Json) -> Json:
        if not _is_nested(call["args"]):
            return call
        return {"id": call["id"], "function": {"name": call["name"], "arguments": json.dumps(call["args"])}}

    _calls(patch, change)


@impostor(f"{REQUIREMENT}.5")
def rounds_numbers(patch: pytest.MonkeyPatch) -> None:
    """Round the numbers in args."""
    _calls(
        patch, lambda call: call | {"args": json.loads(json.dumps(call["args"]), parse_float=lambda n: int(float(n)))}
    )


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        (
            "gemini-free-form-chat.3",
            "gemini-tool-calling.5",
            "gemini-free-form-chat/robustness/text-is-read-whatever-stands-around-it",
            "provider-adapter-interface/robustness/text-is-read-whatever-stands-around-it",
            "provider-adapter-interface/robustness/a-finish-reason-of-another-servers-own-is-no-failure",
            "provider-adapter-interface/robustness/an-answer-without-text-and-without-a-call-that-was-declared-is-an-empty-one",
            *(run for run in ANSWERED_RUNS if "a-signature-beside-a-call" not in run),
        ),
        "An answer without calls is looked at there.",
    ),
)
def answers_an_object_of_calls(patch: pytest.MonkeyPatch) -> None:
    """Answer an empty object where there are no calls."""
    answers(patch, lambda body: {"toolCalls": {}, **body})


def _is_nested(args: Any) -> bool:
    return isinstance(args, dict) and any(isinstance(value, dict) for value in args.values())


def _calls(patch: pytest.MonkeyPatch, change: Callable[[Json], Json]) -> None:
    answers(
        patch,
        lambda body: (
            body | ({"toolCalls": [change(call) for call in body["toolCalls"]]} if "toolCalls" in body else {})
        ),
    )


@impostor(f"{REQUIREMENT}.9")
def says_who_answered(patch: pytest.MonkeyPatch) -> None:
    """Answer with the provider's name beside the content."""
    original = ChatRoute._ask_provider

    async def ask(self: ChatRoute, params: ProviderChatParams) -> Reply:
        reply = await original(self, params)
        provider = self._environment.get("LLM_PROVIDER")
        return Reply(reply.status, reply.body | {"provider": provider}) if reply.status is HTTPStatus.OK else reply

    patch.setattr(ChatRoute, "_ask_provider", ask)


@impostor(
    f"{REQUIREMENT}.9",
    elsewhere=dict.fromkeys(
        ("gemini-tool-calling.3", "provider-adapter-interface.6"),
        "Gemini's args are nested there.",
    ),
)
def wraps_geminis_calls(patch: pytest.MonkeyPatch) -> None:
    """Put Gemini's nested args into an envelope."""
    original = ChatRoute._ask_provider

    def change(call: Json) -> Json:
        return call | ({"args": {"value": call["args"]}} if _is_nested(call["args"]) else {})

    async def ask(self: ChatRoute, params: ProviderChatParams) -> Reply:
        reply = await original(self, params)
        if "toolCalls" not in reply.body or self._environment.get("LLM_PROVIDER") != "gemini":
            return reply
        return Reply(reply.status, reply.body | {"toolCalls": [change(call) for call in reply.body["toolCalls"]]})

    patch.setattr(ChatRoute, "_ask_provider", ask)


# Errors of the provider


def _passes_on(patch: pytest.MonkeyPatch, statuses: Container[int]) -> None:
    """Answer with the provider's own status, where it is among these."""

    def change(reply: Reply, status: int, words: str) -> Reply:
        return Reply(HTTPStatus(status), reply.body) if status in statuses else reply

    fails(patch, change)


@impostor(
    f"{REQUIREMENT}.13",
    elsewhere=dict.fromkeys(
        ("api-proxy-route.14", "api-proxy-route/robustness/every-way-to-fail-is-an-error-of-the-provider"),
        "A status of these is among its errors.",
    ),
)
def passes_on_that_a_key_is_wrong(patch: pytest.MonkeyPatch) -> None:
    """Answer 401 or 403 where the provider does."""
    _passes_on(patch, (401, 403))


@impostor(
    f"{REQUIREMENT}.13",
    elsewhere=dict.fromkeys(
        ("api-proxy-route/robustness/every-way-to-fail-is-an-error-of-the-provider",), "The status is among its errors."
    ),
)
def passes_on_what_is_not_found(patch: pytest.MonkeyPatch) -> None:
    """Answer 404 where the provider does."""
    _passes_on(patch, (404,))


@impostor(
    f"{REQUIREMENT}.13",
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.14",
            "provider-configuration.13",
            "api-proxy-route/robustness/every-way-to-fail-is-an-error-of-the-provider",
        ),
        "The status is among its errors.",
    ),
)
def passes_on_a_bad_request(patch: pytest.MonkeyPatch) -> None:
    """Answer 400 where the provider does."""
    _passes_on(patch, (400,))


@impostor(
    f"{REQUIREMENT}.13",
    elsewhere=dict.fromkeys(
        ("api-proxy-route/robustness/every-way-to-fail-is-an-error-of-the-provider",), "The status is among its errors."
    ),
)
def passes_on_a_limit(patch: pytest.MonkeyPatch) -> None:
    """Answer 429 where the provider does."""
    _passes_on(patch, (429,))


@impostor(
    f"{REQUIREMENT}.13",
    elsewhere=dict.fromkeys(
        ("api-proxy-route.14", "api-proxy-route/robustness/every-way-to-fail-is-an-error-of-the-provider"),
        "A status of these is among its errors.",
    ),
)
def passes_on_a_broken_server(patch: pytest.MonkeyPatch) -> None:
    """Answer 500 or 503 where the provider does."""
    _passes_on(patch, (500, 503))


@impostor(
    f"{REQUIREMENT}.13",
    elsewhere=dict.fromkeys(
        ("provider-configuration.13", "api-proxy-route/robustness/every-way-to-fail-is-an-error-of-the-provider"),
        "The provider cannot be reached there, or breaks off.",
    ),
)
def breaks_with_the_connection(patch: pytest.MonkeyPatch) -> None:
    """Answer 500 where the provider cannot be reached."""
    fails(patch, lambda reply, status, words: reply if status else Reply(HTTPStatus.INTERNAL_SERVER_ERROR, reply.body))


@impostor(
    f"{REQUIREMENT}.14",
    elsewhere=dict.fromkeys(
        ("api-proxy-route/robustness/every-way-to-fail-is-an-error-of-the-provider",), "The status is among its errors."
    ),
)
def quotes_a_refusal(patch: pytest.MonkeyPatch) -> None:
    """Append the provider's words where it answers 401."""

    def change(reply: Reply, status: int, words: str) -> Reply:
        return error_reply(reply.status, f"{PROVIDER_ERROR}: {words}") if status == 401 else reply

    fails(patch, change)


@impostor(
    f"{REQUIREMENT}.14",
    elsewhere=dict.fromkeys(("provider-configuration.13",), "The provider's words hold the configuration there."),
)
def gives_details(patch: pytest.MonkeyPatch) -> None:
    """Give the provider's words as details beside the error."""
    fails(patch, lambda reply, status, words: Reply(reply.status, reply.body | {"details": words}))


@impostor(
    f"{REQUIREMENT}.14",
    elsewhere=dict.fromkeys(("provider-configuration.13",), "The provider's words hold the configuration there."),
)
def gives_details_in_a_header(patch: pytest.MonkeyPatch) -> None:
    """Give the provider's words in a header."""

    def change(reply: Reply, status: int, words: str) -> Reply:
        line = " ".join(words[:200].split()).encode("unicode_escape").decode()
        return Reply(reply.status, reply.body, {"x-reason": line})

    fails(patch, change)


@impostor(
    f"{REQUIREMENT}.15",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling.3",
            "provider-adapter-interface.6",
            "gemini-tool-calling/robustness/a-call-is-read-whatever-stands-around-it",
            "provider-adapter-interface/robustness/a-call-is-read-whatever-stands-around-it",
            "gemini-tool-calling/robustness/text-and-args-beyond-ascii-come-through",
            "provider-adapter-interface/robustness/text-and-arguments-beyond-ascii-come-through",
        ),
        "A text stands beside calls there.",
    ),
)
def drops_the_text_beside_calls(patch: pytest.MonkeyPatch) -> None:
    """Answer no content beside calls."""
    answers(patch, lambda body: body | ({"content": ""} if body.get("toolCalls") else {}))


@impostor(
    f"{REQUIREMENT}.15",
    elsewhere=dict.fromkeys(
        ("api-proxy-route.5", "gemini-free-form-chat.2", "gemini-tool-calling.5", "provider-configuration.13"),
        "A request is made twice there, and answered differently.",
    ),
)
def answers_from_a_cache(patch: pytest.MonkeyPatch) -> None:
    """Answer a request that was there before as it was answered then, if that was with a text."""
    original = ChatRoute._ask_provider

    async def ask(self: ChatRoute, params: ProviderChatParams) -> Reply:
        answered: dict[str, Reply] = vars(self).setdefault("_answered", {})
        key = params.model_dump_json()
        if key in answered:
            return answered[key]
        reply = await original(self, params)
        if reply.status is HTTPStatus.OK and "toolCalls" not in reply.body:
            answered[key] = reply
        return reply

    patch.setattr(ChatRoute, "_ask_provider", ask)


EVERY_WAY = f"{REQUIREMENT}/robustness/every-way-to-fail-is-an-error-of-the-provider"


@impostor(EVERY_WAY)
def takes_nonsense_for_an_empty_answer(patch: pytest.MonkeyPatch) -> None:
    """Answer with no content where the provider's success is no JSON object."""

    def change(reply: Reply, status: int, words: str) -> Reply:
        return Reply(HTTPStatus.OK, {"content": ""}) if status == HTTPStatus.OK and _object(words) is None else reply

    fails(patch, change)


@impostor(EVERY_WAY)
def hands_on_an_unusual_error(patch: pytest.MonkeyPatch) -> None:
    """Answer with an error of the provider that is not of the usual shape."""

    def change(reply: Reply, status: int, words: str) -> Reply:
        is_usual = isinstance((_object(words) or {}).get("error"), dict)
        return reply if status < HTTPStatus.BAD_REQUEST or is_usual else error_reply(reply.status, words)

    fails(patch, change)


@impostor(EVERY_WAY)
def passes_on_a_rare_status(patch: pytest.MonkeyPatch) -> None:
    """Answer with a status of the provider that is seldom seen."""

    def change(reply: Reply, status: int, words: str) -> Reply:
        return error_reply(reply.status, f"Status {status}") if status in (408, 409, 422, 499, 504) else reply

    fails(patch, change)


def _object(words: str) -> Json | None:
    try:
        read = json.loads(words)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None
