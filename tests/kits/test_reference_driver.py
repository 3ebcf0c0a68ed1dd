"""The driver of the reference, spoken with in process: its surfaces of the server, the context and the sources."""

import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import pytest

from specassay.drivers.protocol import SURFACES
from specassay.drivers.reference import driver
from specassay.provider.journal import Answer, Request, json_answer
from specassay.provider.server import Server
from specassay.reference import context_mapper
from specassay.source import Tree
from tests.kits.test_python_kit import Harness, conversation

Json = Any
MESSAGE = {"id": "m1", "role": "user", "content": "Hello", "timestamp": 1764500000000}
ENVIRONMENTS = {
    "openai-compatible": {"LLM_PROVIDER": "openai-compatible", "LLM_MODEL": "model-1", "LLM_API_KEY": "key-1"},
    "gemini": {"LLM_PROVIDER": "gemini", "LLM_MODEL": "model-1", "LLM_API_KEY": "key-1"},
}
ANSWERS = {
    "openai-compatible": {"choices": [{"message": {"role": "assistant", "content": "Hi"}}]},
    "gemini": {"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]},
}
URLS = {
    "openai-compatible": "https://api.openai.com/v1/chat/completions",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/models/model-1:generateContent",
}
ASSET = {"id": "a1", "name": "Ü😀.mp4", "type": "video", "duration": 12.5}
EDITOR: Json = {"project": {"id": "p1"}, "activeScene": {"id": "s1"}, "assets": [ASSET], "currentTimeMs": 12345}
CONTEXT: Json = {"projectId": "p1", "activeSceneId": "s1", "mediaAssets": [ASSET], "playbackTimeMs": 12345}
every_family = pytest.mark.parametrize("family", ENVIRONMENTS)


class Scenario:
    """A scenario that has begun, with the requests that came to its provider and its egress."""

    def __init__(self, harness: Harness, origin: str, requests: list[Request]) -> None:
        self.call, self.result, self.origin, self.requests = harness.call, harness.result, origin, requests

    async def post(self, environment: Json, **more: Json) -> httpx.Response:
        """Start the route, post one message, and stop it."""
        origin = (await self.result("chat-route.start", environment=environment, **more))["origin"]
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            answer = await client.post(f"{origin}/api/agent/chat", json={"messages": [MESSAGE]})
        await self.result("chat-route.stop")
        return answer


@asynccontextmanager
async def begun(family: str = "gemini") -> AsyncIterator[Scenario]:
    requests: list[Request] = []

    async def handle(request: Request) -> Answer:
        requests.append(request)
        return json_answer(ANSWERS[family])

    server, harness = await Server(handle).start(), Harness(driver())
    endpoints = {"provider": f"{server.origin}/v1", "chatOrigin": server.origin, "egress": f"{server.origin}/egress"}
    await harness.result("scenario.begin", id="x", endpoints=endpoints, environment={}, seed=1)
    yield Scenario(harness, server.origin, requests)
    await harness.result("scenario.end")
    await server.close()


@conversation
async def test_every_surface_of_the_protocol_is_declared() -> None:
    declared = (await Harness(driver()).result("initialize"))["surfaces"]

    assert declared == [surface for surface in SURFACES if surface in declared]
    assert {"chat-route", "provider-adapter", "context-bridge", "source-layout"} <= set(declared)


@every_family
@conversation
async def test_the_route_answers_with_the_environment_of_its_start_and_calls_the_egress_for_a_public_host(
    family: str,
) -> None:
    async with begun(family) as scenario:
        answer = await scenario.post(ENVIRONMENTS[family])

        assert (answer.status_code, answer.json()) == (200, {"content": "Hi"})
        (request,) = scenario.requests
        assert (request.path, request.header("x-specassay-url")) == ("/egress", URLS[family])


@conversation
async def test_a_base_url_on_loopback_is_called_itself() -> None:
    async with begun("openai-compatible") as scenario:
        base = {"LLM_BASE_URL": f"{scenario.origin}/custom/v1"}
        await scenario.post(ENVIRONMENTS["openai-compatible"] | base)

        (request,) = scenario.requests
        assert (request.path, request.header("x-specassay-url")) == ("/custom/v1/chat/completions", None)


@conversation
async def test_a_tool_of_the_start_is_offered_beside_what_the_product_ships() -> None:
    async with begun("openai-compatible") as scenario:
        tool = {"name": "probe", "description": "A probe.", "parameters": []}
        await scenario.post(ENVIRONMENTS["openai-compatible"], tools=[tool])

        offered = [tool["function"]["name"] for tool in scenario.requests[0].json["tools"]]
        assert offered == ["transcribe_video", "probe"]
        assert (await scenario.result("tool-registry.has", name="probe"))["result"] is True


@conversation
async def test_nothing_of_the_harness_s_own_process_is_changed() -> None:
    original = httpx.AsyncHTTPTransport.handle_async_request
    variables = {"OPENAI_API_KEY": "kept", "LLM_MODEL": "kept", "HTTPS_PROXY": "http://127.0.0.1:9"}
    with mock.patch.dict(os.environ, variables):
        before = dict(os.environ)
        async with begun("gemini") as scenario:
            await scenario.post(ENVIRONMENTS["gemini"])
            assert dict(os.environ) == before
    assert httpx.AsyncHTTPTransport.handle_async_request is original


@every_family
@conversation
async def test_the_adapter_is_called_without_the_route(family: str) -> None:
    config = {"provider": family, "model": "model-1", "apiKey": "key-1"}
    async with begun(family) as scenario:
        response = await scenario.result("provider-adapter.chat", config=config, messages=[MESSAGE], systemPrompt="S")

        assert response["content"] == "Hi"
        assert response.get("toolCalls") is None
        assert len(scenario.requests) == 1
        assert await scenario.result("provider-adapter.describe", config=config) == {"methods": ["chat"]}


@conversation
async def test_an_unknown_provider_is_the_factory_s_own_error() -> None:
    async with begun() as scenario:
        config = {"provider": "unknown-provider", "model": "m", "apiKey": "k"}
        answer = await scenario.call("provider-adapter.create", config=config)

    assert answer["error"]["data"]["message"] == "Unknown LLM provider: unknown-provider"


@conversation
async def test_the_context_is_the_editor_s_present_state_as_plain_data() -> None:
    async with begun() as scenario:
        first = await scenario.result("context-bridge.getContext", editorState=EDITOR)
        closed: Json = {"project": None, "activeScene": None, "assets": [], "currentTimeMs": 0}
        second = await scenario.result("context-bridge.getContext", editorState=closed)

        assert (first["context"], first["notPlain"]) == (CONTEXT, [])
        assert second["context"] == {
            "projectId": None,
            "activeSceneId": None,
            "mediaAssets": [],
            "playbackTimeMs": 0,
        }
        assert await scenario.result("context-bridge.describe") == {"methods": ["getContext"]}
        assert await scenario.result("context-bridge.buildContextFromEditorState", editorState=EDITOR) == {
            "context": CONTEXT,
            "inputUnchanged": True,
        }


@conversation
async def test_what_leaks_of_the_editor_is_pointed_to() -> None:
    honest = context_mapper.summarise

    def leak(asset: Any) -> Any:
        return honest(asset).model_copy(update={"handle": asset.handle, "asset": asset, "editor": asset.editor.media})

    with mock.patch.object(context_mapper, "summarise", leak):
        async with begun() as scenario:
            result = await scenario.result("context-bridge.getContext", editorState=EDITOR)

    assert {pointer.rpartition("/")[2] for pointer in result["notPlain"]} >= {"handle", "asset", "editor"}


@conversation
async def test_the_prompt_is_made_of_the_context_alone() -> None:
    async with begun() as scenario:
        prompt = (await scenario.result("context-bridge.buildSystemPrompt", context=CONTEXT))["prompt"]

    assert "Ü😀.mp4" in prompt


@conversation
async def test_the_sources_are_where_the_layout_says_and_only_the_adapter_imports_the_core() -> None:
    async with begun() as scenario:
        layout = await scenario.result("source-layout.getSources")
    tree = Tree(Path(layout["root"]), layout["language"], layout["aliases"], layout["testPatterns"])
    agent = [file for file in tree.files(layout["agentDirectory"]) if not file.startswith(layout["coreDirectory"])]

    importing = {
        file
        for file in agent
        for one in tree.read(file).imports
        for target in tree.origins(file, one)
        if target.startswith(layout["coreDirectory"])
    }
    entries = {*layout["serverEntries"], *layout["clientEntries"]}
    assert set(layout["modules"].values()) | entries <= set(agent)
    assert importing == {layout["modules"]["contextAdapter"]}


@conversation
async def test_the_declared_type_check_ends_with_success() -> None:
    async with begun() as scenario:
        layout = await scenario.result("source-layout.getSources")
    check = layout["typecheck"]

    subprocess.run(check["command"], cwd=Path(layout["root"], check["directory"]), check=True, timeout=120)  # noqa: ASYNC221
