"""The adapters on every exchange that comes with the product: read as it shows, or refused as a provider error."""

import asyncio
from typing import Any

import httpx
import pytest
import respx

from specassay.provider.library import shipped, shipped_names
from specassay.provider.server import Fault
from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.factory import create_adapter
from specassay.reference.providers.interface import ProviderChatParams, ProviderChatResponse, ProviderError
from specassay.reference.types import ChatMessage

Json = Any
KEY = "key-canary"
PROVIDERS = {"openai": "openai-compatible", "gemini": "gemini"}
FAULTS = {
    Fault.RESET: httpx.ReadError("reset"),
    Fault.CUT_SHORT: httpx.RemoteProtocolError("cut short"),
    Fault.HANG: httpx.ReadTimeout("hang"),
}


def answer(content: str, *calls: Json) -> Json:
    return {"content": content, **({"toolCalls": list(calls)} if calls else {})}


def call(call_id: str | None, name: str, args: Json, **extra: Json) -> Json:
    """Give the call that is expected; an id of None is one that the adapter makes."""
    return {"id": call_id, "name": name, "args": args, **extra}


def oslo(call_id: str | None, **extra: Json) -> Json:
    return call(call_id, "get_weather", {"city": "Oslo"}, **extra)


def rome(call_id: str | None) -> Json:
    return call(call_id, "get_weather", {"city": "Rome"})


HELLO = answer("Hello!")

# What is read; every other exchange is a provider error.
READ: dict[str, Json] = {
    "openai/arguments-blank": answer("", call("call_1", "get_weather", {})),
    "openai/arguments-cut-off": answer("", call("call_1", "get_weather", '{"city": "Os')),
    "openai/arguments-empty-text": answer("", call("call_1", "get_weather", {})),
    "openai/arguments-json-list": answer("", call("call_1", "get_weather", '["Oslo"]')),
    "openai/arguments-json-null": answer("", call("call_1", "get_weather", "null")),
    "openai/arguments-json-number": answer("", call("call_1", "get_weather", "42")),
    "openai/arguments-json-text": answer("", call("call_1", "get_weather", r'"{\"city\": \"Oslo\"}"')),
    "openai/arguments-missing": answer("", call("call_1", "get_weather", {})),
    "openai/arguments-no-json": answer("", call("call_1", "get_weather", "city=Oslo")),
    "openai/arguments-null": answer("", call("call_1", "get_weather", {})),
    "openai/arguments-object": answer("", oslo("call_1")),
    "openai/call-in-ollama-native-shape": answer("", oslo(None)),
    "openai/citations": HELLO,
    "openai/content-empty-beside-calls": answer("", oslo("call_a1b2c3d4")),
    "openai/content-list": HELLO,
    "openai/content-missing-beside-calls": answer("", oslo("ax9fskhev")),
    "openai/content-null-without-calls": answer(""),
    "openai/finish-absent": HELLO,
    "openai/finish-content-filter": answer(""),
    "openai/finish-empty-with-call": answer("", oslo("call_1")),
    "openai/finish-eos": answer(" Hello!"),
    "openai/finish-length-empty": answer(""),
    "openai/finish-length-text": answer("Hello, I am an as"),
    "openai/finish-length-with-call": answer("", call("call_1", "get_weather", '{"city": "O')),
    "openai/finish-null-with-call": answer("", oslo("call_1")),
    "openai/finish-stop-with-call": answer("", oslo("call_1")),
    "openai/function-name-empty": answer("", call("call_1", "", {"city": "Oslo"})),
    "openai/function-name-unknown": answer("", call("call_1", "generic_command", {})),
    "openai/further-keys": HELLO,
    "openai/id-digits": answer("", oslo("365174485")),
    "openai/id-duplicate": answer("", oslo("functions.get_weather:1"), rome(None)),
    "openai/id-empty": answer("", oslo(None, extra_content={"google": {"thought_signature": "c2lnbmF0dXJl"}})),
    "openai/id-missing": answer("", oslo(None)),
    "openai/id-nine-characters": answer("", oslo("D681PevKs")),
    "openai/id-null": answer("", oslo(None)),
    "openai/id-with-other-prefix": answer("", oslo("toolu_bdrk_01AbCdEfGhIjKlMnOpQrStUvWxYz0123")),
    "openai/keys-null": answer("", oslo("chatcmpl-tool-0123456789abcdef")),
    "openai/legacy-function-call": answer(""),
    "openai/one-call": answer("", oslo("call_1")),
    "openai/parallel-calls-same-tool": answer("", oslo("call_1"), rome("call_2")),
    "openai/parallel-calls": answer("", oslo("call_1"), call("call_2", "get_time", {"zone": "Europe/Oslo"})),
    "openai/prompt-filter-results": HELLO,
    "openai/reasoning-beside-calls": answer("", oslo("call_0123456789abcdef01234567")),
    "openai/reasoning-details": HELLO,
    "openai/refusal": answer("I can't help with that."),
    "openai/text-beside-calls": answer("Let me look.", oslo("call_1")),
    "openai/text-beside-parallel-calls": answer("I look up both.", oslo("call_00_a1B2"), rome("call_01_c3D4")),
    "openai/text": HELLO,
    "openai/three-parallel-calls": answer(
        "", oslo("call_1"), rome("call_2"), call("call_3", "get_time", {"zone": "UTC"})
    ),
    "openai/time-info": answer("", oslo("a1b2c3d4e")),
    "openai/tool-calls-empty": HELLO,
    "openai/tool-calls-null": HELLO,
    "openai/type-custom-beside-function": answer("", oslo("call_2")),
    "openai/type-custom": answer(""),
    "openai/type-missing": answer("", oslo("FI5qQGzDE")),
    "openai/type-null": answer("", oslo("call_1")),
    "openai/unicode": answer("Grüße, 世界 🌍", call("call_1", "get_weather", {"city": "Ålesund\n東京"})),
    "openai/usage-missing": HELLO,
    "gemini/args-empty": answer("", call(None, "get_time", {})),
    "gemini/args-missing": answer("", call(None, "get_time", {})),
    "gemini/call-with-signature": answer("", oslo(None, thoughtSignature="c2lnbmF0dXJlLTE=")),
    "gemini/empty-text": answer(""),
    "gemini/finish-integer": HELLO,
    "gemini/finish-max-tokens-text": answer("Hello, I am an as"),
    "gemini/finish-safety-with-text": answer("No"),
    "gemini/finish-unknown": HELLO,
    "gemini/function-name-unknown": answer("", call(None, "default_api", {})),
    "gemini/one-call-with-id": answer("", oslo("call_a1b2c3", thoughtSignature="c2lnbmF0dXJlLTE=")),
    "gemini/one-call": answer("", oslo(None)),
    "gemini/parallel-calls-one-signature": answer(
        "", oslo(None, thoughtSignature="c2lnbmF0dXJlLTE="), rome(None), call(None, "get_time", {"zone": "UTC"})
    ),
    "gemini/parallel-calls-same-tool": answer("", oslo(None), rome(None)),
    "gemini/parallel-calls": answer("", oslo(None), call(None, "get_time", {"zone": "Europe/Oslo"})),
    "gemini/role-missing": HELLO,
    "gemini/signature-on-text": HELLO,
    "gemini/text-beside-calls": answer("Let me look.", oslo(None)),
    "gemini/text": HELLO,
    "gemini/thought-part-beside-call": answer("", oslo(None, thoughtSignature="c2lnbmF0dXJlLTE=")),
    "gemini/thought-part": HELLO,
    "gemini/two-text-parts": HELLO,
    "gemini/unicode": answer("Grüße, 世界 🌍", call(None, "get_weather", {"city": "Ålesund\n東京"})),
    "gemini/unknown-part": HELLO,
    "gemini/usage-missing": HELLO,
}


