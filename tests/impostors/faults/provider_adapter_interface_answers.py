"""Adapters for OpenAI-compatible servers that take only what OpenAI itself would send."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from specassay.reference.providers.interface import ProviderChatParams, ProviderChatResponse, ProviderError
from specassay.reference.providers.openai_compatible import OpenAICompatibleAdapter
from specassay.reference.types import new_id
from tests.impostors.adapters import OPENAI, gives, reads_arguments, refuses, refuses_calls
from tests.impostors.impostor import impostor

REQUIREMENT = "agent-session-shell/provider-adapter-interface"
SILENT = f"{REQUIREMENT}/robustness"

Json = dict[str, Any]


@impostor(
    f"{SILENT}/an-id-that-the-api-gives-is-kept",
    elsewhere=dict.fromkeys(
        (
            "provider-adapter-interface/robustness/arguments-that-are-no-object-are-an-error-of-that-call-from-end-to-end",
        ),
        "The result is found by the id of the call.",
    ),
)
def replaces_ids(patch: pytest.MonkeyPatch) -> None:
    """Give each call a new id."""

    def change(response: ProviderChatResponse, params: ProviderChatParams) -> Json:
        calls = tuple(call.model_copy(update={"id": new_id()}) for call in response.tool_calls or ())
        return {"tool_calls": calls} if calls else {}

    gives(patch, OPENAI, change)


TEXT = f"{SILENT}/text-is-read-whatever-stands-around-it"


@impostor(
    TEXT,
    elsewhere=dict.fromkeys(
        (
            "provider-adapter-interface.5",
            "provider-adapter-interface/robustness/a-call-is-read-whatever-stands-around-it",
        ),
        "One of its answers has such a key.",
    ),
)
def wants_known_keys(patch: pytest.MonkeyPatch) -> None:
    """Take an answer with a key that OpenAI does not have for an error."""
    refuses(patch, lambda answer, message: not _KEYS.issuperset(_keys(answer)))


_KEYS = {"id", "object", "created", "model", "choices", "usage", "index", "message", "logprobs", "finish_reason"} | {
    *("role", "content", "refusal", "tool_calls", "system_fingerprint", "service_tier")
}


def _keys(answer: Json) -> set[str]:
    choice = answer["choices"][0]
    return {*answer, *choice, *choice["message"]}


@impostor(TEXT)
def wants_content_in_one_piece(patch: pytest.MonkeyPatch) -> None:
    """Take a content that comes in chunks for an error."""
    refuses(patch, lambda answer, message: isinstance(message.get("content"), list))


@impostor(
    TEXT,
    elsewhere=dict.fromkeys(
        ("provider-adapter-interface/robustness/a-finish-reason-of-another-servers-own-is-no-failure",),
        "The end is another there.",
    ),
)
def wants_a_good_end(patch: pytest.MonkeyPatch) -> None:
    """Take a text that did not end with "stop" for an error."""
    refuses(patch, lambda answer, message: message.get("content") and _end(answer) not in ("stop", "tool_calls"))


def _end(answer: Json) -> Any:
    return answer["choices"][0].get("finish_reason")


@impostor(
    TEXT,
    elsewhere=dict.fromkeys(
        ("provider-adapter-interface/robustness/a-finish-reason-of-another-servers-own-is-no-failure",),
        "The list is empty there.",
    ),
)
def wants_calls_or_no_key(patch: pytest.MonkeyPatch) -> None:
    """Take a list of calls that is null or empty for an error."""
    refuses(patch, lambda answer, message: not message.get("tool_calls", True))


@impostor(TEXT)
def wants_the_usage(patch: pytest.MonkeyPatch) -> None:
    """Take an answer without the usage of tokens for an error."""
    refuses(patch, lambda answer, message: "usage" not in answer)


@impostor(f"{SILENT}/a-finish-reason-of-another-servers-own-is-no-failure")
def knows_no_other_end(patch: pytest.MonkeyPatch) -> None:
    """Take a finish reason that OpenAI does not have for an error."""
    refuses(patch, lambda answer, message: _end(answer) == "eos")


EMPTY = f"{SILENT}/an-answer-without-text-and-without-a-call-that-was-declared-is-an-empty-one"


@impostor(EMPTY)
def wants_text_or_a_call(patch: pytest.MonkeyPatch) -> None:
    """Take an answer without text and without a call of a function for an error."""
    refuses(patch, lambda answer, message: not message.get("content") and not any(map(_is_function, _calls(message))))


def _calls(message: Json) -> list[Json]:
    return message.get("tool_calls") or []


def _is_function(call: Json) -> bool:
    return "function" in call


CALL = f"{SILENT}/a-call-is-read-whatever-stands-around-it"


@impostor(
    CALL,
    elsewhere=dict.fromkeys(
        (
            "provider-adapter-interface/robustness/arguments-that-are-no-object-are-an-error-of-that-call-from-end-to-end",
            "provider-adapter-interface/robustness/a-tool-is-run-with-what-its-arguments-mean-from-end-to-end",
            "provider-adapter-interface/robustness/a-call-without-an-id-of-its-own-is-run-and-answered-from-end-to-end",
        ),
        "Calls come with another end there.",
    ),
)
def believes_the_end(patch: pytest.MonkeyPatch) -> None:
    """Read calls only where the finish reason says that there are some."""
    _drops_calls(patch, lambda answer, message: _end(answer) != "tool_calls")


@impostor(
    CALL,
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.5",
            "api-proxy-route.9",
            "api-proxy-route.15",
            "provider-adapter-interface.6",
            "provider-adapter-interface/robustness/parallel-calls-are-read-each-for-itself",
            "provider-adapter-interface/robustness/text-and-arguments-beyond-ascii-come-through",
            "provider-adapter-interface/robustness/a-tool-is-run-with-what-its-arguments-mean-from-end-to-end",
            "provider-adapter-interface/robustness/a-call-without-an-id-of-its-own-is-run-and-answered-from-end-to-end",
        ),
        "A content stands beside calls there, if an empty one.",
    ),
)
def wants_no_text_at_all(patch: pytest.MonkeyPatch) -> None:
    """Read calls only where the content is null or absent."""
    _drops_calls(patch, lambda answer, message: message.get("content") is not None)


@impostor(CALL)
def wants_only_functions(patch: pytest.MonkeyPatch) -> None:
    """Read no calls where one is not of a function."""
    _drops_calls(patch, lambda answer, message: not all(map(_is_function, _calls(message))))


@impostor(CALL, elsewhere=dict.fromkeys(("provider-adapter-interface.5",), "One of its answers has such a key."))
def wants_known_keys_beside_calls(patch: pytest.MonkeyPatch) -> None:
    """Read no calls beside a key that OpenAI does not have."""
    _drops_calls(patch, lambda answer, message: not _KEYS.issuperset(_keys(answer)))


def _drops_calls(patch: pytest.MonkeyPatch, is_wrong: Callable[[Json, Json], object]) -> None:
    original = OPENAI._message

    def message(self: OpenAICompatibleAdapter, answer: Json) -> Json:
        found = original(self, answer)
        return found | {"tool_calls": None} if _calls(found) and is_wrong(answer, found) else found

    patch.setattr(OPENAI, "_message", message)


@impostor(
    CALL,
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.5",
            "provider-adapter-interface.5",
            "provider-adapter-interface/robustness/an-id-that-the-api-gives-is-kept",
            "provider-adapter-interface/robustness/parallel-calls-are-read-each-for-itself",
            "provider-adapter-interface/robustness/a-tool-is-run-with-what-its-arguments-mean-from-end-to-end",
            "provider-adapter-interface/robustness/calls-that-share-an-id-are-both-run-and-answered-from-end-to-end",
        ),
        "The ids are of another kind there.",
    ),
)
def knows_ids(patch: pytest.MonkeyPatch) -> None:
    """Take a call whose id is not OpenAI's kind for an error."""
    refuses_calls(patch, lambda call: call.get("id") and not str(call["id"]).startswith("call_"))


