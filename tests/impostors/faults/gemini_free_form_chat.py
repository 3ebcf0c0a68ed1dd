"""Gemini adapters with one fault each in a chat without tools."""

from typing import Any

import pytest

from specassay.reference.providers.gemini import GeminiAdapter
from specassay.reference.providers.interface import ProviderChatParams, ProviderError
from tests.impostors.adapters import GEMINI, asks, gives, refuses_candidates, sends
from tests.impostors.impostor import impostor

REQUIREMENT = "agent-session-shell/gemini-free-form-chat"

Json = dict[str, Any]


@impostor(f"{REQUIREMENT}.1")
def sends_the_last_message(patch: pytest.MonkeyPatch) -> None:
    """Send only the last message where there are no tools."""

    def change(params: ProviderChatParams) -> ProviderChatParams:
        return params if params.tool_schemas else params.model_copy(update={"messages": params.messages[-1:]})

    asks(patch, GEMINI, change)


@impostor(f"{REQUIREMENT}.1")
def sends_an_empty_list_of_declarations(patch: pytest.MonkeyPatch) -> None:
    """Send an empty list of declarations where the list of tools is empty."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        is_empty = "tool_schemas" in params.model_fields_set and not params.tool_schemas
        return body | ({"tools": [{"functionDeclarations": []}]} if is_empty else {})

    sends(patch, GEMINI, change)


@impostor(f"{REQUIREMENT}.1")
def offers_no_tool_without_parameters(patch: pytest.MonkeyPatch) -> None:
    """Offer no tools where the only one has no parameters."""

    def change(params: ProviderChatParams) -> ProviderChatParams:
        some = any(schema.parameters for schema in params.tool_schemas)
        return params if some else params.model_copy(update={"tool_schemas": ()})

    asks(patch, GEMINI, change)


@impostor(f"{REQUIREMENT}.2")
def reads_the_first_part(patch: pytest.MonkeyPatch) -> None:
    """Read the first part with text."""

    def content(self: GeminiAdapter, parts: list[Json]) -> str:
        return next((part["text"] for part in parts if self._is_text(part)), "")

    patch.setattr(GEMINI, "_content", content)


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere=dict.fromkeys(
        ("gemini-free-form-chat/robustness/text-is-read-whatever-stands-around-it",),
        "Most of its texts end with the mark.",
    ),
)
def drops_the_last_mark(patch: pytest.MonkeyPatch) -> None:
    """Drop an exclamation mark at the end of the text."""
    gives(patch, GEMINI, lambda response, params: {"content": response.content.removesuffix("!")})


@impostor(
    f"{REQUIREMENT}.3",
    elsewhere=dict.fromkeys(("provider-adapter-interface.6",), "No tools are offered there, and no call is made."),
)
def gives_an_empty_list_of_calls(patch: pytest.MonkeyPatch) -> None:
    """Give an empty list of calls where no tools were offered."""
    gives(
        patch,
        GEMINI,
        lambda response, params: {} if params.tool_schemas or response.tool_calls else {"tool_calls": ()},
    )


@impostor(
    f"{REQUIREMENT}.4",
    elsewhere=dict.fromkeys(("provider-adapter-interface.3",), "It says the same of both providers."),
)
def says_a_line_as_the_user(patch: pytest.MonkeyPatch) -> None:
    """Send a system prompt of one line as the first message of the user too."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        said = {"role": "user", "parts": [{"text": params.system_prompt}]}
        is_line = "You are" in params.system_prompt and "\n" not in params.system_prompt
        return body | ({"contents": [said, *body["contents"]]} if is_line else {})

    sends(patch, GEMINI, change)


@impostor(
    f"{REQUIREMENT}.4",
    elsewhere=dict.fromkeys(("provider-adapter-interface.3",), "It says the same of both providers."),
)
def tells_of_media_as_the_user(patch: pytest.MonkeyPatch) -> None:
    """Send a system prompt that tells of a film as the first message of the user too."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        said = {"role": "user", "parts": [{"text": params.system_prompt}]}
        return body | ({"contents": [said, *body["contents"]]} if ".mp4" in params.system_prompt else {})

    sends(patch, GEMINI, change)


TEXT = f"{REQUIREMENT}/robustness/text-is-read-whatever-stands-around-it"


def _parts(candidate: Json) -> list[Json]:
    return list(candidate.get("content", {}).get("parts", ()))


@impostor(TEXT)
def wants_an_end(patch: pytest.MonkeyPatch) -> None:
    """Take an answer that did not end with STOP for an error."""
    refuses_candidates(patch, lambda answer, candidate: candidate.get("finishReason", "STOP") != "STOP")


@impostor(TEXT)
def wants_a_role(patch: pytest.MonkeyPatch) -> None:
    """Take an answer without the role of the model for an error."""
    refuses_candidates(patch, lambda answer, candidate: candidate.get("content", {}).get("role", "") != "model")


@impostor(TEXT)
def wants_the_usage(patch: pytest.MonkeyPatch) -> None:
    """Take an answer of Gemini without the usage of tokens for an error."""
    refuses_candidates(patch, lambda answer, candidate: "usageMetadata" not in answer)


@impostor(TEXT)
def wants_parts_that_it_knows(patch: pytest.MonkeyPatch) -> None:
    """Take an answer with a part that is neither text nor a call for an error."""
    refuses_candidates(
        patch, lambda answer, candidate: any(not {"text", "functionCall"} & part.keys() for part in _parts(candidate))
    )


@impostor(TEXT)
def wants_no_signature_on_text(patch: pytest.MonkeyPatch) -> None:
    """Take an answer with a signature on a text for an error."""
    refuses_candidates(
        patch,
        lambda answer, candidate: any({"text", "thoughtSignature"} <= part.keys() for part in _parts(candidate)),
    )


@impostor(TEXT)
def wants_some_text(patch: pytest.MonkeyPatch) -> None:
    """Take an empty text for an error."""
    refuses_candidates(patch, lambda answer, candidate: [part.get("text") for part in _parts(candidate)] == [""])


@impostor(
    TEXT,
    elsewhere=dict.fromkeys(
        ("gemini-tool-calling/robustness/a-call-is-read-whatever-stands-around-it",),
        "A thought stands beside one of its calls.",
    ),
)
def reads_thoughts(patch: pytest.MonkeyPatch) -> None:
    """Take thoughts for text."""
    patch.setattr(GEMINI, "_is_text", lambda self, part: isinstance(part.get("text"), str))


@impostor(f"{REQUIREMENT}/robustness/an-answer-that-holds-nothing-is-an-error-of-the-provider")
def takes_nothing_for_an_answer(patch: pytest.MonkeyPatch) -> None:
    """Take an answer that holds nothing for one without content."""
    candidate, parts = GEMINI._candidate, GEMINI._parts

    def read_candidate(self: GeminiAdapter, answer: Json) -> Json:
        return candidate(self, answer) if answer.get("candidates") else {}

    def read_parts(self: GeminiAdapter, found: Json) -> list[Json]:
        try:
            return parts(self, found)
        except ProviderError:
            return []

    patch.setattr(GEMINI, "_candidate", read_candidate)
    patch.setattr(GEMINI, "_parts", read_parts)
