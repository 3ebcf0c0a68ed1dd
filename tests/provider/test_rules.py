"""The strict fake refuses what the real providers refuse, in their words, and nothing else."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from specassay.provider import rules_gemini, rules_openai
from specassay.provider.answers import Reply
from specassay.provider.exchange import ExchangeFile
from specassay.provider.fake import FakeProvider
from specassay.provider.journal import Answer, Request
from specassay.provider.library import shipped, shipped_names
from tests.provider.loopback import CHAT, CONTENTS, GEMINI, KEYS, OPENAI, asked

RULES: dict[str, Callable[[Request, str], Answer | None]] = {
    "openai": rules_openai.violation,
    "gemini": rules_gemini.violation,
}
ALL = [shipped(name) for name in shipped_names()]
REFUSED = [one for one in ALL if "strict" in one.tags]
ACCEPTED = [one for one in ALL if "bad-request" not in one.tags]
GEMINI_3 = "/v1beta/models/gemini-3-pro:generateContent"

USER = {"role": "user", "content": "Hi."}
CALL = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL, {**CALL, "id": "call_2"}]}
FIRST = {"role": "tool", "tool_call_id": "call_1", "content": "1"}
SECOND = {"role": "tool", "tool_call_id": "call_2", "content": "2"}
TOOL = {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}

G_USER = {"role": "user", "parts": [{"text": "Hi."}]}
G_CALLS = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"name": "g"}}]}
G_RESULTS = {
    "role": "user",
    "parts": [
        {"functionResponse": {"name": "f", "response": {"output": "1"}}},
        {"functionResponse": {"name": "g", "response": {"output": "2"}}},
    ],
}


def _told(path: str, body: Any, headers: dict[str, str] | None = None) -> dict[str, Any] | None:
    family = "openai" if path == OPENAI else "gemini"
    kept = tuple((KEYS if headers is None else headers).items())
    answer = RULES[family](Request("POST", path, kept, json.dumps(body).encode()), path)
    return json.loads(answer.body)["error"] if answer is not None else None


def _chat(*messages: Any, **more: Any) -> dict[str, Any] | None:
    return _told(OPENAI, {"model": "m", "messages": list(messages), **more})


def _contents(*contents: Any, path: str = GEMINI, **more: Any) -> dict[str, Any] | None:
    return _told(path, {"contents": list(contents), **more})


@pytest.mark.parametrize("exchange", REFUSED, ids=[one.name for one in REFUSED])
def test_a_request_of_a_recorded_refusal_is_refused_with_the_recorded_body(exchange: ExchangeFile) -> None:
    [response] = asked(_strict().handle, (exchange.request.path, exchange.request.body))
    assert response.status_code == exchange.response.status
    assert response.json() == exchange.response.body


@pytest.mark.parametrize("exchange", ACCEPTED, ids=[one.name for one in ACCEPTED])
def test_every_other_request_is_accepted(exchange: ExchangeFile) -> None:
    assert _told(exchange.request.path, exchange.request.body) is None


def test_a_refusal_takes_no_turn_and_is_noted() -> None:
    fake = _strict()
    responses = asked(fake.handle, (OPENAI, {"model": "m"}), (OPENAI, CHAT))
    assert [response.status_code for response in responses] == [400, 200]
    assert [one.note for one in fake.posts] == ["refused as the provider refuses it", None]


def test_without_strictness_nothing_is_refused() -> None:
    fake = FakeProvider()
    fake.script.then(Reply("Hello!"))
    [response] = asked(fake.handle, (OPENAI, {"messages": "no"}))
    assert response.status_code == 200


def test_openai_wants_a_key() -> None:
    assert "didn't provide an API key" in str(_told(OPENAI, CHAT, {}))
    assert "didn't provide an API key" in str(_told(OPENAI, CHAT, {"authorization": "Bearer "}))


def test_gemini_wants_a_key_in_the_header_or_the_query() -> None:
    refused = _told(GEMINI, CONTENTS, {})
    assert refused is not None
    assert refused["code"] == 403
    assert _told(f"{GEMINI}?key=k", CONTENTS, {}) is None


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([], "Invalid 'messages': empty array."),
        ([{"role": "user"}], "Missing required parameter: 'messages[0].content'."),
        ([{"role": "assistant", "content": None}], "expected a string, got null"),
        ([{"content": "Hi."}], "Missing required parameter: 'messages[0].role'."),
        (["Hi."], "Invalid type for 'messages[0]': expected an object, but got a string instead."),
        ([USER, {"role": "tool", "content": "1"}], "Missing required parameter: 'messages[1].tool_call_id'."),
        ([USER, ASKED, SECOND, USER], "did not have response messages: call_1"),
        ([USER, ASKED], "did not have response messages: call_1, call_2"),
        ([USER, ASKED, FIRST, SECOND, ASKED, USER], "did not have response messages: call_1, call_2"),
        ([USER, ASKED, FIRST, SECOND, USER, FIRST], "must be a response to a preceeding message"),
        ([USER, {**ASKED, "tool_calls": [{**CALL, "type": None}]}], "parameter: 'messages[1].tool_calls[0].type'."),
        ([USER, {**ASKED, "tool_calls": [{**CALL, "function": {"name": "", "arguments": "{}"}}]}], "empty string"),
        ([USER, {**ASKED, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": {}}}]}],
         "'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead."),
    ],
)  # fmt: skip
def test_openai_refuses_a_transcript(messages: list[Any], told: str) -> None:
    refused = _chat(*messages)
    assert refused is not None
    assert told in refused["message"]
    assert refused["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    "messages",
    [
        [USER, ASKED, SECOND, FIRST],
        [USER, ASKED, FIRST, SECOND, USER, ASKED, FIRST, SECOND],
        [USER, {key: value for key, value in ASKED.items() if key != "content"}, FIRST, SECOND, USER],
        [USER, {**ASKED, "content": ""}, FIRST, SECOND],
        [USER, {**ASKED, "content": "So.", "refusal": None}, FIRST, SECOND],
        [{"role": "developer", "content": [{"type": "text", "text": "Be brief."}]}, USER],
        [USER, {"role": "assistant", "content": "Hi!", "tool_calls": None}],
    ],
)
def test_openai_accepts_the_nearest_legal_transcripts(messages: list[Any]) -> None:
    assert _chat(*messages) is None


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"tools": [{**TOOL, "function": {"name": "a b"}}]}, "does not match pattern"),
        ({"tools": [{**TOOL, "function": {"name": "x" * 65}}]}, "maximum length 64"),
        (
            {"tools": [{**TOOL, "function": {"name": "f", "description": "x" * 1025}}]},
            "string with length 1025 instead",
        ),
        ({"tools": [{"function": {"name": "f"}}]}, "Missing required parameter: 'tools[0].type'."),
        ({"tools": {"f": TOOL}}, "Invalid type for 'tools'"),
        ({"tool_choice": "auto"}, "only allowed when 'tools' are specified"),
    ],
)
def test_openai_refuses_tools(more: dict[str, Any], told: str) -> None:
    assert told in str(_chat(USER, **more))


@pytest.mark.parametrize(
    "more", [{"tools": [TOOL], "tool_choice": "required"}, {"tools": []}, {"tools": [{"type": "custom", "custom": {}}]}]
)
def test_openai_accepts_the_nearest_legal_tools(more: dict[str, Any]) -> None:
    assert _chat(USER, **more) is None


@pytest.mark.parametrize("body", [None, [], "x", {"messages": [USER]}, {"model": "", "messages": [USER]}])
def test_openai_refuses_what_is_no_request(body: Any) -> None:
    assert _told(OPENAI, body) is not None


@pytest.mark.parametrize(
    ("contents", "told"),
    [
        ([], "contents is not specified"),
        ([{"role": "user", "parts": []}], "contents.parts must not be empty"),
        ([G_USER, G_CALLS, G_CALLS], "function call turn comes immediately after a user turn"),
        ([G_USER, G_CALLS, G_USER], "number of function response parts is equal"),
        ([G_USER, G_CALLS, {**G_RESULTS, "parts": G_RESULTS["parts"][:1]}], "response parts is equal"),
        ([G_USER, G_CALLS, G_RESULTS, G_RESULTS], "function response turn comes immediately after"),
        ([G_USER, {"role": "model", "parts": [{"functionCall": {"name": "f", "args": "x"}}]}], "protobuf.Struct"),
        ([G_USER, {"role": "model", "parts": [{"functionCall": {"args": {}}}]}], "Name cannot be empty"),
        ([G_USER, {"role": "model", "parts": [{"text": "x", "functionCall": {"name": "f"}}]}], "already set"),
    ],
)  # fmt: skip
def test_gemini_refuses_contents(contents: list[Any], told: str) -> None:
    refused = _contents(*contents)
    assert refused is not None
    assert told in refused["message"]
    assert refused["status"] == "INVALID_ARGUMENT"


def test_gemini_refuses_a_result_of_another_function_without_a_reason() -> None:
    other = {"role": "user", "parts": [{"functionResponse": {"name": name, "response": {}}} for name in ("f", "x")]}
    refused = _contents(G_USER, G_CALLS, other)
    assert refused is not None
    assert refused["message"] == "Request contains an invalid argument."


@pytest.mark.parametrize(
    "contents",
    [
        [G_USER, G_CALLS, G_RESULTS, {"role": "model", "parts": [{"text": "So."}]}, G_USER],
        [G_USER, G_CALLS, {**G_RESULTS, "role": "function"}],
        [G_USER, G_CALLS, G_RESULTS, G_CALLS, G_RESULTS],
        [{"parts": {"text": "Hi."}}],
        [G_USER, G_USER, {"role": "model", "parts": [{"text": ""}]}],
        [G_USER, {"role": "model", "parts": [{"function_call": {"name": "f", "id": "mine"}}]},
         {"role": "user", "parts": [{"function_response": {"name": "f", "id": "mine", "response": {}}}]}],
    ],
)  # fmt: skip
def test_gemini_accepts_the_nearest_legal_contents(contents: list[Any]) -> None:
    assert _contents(*contents) is None


def test_gemini_3_wants_the_signature_on_the_first_call_of_a_content_only() -> None:
    signed = copy.deepcopy(G_CALLS)
    signed["parts"][0]["thoughtSignature"] = "c2ln"  # type: ignore[index]
    assert "thought_signature" in str(_contents(G_USER, G_CALLS, G_RESULTS, path=GEMINI_3))
    assert _contents(G_USER, signed, G_RESULTS, path=GEMINI_3) is None
    assert _contents(G_USER, G_CALLS, G_RESULTS, path=GEMINI) is None


def test_gemini_3_wants_no_signature_in_turns_that_are_over() -> None:
    answer = {"role": "model", "parts": [{"text": "So."}]}
    assert _contents(G_USER, G_CALLS, G_RESULTS, answer, G_USER, path=GEMINI_3) is None


@pytest.mark.parametrize(
    ("declaration", "told"),
    [
        ({"name": "2nd"}, "Invalid function name"),
        ({"name": "f", "parameters": {"type": "OBJECT", "$schema": "x"}}, 'Unknown name "$schema"'),
        ({"name": "f", "parameters": {"type": "OBJECT", "properties": {"a": {"const": 1}}}}, 'Unknown name "const"'),
        ({"name": "f", "parameters": {"type": "text"}}, "generativelanguage.Type"),
        ({"name": "f", "parameters": {}, "parametersJsonSchema": {}}, "invalid argument"),
    ],
)
def test_gemini_refuses_a_declaration(declaration: dict[str, Any], told: str) -> None:
    assert told in str(_contents(G_USER, tools=[{"functionDeclarations": [declaration]}]))


@pytest.mark.parametrize(
    "more",
    [
        {"tools": [{"functionDeclarations": [{"name": "a.b:c-d_e"}]}]},
        {"tools": {"function_declarations": [{"name": "f", "parameters": {"type": "object", "properties": {}}}]}},
        {"tools": [{"functionDeclarations": [{"name": "f", "parameters_json_schema": {"$schema": "x"}}]}]},
        {"system_instruction": {"parts": [{"text": "Be brief."}]}, "generationConfig": {}, "safetySettings": []},
    ],
)
def test_gemini_accepts_the_nearest_legal_requests(more: dict[str, Any]) -> None:
    assert _contents(G_USER, **more) is None


def test_no_body_whatever_breaks_the_rules() -> None:
    chat = {"model": "m", "messages": [USER, ASKED, FIRST, SECOND], "tools": [TOOL], "tool_choice": "auto"}
    schema = {"type": "OBJECT", "properties": {"a": {"type": "ARRAY", "items": {"type": "STRING"}}}, "anyOf": [{}]}
    talk = {
        "contents": [G_USER, G_CALLS, G_RESULTS],
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}},
    }
    played = [(_told(path, body), path) for path, good in ((OPENAI, chat), (GEMINI_3, talk)) for body in _damaged(good)]
    assert {path for refused, path in played if refused is not None} == {OPENAI, GEMINI_3}


def _strict() -> FakeProvider:
    fake = FakeProvider()
    fake.strict = True
    fake.script.always(Reply("Hello!"))
    return fake


def _damaged(value: Any) -> Iterator[Any]:
    """Give the value with each of its nodes in turn replaced by other JSON, or taken out."""
    yield from (None, 1, True, "x", [], {}, [1], {"a": 1}, [[]], [None])
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            yield from ({**value, key: other} for other in _damaged(inner))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from ([*value[:position], other, *value[position + 1 :]] for other in _damaged(inner))
