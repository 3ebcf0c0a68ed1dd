"""The OpenAI-compatible adapter: the bytes it sends, and what it makes of servers' answers."""

import asyncio
import json
from typing import Any

import httpx
import pytest
import respx

from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.interface import ProviderChatParams, ProviderChatResponse, ProviderError, ToolSchema
from specassay.reference.providers.openai_compatible import OpenAICompatibleAdapter
from specassay.reference.types import ChatMessage

Json = Any
BASE_URL = "http://provider.test/custom/v1"
URL = f"{BASE_URL}/chat/completions"
KEY = "key-canary"
TYPES = ["string", "number", "boolean", "object", "array"]
PROBE = {"name": "probe", "description": "A probe.", "parameters": []}


def message(role: str, content: str, **fields: Json) -> Json:
    return {"id": "m", "role": role, "content": content, "timestamp": 1, **fields}


HELLO = message("user", "Hello")


def chat(messages: list[Json], tools: list[Json] | None = None, **configuration: Json) -> ProviderChatResponse:
    fields = {"provider": "openai-compatible", "model": "m1", "api_key": KEY, "base_url": BASE_URL, **configuration}
    params = ProviderChatParams(
        messages=tuple(ChatMessage.model_validate(item) for item in messages),
        system_prompt="You are a video editor",
        tool_schemas=tuple(ToolSchema.model_validate(tool) for tool in tools or []),
    )

    async def ask() -> ProviderChatResponse:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            return await OpenAICompatibleAdapter(ProviderConfiguration.model_validate(fields), client).chat(params)

    return asyncio.run(ask())


def sent(router: respx.MockRouter) -> Json:
    assert len(router.calls) == 1
    return json.loads(router.calls[0].request.content)


def answer(**fields: Json) -> Json:
    return {"choices": [{"index": 0, "message": {"role": "assistant", **fields}, "finish_reason": "stop"}]}


def call(call_id: str = "c1", arguments: Json = "{}", **fields: Json) -> Json:
    return {"id": call_id, "type": "function", "function": {"name": "probe", "arguments": arguments}, **fields}


def read(router: respx.MockRouter, body: Json) -> ProviderChatResponse:
    router.post(URL).respond(json=body)
    return chat([HELLO])


def test_the_request_goes_to_the_base_url_with_model_key_and_system_prompt_first(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer(content="Hi"))
    assert chat([HELLO], base_url=BASE_URL + "/").to_json() == {"content": "Hi"}
    assert respx_mock.calls[0].request.headers["authorization"] == f"Bearer {KEY}"
    assert sent(respx_mock) == {
        "model": "m1",
        "messages": [
            {"role": "system", "content": "You are a video editor"},
            {"role": "user", "content": "Hello"},
        ],
    }


def test_without_a_base_url_openai_is_asked(respx_mock: respx.MockRouter) -> None:
    respx_mock.post("https://api.openai.com/v1/chat/completions").respond(json=answer(content="Hi"))
    assert chat([HELLO], base_url=None).content == "Hi"


def test_a_history_with_calls_and_results_is_sent_whole(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer(content="Done"))
    calls = [{"id": "c1", "name": "f", "args": {"a": {"b": [1]}}}, {"id": "c2", "name": "g", "args": {}}]
    chat(
        [
            HELLO,
            message("assistant", "", toolCalls=calls),
            message("tool", "one", toolCallId="c1"),
            message("tool", "two", toolCallId="c2"),
            message("assistant", "Well", toolCalls=[]),
            message("user", "And?"),
        ]
    )
    assert sent(respx_mock)["messages"][1:] == [
        {"role": "user", "content": "Hello"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": {"b": [1]}}'}},
                {"id": "c2", "type": "function", "function": {"name": "g", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "content": "one", "tool_call_id": "c1"},
        {"role": "tool", "content": "two", "tool_call_id": "c2"},
        {"role": "assistant", "content": "Well"},
        {"role": "user", "content": "And?"},
    ]


@pytest.mark.parametrize("args", ['{"path": "a', [1], 5, None])
def test_arguments_that_were_no_object_are_sent_as_a_json_text_too(respx_mock: respx.MockRouter, args: Json) -> None:
    respx_mock.post(URL).respond(json=answer(content="Done"))
    chat([message("assistant", "", toolCalls=[{"id": "c", "name": "f", "args": args}])])
    assert json.loads(sent(respx_mock)["messages"][1]["tool_calls"][0]["function"]["arguments"]) == args


def test_tools_become_functions_with_a_json_schema(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer(content="Hi"))
    parameters = [{"key": f"a_{kind}", "type": kind, "required": kind in ("number", "array")} for kind in TYPES]
    chat([HELLO], [{**PROBE, "parameters": parameters}, {**PROBE, "name": "bare"}])
    probe, bare = (tool["function"] for tool in sent(respx_mock)["tools"])
    assert (probe["name"], probe["description"]) == ("probe", "A probe.")
    assert {key: value["type"] for key, value in probe["parameters"]["properties"].items()} == {
        f"a_{kind}": kind for kind in TYPES
    }
    assert probe["parameters"]["required"] == ["a_number", "a_array"]
    assert probe["parameters"]["properties"]["a_array"]["items"] == {}
    assert bare["parameters"] == {"type": "object", "properties": {}, "required": []}


@pytest.mark.parametrize(
    ("given", "content"),
    [
        ({"content": None}, ""),
        ({}, ""),
        ({"content": " Hi\n"}, " Hi\n"),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "a"},
                ]
            },
            "a",
        ),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
        ({"content": "a", "tool_calls": None}, "a"),
        ({"content": "a", "tool_calls": []}, "a"),
    ],
)
def test_content_is_always_text_and_calls_are_absent(respx_mock: respx.MockRouter, given: Json, content: str) -> None:
    assert read(respx_mock, answer(**given)).to_json() == {"content": content}


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "", None, "eos"])
def test_calls_are_there_whatever_the_finish_reason_says(respx_mock: respx.MockRouter, reason: Json) -> None:
    body = answer(content="Wait", tool_calls=[call(arguments='{"a": {"b": [1]}}'), call("c2")])
    body["choices"][0]["finish_reason"] = reason
    assert read(respx_mock, body).to_json() == {
        "content": "Wait",
        "toolCalls": [
            {"id": "c1", "name": "probe", "args": {"a": {"b": [1]}}},
            {"id": "c2", "name": "probe", "args": {}},
        ],
    }


