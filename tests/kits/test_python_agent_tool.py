"""The Python kit's surfaces of the managed agent tool, spoken with in process; Node runs the plugins."""

import asyncio
import contextlib
import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from specassay.drivers.kits.python import specassay_kit as kit
from tests.kits.test_python_kit import Harness, begun, conversation

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here, which runs the plugins")

Json = Any
PLUGIN = """
const atStart = process.env.CHILD;
export default async () => ({ tool: {
  echo: {
    description: "Says what it is given.",
    args: { type: "object", properties: { action: { type: "string" } } },
    async execute(input, context) {
      context.metadata({ title: "Echo", metadata: { step: 1 } });
      if (input.action === "wait") await new Promise((_, reject) => context.abort.addEventListener("abort",
        () => reject(new DOMException("stopped", "AbortError"))));
      if (input.action === "fail") throw new TypeError("broken");
      if (input.action === "print") console.log("no protocol");
      return JSON.stringify([input, context.directory, atStart, process.env.CHILD]);
    },
  },
  shape: { description: "Has a raw shape.", args: { n: { type: "number" } }, execute: async () => ({
    title: "Shape", output: "done", metadata: { own: true } }) },
} });
"""


def child(folder: Path, name: str) -> dict[str, str]:
    (folder / "plugin.mjs").write_text(PLUGIN, "utf-8")
    plugins = ["some-package", ["another", {}], (folder / "plugin.mjs").as_uri()]
    return {"CHILD": name, "OPENCODE_CONFIG_CONTENT": json.dumps({"plugin": plugins})}


@contextlib.asynccontextmanager
async def host() -> AsyncIterator[kit.PluginHost]:
    made = kit.PluginHost()
    try:
        yield made
    finally:
        await made.close()


@conversation
async def test_the_tools_of_every_plugin_file_are_described(tmp_path: Path) -> None:
    async with host() as plugins:
        tools = await plugins.describe(child(tmp_path, "one"))
    assert [tool["name"] for tool in tools] == ["echo", "shape"]
    assert tools[0]["inputSchema"] == {"type": "object", "properties": {"action": {"type": "string"}}}
    assert tools[1]["inputSchema"] == {"type": "object", "properties": {"n": {"type": "number"}}}


@conversation
async def test_each_call_sees_the_environment_of_its_own_child_and_no_other(tmp_path: Path) -> None:
    async with host() as plugins:
        environments = [child(tmp_path, name) for name in ("one", "two")]
        calls = [plugins.invoke(str(n), e, "echo", {"action": "a"}, f"/{n}") for n, e in enumerate(environments)]
        made = await asyncio.gather(*calls)
    assert [json.loads(one["output"])[1:] for one in made] == [["/0", "one", "one"], ["/1", "two", "two"]]
    assert "CHILD" not in os.environ


@conversation
async def test_title_and_metadata_are_the_last_that_the_call_gave(tmp_path: Path) -> None:
    async with host() as plugins:
        text = await plugins.invoke("1", child(tmp_path, "a"), "echo", {}, "/")
        whole = await plugins.invoke("2", child(tmp_path, "a"), "shape", {}, "/")
    assert (text["title"], text["metadata"], text["updates"]) == (
        "Echo",
        {"step": 1},
        [{"title": "Echo", "metadata": {"step": 1}}],
    )
    assert (whole["output"], whole["title"], whole["metadata"]) == ("done", "Shape", {"own": True})


@conversation
async def test_what_a_plugin_throws_is_the_agents_own_error_and_the_host_lives_on(tmp_path: Path) -> None:
    async with host() as plugins:
        failed = await plugins.invoke("1", child(tmp_path, "a"), "echo", {"action": "fail"}, "/")
        missing = await plugins.invoke("2", child(tmp_path, "a"), "none", {}, "/")
        printed = await plugins.invoke("3", child(tmp_path, "a"), "echo", {"action": "print"}, "/")
    assert (failed["output"], failed["nativeError"]) == (None, {"name": "TypeError", "message": "broken"})
    assert "none" in missing["nativeError"]["message"]
    assert json.loads(printed["output"])[0] == {"action": "print"}


@conversation
async def test_an_abort_ends_its_own_call_alone(tmp_path: Path) -> None:
    async with host() as plugins:
        waiting = [
            asyncio.ensure_future(plugins.invoke(name, child(tmp_path, "a"), "echo", {"action": "wait"}, "/"))
            for name in ("first", "second")
        ]
        await plugins.invoke("third", child(tmp_path, "a"), "echo", {}, "/")
        plugins.abort("first")
        assert (await waiting[0])["nativeError"]["name"] == "AbortError"
        assert not waiting[1].done()
        plugins.abort("second")
        assert (await waiting[1])["nativeError"]["name"] == "AbortError"


@conversation
async def test_a_plugin_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    environment = {"OPENCODE_CONFIG_CONTENT": json.dumps({"plugin": [(tmp_path / "gone.mjs").as_uri()]})}
    async with host() as plugins:
        with pytest.raises(RuntimeError, match="gone"):
            await plugins.describe(environment)


@conversation
async def test_a_host_that_was_never_needed_is_closed_too() -> None:
    await kit.PluginHost().close()


async def _nothing(action: str, given: Json) -> Json:
    return None