@impostor(
    CALL,
    elsewhere=dict.fromkeys(
        (
            "provider-adapter-interface/robustness/a-call-without-an-id-of-its-own-is-run-and-answered-from-end-to-end",
            "provider-adapter-interface/robustness/a-signature-beside-a-call-goes-back-with-it-from-end-to-end",
        ),
        "The call has no id there.",
    ),
)
def wants_ids(patch: pytest.MonkeyPatch) -> None:
    """Skip a call without an id."""
    original = OPENAI._is_function
    patch.setattr(OPENAI, "_is_function", lambda self, call: original(self, call) and call.get("id"))


@impostor(
    CALL,
    elsewhere=dict.fromkeys(
        ("provider-adapter-interface/robustness/a-tool-is-run-with-what-its-arguments-mean-from-end-to-end",),
        "The type is missing there.",
    ),
)
def wants_the_type(patch: pytest.MonkeyPatch) -> None:
    """Skip a call with an id that does not say that it is of a function."""
    original = OPENAI._is_function

    def is_function(self: OpenAICompatibleAdapter, call: Json) -> bool:
        return original(self, call) and (call.get("type") == "function" or not call.get("id"))

    patch.setattr(OPENAI, "_is_function", is_function)


PARALLEL = f"{SILENT}/parallel-calls-are-read-each-for-itself"


