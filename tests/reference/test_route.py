"""The chat route, as an ASGI application in front of a fake provider."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from specassay.reference import orchestrator
from specassay.reference.prompt import build_system_prompt
from specassay.reference.registry import ToolRegistry, default_registry
from specassay.reference.route import CHAT_PATH, ChatRoute
from specassay.reference.stores import AgentStore, ChatStore
from specassay.reference.types import EMPTY_CONTEXT, AgentContext, ChatMessage, ToolDefinition, ToolParameter

Json = Any
OPENAI = {
    "LLM_PROVIDER": "openai-compatible",
    "LLM_MODEL": "model-canary",
    "LLM_API_KEY": "key-canary",
    "LLM_BASE_URL": "http://provider.test/base-canary/v1",
}
GEMINI = {**OPENAI, "LLM_PROVIDER": "gemini"}
CONTEXT = {
    "projectId": "p1",
    "activeSceneId": None,
    "mediaAssets": [{"id": "a1", "name": "Ü😀.mp4", "type": "video", "duration": 1.5}],
    "playbackTimeMs": 7,
}
HELLO = {"id": "", "role": "user", "content": "Hello", "timestamp": 1}
CALLS = [{"id": "c1", "name": "transcribe_video", "args": {"assetId": "a1"}, "thoughtSignature": "s+/="}]
ANSWER = {
    "choices": [
        {
            "message": {
                "content": None,
                "tool_calls": [{"id": "c1", "function": {"name": "probe", "arguments": '{"a": [{"b": 1}]}'}}],
            }
        }
    ]
}


class Server:
    """The route, in front of a provider that gives `answers` in turn, the last one again and again."""

    def __init__(self, environment: dict[str, str], *answers: Json | Exception) -> None:
        self.environment = environment
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []
        self.registry = default_registry()

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    def transport(self) -> httpx.ASGITransport:
        provider = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        return httpx.ASGITransport(ChatRoute(self.registry, provider, self.environment))

    def request(self, method: str = "POST", path: str = CHAT_PATH, **content: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            async with httpx.AsyncClient(transport=self.transport(), base_url="http://route.test") as client:
                return await client.request(method, path, **content)

        return asyncio.run(send())

    def post(self, *messages: Json, **fields: Json) -> httpx.Response:
        return self.request(json={"messages": list(messages) or [HELLO], **fields})

    def sent(self, number: int = 1) -> Json:
        return json.loads(self.asked[number - 1].content)


def shown(response: httpx.Response) -> str:
    return response.text + repr(response.headers.raw)


def test_the_answer_holds_content_and_calls_only() -> None:
    response = Server(OPENAI, ANSWER).post(context=CONTEXT)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json() == {"content": "", "toolCalls": [{"id": "c1", "name": "probe", "args": {"a": [{"b": 1}]}}]}


def test_an_answer_without_calls_has_no_calls() -> None:
    server = Server(OPENAI, {"choices": [{"message": {"content": "Ü😀"}}]})
    assert server.post().json() == {"content": "Ü😀"}


@pytest.mark.parametrize("fields", [{}, {"context": None}])
def test_without_a_context_it_is_the_empty_one(fields: Json) -> None:
    server = Server(OPENAI, ANSWER)
    assert server.post(**fields).status_code == 200
    assert server.sent()["messages"][0]["content"] == build_system_prompt(EMPTY_CONTEXT)


def test_the_system_prompt_is_built_from_the_context() -> None:
    server = Server(OPENAI, ANSWER)
    server.post(context=CONTEXT)
    prompt = server.sent()["messages"][0]["content"]
    assert prompt == build_system_prompt(AgentContext.model_validate(CONTEXT))
    assert "Ü😀.mp4" in prompt


def test_the_tools_offered_are_the_registrys_at_each_request() -> None:
    server = Server(OPENAI, ANSWER)
    server.post()
    parameter = ToolParameter(key="q", type="number", required=True)
    server.registry.register(
        ToolDefinition(
            name="probe", description="A probe.", parameters=(parameter,), execute=lambda args, context: None
        )
    )
    server.post()
    offered = [[tool["function"]["name"] for tool in server.sent(number)["tools"]] for number in (1, 2)]
    assert offered == [["transcribe_video"], ["transcribe_video", "probe"]]
    assert server.sent(2)["tools"][1]["function"]["parameters"]["properties"] == {"q": {"type": "number"}}


def test_the_adapter_is_resolved_for_each_request() -> None:
    server = Server(dict(OPENAI), ANSWER, {"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]})
    server.post()
    server.environment["LLM_PROVIDER"] = "gemini"
    assert server.post().json() == {"content": "Hi"}
    assert [str(request.url) for request in server.asked] == [
        "http://provider.test/base-canary/v1/chat/completions",
        "https://generativelanguage.googleapis.com/v1beta/models/model-canary:generateContent",
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"{}",
        b'{"messages": null}',
        b'{"messages": "hi"}',
        b'{"messages": {}}',
        b'{"messages": [1]}',
        b'{"messages": [{"id": "", "role": "user", "content": 5, "timestamp": 1}]}',
        b'{"messages": [{"id": "", "role": "user", "timestamp": 1}]}',
        b'{"messages": [{"id": "", "role": "user", "content": "\\ud800", "timestamp": 1}]}',
        b'{"messages": [], "context": "x"}',
        b'{"messages": [], "context": {}}',
        b"[" * 100_000,
    ],
)
def test_an_invalid_body_is_400_with_an_error_text_and_nothing_is_sent(body: bytes) -> None:
    server = Server(OPENAI, ANSWER)
    response = server.request(content=body)
    assert response.status_code == 400
    assert response.json()["error"].startswith("Invalid request")
    assert not server.asked
    assert server.post().status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [("projectId", 5), ("activeSceneId", {}), ("mediaAssets", "x"), ("mediaAssets", [1]), ("playbackTimeMs", "7")],
)
def test_a_context_with_a_field_of_a_wrong_type_is_400_and_names_it(field: str, value: Json) -> None:
    response = Server(OPENAI, ANSWER).post(context={**CONTEXT, field: value})
    assert response.status_code == 400
    assert f"context.{field}" in response.json()["error"]


@pytest.mark.parametrize("path", ["/", "/api/agent/chatx", "/api/agent/chat/", "/api/agent"])
def test_any_other_path_is_404(path: str) -> None:
    response = Server(OPENAI, ANSWER).request(path=path, json={"messages": [HELLO]})
    assert (response.status_code, response.json()) == (404, {"error": "Not found"})


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS"])
def test_any_other_method_is_405(method: str) -> None:
    response = Server(OPENAI, ANSWER).request(method)
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert response.json() == {"error": "Method not allowed"}


@pytest.mark.parametrize("name", ["LLM_PROVIDER", "LLM_MODEL", "LLM_API_KEY"])
@pytest.mark.parametrize("value", [None, ""])
def test_missing_configuration_is_502_names_the_variable_and_sends_nothing(name: str, value: str | None) -> None:
    server = Server({key: text for key, text in OPENAI.items() if key != name}, ANSWER)
    if value is not None:
        server.environment[name] = value
    response = server.post()
    assert (response.status_code, response.json()) == (502, {"error": f"Missing configuration: set {name}."})
    assert "canary" not in shown(response)
    assert not server.asked
    server.environment = OPENAI
    assert server.post().status_code == 200


def test_an_unknown_provider_is_502_shows_no_value_and_sends_nothing() -> None:
    server = Server({**OPENAI, "LLM_PROVIDER": "provider-canary"}, ANSWER)
    response = server.post()
    assert response.status_code == 502
    assert "LLM_PROVIDER" in response.json()["error"]
    assert "canary" not in shown(response)
    assert not server.asked


@pytest.mark.parametrize("environment", [OPENAI, GEMINI])
@pytest.mark.parametrize(
    "failure",
    [
        lambda: httpx.Response(
            401, json={"error": {"message": "Incorrect API key: key-canary"}}, headers={"x-id": "canary"}
        ),
        lambda: httpx.Response(429, json={}),
        lambda: httpx.Response(200, html="<html>canary</html>"),
        lambda: httpx.Response(200, json={"error": {"message": "canary"}}),
        lambda: httpx.ConnectError("canary"),
        lambda: RuntimeError("key-canary in a bug of an adapter"),
    ],
)
def test_a_provider_error_is_502_and_nothing_of_it_is_shown_or_logged(
    environment: dict[str, str], failure: Callable[[], Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="specassay")
    server = Server(environment, failure())
    response = server.post(context=CONTEXT)
    assert (response.status_code, response.json()) == (502, {"error": "LLM provider error"})
    assert len(server.asked) == 1
    logged = [record for record in caplog.records if record.name.startswith("specassay")]
    assert len(logged) == 1
    assert logged[0].exc_info is None
    assert "canary" not in shown(response) + logged[0].getMessage()


def test_arguments_too_deep_to_read_stay_text_for_the_client_to_refuse() -> None:
    arguments = '{"a": ' * 400 + "1" + "}" * 400
    answer = {"choices": [{"message": {"tool_calls": [{"function": {"name": "probe", "arguments": arguments}}]}}]}
    (call,) = Server(OPENAI, answer).post().json()["toolCalls"]
    assert call["args"] == arguments


@pytest.mark.parametrize("environment", [OPENAI, GEMINI])
def test_no_reply_shows_configuration(environment: dict[str, str]) -> None:
    server = Server(environment, ANSWER)
    replies = [server.post(), server.request(content=b"{"), server.request(path="/x"), server.request("GET")]
    assert "canary" not in "".join(map(shown, replies))


def test_a_history_with_calls_and_results_reaches_the_provider() -> None:
    server = Server(GEMINI, {"candidates": [{"content": {"parts": [{"text": "Done"}]}}]})
    asked = {"id": "", "role": "assistant", "content": "", "toolCalls": CALLS, "timestamp": 2}
    result = {"id": "", "role": "tool", "content": "words", "toolCallId": "c1", "timestamp": 3}
    assert server.post(HELLO, asked, result).json() == {"content": "Done"}
    call, response = (content["parts"][0] for content in server.sent()["contents"][1:])
    assert call["thoughtSignature"] == "s+/="
    assert response["functionResponse"]["name"] == "transcribe_video"


def test_anything_but_http_is_refused() -> None:
    route = ChatRoute(ToolRegistry(), httpx.AsyncClient(trust_env=False, verify=False), OPENAI)

    async def unused(*_: Any) -> Any:
        raise AssertionError("nothing is received or sent")

    with pytest.raises(ValueError, match="websocket"):
        asyncio.run(route({"type": "websocket"}, unused, unused))


def test_client_and_server_agree_on_the_path() -> None:
    assert CHAT_PATH == orchestrator.CHAT_PATH


def test_a_signature_survives_the_whole_loop_from_answer_to_next_request() -> None:
    part = {"functionCall": {"name": "transcribe_video", "args": {}}, "thoughtSignature": "s+/="}
    call, text = ({"candidates": [{"content": {"parts": [item]}}]} for item in (part, {"text": "Sorry."}))
    server = Server(GEMINI, call, text)
    chat = ChatStore({})

    async def run() -> None:
        async with httpx.AsyncClient(transport=server.transport()) as client:
            shell = orchestrator.Orchestrator(chat, AgentStore(), server.registry, "http://route.test", client)
            await shell.run([ChatMessage.model_validate(HELLO)], AgentContext.model_validate(CONTEXT))

    asyncio.run(run())
    asked, answered = server.sent(2)["contents"][1:]
    assert asked["parts"][0]["thoughtSignature"] == "s+/="
    assert answered["parts"][0]["functionResponse"]["id"] == asked["parts"][0]["functionCall"]["id"]
    assert chat.state.messages[-1].content == "Sorry."
    assert chat.state.messages[0].to_json()["toolCalls"][0]["thoughtSignature"] == "s+/="