@pytest.mark.parametrize("kind", [None, "", "absent"])
def test_a_call_without_a_type_is_a_functions(respx_mock: respx.MockRouter, kind: Json) -> None:
    item = call(type=kind)
    if kind == "absent":
        del item["type"]
    assert [made.name for made in read(respx_mock, answer(tool_calls=[item])).tool_calls or ()] == ["probe"]


def test_a_call_of_another_type_is_left_out(respx_mock: respx.MockRouter) -> None:
    custom = {"id": "c9", "type": "custom", "custom": {"name": "x", "input": "y"}}
    assert [made.id for made in read(respx_mock, answer(tool_calls=[custom, call()])).tool_calls or ()] == ["c1"]


@pytest.mark.parametrize("ids", [["", ""], [None, None], ["c1", "c1"], [7, "c1"]])
def test_empty_absent_and_double_ids_become_unique_ones(respx_mock: respx.MockRouter, ids: Json) -> None:
    made = read(respx_mock, answer(tool_calls=[call(call_id) for call_id in ids])).tool_calls or ()
    assert len({item.id for item in made}) == 2
    assert all(item.id for item in made)


@pytest.mark.parametrize(
    ("arguments", "args"),
    [({"a": 1}, {"a": 1}), ("", {}), (None, {}), ('{"a', '{"a'), ("[1]", "[1]"), ("null", "null"), (5, 5)],
)
def test_arguments_are_read_or_stay_recognisable(respx_mock: respx.MockRouter, arguments: Json, args: Json) -> None:
    made = read(respx_mock, answer(tool_calls=[call(arguments=arguments)])).tool_calls or ()
    assert [item.args for item in made] == [args]


def test_what_a_server_wants_back_on_a_call_comes_back_on_it(respx_mock: respx.MockRouter) -> None:
    extra = {"google": {"thought_signature": "s+/="}}
    made = read(respx_mock, answer(tool_calls=[call("", extra_content=extra), call("")])).to_json()["toolCalls"]
    chat([message("assistant", "", toolCalls=made)])
    first, second = json.loads(respx_mock.calls.last.request.content)["messages"][1]["tool_calls"]
    assert first["extra_content"] == extra
    assert "extra_content" not in second


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": f"Upstream error {KEY}", "code": 502}},
        {**answer(content="Hi"), "error": {"message": "late"}},
        {"choices": []},
        {"choices": None},
        {"choices": [{}]},
        {"choices": [{"message": None}]},
        {},
        [],
        "text",
        None,
        answer(tool_calls=[{"id": "c1", "type": "function"}]),
        answer(tool_calls=[call(), {"id": "c2", "type": "function", "function": {"arguments": "{}"}}]),
    ],
)
def test_200_without_an_answer_is_a_provider_error(respx_mock: respx.MockRouter, body: Json) -> None:
    with pytest.raises(ProviderError) as caught:
        read(respx_mock, body)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["<html>Bad gateway</html>", "", "{", "[" * 100_000, '{"choices": [{"message": {"content": "\\ud800"}}]}']
)
def test_200_without_readable_json_is_a_provider_error(respx_mock: respx.MockRouter, text: str) -> None:
    respx_mock.post(URL).respond(text=text)
    with pytest.raises(ProviderError):
        chat([HELLO])


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 408, 422, 429, 500, 503])
def test_any_other_status_is_a_provider_error_after_one_call(respx_mock: respx.MockRouter, status: int) -> None:
    respx_mock.post(URL).respond(status, json={**answer(content="Hi"), "error": {"message": f"bad {KEY}"}})
    with pytest.raises(ProviderError) as caught:
        chat([HELLO])
    assert str(status) in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(respx_mock.calls) == 1


@pytest.mark.parametrize(
    "fault", [httpx.ConnectError(KEY), httpx.ReadTimeout(KEY), httpx.RemoteProtocolError(KEY), httpx.DecodingError(KEY)]
)
def test_a_broken_connection_is_a_provider_error(respx_mock: respx.MockRouter, fault: Exception) -> None:
    respx_mock.post(URL).mock(side_effect=fault)
    with pytest.raises(ProviderError) as caught:
        chat([HELLO])
    assert KEY not in str(caught.value)
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)


@pytest.mark.parametrize(
    "broken", [{"api_key": f"{KEY}\nx"}, {"api_key": f"{KEY}é"}, {"base_url": "http://[canary"}, {"base_url": "canary"}]
)
def test_what_cannot_be_sent_is_a_provider_error_that_shows_nothing(broken: Json) -> None:
    with pytest.raises(ProviderError) as caught:
        chat([HELLO], **broken)
    assert "canary" not in str(caught.value)
