"""What Gemini refuses in a generateContent: its checks, in its words.

Names are read in camel case and in snake case, as the API reads both.
"""

import json
import re
from typing import Any
from urllib.parse import parse_qs

from specassay.provider.families import gemini_error, model_in
from specassay.provider.journal import Answer, Request, json_answer

_FIELDS = {
    *("contents", "systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings", "cachedContent"),
    *("labels", "model", "store", "serviceTier"),
}
_PART_DATA = {
    *("text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode"),
    *("codeExecutionResult", "toolCall", "toolResponse"),
}
_SCHEMA_KEYS = {
    *("type", "format", "title", "description", "nullable", "enum", "items", "maxItems", "minItems", "properties"),
    *("required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf"),
    *("propertyOrdering", "default", "minimum", "maximum"),
}
_TYPES = {"TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")

_NO_KEY = (
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other "
    "form of API consumer identity to call this API."
)
_BARE = "Request contains an invalid argument."
_CALL_ORDER = (
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
)
_RESPONSE_ORDER = "Please ensure that function response turn comes immediately after a function call turn."
_PART_COUNT = (
    "Please ensure that the number of function response parts is equal to the number of function call parts of the "
    "function call turn."
)
_MIXED = (
    "Please ensure that function call turn contains at least one function_call part which can not be mixed with "
    "function_response parts."
)
_SIGNATURE = (
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work "
    "correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call "
)

_INVALID_PROTO = "The GenerateContentRequest proto is invalid:\n  *\n    "
_NAME_RULE = (
    "\n    Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), "
    "\n    dots (.), colons (:), or dashes (-), with a maximum length of 64."
)


class _RefusedError(Exception):
    def __init__(self, message: str, *details: dict[str, Any]) -> None:
        super().__init__(message)
        self.body = gemini_error(400, message)
        if details:
            self.body["error"]["details"] = list(details)


def violation(request: Request, url: str) -> Answer | None:
    """Give the error that Gemini answers to this request; None where it would accept it."""
    key = request.header("x-goog-api-key") or parse_qs(url.partition("?")[2]).get("key")
    if not key and not request.header("authorization"):
        return json_answer(gemini_error(403, _NO_KEY), status=403)
    try:
        _check(request.json, model_in(url) or "")
    except _RefusedError as error:
        return json_answer(error.body, status=400)
    return None


def _check(body: Any, model: str) -> None:
    if not isinstance(body, dict):
        raise _RefusedError("Invalid JSON payload received. Unexpected token.")
    body = _camel(body)
    for name in sorted(body.keys() - _FIELDS):
        message = f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
        detail = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"description": message}]}
        raise _RefusedError(message, detail)
    contents = body.get("contents")
    if not contents:
        raise _RefusedError("* GenerateContentRequest.contents: contents is not specified\n")
    turns = [_turn(content, position) for position, content in enumerate(_as_list(contents))]
    _check_order(turns)
    if model.startswith("gemini-3"):
        _check_signatures(turns)
    for tool in map(_camel, _as_list(body.get("tools") or [])):
        for position, declaration in enumerate(map(_camel, _as_list(tool.get("functionDeclarations") or []))):
            _check_declaration(declaration, f"tools[0].function_declarations[{position}]")


def _turn(content: Any, position: int) -> tuple[str, list[dict[str, Any]]]:
    """Check one content by itself, and give its role and its parts."""
    place = f"contents[{position}]"
    if not isinstance(content, dict):
        raise _RefusedError(f"Invalid value at '{place}' (type.googleapis.com/google.ai.generativelanguage.Content)")
    role = content.get("role") or "user"
    if role not in ("user", "model", "function"):
        raise _RefusedError("Please use a valid role: user, model.")
    parts = [_camel(part) for part in _as_list(content.get("parts") or [])]
    if not parts:
        raise _RefusedError(f"* GenerateContentRequest.{place}.parts: contents.parts must not be empty.\n")
    for number, part in enumerate(parts):
        _check_part(part, f"{place}.parts[{number}]")
    ids = [str(part["functionCall"]["id"]) for part in parts if part.get("functionCall", {}).get("id")]
    if len(ids) != len(set(ids)):
        raise _RefusedError(_BARE)
    return role, parts


