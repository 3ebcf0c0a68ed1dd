"""Gemini adapters with one fault each where tools are offered and called."""

from typing import Any

import pytest

from specassay.reference.providers import gemini
from specassay.reference.providers.gemini import FAILED_CALL, GeminiAdapter
from specassay.reference.providers.interface import ProviderChatParams, ProviderError, ToolSchema
from specassay.reference.types import ChatMessage, ToolParameter
from tests.impostors.adapters import GEMINI, gives, refuses_candidates, sends
from tests.impostors.impostor import impostor

REQUIREMENT = "agent-session-shell/gemini-tool-calling"

Json = dict[str, Any]


@impostor(
    f"{REQUIREMENT}.1",
    elsewhere=dict.fromkeys(
        ("provider-adapter-interface.4", "provider-adapter-interface.7"), "The description is compared there too."
    ),
)
def declares_no_description(patch: pytest.MonkeyPatch) -> None:
    """Declare tools without their descriptions."""
    original = GEMINI._declaration
    patch.setattr(GEMINI, "_declaration", lambda self, schema: original(self, schema) | {"description": ""})


@impostor(
    f"{REQUIREMENT}.1",
    elsewhere=dict.fromkeys(
        ("gemini-tool-calling.6", "provider-adapter-interface.7"), "What is required is compared there too."
    ),
)
def requires_nothing(patch: pytest.MonkeyPatch) -> None:
    """Declare no parameter of several as required."""
    original = GEMINI._parameters

    def parameters(self: GeminiAdapter, given: tuple[ToolParameter, ...]) -> Json:
        declared = original(self, given)
        return declared | ({"required": []} if len(given) > 1 else {})

    patch.setattr(GEMINI, "_parameters", parameters)