@contextlib.asynccontextmanager
async def driven(tmp_path: Path, execute: Callable[..., Awaitable[Json]] | None = None) -> AsyncIterator[Harness]:
    """Begin a scenario of a product whose prepared environment is that of `child`."""
    plugins = kit.PluginHost()

    async def app(scope: Json, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": scope["client"][0].encode()})

    def prepare(environment: dict[str, str], settings: Json, launch: str, data: Path) -> Json:
        environment["LEAKED"] = "yes"
        os.environ["LEAKED_TOO"] = "yes"
        return {**child(data, launch), "URL": "u", "TOKEN": "t"} if settings else None

    def surfaces(scenario: kit.Scenario) -> kit.Surfaces:
        return {
            "agent-tool": kit.agent_tool(
                scenario,
                plugins,
                tool="echo",
                listen=lambda host: kit.serve_asgi(app, host),
                prepare=prepare,
                token_variable="TOKEN",
                callback_url_variable="URL",
                actions=lambda: [{"action": "a", "title": "A", "description": "Does a."}],
                cli=lambda arguments: (0, " ".join(arguments)),
            ),
            "control-service": kit.control_service(execute or _nothing),
        }

    try:
        yield await begun(surfaces)
    finally:
        os.environ.pop("LEAKED_TOO", None)
        await plugins.close()


@conversation
async def test_the_surface_prepares_describes_and_invokes(tmp_path: Path) -> None:
    async with driven(tmp_path) as harness:
        given = {"environment": {"HOME": "/h"}, "launch": "managed", "dataDirectory": str(tmp_path)}
        prepared = await harness.result("agent-tool.prepareEnvironment", settings={"on": True}, **given)
        nothing = await harness.result("agent-tool.prepareEnvironment", settings={}, **given)
        environment = prepared["environment"]
        shown = await harness.result("agent-tool.describe", environment=environment)
        call = {"environment": environment, "action": "a", "context": {"directory": "/w"}}
        made = await harness.result("agent-tool.invoke", invocationId="i", parameters={"x": 1, "action": "b"}, **call)
        cli = await harness.result("agent-tool.cli", arguments=["schedule", "status"])
    assert (prepared["tokenVariable"], prepared["callbackUrlVariable"], nothing["environment"]) == (
        "TOKEN",
        "URL",
        None,
    )
    assert prepared["serverEnvironment"] == {"HOME": "/h", "LEAKED": "yes", "LEAKED_TOO": "yes"}
    assert [tool["name"] for tool in shown["tools"]] == ["echo", "shape"]
    assert shown["actions"] == [{"action": "a", "title": "A", "description": "Does a."}]
    assert json.loads(made["output"])[:2] == [{"x": 1, "action": "a"}, "/w"]
    assert cli == {"exitCode": 0, "output": "schedule status"}


@conversation
async def test_a_listener_is_reached_over_loopback_whatever_it_is_bound_to(tmp_path: Path) -> None:
    async with driven(tmp_path) as harness, httpx.AsyncClient(trust_env=False, verify=False) as client:
        for address in ("127.0.0.1", "::"):
            origin = (await harness.result("agent-tool.listen", host=address))["origin"]
            seen = await client.get(origin, headers={"x-forwarded-for": "10.0.0.1"})
            assert seen.text.removeprefix("::ffff:") == "127.0.0.1"
            await harness.result("agent-tool.stop")
            with pytest.raises(httpx.ConnectError):
                await client.get(origin)


@conversation
async def test_the_harness_answers_for_the_control_service(tmp_path: Path) -> None:
    async with driven(tmp_path) as harness:
        asked: Any = {"action": "a.b", "given": {"n": 1, "no": False}, "context_directory": "/w"}
        scenario: list[kit.Scenario] = []

        def surfaces(begun: kit.Scenario) -> kit.Surfaces:
            scenario.append(begun)
            return {"control-service": kit.control_service(_nothing)}

        other = await begun(surfaces)
        call = asyncio.ensure_future(scenario[0].execute_control(**asked))
        request = await other.asked.get()
        expected = {"action": "a.b", "input": {"n": 1, "no": False}, "contextDirectory": "/w"}
        assert (request["method"], request["params"]) == ("control.execute", expected)
        other.answer(request, result={"x": None})
        assert await call == {"x": None}

        call = asyncio.ensure_future(scenario[0].execute_control(**asked))
        request = await other.asked.get()
        data = {"message": "no", "status": 409, "partial": {"action": "a.b"}}
        other.answer(request, error={"code": -32000, "message": "no", "data": data})
        with pytest.raises(kit.ControlError, match="no") as raised:
            await call
        assert raised.value.data == data

        call = asyncio.ensure_future(scenario[0].execute_control(**asked))
        request = await other.asked.get()
        call.cancel()
        told = await other.asked.get()
        assert told == {"jsonrpc": "2.0", "method": "control.aborted", "params": {"requestId": request["id"]}}
        with pytest.raises(asyncio.CancelledError):
            await call
        assert harness is not other


@conversation
async def test_a_usage_error_of_the_service_is_its_own_error(tmp_path: Path) -> None:
    async def execute(action: str, given: Json) -> Json:
        raise ValueError(f"{action} needs more")

    async with driven(tmp_path, execute) as harness:
        answer = await harness.call("control-service.execute", action="a.b", input={})
    assert answer["error"]["data"]["message"] == "a.b needs more"


@conversation
async def test_what_outlives_a_scenario_is_closed_at_the_shutdown_alone() -> None:
    closed: list[str] = []
    driver = kit.Driver(name="d", version="1", surfaces=[], begin=lambda scenario: {}, close=lambda: closed.append("x"))
    harness = Harness(driver)
    await harness.result("scenario.begin", id="a", endpoints={}, environment={}, seed=1)
    await harness.result("scenario.end")
    assert closed == []
    await harness.result("shutdown")
    assert closed == ["x"]
