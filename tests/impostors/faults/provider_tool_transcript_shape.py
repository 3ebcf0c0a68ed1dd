"""Transcript messages whose shape has one fault each."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from specassay.reference import transcript
from specassay.reference.transcript import TranscriptMessage
from tests.impostors.impostor import impostor

SHAPE = "provider-tool-transcript/message-shape"

Json = dict[str, Any]


def _dumps(patch: pytest.MonkeyPatch, change: Callable[[Json, int], Json]) -> None:
    """Change each call, with its position, in what a message is dumped to."""

    def to_json(self: TranscriptMessage) -> Json:
        dumped = self.model_dump(mode="json", by_alias=True, exclude_unset=True)
        calls = [change(call, position) for position, call in enumerate(dumped.get("toolCalls") or [])]
        return dumped | ({"toolCalls": calls} if calls else {})

    patch.setattr(TranscriptMessage, "to_json", to_json)


def _accepts(patch: pytest.MonkeyPatch, tolerated: Callable[[TranscriptMessage], bool]) -> None:
    """Leave messages unchecked that the impostor tolerates."""
    original = transcript.check_shape

    def check_shape(message: TranscriptMessage) -> None:
        if not tolerated(message):
            original(message)

    patch.setattr(transcript, "check_shape", check_shape)


@impostor(f"{SHAPE}.1")
def numbers_its_calls(patch: pytest.MonkeyPatch) -> None:
    """Give each call the id of its position."""
    _dumps(patch, lambda call, position: call | {"id": f"call_{position}"})


@impostor(
    f"{SHAPE}.1",
    elsewhere=dict.fromkeys(
        ("message-shape.2", "message-shape.3", "message-shape.4"), "What is lost of a call is lost with the call."
    ),
)
def keeps_one_call(patch: pytest.MonkeyPatch) -> None:
    """Keep the first call of a message alone."""

    def to_json(self: TranscriptMessage) -> Json:
        dumped = self.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return dumped | ({"toolCalls": dumped["toolCalls"][:1]} if dumped.get("toolCalls") else {})

    patch.setattr(TranscriptMessage, "to_json", to_json)


@impostor(f"{SHAPE}.2")
def normalises_names(patch: pytest.MonkeyPatch) -> None:
    """Write the names of tools in lower case, with underscores."""
    _dumps(patch, lambda call, _: call | {"name": call["name"].lower().replace("-", "_")})


@impostor(f"{SHAPE}.3")
def parses_again(patch: pytest.MonkeyPatch) -> None:
    """Parse the raw arguments once more, in place of the parsed ones that were given."""
    _dumps(patch, lambda call, _: call | {"arguments": json.loads(call["rawArguments"])})


@impostor(f"{SHAPE}.4")
def rebuilds_the_raw_arguments(patch: pytest.MonkeyPatch) -> None:
    """Write the raw arguments anew, from the parsed ones."""
    _dumps(patch, lambda call, _: call | {"rawArguments": json.dumps(call["arguments"])})


@impostor(f"{SHAPE}.5")
def refuses_calls_of_a_user_alone(patch: pytest.MonkeyPatch) -> None:
    """Let system and tool messages make calls."""
    _accepts(patch, lambda message: bool(message.call_ids) and message.role in ("system", "tool"))


@impostor(
    f"{SHAPE}.5",
    elsewhere={
        "message-shape/robustness/an-empty-list-of-calls-is-none-whoevers-message-it-is": "It proves by a user's calls "
        "that there is a check at all."
    },
)
def lets_everybody_call(patch: pytest.MonkeyPatch) -> None:
    """Let any message make calls."""
    _accepts(patch, lambda message: bool(message.call_ids) and message.role != "assistant")


def _lets_ids_be(patch: pytest.MonkeyPatch, *tolerated: str | None, absent: bool) -> None:
    def is_tolerated(message: TranscriptMessage) -> bool:
        given = "tool_call_id" in message.model_fields_set
        return message.role == "tool" and (message.tool_call_id in tolerated if given else absent)

    _accepts(patch, is_tolerated)


@impostor(f"{SHAPE}.6")
def notices_only_null(patch: pytest.MonkeyPatch) -> None:
    """Refuse a tool message whose tool_call_id is null, but not one without any."""
    _lets_ids_be(patch, absent=True)


@impostor(f"{SHAPE}.6")
def notices_only_absence(patch: pytest.MonkeyPatch) -> None:
    """Refuse a tool message without tool_call_id, but not one where it is null."""
    _lets_ids_be(patch, None, absent=False)


@impostor(f"{SHAPE}/robustness/an-empty-tool-call-id-is-none")
def takes_an_empty_id(patch: pytest.MonkeyPatch) -> None:
    """Take a tool message whose tool_call_id is empty."""
    _lets_ids_be(patch, "", absent=False)


def _repairs(patch: pytest.MonkeyPatch, repair: Callable[[Json], Json]) -> None:
    """Repair each raw call before the message is validated."""
    original = TranscriptMessage.model_validate

    def model_validate(raw: Json) -> TranscriptMessage:
        calls = raw.get("toolCalls") or []
        return original(raw | ({"toolCalls": [call | repair(call) for call in calls]} if calls else {}))

    patch.setattr(TranscriptMessage, "model_validate", model_validate)


@impostor(f"{SHAPE}/robustness/a-call-has-an-id-and-a-name")
def invents_id_and_name(patch: pytest.MonkeyPatch) -> None:
    """Make up an id and a name for a call that has none."""
    _repairs(patch, lambda call: {"id": call.get("id") or "call_0", "name": call.get("name") or "unknown"})


@impostor(f"{SHAPE}/robustness/parsed-arguments-are-an-object")
def wraps_arguments(patch: pytest.MonkeyPatch) -> None:
    """Make an object of parsed arguments that are none."""
    _repairs(
        patch, lambda call: {} if isinstance(call["arguments"], dict) else {"arguments": {"value": call["arguments"]}}
    )


@impostor(
    f"{SHAPE}/robustness/an-empty-list-of-calls-is-none-whoevers-message-it-is",
    elsewhere={
        "provider-serialization/robustness/an-empty-list-of-calls-is-not-sent-on": "It cannot be sent on where it is "
        "refused."
    },
)
def refuses_an_empty_list(patch: pytest.MonkeyPatch) -> None:
    """Refuse a message with an empty list of calls."""
    original = transcript.check_shape

    def check_shape(message: TranscriptMessage) -> None:
        if message.tool_calls == ():
            raise ValueError("The list of calls is empty.")
        original(message)

    patch.setattr(transcript, "check_shape", check_shape)