def replay(name: str, router: respx.MockRouter) -> ProviderChatResponse:
    exchange = shipped(name)
    given = exchange.response.answer()
    route = router.route(method="POST", path__regex=r"(/chat/completions|:generateContent)$")
    if given.fault:
        route.mock(side_effect=FAULTS[Fault(given.fault)])
    else:
        route.respond(given.status, headers=list(given.headers), content=given.body)

    async def ask() -> ProviderChatResponse:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            fields = {"provider": PROVIDERS[exchange.provider], "model": "model-1", "api_key": KEY}
            adapter = create_adapter(ProviderConfiguration.model_validate(fields), client)
            return await adapter.chat(
                ProviderChatParams(messages=(ChatMessage.new(role="user", content="Hello"),), system_prompt="")
            )

    return asyncio.run(ask())


def with_made_ids_left_out(response: Json, expected: Json) -> Json:
    for given, wanted in zip(response.get("toolCalls", []), expected.get("toolCalls", []), strict=True):
        assert given["id"]
        if wanted["id"] is None:
            given["id"] = None
    return response


def test_every_exchange_that_is_to_be_read_exists() -> None:
    assert READ.keys() <= set(shipped_names())


@pytest.mark.parametrize("name", READ)
def test_an_answer_is_read_as_it_shows(name: str, respx_mock: respx.MockRouter) -> None:
    response = replay(name, respx_mock)
    ids = [call.id for call in response.tool_calls or ()]
    assert len(set(ids)) == len(ids)
    assert with_made_ids_left_out(response.to_json(), READ[name]) == READ[name]


@pytest.mark.parametrize("name", [name for name in shipped_names() if name not in READ])
def test_every_other_exchange_is_a_provider_error_after_one_call(name: str, respx_mock: respx.MockRouter) -> None:
    with pytest.raises(ProviderError) as caught:
        replay(name, respx_mock)
    assert len(respx_mock.calls) == 1
    assert KEY not in str(caught.value)
