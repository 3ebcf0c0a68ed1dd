"""The plugin in Node, calling the real callback over a real server."""

import asyncio
import contextlib
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from specassay.drivers.kits.python import specassay_kit as kit
from specassay.reference.agent_tool.actions import ACTIONS, AGENT_ACTIONS
from specassay.reference.agent_tool.callback import Callback
from specassay.reference.agent_tool.environment import CONFIG_VARIABLE, ManagedTool
from specassay.reference.agent_tool.plugin import TOKEN_VARIABLE, URL_VARIABLE, materialize
from specassay.reference.agent_tool.service import MemoryService
from tests.kits.test_python_kit import conversation

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here, which runs the plugin")

LOAD = """
const [url, action] = process.argv.slice(1);
const exported = await import(url);
const hooks = await exported.default({});
const result = await hooks.tool.openchamber.execute(
  { action, prompt: "Hello" },
  { directory: "/w", abort: new AbortController().signal, metadata() {} },
);
console.log(JSON.stringify({ exported: Object.keys(exported), tools: Object.keys(hooks.tool), ...result }));
"""


@dataclass
class Served:
    """A child of a server that runs, and what runs its plugin."""

    environment: dict[str, str]
    plugins: kit.PluginHost

    async def call(self, action: str, number: str = "1", **parameters: Any) -> Any:
        given = {"action": action, **parameters}
        return await self.plugins.invoke(number, self.environment, "openchamber", given, "/w")


@contextlib.asynccontextmanager
async def served(data: Path, service: Any = None) -> AsyncIterator[Served]:
    tool, plugins = ManagedTool(), kit.PluginHost()
    try:
        async with kit.serve_asgi(Callback(tool, service or MemoryService())) as origin:
            tool.port = int(origin.rpartition(":")[2])
            environment = tool.prepare({}, {}, "managed", data)
            assert environment is not None
            yield Served(environment, plugins)
    finally:
        await plugins.close()


@conversation
async def test_a_module_that_node_loads_calls_the_callback(tmp_path: Path) -> None:
    async with served(tmp_path) as child:
        url = json.loads(child.environment[CONFIG_VARIABLE])["plugin"][0]
        node = await asyncio.create_subprocess_exec(
            *("node", "--input-type=module", "-e", LOAD, url, "session.create"),
            env=child.environment,
            stdout=subprocess.PIPE,
            executable=shutil.which("node"),
        )
        output, _ = await node.communicate()
        made = json.loads(output)
    assert (made["exported"], made["tools"]) == (["default"], ["openchamber"])
    assert json.loads(made["output"])["data"]["session"] == "session-1"
    assert (made["title"], made["metadata"]) == ("Create session", {"action": "session.create", "ok": True})


@conversation
async def test_the_agent_is_shown_one_closed_object_with_every_action(tmp_path: Path) -> None:
    async with served(tmp_path) as child:
        tools = await child.plugins.describe(child.environment)
    assert [tool["name"] for tool in tools] == ["openchamber"]
    schema = tools[0]["inputSchema"]
    assert set(schema["properties"]["action"]["enum"]) == AGENT_ACTIONS
    assert all(action.description in schema["properties"]["action"]["description"] for action in ACTIONS)
    assert schema["additionalProperties"] is False


@conversation
async def test_a_usage_error_is_a_result(tmp_path: Path) -> None:
    async with served(tmp_path) as child:
        made = await child.call("session.create", prompt="p", timeout=5)
    result = json.loads(made["output"])
    assert (result["ok"], made["nativeError"]) == (False, None)
    assert "timeout" in result["error"]["message"]


@conversation
async def test_a_callback_that_cannot_be_reached_is_a_result(tmp_path: Path) -> None:
    async with served(tmp_path) as child:
        pass
    for missing in (None, URL_VARIABLE, TOKEN_VARIABLE):
        environment = {name: value for name, value in child.environment.items() if name != missing}
        made = await child.plugins.invoke("1", environment, "openchamber", {"action": "session.list"}, "/w")
        assert (json.loads(made["output"])["ok"], made["nativeError"]) == (False, None)
    await child.plugins.close()


@conversation
async def test_the_agents_signal_cancels_the_service_and_is_an_error_of_its_own(tmp_path: Path) -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    class Slow:
        async def execute(self, action: str, given: Mapping[str, Any], directory: str) -> Any:
            if action == "session.list":
                return {}
            started.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise

    async with served(tmp_path, Slow()) as child:
        call = asyncio.ensure_future(child.call("session.create", "first"))
        await started.wait()
        assert json.loads((await child.call("session.list", "second"))["output"])["ok"]
        child.plugins.abort("first")
        made = await call
        await cancelled.wait()
    assert (made["output"], made["nativeError"]["name"]) == (None, "AbortError")


def test_what_an_agent_calls_wrongly_finds_no_inherited_title(tmp_path: Path) -> None:
    url = materialize(tmp_path)
    code = f"const p = await import({json.dumps(url)}); const t = (await p.default()).tool.openchamber;"
    code += "for (const a of ['constructor', '__proto__', undefined, 5]) {"
    code += "const r = await t.execute({ action: a }, {}); console.log(r.title, JSON.parse(r.output).ok); }"
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", code], capture_output=True, text=True, check=True, timeout=20
    )
    assert ran.stdout.splitlines() == ["openchamber false"] * 4
