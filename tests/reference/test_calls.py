"""Reading tool calls: whatever servers send becomes calls with unique ids and readable arguments."""

from typing import Any

import pytest

from specassay.reference.calls import read_arguments, read_calls


@pytest.mark.parametrize("raw", [None, []])
def test_null_and_an_empty_list_are_no_calls(raw: Any) -> None:
    assert read_calls(raw) == ()


def test_good_calls_are_kept_as_they_are() -> None:
    raw = [
        {"id": "c1", "name": "a", "args": {"x": [1]}},
        {"id": "c2", "name": "b", "args": {}, "thoughtSignature": "s"},
    ]
    assert [call.to_json() for call in read_calls(raw)] == raw


@pytest.mark.parametrize("call_id", [{}, {"id": ""}, {"id": None}, {"id": 7}])
def test_an_absent_or_empty_id_is_replaced_by_a_unique_one(call_id: dict[str, Any]) -> None:
    first, second = read_calls([{**call_id, "name": "a", "args": {}}, {**call_id, "name": "b", "args": {}}])
    assert first.id
    assert second.id
    assert first.id != second.id


def test_of_two_equal_ids_the_first_stays_and_both_calls_are_there() -> None:
    first, second = read_calls([{"id": "c", "name": "f", "args": {"a": 1}}, {"id": "c", "name": "f", "args": {"a": 2}}])
    assert first.id == "c"
    assert second.id not in ("", "c")
    assert (first.args, second.args) == ({"a": 1}, {"a": 2})


@pytest.mark.parametrize("raw", ["x", {}, 5, [1], [None], [{}], [{"id": "c", "name": None, "args": {}}]])
def test_what_is_no_list_of_calls_is_refused(raw: Any) -> None:
    with pytest.raises(ValueError, match=r"name|toolCalls"):
        read_calls(raw)


@pytest.mark.parametrize(
    ("raw", "arguments"), [(None, {}), ("", {}), ({}, {}), ("{}", {}), ({"a": 1}, {"a": 1}), ('{"a": 1}', {"a": 1})]
)
def test_arguments_are_an_object_its_text_or_none(raw: Any, arguments: dict[str, Any]) -> None:
    assert read_arguments(raw) == arguments


@pytest.mark.parametrize("raw", ['{"path": "a', "[1]", "null", "5", [1], 5, True, "[" * 100_000])
def test_other_arguments_come_back_as_they_are(raw: Any) -> None:
    assert read_arguments(raw) == raw


def test_a_call_without_arguments_has_none() -> None:
    assert read_calls([{"id": "c", "name": "a"}])[0].args == {}
