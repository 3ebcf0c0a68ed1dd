"""The agents: which requests they make of one model, and what they make of its answers."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx
import pytest
import respx

from specassay.reference.agents import ChatAgent, ChatClient, EventAgent, Runtime
from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.interface import ProviderError
from specassay.reference.transcript import FunctionChoice, TranscriptError, TranscriptMessage, TranscriptTool

URL = "http://provider.test/v1/chat/completions"
HELLO = [TranscriptMessage(role="user", content="Hello")]
OPEN = [
    TranscriptMessage.model_validate(
        {
            "role": "assistant",
            "content": "",
            "toolCalls": [{"id": "c1", "name": "a", "arguments": {}, "rawArguments": "{}"}],
        }
    )
]
A, B = (TranscriptTool(name=name, description="A tool.", parameters={"type": "object"}) for name in "ab")

T = TypeVar("T")


def asked(work: Callable[[ChatClient], Awaitable[T]]) -> T:
    configuration = ProviderConfiguration.model_validate(
        {"provider": "openai-compatible", "model": "m1", "api_key": "key-1", "base_url": "http://provider.test/v1/"}
    )

    async def ask() -> T:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            return await work(ChatClient(configuration, client))

    return asyncio.run(ask())


def says(router: respx.MockRouter, **message: Any) -> None:
    router.post(URL).respond(json={"choices": [{"index": 0, "message": {"role": "assistant", **message}}]})


def calls(name: str, arguments: Any, **fields: Any) -> dict[str, Any]:
    call = {"id": "c9", "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"content": None, "tool_calls": [call | fields]}


def body(router: respx.MockRouter) -> Any:
    assert len(router.calls) == 1
    return json.loads(router.calls[0].request.content)


def test_a_legal_transcript_is_sent_once_with_model_and_key(respx_mock: respx.MockRouter) -> None:
    says(respx_mock, content="Hi")
    answer = asked(lambda client: client.send(HELLO))
    assert answer.content == "Hi"
    assert answer.tool_calls == ()
    assert body(respx_mock) == {"model": "m1", "messages": [{"role": "user", "content": "Hello"}]}
    assert respx_mock.calls[0].request.headers["authorization"] == "Bearer key-1"


@pytest.mark.parametrize(
    ("messages", "tools", "choice"),
    [(OPEN, [], None), (HELLO, [A], FunctionChoice(name="b")), (HELLO, [], "required")],
    ids=["an open call", "an unknown choice", "no tool to force"],
)
def test_what_must_not_be_sent_is_not_sent(
    respx_mock: respx.MockRouter, messages: list[TranscriptMessage], tools: list[TranscriptTool], choice: Any
) -> None:
    with pytest.raises(TranscriptError):
        asked(lambda client: client.send(messages, tools, choice))
    assert not respx_mock.calls


def test_the_chat_agent_forces_nothing_by_itself(respx_mock: respx.MockRouter) -> None:
    says(respx_mock, content="Hi")
    asked(lambda client: ChatAgent(client).respond(HELLO, [A]))
    assert [tool["function"]["name"] for tool in body(respx_mock)["tools"]] == ["a"]
    assert "tool_choice" not in body(respx_mock)


def test_the_event_agent_forces_the_selected_tool_and_gives_its_arguments(respx_mock: respx.MockRouter) -> None:
    says(respx_mock, **calls("b", '{"q": 1 }'))
    call = asked(lambda client: EventAgent(client).generate_arguments(HELLO, [A, B], "b"))
    assert (call.id, call.name, call.arguments, call.raw_arguments) == ("c9", "b", {"q": 1}, '{"q": 1 }')
    assert body(respx_mock)["tool_choice"] == {"type": "function", "function": {"name": "b"}}


@pytest.mark.parametrize(
    "message",
    [{"content": "No."}, calls("a", "{}"), calls("b", "[1]"), calls("b", "{"), calls("b", "{}", id=None)],
    ids=["text", "another tool", "a list", "no JSON", "no id"],
)
def test_an_answer_without_the_call_is_the_providers_error(
    respx_mock: respx.MockRouter, message: dict[str, Any]
) -> None:
    says(respx_mock, **message)
    with pytest.raises(ProviderError):
        asked(lambda client: EventAgent(client).generate_arguments(HELLO, [A, B], "b"))


def test_the_runtime_offers_the_chat_agent_no_tools(respx_mock: respx.MockRouter) -> None:
    says(respx_mock, content="Hi")
    assert asked(lambda client: Runtime(ChatAgent(client)).respond("Hello", [A, B])) == "Hi"
    assert body(respx_mock).keys() == {"model", "messages"}


def test_an_error_of_the_provider_is_one(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).respond(400, json={"error": {"message": "no"}})
    with pytest.raises(ProviderError, match="answered 400"):
        asked(lambda client: client.send(HELLO))


@pytest.mark.parametrize("answer", [{}, {"choices": []}, {"choices": None}, {"choices": [{"message": None}]}])
def test_an_answer_without_a_message_is_the_providers_error(respx_mock: respx.MockRouter, answer: Any) -> None:
    respx_mock.post(URL).respond(json=answer)
    with pytest.raises(ProviderError, match="no message"):
        asked(lambda client: client.send(HELLO))
