"""Tool definitions and the registry that holds them."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Tool:
    """A tool; `parameters` are `{key, type, required}` each, `execute` takes the arguments and the run's context."""

    name: str
    description: str
    parameters: list[dict[str, Any]]
    execute: Callable[[dict[str, Any], Any], Awaitable[Any]]

    def check(self, args: Any) -> None:
        """Raise ValueError for the first argument that is missing or of another type than the declared one."""
        if not isinstance(args, dict):
            raise ValueError("The arguments must be an object.")
        for parameter in self.parameters:
            key = parameter["key"]
            if key not in args and parameter["required"]:
                raise ValueError(f'The argument "{key}" is missing.')
            if key in args and not is_of_type(args[key], parameter["type"]):
                raise ValueError(f'The argument "{key}" must be of type {parameter["type"]}.')


def is_of_type(value: Any, declared: str) -> bool:
    """Say whether a JSON value is of the declared type; true is no number, null is of no type."""
    if declared == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, {"string": str, "boolean": bool, "object": dict, "array": list}[declared])


async def transcribe_video(args: dict[str, Any], context: Any) -> str:
    """Say that it cannot be done here."""
    raise RuntimeError("No speech model is installed.")


class ToolRegistry:
    """Tools by name; begins with those of the product."""

    def __init__(self) -> None:
        parameters = [{"key": "assetId", "type": "string", "required": False}]
        self._tools: dict[str, Tool] = {}
        self.register(Tool("transcribe_video", "Transcribe the speech of a video.", parameters, transcribe_video))

    def register(self, tool: Tool) -> None:
        """Add a tool, in place of an earlier one of its name; raises ValueError for a name that providers refuse."""
        if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", tool.name):
            raise ValueError(f'"{tool.name}" is no name for a tool: use up to 64 letters, digits, "_" and "-".')
        self._tools[tool.name] = tool

    def get(self, name: str) -> Tool | None:
        """Give a tool, None if there is none of that name."""
        return self._tools.get(name)

    def has(self, name: str) -> bool:
        """Say whether there is a tool of that name."""
        return name in self._tools

    def get_all(self) -> list[Tool]:
        """Give every tool."""
        return list(self._tools.values())

    def to_tool_schemas(self) -> list[dict[str, Any]]:
        """Say what every tool is, without its execute."""
        return [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in self.get_all()
        ]