def _check_part(part: dict[str, Any], place: str) -> None:
    given = part.keys() & _PART_DATA
    if not given:
        raise _RefusedError(
            f"* GenerateContentRequest.{place}.data: required oneof field 'data' must have one initialized field\n"
        )
    if len(given) > 1:
        raise _RefusedError(f"Invalid value at '{place}' (oneof), oneof field 'data' is already set.")
    for key, holder, snake in (
        ("functionCall", "args", "function_call.args"),
        ("functionResponse", "response", "function_response.response"),
    ):
        if key not in part:
            continue
        if not isinstance(part[key], dict) or not isinstance(part[key].get("name"), str) or not part[key]["name"]:
            raise _RefusedError(f"* GenerateContentRequest.{place}.{_snake(key)}.name: Name cannot be empty.\n")
        value = part[key].get(holder)
        if value is not None and not isinstance(value, dict):
            shown = json.dumps(value)
            raise _RefusedError(
                f"Invalid value at '{place}.{snake}' (type.googleapis.com/google.protobuf.Struct), {shown}"
            )


def _check_order(turns: list[tuple[str, list[dict[str, Any]]]]) -> None:
    """Hold the turns to their order: calls after the user or results, and all results of a turn right after it."""
    called: list[str] = []
    before = "nothing"
    for _, parts in turns:
        calls = [part["functionCall"]["name"] for part in parts if "functionCall" in part]
        results = [part["functionResponse"]["name"] for part in parts if "functionResponse" in part]
        if calls and results:
            raise _RefusedError(_MIXED)
        if calls and before in ("nothing", "calls"):
            raise _RefusedError(_CALL_ORDER)
        if results and before != "calls":
            raise _RefusedError(_RESPONSE_ORDER)
        if before == "calls" and len(results) != len(called):
            raise _RefusedError(_PART_COUNT)
        if results and sorted(results) != sorted(called):
            raise _RefusedError(_BARE)
        called = calls
        before = "calls" if calls else "other"


def _check_signatures(turns: list[tuple[str, list[dict[str, Any]]]]) -> None:
    """In the turn that is going on, the first call of each content carries the signature that came with it."""
    begun = max((n for n, (role, parts) in enumerate(turns) if role == "user" and "text" in parts[0]), default=-1)
    for position, (_, parts) in enumerate(turns[begun + 1 :], begun + 1):
        first = next((part for part in parts if "functionCall" in part), None)
        if first is not None and not first.get("thoughtSignature"):
            where = f"`default_api:{first['functionCall']['name']}`, position {position + 1}."
            raise _RefusedError(_SIGNATURE + where)


def _check_declaration(declaration: dict[str, Any], place: str) -> None:
    name = declaration.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _RefusedError(_INVALID_PROTO + f"{place}.name: [FIELD_INVALID] Invalid function name. " + _NAME_RULE)
    if "parameters" in declaration and "parametersJsonSchema" in declaration:
        raise _RefusedError(_BARE)
    if declaration.get("parameters") is not None:
        _check_schema(declaration["parameters"], f"{place}.parameters")


def _check_schema(schema: Any, place: str) -> None:
    if not isinstance(schema, dict):
        raise _RefusedError(f"Invalid value at '{place}' (type.googleapis.com/google.ai.generativelanguage.Schema)")
    schema = _camel(schema)
    for key in sorted(schema.keys() - _SCHEMA_KEYS):
        raise _RefusedError(f"Invalid JSON payload received. Unknown name \"{key}\" at '{place}': Cannot find field.")
    kind = schema.get("type")
    if kind is not None and str(kind).upper() not in _TYPES:
        wrong = "(type.googleapis.com/google.ai.generativelanguage.Type)"
        raise _RefusedError(f"Invalid value at '{place}.type' {wrong}, {json.dumps(kind)}")
    for number, inner in enumerate(_camel(schema.get("properties") or {}).values()):
        _check_schema(inner, f"{place}.properties[{number}].value")
    if schema.get("items") is not None:
        _check_schema(schema["items"], f"{place}.items")
    for number, inner in enumerate(_as_list(schema.get("anyOf") or [])):
        _check_schema(inner, f"{place}.any_of[{number}]")


def _camel(value: Any) -> dict[str, Any]:
    """Give an object with its own names in camel case, and without the nulls, which mean absent."""
    if not isinstance(value, dict):
        raise _RefusedError(_BARE)
    given = {name: inner for name, inner in value.items() if inner is not None}
    return {re.sub(r"_([a-z])", lambda found: found[1].upper(), name): inner for name, inner in given.items()}


def _snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name)


def _as_list(value: Any) -> list[Any]:
    """Give a repeated field as a list: the API takes a single object for a list of one."""
    return value if isinstance(value, list) else [value]
