"""Argument validation: what is missing or of another type is named, everything else may run."""

from typing import Any, get_args

import pytest

from specassay.reference.types import ParameterType, ToolParameter
from specassay.reference.validation import argument_problems

VALUES: dict[str, list[Any]] = {
    "string": ["x", ""],
    "number": [1, 1.5, 0],
    "boolean": [True, False],
    "object": [{"a": 1}, {}],
    "array": [[1], []],
}


def required(key: str, declared: ParameterType) -> ToolParameter:
    return ToolParameter(key=key, type=declared, required=True)


def optional(key: str, declared: ParameterType) -> ToolParameter:
    return ToolParameter(key=key, type=declared, required=False)


@pytest.mark.parametrize("declared", get_args(ParameterType))
def test_exactly_the_values_of_the_declared_type_pass(declared: ParameterType) -> None:
    for kind, values in VALUES.items():
        for value in values:
            for parameter in (required("k", declared), optional("k", declared)):
                passed = argument_problems([parameter], {"k": value}) == []
                assert passed is (kind == declared), (parameter, value)


@pytest.mark.parametrize("args", [{}, {"k": None}])
def test_a_required_argument_that_is_absent_or_null_is_missing(args: dict[str, Any]) -> None:
    assert argument_problems([required("k", "string")], args) == ['Argument "k" must be of type string; it is missing.']


def test_a_wrong_type_is_named_with_the_expected_one() -> None:
    assert argument_problems([required("assetId", "string")], {"assetId": 123}) == [
        'Argument "assetId" must be of type string; got number.'
    ]


def test_an_optional_argument_may_be_absent_but_not_null() -> None:
    assert argument_problems([optional("k", "string")], {}) == []
    assert argument_problems([optional("k", "string")], {"k": None}) == [
        'Argument "k" must be of type string; got null.'
    ]


@pytest.mark.parametrize("key", ["constructor", "keys", "__class__"])
def test_an_inherited_name_is_no_argument(key: str) -> None:
    assert len(argument_problems([required(key, "string")], {})) == 1


def test_every_problem_is_reported() -> None:
    problems = argument_problems([required("a", "string"), required("b", "number"), required("c", "array")], {"b": 1})
    assert [problem.split('"')[1] for problem in problems] == ["a", "c"]


def test_an_argument_that_is_not_declared_is_let_through() -> None:
    assert argument_problems([], {"more": 1}) == []


@pytest.mark.parametrize(("args", "kind"), [([1], "array"), ("{", "string"), (5, "number"), (True, "boolean")])
def test_arguments_that_are_no_object_are_refused(args: Any, kind: str) -> None:
    assert argument_problems([], args) == [f"The arguments must be an object; got {kind}."]
