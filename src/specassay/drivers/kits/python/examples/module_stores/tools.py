"""The tools by name, and what happens when the model calls one."""

import re
from collections.abc import Callable
from typing import Any

Tool = dict[str, Any]
"""name, description, parameters [{key, type, required}], and execute(args, context), which blocks."""

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}


def transcribe_video(args: dict[str, Any], context: dict[str, Any]) -> str:
    """Say that it cannot be done here."""
    raise RuntimeError("No speech model is installed.")


registered: dict[str, Tool] = {
    "transcribe_video": {
        "name": "transcribe_video",
        "description": "Transcribe the speech of a video.",
        "parameters": [{"key": "assetId", "type": "string", "required": False}],
        "execute": transcribe_video,
    }
}


def register(tool: Tool) -> None:
    """Add a tool, in place of an earlier one of its name; raises ValueError for a name that providers refuse."""
    if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", tool["name"]):
        raise ValueError(f'"{tool["name"]}" is no name for a tool: use up to 64 letters, digits, "_" and "-".')
    registered[tool["name"]] = tool


def schemas() -> list[dict[str, Any]]:
    """Say what every tool is, without its execute."""
    return [{key: tool[key] for key in ("name", "description", "parameters")} for tool in registered.values()]


def call(name: str, args: Any, context: dict[str, Any], started: Callable[[str], None]) -> Any:
    """Run a tool; `started(name)` is called just before. Raises ValueError for a call that is not in order."""
    if name not in registered:
        raise ValueError(f'There is no tool "{name}". There are: {", ".join(registered)}.')
    tool = registered[name]
    for problem in problems(tool["parameters"], args):
        raise ValueError(problem)
    started(name)
    return tool["execute"](args, context)


def problems(parameters: list[dict[str, Any]], args: Any) -> list[str]:
    """Give a sentence for each argument that is missing or of another type than the declared one."""
    if not isinstance(args, dict):
        return ["The arguments must be an object."]
    found = []
    for parameter in parameters:
        key, declared = parameter["key"], parameter["type"]
        if key not in args:
            found += [f'The argument "{key}" is missing.'] if parameter["required"] else []
        elif type(args[key]) not in TYPES[declared]:  # not isinstance: true is no number
            found.append(f'The argument "{key}" must be of type {declared}.')
    return found
