"""Tool results that are written otherwise than is declared are found, and nothing else is."""

from typing import Any

import pytest

from specassay.drivers.conventions import departure
from specassay.drivers.protocol import Conventions

CALLS = {"role": "assistant", "content": "", "toolCalls": [{"id": "call-1", "name": "t", "args": {}}]}
HELLO = {"id": "call-1", "role": "user", "content": "Hello"}


def of(*messages: Any, **declared: str) -> str | None:
    return departure({"messages": list(messages)}, Conventions.model_validate(declared))


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (
            {"role": "function", "toolCallId": "call-1", "content": "x"},
            "a tool result has role 'function', the driver declares 'tool'; set toolResultRole",
        ),
        (
            {"role": "user", "toolCallId": "call-1", "content": "x"},
            "a tool result has role 'user', the driver declares 'tool'; set toolResultRole",
        ),
        (
            {"role": "function", "content": "x"},
            "a tool result has role 'function', the driver declares 'tool'; set toolResultRole",
        ),
        (
            {"role": "tool", "callId": "call-1", "content": "x"},
            "a tool result has the call's id in 'callId', the driver declares 'toolCallId'; set toolCallIdField",
        ),
    ],
)
def test_a_departure_is_named(result: dict[str, Any], said: str) -> None:
    assert of(HELLO, CALLS, result) == said


def test_a_result_that_departs_in_both_is_told_of_both() -> None:
    said = of(CALLS, {"role": "function", "callId": "call-1"})
    assert said is not None
    assert ("set toolResultRole" in said, "set toolCallIdField" in said) == (True, True)


def test_what_keeps_to_the_declaration_is_no_departure() -> None:
    assert of(HELLO, CALLS, {"id": "call-1", "role": "tool", "toolCallId": "call-1", "content": "x"}) is None
    own = {"toolResultRole": "function", "toolCallIdField": "callId"}
    assert of(HELLO, CALLS, {"role": "function", "callId": "call-1", "content": "x"}, **own) is None


@pytest.mark.parametrize("body", [None, 3, [], {}, {"messages": 3}, {"messages": [3, None, {"toolCalls": [3, {}]}]}])
def test_what_holds_no_results_is_no_departure(body: Any) -> None:
    assert departure(body, Conventions()) is None
