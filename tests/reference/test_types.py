"""The shared types: their JSON is the specification's, and they do not change."""

from typing import Any

import pytest
from pydantic import ValidationError

from specassay.reference.types import (
    EMPTY_CONTEXT,
    AgentContext,
    ChatMessage,
    ToolDefinition,
    ToolParameter,
    ToolResult,
)


@pytest.mark.parametrize(
    "message",
    [
        {"id": "m1", "role": "user", "content": "Ü😀", "timestamp": 1764500000000},
        {
            "id": "m2",
            "role": "assistant",
            "content": "",
            "toolCalls": [{"id": "c1", "name": "probe", "args": {"a": {"b": [1, 1.5, None, True]}}}],
            "timestamp": 1764500000000.5,
        },
        {"id": "m3", "role": "tool", "content": "{}", "toolCallId": "c1", "timestamp": 1},
    ],
)
def test_a_message_comes_back_as_the_json_it_was_made_from(message: dict[str, Any]) -> None:
    assert ChatMessage.model_validate(message).to_json() == message


def test_a_signature_that_a_provider_puts_on_a_call_is_carried_along() -> None:
    call = {"id": "c1", "name": "probe", "args": {}, "thoughtSignature": "abc"}
    message = ChatMessage.model_validate(
        {"id": "m", "role": "assistant", "content": "", "toolCalls": [call], "timestamp": 1}
    )
    assert message.to_json()["toolCalls"] == [call]


def test_a_new_message_has_an_id_of_its_own_and_a_timestamp() -> None:
    first, second = (ChatMessage.new(role="user", content="A") for _ in range(2))
    assert first.id
    assert first.id != second.id
    assert first.timestamp > 1_700_000_000_000


def test_a_new_message_keeps_the_id_and_timestamp_that_are_given() -> None:
    message = ChatMessage.new(id="m1", role="user", content="A", timestamp=5)
    assert (message.id, message.timestamp) == ("m1", 5)


def test_an_error_is_absent_from_a_result_without_one() -> None:
    assert ToolResult(tool_call_id="c1", name="probe", result=None).to_json() == {
        "toolCallId": "c1",
        "name": "probe",
        "result": None,
    }


def test_the_empty_context_is_written_out() -> None:
    assert EMPTY_CONTEXT.to_json() == {
        "projectId": None,
        "activeSceneId": None,
        "mediaAssets": [],
        "playbackTimeMs": 0,
    }


@pytest.mark.parametrize("change", [{"playbackTimeMs": True}, {"playbackTimeMs": "0"}, {"mediaAssets": "x"}])
def test_a_context_with_a_field_of_a_wrong_type_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AgentContext.model_validate({**EMPTY_CONTEXT.to_json(), **change})


def test_a_message_cannot_be_changed() -> None:
    message = ChatMessage.new(role="user", content="A")
    with pytest.raises(ValidationError):
        message.content = "B"


def test_a_tool_definition_leaves_execute_out_of_its_json() -> None:
    parameter = ToolParameter(key="q", type="string", required=True)
    tool = ToolDefinition(
        name="probe", description="A probe.", parameters=(parameter,), execute=lambda args, context: 1
    )
    assert tool.to_json() == {
        "name": "probe",
        "description": "A probe.",
        "parameters": [{"key": "q", "type": "string", "required": True}],
    }
