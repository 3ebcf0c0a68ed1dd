"""Messages: how a feature writes them, and where the result of a tool call stands in a history."""

import json
from collections.abc import Mapping
from typing import Any

from specassay.suite.checks import ABSENT, also, at, items

_SPEAKERS = ("system", "user", "assistant")


def own(message: Mapping[str, Any], conventions: Mapping[str, str]) -> dict[str, Any]:
    """Write a message as the implementation does; a feature always says role "tool" and "toolCallId"."""
    names = {"toolCallId": conventions["toolCallIdField"]}
    written = {names.get(key, key): value for key, value in message.items()}
    return written | {"role": conventions["toolResultRole"]} if message["role"] == "tool" else written


def is_result(message: Any) -> bool:
    """Say whether a message is a tool's; its role is any that does not speak for somebody else."""
    return isinstance(message, dict) and message.get("role") not in _SPEAKERS


def mentions(message: Any, text: str) -> bool:
    """Say whether a text stands anywhere in a message, also in JSON inside its content."""
    return text in json.dumps(message, ensure_ascii=False)


def results_of(messages: Any, call: str) -> list[Any]:
    """Give the tool results that carry the id of a call."""
    return [message for message in items(messages) if is_result(message) and mentions(message, call)]


def asker(messages: list[Any], position: int) -> Any:
    """Give the message that the run of tool results at a position follows."""
    while position >= 0 and is_result(messages[position]):
        position -= 1
    return messages[position] if position >= 0 else ABSENT


def asks(message: Any, call: Mapping[str, Any]) -> bool:
    """Say whether a message is an assistant's that makes this call."""
    calls = items(at(message, "toolCalls"))
    return at(message, "role") == "assistant" and any(also(call).test(other) for other in calls)


def answers(messages: Any, call: Mapping[str, Any]) -> dict[str, Any]:
    """Count the results of a call, and say whether each follows the assistant message that made it."""
    history = items(messages)
    places = [n for n, message in enumerate(history) if is_result(message) and mentions(message, call["id"])]
    return {
        "call": call["id"],
        "results": len(places),
        "right after its assistant message": all(asks(asker(history, place), call) for place in places),
    }


def open_calls(messages: Any) -> list[Any]:
    """Give the ids of the calls without a result in the run of tool results right after them."""
    history = items(messages)
    found = []
    for position, message in enumerate(history):
        following = history[position + 1 :]
        end = next((n for n, other in enumerate(following) if not is_result(other)), len(following))
        ids = [at(call, "id") for call in items(at(message, "toolCalls"))]
        found += [id_ for id_ in ids if not results_of(following[:end], str(id_))]
    return found
