"""Checks a tool call's arguments against what the tool declares."""

from collections.abc import Iterable, Mapping
from typing import Any

from specassay.reference.types import ToolParameter

# Looked up by the exact type, since Python's True is also an int.
_JSON_TYPES: Mapping[type, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    dict: "object",
    list: "array",
    type(None): "null",
}


def json_type(value: Any) -> str:
    """Name the type of a JSON value."""
    return _JSON_TYPES[type(value)]


def is_missing(args: Mapping[str, Any], key: str) -> bool:
    """Say whether an argument is absent or null; 0, false, "" and [] are present."""
    return args.get(key) is None


def argument_problems(parameters: Iterable[ToolParameter], args: Any) -> list[str]:
    """Give a sentence for each argument that is missing or of another type; none means that the tool may run.

    Keeps agent-session-shell/tool-argument-validation.1, .2, .4 and .5. An optional argument that is given must be of
    its type too; arguments that are not declared are let through.
    """
    if not isinstance(args, dict):
        return [f"The arguments must be an object; got {json_type(args)}."]
    problems = (argument_problem(parameter, args) for parameter in parameters)
    return [problem for problem in problems if problem]


def argument_problem(parameter: ToolParameter, args: Mapping[str, Any]) -> str | None:
    """Give what is wrong with one declared argument, naming its key, the expected and the given type."""
    expected = f'Argument "{parameter.key}" must be of type {parameter.type}'
    if is_missing(args, parameter.key) and parameter.required:
        return f"{expected}; it is missing."
    if parameter.key in args and json_type(args[parameter.key]) != parameter.type:
        return f"{expected}; got {json_type(args[parameter.key])}."
    return None