@impostor(f"{REQUIREMENT}.2")
def attaches_nothing_after_a_result(patch: pytest.MonkeyPatch) -> None:
    """Attach no declarations once the history holds a result."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        is_answered = any(message.role == "tool" for message in params.messages)
        return {key: value for key, value in body.items() if key != "tools" or not is_answered}

    sends(patch, GEMINI, change)


@impostor(
    f"{REQUIREMENT}.3",
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.9",
            "gemini-tool-calling/robustness/parallel-calls-of-which-one-carries-a-signature-are-all-read",
            "gemini-tool-calling/robustness/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
            "gemini-tool-calling/robustness/two-rounds-of-calls-without-ids-are-each-answered-from-end-to-end",
            "provider-adapter-interface.6",
            "provider-adapter-interface.10",
            "provider-adapter-interface.11",
        ),
        "Gemini makes several calls there.",
    ),
)
def maps_the_first_call(patch: pytest.MonkeyPatch) -> None:
    """Map the first call only."""
    original = GEMINI._calls
    patch.setattr(GEMINI, "_calls", lambda self, parts: original(self, parts)[:1])


@impostor(
    f"{REQUIREMENT}.3",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling.5",
            "provider-adapter-interface/robustness/a-call-of-a-tool-that-was-not-offered-is-an-error-of-that-call-from-end-to-end",
        ),
        "A call without args stands alone there.",
    ),
)
def skips_calls_without_arguments(patch: pytest.MonkeyPatch) -> None:
    """Skip a call of a shipped tool, or one alone, that has no args."""
    original = GEMINI._calls

    def calls(self: GeminiAdapter, parts: list[Json]) -> list[Json]:
        made = original(self, parts)
        return [call for call in made if call["args"] or (len(made) > 1 and call["name"] != "transcribe_video")]

    patch.setattr(GEMINI, "_calls", calls)


@impostor(f"{REQUIREMENT}.5")
def gives_an_empty_list_despite_tools(patch: pytest.MonkeyPatch) -> None:
    """Give an empty list of calls where tools were offered and none was called."""
    gives(
        patch,
        GEMINI,
        lambda response, params: {"tool_calls": ()} if params.tool_schemas and not response.tool_calls else {},
    )


@impostor(
    f"{REQUIREMENT}.6",
    elsewhere=dict.fromkeys(
        ("gemini-tool-calling.1", "provider-adapter-interface.4", "provider-adapter-interface.7"),
        "The types are compared there too.",
    ),
)
def declares_text(patch: pytest.MonkeyPatch) -> None:
    """Declare every parameter as a string."""
    patch.setattr(GEMINI, "_property", lambda self, parameter: {"type": "string"})


@impostor(
    f"{REQUIREMENT}.6",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling.1",
            "gemini-tool-calling.2",
            "gemini-tool-calling/robustness/a-thought-signature-goes-back-on-the-part-that-it-came-with-from-end-to-end",
            "gemini-tool-calling/robustness/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
            "gemini-tool-calling/robustness/two-rounds-of-calls-without-ids-are-each-answered-from-end-to-end",
            "provider-adapter-interface.7",
            "provider-adapter-interface/robustness/what-is-sent-the-real-provider-would-take",
            "provider-adapter-interface/robustness/what-is-declared-the-real-provider-would-take",
        ),
        "The type of a parameter is compared there, or looked at by the provider.",
    ),
)
def declares_str(patch: pytest.MonkeyPatch) -> None:
    """Declare a string under another name."""
    original = GEMINI._property

    def declare(self: GeminiAdapter, parameter: ToolParameter) -> Json:
        declared = original(self, parameter)
        return declared | ({"type": "text"} if parameter.type == "string" else {})

    patch.setattr(GEMINI, "_property", declare)


SILENT = f"{REQUIREMENT}/robustness"
CALL = f"{SILENT}/a-call-is-read-whatever-stands-around-it"


@impostor(
    CALL,
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling/robustness/parallel-calls-of-which-one-carries-a-signature-are-all-read",
            "gemini-tool-calling/robustness/a-thought-signature-goes-back-on-the-part-that-it-came-with-from-end-to-end",
            "gemini-tool-calling/robustness/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
        ),
        "A call carries a signature there.",
    ),
)
def wants_calls_without_signature(patch: pytest.MonkeyPatch) -> None:
    """Skip a call that carries a signature."""
    patch.setattr(
        GEMINI,
        "_is_call",
        lambda self, part: isinstance(part.get("functionCall"), dict) and "thoughtSignature" not in part,
    )


@impostor(CALL)
def wants_calls_without_id(patch: pytest.MonkeyPatch) -> None:
    """Skip a call that has an id."""
    patch.setattr(GEMINI, "_is_call", lambda self, part: "id" not in part.get("functionCall", {"id": ""}))


@impostor(
    CALL,
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.9",
            "gemini-tool-calling.3",
            "gemini-tool-calling/robustness/text-and-args-beyond-ascii-come-through",
            "provider-adapter-interface.6",
        ),
        "A text stands beside a call there.",
    ),
)
def wants_calls_alone(patch: pytest.MonkeyPatch) -> None:
    """Take a call beside a text for an error."""
    refuses_candidates(
        patch,
        lambda answer, candidate: (
            {"text", "functionCall"} <= {key for part in candidate.get("content", {}).get("parts", ()) for key in part}
        ),
    )


@impostor(
    f"{SILENT}/parallel-calls-of-which-one-carries-a-signature-are-all-read",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling/robustness/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
        ),
        "The same calls are run there.",
    ),
)
def reads_signed_calls(patch: pytest.MonkeyPatch) -> None:
    """Skip the calls beside one that carries a signature."""
    original = GEMINI._calls

    def calls(self: GeminiAdapter, parts: list[Json]) -> list[Json]:
        signed = [part for part in parts if "thoughtSignature" in part]
        return original(self, signed or parts)

    patch.setattr(GEMINI, "_calls", calls)


@impostor(f"{SILENT}/text-and-args-beyond-ascii-come-through")
def reads_args_in_ascii(patch: pytest.MonkeyPatch) -> None:
    """Read texts of args in ASCII."""
    original = GEMINI._call

    def call(self: GeminiAdapter, part: Json) -> Json:
        raw = original(self, part)
        args = {key: _in_ascii(value) for key, value in (raw["args"] or {}).items()}
        return raw | {"args": args}

    patch.setattr(GEMINI, "_call", call)


def _in_ascii(value: Any) -> Any:
    return value.encode("ascii", "replace").decode() if isinstance(value, str) else value


def _accepts_failed_calls(patch: pytest.MonkeyPatch, *reasons: str) -> None:
    """Hand on what stands beside one of these finish reasons, also if that is nothing."""
    candidate, parts = GEMINI._candidate, GEMINI._parts

    def read_candidate(self: GeminiAdapter, answer: Json) -> Json:
        found: Json = next(iter(answer.get("candidates", ())), {})
        return found if found.get("finishReason") in reasons else candidate(self, answer)

    def read_parts(self: GeminiAdapter, found: Json) -> list[Json]:
        try:
            return parts(self, found)
        except ProviderError:
            if found.get("finishReason") in reasons:
                return []
            raise

    patch.setattr(GEMINI, "_candidate", read_candidate)
    patch.setattr(GEMINI, "_parts", read_parts)


@impostor(
    f"{SILENT}/a-call-that-failed-is-an-error-of-the-provider-and-is-not-handed-on",
    elsewhere=dict.fromkeys(
        ("gemini-tool-calling/robustness/a-call-that-failed-runs-no-tool-from-end-to-end",),
        "The call that failed is run there.",
    ),
)
def hands_failed_calls_on(patch: pytest.MonkeyPatch) -> None:
    """Take a call that failed for one like the others."""
    _accepts_failed_calls(patch, *FAILED_CALL)


@impostor(
    f"{SILENT}/a-call-that-failed-runs-no-tool-from-end-to-end",
    elsewhere=dict.fromkeys(
        ("gemini-tool-calling/robustness/a-call-that-failed-is-an-error-of-the-provider-and-is-not-handed-on",),
        "The same call is handed on there.",
    ),
)
def runs_unexpected_calls(patch: pytest.MonkeyPatch) -> None:
    """Let a tool run whose call the model did not mean to make."""
    _accepts_failed_calls(patch, "UNEXPECTED_TOOL_CALL")


@impostor(f"{SILENT}/a-tool-without-parameters-is-declared-without-any")
def declares_empty_parameters(patch: pytest.MonkeyPatch) -> None:
    """Declare an empty object for the parameters of a tool without any."""
    original = GEMINI._declaration

    def declare(self: GeminiAdapter, schema: ToolSchema) -> Json:
        return {"parameters": {"type": "object", "properties": {}}} | original(self, schema)

    patch.setattr(GEMINI, "_declaration", declare)


@impostor(
    f"{SILENT}/a-thought-signature-goes-back-on-the-part-that-it-came-with-from-end-to-end",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling/robustness/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
        ),
        "A signature has to come back there too.",
    ),
)
def loses_signatures(patch: pytest.MonkeyPatch) -> None:
    """Lose the signatures of calls."""
    patch.setattr(gemini, "carried", lambda fields, name: {})


@impostor(f"{SILENT}/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end")
def signs_every_call(patch: pytest.MonkeyPatch) -> None:
    """Put the signature of one call on all calls of its turn."""
    original = GEMINI._message_parts

    def parts(self: GeminiAdapter, message: ChatMessage) -> list[Json]:
        made = original(self, message)
        signatures = [part["thoughtSignature"] for part in made if "thoughtSignature" in part]
        signed = {"thoughtSignature": signatures[0]} if signatures else {}
        return [part | signed if "functionCall" in part else part for part in made]

    patch.setattr(GEMINI, "_message_parts", parts)


@impostor(
    f"{SILENT}/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling/robustness/two-rounds-of-calls-without-ids-are-each-answered-from-end-to-end",
            "provider-adapter-interface/robustness/what-is-sent-the-real-provider-would-take",
        ),
        "Two results stand in a turn there.",
    ),
)
def parts_results(patch: pytest.MonkeyPatch) -> None:
    """Send each result of a turn in a content of its own."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        contents = [
            {"role": content["role"], "parts": some}
            for content in body["contents"]
            for some in (
                [[part] for part in content["parts"]]
                if "functionResponse" in content["parts"][0]
                else [content["parts"]]
            )
        ]
        return body | {"contents": contents}

    sends(patch, GEMINI, change)


@impostor(f"{SILENT}/two-rounds-of-calls-without-ids-are-each-answered-from-end-to-end")
def answers_the_first_round(patch: pytest.MonkeyPatch) -> None:
    """Send a second round of calls under the args of the first."""
    original = GEMINI._contents

    def contents(self: GeminiAdapter, messages: tuple[ChatMessage, ...]) -> list[Json]:
        args: dict[str, Json] = {}
        made = original(self, messages)
        for position, content in enumerate(made):
            for part in content["parts"]:
                if call := part.get("functionCall"):
                    first = position < 2 or call["name"] not in args
                    args[call["name"]] = call["args"] = call["args"] if first else args[call["name"]]
        return made

    patch.setattr(GEMINI, "_contents", contents)
