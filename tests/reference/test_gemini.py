"""The Gemini adapter: the bytes it sends, and what it makes of the API's answers."""

import asyncio
import json
from typing import Any

import httpx
import pytest
import respx

from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.gemini import GeminiAdapter
from specassay.reference.providers.interface import ProviderChatParams, ProviderChatResponse, ProviderError, ToolSchema
from specassay.reference.types import ChatMessage

Json = Any
URL = "https://generativelanguage.googleapis.com/v1beta/models/m1:generateContent"
KEY = "key-canary"
TYPES = ["string", "number", "boolean", "object", "array"]
PROBE = {"name": "probe", "description": "A probe.", "parameters": []}
CALL = {"functionCall": {"name": "probe", "args": {"a": 1}}}


def message(role: str, content: str, **fields: Json) -> Json:
    return {"id": "m", "role": role, "content": content, "timestamp": 1, **fields}


HELLO = message("user", "Hello")


def chat(messages: list[Json], tools: list[Json] | None = None, **configuration: Json) -> ProviderChatResponse:
    fields = {"provider": "gemini", "model": "m1", "api_key": KEY, "base_url": "http://trap.test/v1", **configuration}
    params = ProviderChatParams(
        messages=tuple(ChatMessage.model_validate(item) for item in messages),
        system_prompt="You are a video editor",
        tool_schemas=tuple(ToolSchema.model_validate(tool) for tool in tools or []),
    )

    async def ask() -> ProviderChatResponse:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            return await GeminiAdapter(ProviderConfiguration.model_validate(fields), client).chat(params)

    return asyncio.run(ask())


def sent(router: respx.MockRouter) -> Json:
    assert len(router.calls) == 1
    return json.loads(router.calls[0].request.content)


def answer(*parts: Json, reason: Json = "STOP") -> Json:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": reason, "index": 0}]}


def read(router: respx.MockRouter, body: Json) -> ProviderChatResponse:
    router.post(URL).respond(json=body)
    return chat([HELLO])


def test_a_plain_chat_goes_to_google_with_the_key_in_the_header_alone(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer({"text": "Hi"}))
    assert chat([HELLO, message("assistant", "Yes?"), message("user", "Go")]).to_json() == {"content": "Hi"}
    request = respx_mock.calls[0].request
    assert str(request.url) == URL
    assert request.headers["x-goog-api-key"] == KEY
    assert sent(respx_mock) == {
        "systemInstruction": {"parts": [{"text": "You are a video editor"}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Hello"}]},
            {"role": "model", "parts": [{"text": "Yes?"}]},
            {"role": "user", "parts": [{"text": "Go"}]},
        ],
    }


def test_a_models_full_name_is_the_same_model(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer({"text": "Hi"}))
    assert chat([HELLO], model="models/m1").content == "Hi"


def test_system_messages_of_the_history_are_instructions_too(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer({"text": "Hi"}))
    chat([message("system", "Be brief."), HELLO])
    body = sent(respx_mock)
    assert body["systemInstruction"]["parts"] == [{"text": "You are a video editor"}, {"text": "Be brief."}]
    assert body["contents"] == [{"role": "user", "parts": [{"text": "Hello"}]}]


def test_all_results_of_a_turn_stand_in_one_content_under_their_calls_names(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer({"text": "Done"}))
    calls = [
        {"id": "c1", "name": "f", "args": {"a": 1}, "thoughtSignature": "s+/="},
        {"id": "c2", "name": "g", "args": {}},
    ]
    again = [{"id": "c1", "name": "h", "args": {}}]
    chat(
        [
            HELLO,
            message("assistant", "Wait", toolCalls=calls),
            message("tool", "two", toolCallId="c2"),
            message("tool", "one", toolCallId="c1"),
            message("assistant", "", toolCalls=again),
            message("tool", "three", toolCallId="c1"),
        ],
        [PROBE],
    )
    assert sent(respx_mock)["contents"][1:] == [
        {
            "role": "model",
            "parts": [
                {"text": "Wait"},
                {"functionCall": {"id": "c1", "name": "f", "args": {"a": 1}}, "thoughtSignature": "s+/="},
                {"functionCall": {"id": "c2", "name": "g", "args": {}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "c2", "name": "g", "response": {"result": "two"}}},
                {"functionResponse": {"id": "c1", "name": "f", "response": {"result": "one"}}},
            ],
        },
        {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "h", "args": {}}}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": "c1", "name": "h", "response": {"result": "three"}}}],
        },
    ]
    assert [tool["name"] for tool in sent(respx_mock)["tools"][0]["functionDeclarations"]] == ["probe"]


