"""What OpenAI refuses in a chat completion: its checks, in its words."""

import re
from collections.abc import Iterator
from typing import Any

from specassay.provider.families import openai_error
from specassay.provider.journal import Answer, Request, json_answer

_ROLES = ("system", "assistant", "user", "function", "tool", "developer")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_DESCRIPTION_LIMIT = 1024

_NO_KEY = (
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth "
    "(i.e. Authorization: Bearer YOUR_KEY)."
)
_NO_JSON = "We could not parse the JSON body of your request. The OpenAI API expects a JSON payload."
_ORPHAN = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
_UNRESOLVED = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    "The following tool_call_ids did not have response messages: "
)
_KINDS = {type(None): "null", bool: "a boolean", int: "an integer", float: "a decimal", str: "a string"}


class _RefusedError(Exception):
    def __init__(self, message: str, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.body = openai_error(400, message, param=param, code=code)


def violation(request: Request, url: str) -> Answer | None:
    """Give the error that OpenAI answers to this request; None where it would accept it."""
    key = (request.header("authorization") or "").removeprefix("Bearer").strip()
    if not key:
        return json_answer(openai_error(401, _NO_KEY), status=401)
    try:
        _check(request.json)
    except _RefusedError as error:
        return json_answer(error.body, status=400)
    return None


def _check(body: Any) -> None:
    if not isinstance(body, dict):
        raise _RefusedError(_NO_JSON)
    if not isinstance(body.get("model"), str) or not body["model"]:
        raise _RefusedError("you must provide a model parameter")
    messages = _filled_list(body, "messages", "messages")
    for position, message in enumerate(messages):
        _check_message(message, f"messages[{position}]", position)
    _check_transcript(messages)
    _check_tools(body)


def _check_message(message: Any, place: str, position: int) -> None:
    if not isinstance(message, dict):
        raise _wrong_type(place, "an object", message)
    role = _required(message, "role", place)
    if role not in _ROLES:
        supported = ", ".join(f"'{one}'" for one in _ROLES[:-1])
        known = f"Supported values are: {supported}, and '{_ROLES[-1]}'."
        raise _RefusedError(f"Invalid value: '{role}'. {known}", f"{place}.role", "invalid_value")
    if "tool_calls" in message and message["tool_calls"] is not None:
        for number, call in enumerate(_filled_list(message, "tool_calls", f"{place}.tool_calls")):
            _check_call(call, f"{place}.tool_calls[{number}]")
    elif message.get("content") is None and not message.get("function_call"):
        if "content" not in message and role != "assistant":
            raise _missing(f"{place}.content")
        wanted = "Invalid value for 'content': expected a string, got null."
        raise _RefusedError(wanted, f"messages.[{position}].content")
    if not isinstance(message.get("content"), str | list | None):
        raise _wrong_type(f"{place}.content", "one of a string or array of objects", message["content"], "invalid_type")
    if role == "tool" and not isinstance(_required(message, "tool_call_id", place), str):
        raise _wrong_type(f"{place}.tool_call_id", "a string", message["tool_call_id"])


def _check_call(call: Any, place: str) -> None:
    if not isinstance(call, dict):
        raise _wrong_type(place, "an object", call)
    if not isinstance(_required(call, "id", place), str):
        raise _wrong_type(f"{place}.id", "a string", call["id"])
    if _required(call, "type", place) != "function":
        return  # a custom call
    function = _required(call, "function", place)
    if not isinstance(function, dict):
        raise _wrong_type(f"{place}.function", "an object", function)
    _check_name(_required(function, "name", f"{place}.function"), f"{place}.function.name")
    arguments = _required(function, "arguments", f"{place}.function")
    if not isinstance(arguments, str):
        raise _wrong_type(f"{place}.function.arguments", "a string", arguments)


def _check_transcript(messages: list[dict[str, Any]]) -> None:
    """Each call is answered once, in the run of tool messages right after its message, and nothing else is."""
    open_ids: list[str] = []
    answered: dict[str, int] = {}
    for position, message in enumerate(messages):
        if message["role"] == "tool":
            identifier = message["tool_call_id"]
            if identifier in answered:
                where = f"in messages[{answered[identifier]}] and messages[{position}]"
                text = f"Invalid parameter: Duplicate value for 'tool_call_id' of '{identifier}', {where}."
                raise _RefusedError(text, f"messages.[{position}].tool_call_id")
            if identifier not in open_ids:
                raise _RefusedError(_ORPHAN, f"messages.[{position}].role")
            answered[identifier] = position
            continue
        _all_answered(open_ids, answered)
        open_ids = [call["id"] for call in message.get("tool_calls") or []]
        answered = {}
    _all_answered(open_ids, answered)


def _all_answered(open_ids: list[str], answered: dict[str, int]) -> None:
    missing = [identifier for identifier in open_ids if identifier not in answered]
    if missing:
        raise _RefusedError(_UNRESOLVED + ", ".join(missing))


def _check_tools(body: dict[str, Any]) -> None:
    for tool, place in _functions(body.get("tools") or []):
        _check_name(_required(tool, "name", place), f"{place}.name")
        description = str(tool.get("description") or "")
        if len(description) > _DESCRIPTION_LIMIT:
            message = (
                f"Invalid '{place}.description': string too long. Expected a string with maximum length "
                f"{_DESCRIPTION_LIMIT}, but got a string with length {len(description)} instead."
            )
            raise _RefusedError(message, f"{place}.description", "string_above_max_length")
        if not isinstance(tool.get("parameters", {}), dict):
            raise _wrong_type(f"{place}.parameters", "an object", tool["parameters"])
    if body.get("tool_choice") is not None and not body.get("tools"):
        message = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
        raise _RefusedError(message, "tool_choice")


def _functions(tools: Any) -> Iterator[tuple[dict[str, Any], str]]:
    if not isinstance(tools, list):
        raise _wrong_type("tools", "an array of objects", tools)
    for position, tool in enumerate(tools):
        place = f"tools[{position}]"
        if not isinstance(tool, dict):
            raise _wrong_type(place, "an object", tool)
        if _required(tool, "type", place) == "function":
            function = _required(tool, "function", place)
            if not isinstance(function, dict):
                raise _wrong_type(f"{place}.function", "an object", function)
            yield function, f"{place}.function"


def _check_name(name: Any, place: str) -> None:
    if not isinstance(name, str):
        raise _wrong_type(place, "a string", name)
    if not name:
        wanted = "Expected a string with minimum length 1, but got an empty string instead."
        raise _RefusedError(f"Invalid '{place}': empty string. {wanted}", place, "empty_string")
    if len(name) > 64:
        wanted = f"Expected a string with maximum length 64, but got a string with length {len(name)} instead."
        raise _RefusedError(f"Invalid '{place}': string too long. {wanted}", place, "string_above_max_length")
    if not _NAME.fullmatch(name):
        wanted = "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
        raise _RefusedError(f"Invalid '{place}': string does not match pattern. {wanted}", place, "invalid_value")


def _filled_list(owner: dict[str, Any], key: str, place: str) -> list[Any]:
    if owner.get(key) is None:
        raise _missing(place)
    value = owner[key]
    if not isinstance(value, list):
        raise _wrong_type(place, "an array of objects", value)
    if not value:
        wanted = "Expected an array with minimum length 1, but got an empty array instead."
        raise _RefusedError(f"Invalid '{place}': empty array. {wanted}", place, "empty_array")
    return value


def _required(owner: dict[str, Any], key: str, place: str) -> Any:
    if owner.get(key) is None:
        raise _missing(f"{place}.{key}")
    return owner[key]


def _missing(place: str) -> _RefusedError:
    return _RefusedError(f"Missing required parameter: '{place}'.", place, "missing_required_parameter")


def _wrong_type(place: str, wanted: str, value: Any, code: str = "invalid_type") -> _RefusedError:
    kind = _KINDS.get(type(value), "an array" if isinstance(value, list) else "an object")
    return _RefusedError(f"Invalid type for '{place}': expected {wanted}, but got {kind} instead.", place, code)
