"""Reads tool calls as models and servers really send them."""

from collections.abc import Container
from typing import Any

from pydantic_core import from_json

from specassay.reference.types import ToolCall, new_id


def read_calls(raw: Any) -> tuple[ToolCall, ...]:
    """Read the tool calls of an answer; absent, null and [] are none.

    An id that is absent, empty or already taken is replaced by a unique one. Raises `ValueError` if `raw` is no
    list of calls.
    """
    if raw is None:
        return ()
    if not isinstance(raw, list) or not all(isinstance(call, dict) for call in raw):
        raise ValueError("toolCalls must be a list of {id, name, args}.")
    calls: dict[str, ToolCall] = {}
    for call in raw:
        call_id = read_id(call.get("id"), taken=calls)
        calls[call_id] = ToolCall.model_validate({**call, "id": call_id, "args": read_arguments(call.get("args"))})
    return tuple(calls.values())


def read_id(raw: Any, *, taken: Container[str]) -> str:
    """Give the id, or a new one where it is no text, empty or among those `taken`."""
    return raw if isinstance(raw, str) and raw and raw not in taken else new_id()


def read_arguments(raw: Any) -> Any:
    """Read a call's arguments: an object, the JSON text of one, or none at all (blank, null, absent), which is {}.

    Anything else comes back as it is, for the validation to refuse.
    """
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return {}
    if not isinstance(raw, str):
        return raw
    try:
        parsed = from_json(raw, allow_inf_nan=False)
    except ValueError:
        return raw
    return parsed if isinstance(parsed, dict) else raw
