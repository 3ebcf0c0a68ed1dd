"""What a provider was asked: either family's wire format, read into one form that a feature can write.

A conversation is a list of `{from, text}`, `{from: "assistant", tool, args}` with a `signature` where there is one, and
`{from: "tool", text, tool, args}`, where tool and args are those of the call that is answered. A tool is written in the
internal format, with its parameters in the order of their keys.
"""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from specassay.provider.families import Family, family_of, model_in
from specassay.provider.journal import Exchange
from specassay.suite.checks import ABSENT, at, items, show

_OPERATIONS = {Family.OPENAI: "chat completion", Family.GEMINI: "generateContent"}

NO_CALL = "(no call that it answers)"
NO_JSON_TEXT = "(no JSON text)"


def family(call: Exchange) -> str:
    """Name the operation that was called."""
    found = family_of(call.url)
    return "neither" if found is None else _OPERATIONS[found]


def model(call: Exchange) -> Any:
    """Give the model: Gemini's stands in the path."""
    return model_in(call.url) or at(call.request.json, "model")


def host(call: Exchange) -> str | None:
    """Give the host that the call was meant for."""
    return urlsplit(call.url).hostname


def key(call: Exchange) -> Any:
    """Give the key from the header of its family, or from the query."""
    bearer = call.request.header("authorization")
    if bearer is not None:
        return bearer.removeprefix("Bearer ")
    return call.request.header("x-goog-api-key") or at(parse_qs(urlsplit(call.url).query), "key", 0)


def system_text(call: Exchange) -> Any:
    """Give the text of the system instruction, or of a system or developer message that stands first."""
    body = call.request.json
    if _is_gemini(call):
        return _text(_listed(_either(_either(body, "systemInstruction"), "parts")))
    first = at(body, "messages", 0)
    return _text(at(first, "content")) if at(first, "role") in ("system", "developer") else ABSENT


def conversation(call: Exchange) -> list[dict[str, Any]]:
    """Give all that was said but the system text; the results of one turn are sorted, since their order is free."""
    body = call.request.json
    if _is_gemini(call):
        said = _contents(_listed(_either(body, "contents")))
    else:
        said = _messages(items(at(body, "messages"))[0 if system_text(call) is ABSENT else 1 :])
    return with_sorted_results([entry for entry in said if entry.get("text") != ""])


def with_sorted_results(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort each run of tool results."""
    ordered: list[dict[str, Any]] = []
    run: list[dict[str, Any]] = []
    for entry in [*said, {}]:
        if entry.get("from") == "tool":
            run.append(entry)
            continue
        ordered += sorted(run, key=lambda result: show([result.get("tool"), result.get("args")]))
        ordered += [entry] if entry else []
        run = []
    return ordered


def declarations(call: Exchange) -> list[Any]:
    """Give the declarations of the tools as they stand on the wire, without what wraps them."""
    tools = _listed(_either(call.request.json, "tools"))
    if _is_gemini(call):
        return [one for tool in tools for one in _listed(_either(tool, "functionDeclarations"))]
    return [at(tool, "function") for tool in tools]


def offered(call: Exchange) -> list[dict[str, Any]]:
    """Give the tools that were offered, in the internal format."""
    return [_tool(declaration) for declaration in declarations(call)]


def _is_gemini(call: Exchange) -> bool:
    return family_of(call.url) is Family.GEMINI


def _either(value: Any, name: str) -> Any:
    """Give a field in camel case or in snake case: the Gemini API reads both."""
    snake = re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name)
    found = at(value, name)
    return at(value, snake) if found is ABSENT else found


def _listed(value: Any) -> list[Any]:
    """Give a list, also of a single object, which the Gemini API takes for a list of one."""
    return [value] if isinstance(value, dict) else items(value)


def _text(content: Any) -> Any:
    """Join the texts of a content, or of its parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(at(part, "text"), str))
    return "" if content is None or content is ABSENT else content


def _messages(messages: list[Any]) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    calls: dict[str, dict[str, Any]] = {}
    for message in messages:
        if at(message, "role") == "tool":
            answered = calls.get(show(at(message, "tool_call_id")), {"tool": NO_CALL, "args": None})
            said.append({"from": "tool", "text": _text(at(message, "content")), **answered})
            continue
        said.append({"from": at(message, "role"), "text": _text(at(message, "content"))})
        made = items(at(message, "tool_calls"))
        calls = {show(at(call, "id")): _named(call) for call in made}
        said += [{"from": "assistant", **_named(call), **_signed(_google(call))} for call in made]
    return said


def _named(call: Any) -> dict[str, Any]:
    arguments = at(call, "function", "arguments")
    try:
        args = json.loads(arguments) if isinstance(arguments, str) else NO_JSON_TEXT
    except ValueError:
        args = NO_JSON_TEXT
    return {"tool": at(call, "function", "name"), "args": args}


def _google(call: Any) -> Any:
    return at(call, "extra_content", "google", "thought_signature")


def _signed(signature: Any) -> dict[str, Any]:
    return {} if signature is ABSENT else {"signature": signature}


def _contents(contents: list[Any]) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    open_calls: list[dict[str, Any]] = []
    for content in contents:
        speaker = "assistant" if at(content, "role") == "model" else "user"
        parts = _listed(_either(content, "parts"))
        made = [_either(part, "functionCall") for part in parts if _either(part, "functionCall") is not ABSENT]
        open_calls = made or open_calls
        for part in parts:
            call, result = _either(part, "functionCall"), _either(part, "functionResponse")
            if result is not ABSENT:
                said.append(
                    {"from": "tool", "text": json.dumps(at(result, "response"), default=str)}
                    | _asked(result, open_calls)
                )
            elif call is not ABSENT:
                said.append({"from": speaker, **_called(call), **_signed(_either(part, "thoughtSignature"))})
            else:
                said.append({"from": speaker, "text": _text([part])})
    return said


def _called(call: Any) -> dict[str, Any]:
    args = at(call, "args")
    return {"tool": at(call, "name"), "args": {} if args is ABSENT or args is None else args}


def _asked(result: Any, open_calls: list[Any]) -> dict[str, Any]:
    """Find the call that a result answers: by its id where both have one, else the first that is open of its name."""
    given = at(result, "id")
    by_id = [call for call in open_calls if given is not ABSENT and at(call, "id") == given]
    by_name = [call for call in open_calls if at(call, "name") == at(result, "name")]
    for call in by_id or by_name:
        if at(call, "name") == at(result, "name"):
            open_calls.remove(call)
            return _called(call)
    return {"tool": NO_CALL, "args": None}


def _tool(declaration: Any) -> dict[str, Any]:
    schema = _either(declaration, "parameters")
    if schema is ABSENT:
        schema = _either(declaration, "parametersJsonSchema")
    required = items(at(schema, "required"))
    properties = at(schema, "properties")
    parameters = [
        {"key": name, "type": _type(at(inner, "type")), "required": name in required}
        for name, inner in sorted(properties.items() if isinstance(properties, dict) else ())
    ]
    return {"name": at(declaration, "name"), "description": at(declaration, "description"), "parameters": parameters}


def _type(name: Any) -> Any:
    return name.lower() if isinstance(name, str) else name
