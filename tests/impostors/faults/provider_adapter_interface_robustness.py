"""Adapters with one fault each in what they send, and in what they make of odd calls, where nothing is specified."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from specassay.reference.providers.gemini import GeminiAdapter
from specassay.reference.providers.interface import ProviderChatParams, ProviderError, ToolSchema
from specassay.reference.providers.openai_compatible import OpenAICompatibleAdapter
from specassay.reference.types import ChatMessage, ToolParameter
from tests.impostors.adapters import GEMINI, OPENAI, reads_arguments, refuses_calls, sends
from tests.impostors.impostor import impostor

SILENT = "agent-session-shell/provider-adapter-interface/robustness"

Json = dict[str, Any]


@impostor(f"{SILENT}/what-is-sent-the-real-provider-would-take")
def sends_empty_lists(patch: pytest.MonkeyPatch) -> None:
    """Send an empty list of calls with a message that has none, to an OpenAI-compatible server."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        first, *rest = body["messages"]
        sent = [{"tool_calls": []} | wire if wire["role"] == "assistant" else wire for wire in rest]
        return body | {"messages": [first, *sent]}

    sends(patch, OPENAI, change)


@impostor(
    f"{SILENT}/what-is-sent-the-real-provider-would-take",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling/robustness/a-thought-signature-goes-back-on-the-part-that-it-came-with-from-end-to-end",
            "gemini-tool-calling/robustness/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
            "gemini-tool-calling/robustness/two-rounds-of-calls-without-ids-are-each-answered-from-end-to-end",
        ),
        "The same provider refuses it there.",
    ),
)
def sends_empty_parts(patch: pytest.MonkeyPatch) -> None:
    """Send Gemini the empty text of a message beside its calls as a part without data."""
    original = GEMINI._message_parts

    def parts(self: GeminiAdapter, message: ChatMessage) -> list[Json]:
        return [*([] if message.content else [{}]), *original(self, message)]

    patch.setattr(GEMINI, "_message_parts", parts)


@impostor(f"{SILENT}/what-is-declared-the-real-provider-would-take")
def declares_for_a_lenient_server(patch: pytest.MonkeyPatch) -> None:
    """Declare a tool with several parameters without the type of the tool, which some servers do without."""
    original = OPENAI._tool

    def tool(self: OpenAICompatibleAdapter, schema: ToolSchema) -> Json:
        declared = original(self, schema)
        return declared if len(schema.parameters) < 2 else {"function": declared["function"]}

    patch.setattr(OPENAI, "_tool", tool)


@impostor(f"{SILENT}/what-is-declared-the-real-provider-would-take")
def declares_as_for_openai(patch: pytest.MonkeyPatch) -> None:
    """Declare to Gemini that there are no further parameters beside several, for which it has no word."""
    original = GEMINI._parameters

    def parameters(self: GeminiAdapter, given: Sequence[ToolParameter]) -> Json:
        return original(self, given) | ({"additionalProperties": False} if len(given) > 1 else {})

    patch.setattr(GEMINI, "_parameters", parameters)


@impostor(f"{SILENT}/an-id-that-comes-again-in-a-later-turn-is-answered-in-each")
def answers_an_id_once(patch: pytest.MonkeyPatch) -> None:
    """Send the first result of an id, to an OpenAI-compatible server."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        seen: set[str] = set()
        messages = [wire for wire in body["messages"] if _is_new(wire.get("tool_call_id"), seen)]
        return body | {"messages": messages}

    sends(patch, OPENAI, change)


@impostor(f"{SILENT}/an-id-that-comes-again-in-a-later-turn-is-answered-in-each")
def names_an_id_once(patch: pytest.MonkeyPatch) -> None:
    """Name a result for Gemini by the first call of its id."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        names: dict[str, str] = {}
        for part in (part for content in body["contents"] for part in content["parts"]):
            if call := part.get("functionCall"):
                names.setdefault(call["id"], call["name"])
            if result := part.get("functionResponse"):
                result["name"] = names[result["id"]]
        return body

    sends(patch, GEMINI, change)


def _is_new(name: str | None, seen: set[str]) -> bool:
    if name is None or name not in seen:
        seen.update([name] if name else [])
        return True
    return False


@impostor(f"{SILENT}/arguments-that-are-no-object-are-an-error-of-that-call-from-end-to-end")
def takes_bad_arguments_for_none(patch: pytest.MonkeyPatch) -> None:
    """Run a tool without arguments where they are no object."""
    reads_arguments(patch, lambda raw: raw if isinstance(raw, dict) or _is_object(raw) else {})


def _is_object(raw: Any) -> bool:
    try:
        return isinstance(json.loads(raw), dict)
    except (TypeError, ValueError):
        return False


@impostor(
    f"{SILENT}/a-tool-is-run-with-what-its-arguments-mean-from-end-to-end",
    elsewhere=dict.fromkeys(
        ("provider-adapter-interface/robustness/arguments-that-say-nothing-are",), "The same arguments are read there."
    ),
)
def passes_blank_arguments_on(patch: pytest.MonkeyPatch) -> None:
    """Pass arguments that say nothing on as a text, which no tool takes."""
    reads_arguments(patch, lambda raw: raw or "none")


@impostor(
    f"{SILENT}/a-call-without-an-id-of-its-own-is-run-and-answered-from-end-to-end",
    elsewhere=dict.fromkeys(
        (
            "provider-adapter-interface/robustness/a-call-is-read-whatever-stands-around-it",
            "provider-adapter-interface/robustness/a-signature-beside-a-call-goes-back-with-it-from-end-to-end",
        ),
        "The call has no id there.",
    ),
)
def takes_no_call_without_an_id(patch: pytest.MonkeyPatch) -> None:
    """Take an answer with a call that has no id for an error."""
    refuses_calls(patch, lambda call: not call.get("id"))


@impostor(f"{SILENT}/a-call-of-a-tool-that-was-not-offered-is-an-error-of-that-call-from-end-to-end")
def wants_calls_of_what_was_offered(patch: pytest.MonkeyPatch) -> None:
    """Take a call of a tool that there is nowhere for an error of the provider."""
    for adapter in (OPENAI, GEMINI):
        _knows_tools(patch, adapter)


def _knows_tools(patch: pytest.MonkeyPatch, adapter: Any) -> None:
    original = adapter._calls

    def calls(self: Any, found: Any) -> list[Json]:
        made: list[Json] = original(self, found)
        if any(call["name"] in ("generic_command", "default_api") for call in made):
            raise ProviderError("The provider's answer holds a call of a tool that was not offered.")
        return made

    patch.setattr(adapter, "_calls", calls)


@impostor(f"{SILENT}/a-signature-beside-a-call-goes-back-with-it-from-end-to-end")
def sends_known_keys_of_calls(patch: pytest.MonkeyPatch) -> None:
    """Send calls back without what else stood beside them."""
    original = OPENAI._wire_call

    def wire(self: OpenAICompatibleAdapter, call: Any) -> Json:
        return {key: value for key, value in original(self, call).items() if key in ("id", "type", "function")}

    patch.setattr(OPENAI, "_wire_call", wire)
