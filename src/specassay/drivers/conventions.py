"""Whether an implementation writes tool results into its message history as its driver declares."""

from typing import Any

from specassay.drivers.protocol import Conventions

_SPEAKERS = ("system", "user", "assistant")
_SHOWN = 40


def departure(body: Any, declared: Conventions) -> str | None:
    """Say how the first result in a posted `{messages}` that is written otherwise is written, and what to set.

    A result is a message that holds the id of a call, or one of a role that is no speaker's, where calls were posted.
    """
    messages = body.get("messages") if isinstance(body, dict) else None
    posted = [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []
    ids = {call["id"] for message in posted for call in _calls(message) if isinstance(call.get("id"), str)}
    for message in posted if ids else ():
        role = message.get("role")
        fields = [name for name, value in message.items() if name != "id" and isinstance(value, str) and value in ids]
        if not fields and role in _SPEAKERS:
            continue
        found = []
        if role != declared.tool_result_role:
            found.append(_differs("role", role, declared.tool_result_role, "toolResultRole"))
        if fields and declared.tool_call_id_field not in fields:
            found.append(_differs("the call's id in", fields[0], declared.tool_call_id_field, "toolCallIdField"))
        if found:
            return "; ".join(found)
    return None


def _calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    calls = message.get("toolCalls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _differs(what: str, found: Any, declared: str, setting: str) -> str:
    return f"a tool result has {what} {str(found)[:_SHOWN]!r}, the driver declares {declared!r}; set {setting}"