@impostor(
    PARALLEL,
    elsewhere=dict.fromkeys(
        ("provider-adapter-interface/robustness/calls-that-share-an-id-are-both-run-and-answered-from-end-to-end",),
        "Both calls are of that tool.",
    ),
)
def merges_calls_of_a_tool(patch: pytest.MonkeyPatch) -> None:
    """Read one call of each tool, where a tool of the weather is called."""
    original = OPENAI._calls

    def calls(self: OpenAICompatibleAdapter, message: Json) -> list[Json]:
        made = original(self, message)
        weather = [call for call in made if call["name"] == "get_weather"]
        return weather[:1] or made

    patch.setattr(OPENAI, "_calls", calls)


@impostor(
    f"{SILENT}/calls-that-share-an-id-are-both-run-and-answered-from-end-to-end",
    elsewhere=dict.fromkeys(
        ("provider-adapter-interface/robustness/parallel-calls-are-read-each-for-itself",),
        "Two calls share an id there.",
    ),
)
def reads_one_call_of_an_id(patch: pytest.MonkeyPatch) -> None:
    """Read one call of each id."""
    original = OPENAI._calls

    def calls(self: OpenAICompatibleAdapter, message: Json) -> list[Json]:
        return list({call["id"]: call for call in original(self, message)}.values())

    patch.setattr(OPENAI, "_calls", calls)


@impostor(f"{SILENT}/text-and-arguments-beyond-ascii-come-through")
def reads_ascii(patch: pytest.MonkeyPatch) -> None:
    """Read the arguments of a call in ASCII."""
    reads_arguments(patch, lambda raw: raw.encode("ascii", "replace").decode() if isinstance(raw, str) else raw)


@impostor(
    f"{SILENT}/arguments-that-say-nothing-are",
    elsewhere=dict.fromkeys(
        ("provider-adapter-interface/robustness/a-tool-is-run-with-what-its-arguments-mean-from-end-to-end",),
        "The same calls are run there.",
    ),
)
def wants_arguments(patch: pytest.MonkeyPatch) -> None:
    """Take a call whose arguments say nothing for an error."""

    def change(raw: Any) -> Any:
        if not raw:
            raise ProviderError("The call has no arguments.")
        return raw

    reads_arguments(patch, change)


@impostor(
    f"{SILENT}/arguments-that-are-an-object-already-are-used",
    elsewhere=dict.fromkeys(
        (
            "provider-adapter-interface/robustness/a-call-is-read-whatever-stands-around-it",
            "provider-adapter-interface/robustness/a-tool-is-run-with-what-its-arguments-mean-from-end-to-end",
            "provider-adapter-interface/robustness/a-call-without-an-id-of-its-own-is-run-and-answered-from-end-to-end",
        ),
        "The arguments are an object there.",
    ),
)
def writes_objects_as_text(patch: pytest.MonkeyPatch) -> None:
    """Take the text of an object that came as one for the arguments, in quotes."""
    reads_arguments(patch, lambda raw: json.dumps(str(raw)) if isinstance(raw, dict) else raw)


@impostor(f"{SILENT}/a-success-without-a-message-is-an-error-of-the-provider")
def takes_no_message_for_an_empty_one(patch: pytest.MonkeyPatch) -> None:
    """Take a success without a message for one without content."""
    original = OPENAI._message

    def message(self: OpenAICompatibleAdapter, answer: Json) -> Json:
        try:
            return original(self, answer)
        except ProviderError:
            return {}

    patch.setattr(OPENAI, "_message", message)