@pytest.mark.parametrize(
    "history",
    [
        [HELLO, message("tool", "x", toolCallId="c1")],
        [message("assistant", "", toolCalls=[{"id": "c1", "name": "f", "args": {}}]), message("tool", "x")],
        [
            message("assistant", "", toolCalls=[{"id": "c1", "name": "f", "args": {}}]),
            HELLO,
            message("tool", "x", toolCallId="c1"),
        ],
    ],
)
def test_a_result_that_answers_no_call_is_a_provider_error_without_a_request(
    respx_mock: respx.MockRouter, history: list[Json]
) -> None:
    with pytest.raises(ProviderError, match="answers no call"):
        chat(history)
    assert not respx_mock.calls


def test_an_empty_message_keeps_a_part(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer({"text": "Hi"}))
    chat([message("assistant", "", toolCalls=[])])
    assert sent(respx_mock)["contents"] == [{"role": "model", "parts": [{"text": ""}]}]


def test_arguments_that_were_no_object_are_wrapped_in_one(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer({"text": "Hi"}))
    chat([message("assistant", "", toolCalls=[{"id": "c", "name": "f", "args": '{"a'}])])
    assert sent(respx_mock)["contents"][0]["parts"][0]["functionCall"]["args"] == {"invalid": '{"a'}


def test_tools_become_function_declarations(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(json=answer({"text": "Hi"}))
    parameters = [{"key": f"a_{kind}", "type": kind, "required": kind in ("number", "array")} for kind in TYPES]
    chat([HELLO], [{**PROBE, "parameters": parameters}, {**PROBE, "name": "bare"}])
    probe, bare = sent(respx_mock)["tools"][0]["functionDeclarations"]
    assert (probe["name"], probe["description"]) == ("probe", "A probe.")
    assert {key: value["type"] for key, value in probe["parameters"]["properties"].items()} == {
        f"a_{kind}": kind for kind in TYPES
    }
    assert probe["parameters"]["required"] == ["a_number", "a_array"]
    assert probe["parameters"]["properties"]["a_array"]["items"] == {"type": "string"}
    assert bare == {"name": "bare", "description": "A probe."}


def test_text_parts_are_joined_and_thoughts_left_out(respx_mock: respx.MockRouter) -> None:
    body = answer({"text": "hm", "thought": True}, {"text": "One "}, {"text": "two", "thought": False})
    assert read(respx_mock, body).to_json() == {"content": "One two"}


def test_text_and_calls_of_one_content_are_both_there(respx_mock: respx.MockRouter) -> None:
    body = answer({"text": "Wait"}, {**CALL, "thoughtSignature": "s+/="}, {"functionCall": {"name": "bare"}})
    made = read(respx_mock, body).to_json()
    first, second = made["toolCalls"]
    assert made["content"] == "Wait"
    assert (first["name"], first["args"], first["thoughtSignature"]) == ("probe", {"a": 1}, "s+/=")
    assert (second["name"], second["args"]) == ("bare", {})
    assert "thoughtSignature" not in second


@pytest.mark.parametrize("text", [None, 5, {}])
def test_a_text_that_is_none_is_no_text(respx_mock: respx.MockRouter, text: Json) -> None:
    made = read(respx_mock, answer({"text": text}, {**CALL, "text": text}))
    assert (made.content, len(made.tool_calls or ())) == ("", 1)


def test_ids_are_made_unique_also_across_answers(respx_mock: respx.MockRouter) -> None:
    answers = [read(respx_mock, answer(CALL, CALL, CALL)) for _ in range(2)]
    ids = [call.id for made in answers for call in made.tool_calls or ()]
    assert len(set(ids)) == 6
    assert all(ids)


def test_an_id_that_gemini_gives_is_kept(respx_mock: respx.MockRouter) -> None:
    body = answer({"functionCall": {"id": "call_7", "name": "probe", "args": {}}})
    assert [call.id for call in read(respx_mock, body).tool_calls or ()] == ["call_7"]


@pytest.mark.parametrize("reason", ["STOP", "MAX_TOKENS", "NEVER_HEARD_OF", None, 1])
def test_calls_are_there_whatever_an_ordinary_finish_reason_says(respx_mock: respx.MockRouter, reason: Json) -> None:
    assert [call.name for call in read(respx_mock, answer(CALL, reason=reason)).tool_calls or ()] == ["probe"]


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"])
@pytest.mark.parametrize("parts", [[], [CALL], [{"text": "Hi"}]])
def test_a_failed_call_is_a_provider_error(respx_mock: respx.MockRouter, reason: str, parts: list[Json]) -> None:
    with pytest.raises(ProviderError):
        read(respx_mock, answer(*parts, reason=reason))


@pytest.mark.parametrize("parts", [[{"text": ""}], [{"text": "hm", "thought": True}, {"text": ""}]])
def test_empty_text_is_an_empty_answer(respx_mock: respx.MockRouter, parts: list[Json]) -> None:
    assert read(respx_mock, answer(*parts)).to_json() == {"content": ""}


@pytest.mark.parametrize(
    "candidate",
    [
        {"content": {}},
        {"content": {"role": "model"}, "finishReason": "MAX_TOKENS"},
        {"content": {"role": "model", "parts": [{"text": "hm", "thought": True}]}, "finishReason": "STOP"},
        {"content": {}, "finishReason": "SAFETY"},
        {"finishReason": "RECITATION"},
        {"content": None, "finishReason": "MODEL_ARMOR"},
        {"content": {"parts": [{"text": "hm", "thought": True}]}, "finishReason": "PROHIBITED_CONTENT"},
    ],
)
def test_a_candidate_without_text_or_call_is_a_provider_error(respx_mock: respx.MockRouter, candidate: Json) -> None:
    with pytest.raises(ProviderError):
        read(respx_mock, {"candidates": [candidate]})


def test_text_that_was_cut_off_is_still_the_answer(respx_mock: respx.MockRouter) -> None:
    assert read(respx_mock, answer({"text": "Half a"}, reason="SAFETY")).content == "Half a"


@pytest.mark.parametrize(
    "body",
    [
        {"promptFeedback": {"blockReason": "SAFETY"}},
        {"candidates": []},
        {"candidates": None},
        {"error": {"code": 500, "message": KEY}},
        [],
        answer({"functionCall": {"args": {}}}),
    ],
)
def test_200_without_an_answer_is_a_provider_error(respx_mock: respx.MockRouter, body: Json) -> None:
    with pytest.raises(ProviderError) as caught:
        read(respx_mock, body)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 499, 500, 503, 504])
def test_any_other_status_is_a_provider_error_after_one_call(respx_mock: respx.MockRouter, status: int) -> None:
    respx_mock.post(URL).respond(status, json={"error": {"code": status, "message": f"bad {KEY}"}})
    with pytest.raises(ProviderError) as caught:
        chat([HELLO])
    assert KEY not in str(caught.value)
    assert len(respx_mock.calls) == 1
