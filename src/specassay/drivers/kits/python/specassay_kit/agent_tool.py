"""The surface of the managed agent tool: the listener, the child's environment, and the plugin, which Node runs."""

import asyncio
import contextlib
import itertools
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .driver import Scenario
from .values import Operations, settled

_HOST = Path(__file__).with_name("plugin_host.mjs")
_LONGEST = 16 * 1024 * 1024  # of a line, in bytes


class PluginHost:
    """One Node process that runs the plugins of managed children; it starts when it is first needed.

    The plugins are those that `OPENCODE_CONFIG_CONTENT` names by `file://`, in the environment that each call is given.
    Give `close` to the driver, so that the process ends with it.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._ids = itertools.count(1)
        self._starting = asyncio.Lock()

    async def describe(self, environment: Mapping[str, str]) -> list[dict[str, Any]]:
        """Give the tools as an agent sees them: name, description and inputSchema."""
        tools: list[dict[str, Any]] = (await self._ask("describe", environment=environment))["tools"]
        return tools

    async def invoke(
        self, invocation_id: str, environment: Mapping[str, str], tool: str, given: Any, directory: str
    ) -> dict[str, Any]:
        """Call a tool, as the agent does; gives output, title, metadata, updates and nativeError."""
        call = {"invocationId": invocation_id, "tool": tool, "input": given, "directory": directory}
        result: dict[str, Any] = await self._ask("invoke", environment=environment, **call)
        return result

    def abort(self, invocation_id: str) -> None:
        """Let the agent abort a call."""
        self._write({"method": "abort", "invocationId": invocation_id})

    async def close(self) -> None:
        """End the process."""
        process, reading, self._process = self._process, self._reading, None
        if process is None or reading is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 1)
        except TimeoutError:
            process.kill()
            await process.wait()
        await reading

    async def _ask(self, method: str, **params: Any) -> Any:
        async with self._starting:  # of several first calls at once
            if self._process is None:
                await self._start()
        number = next(self._ids)
        self._asked[number] = answer = asyncio.get_running_loop().create_future()
        self._write({"id": number, "method": method, **params})
        return await answer

    async def _start(self) -> None:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec("node", _HOST, stdin=pipe, stdout=pipe, limit=_LONGEST)
        self._reading = asyncio.ensure_future(self._read(self._process))

    def _write(self, message: dict[str, Any]) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            message = json.loads(line)
            answer = self._asked.pop(message["id"])
            if answer.done():
                continue
            if "error" in message:
                answer.set_exception(RuntimeError(message["error"]))
            else:
                answer.set_result(message["result"])
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(RuntimeError("the process that runs the plugins has ended; its log says why"))
        self._asked.clear()


def agent_tool(
    scenario: Scenario,
    plugins: PluginHost,
    *,
    tool: str,
    listen: Callable[[str], contextlib.AbstractAsyncContextManager[str]],
    prepare: Callable[[dict[str, str], dict[str, Any], str, Path], Any],
    token_variable: str,
    callback_url_variable: str,
    actions: Callable[[], list[dict[str, str]]],
    cli: Callable[[list[str]], Any] | None = None,
) -> Operations:
    """Make the surface `agent-tool`.

    `listen(host)` starts the product's listener while its context is open, and gives the origin. `prepare(environment,
    settings, launch, data_directory)` gives the child's environment, or None. `actions()` lists each action's `action`,
    `title` and `description`. `cli(arguments)` gives exit code and output. The product's service calls
    `scenario.execute_control`.
    """
    listening = contextlib.AsyncExitStack()
    scenario._running.push_async_callback(listening.aclose)

    async def begin(host: str) -> dict[str, str]:
        return {"origin": await listening.enter_async_context(listen(host))}

    async def prepared(
        environment: dict[str, str], settings: dict[str, Any], launch: str, data_directory: str
    ) -> dict[str, Any]:
        before = dict(os.environ)
        child = await settled(prepare(environment, settings, launch, Path(data_directory)))
        changed = {name: value for name, value in os.environ.items() if before.get(name) != value}
        return {
            "environment": child,
            "tokenVariable": token_variable,
            "callbackUrlVariable": callback_url_variable,
            "serverEnvironment": {**environment, **changed},
        }

    async def describe(environment: dict[str, str]) -> dict[str, Any]:
        return {"tools": await plugins.describe(environment), "actions": actions()}

    async def invoke(
        invocation_id: str, environment: dict[str, str], action: Any, parameters: Any, context: dict[str, str]
    ) -> dict[str, Any]:
        given = {**parameters, "action": action} if isinstance(parameters, dict) else parameters
        return await plugins.invoke(invocation_id, environment, tool, given, context["directory"])

    operations: Operations = {
        "listen": begin,
        "stop": listening.aclose,
        "prepareEnvironment": prepared,
        "describe": describe,
        "invoke": invoke,
        "abort": plugins.abort,
    }
    if cli is not None:
        run = cli

        async def command(arguments: list[str]) -> dict[str, Any]:
            code, output = await settled(run(arguments))
            return {"exitCode": code, "output": output}

        operations["cli"] = command
    return operations


def control_service(execute: Callable[[str, dict[str, Any]], Any]) -> Operations:
    """Make the surface `control-service` of the product's own service; a usage error is raised."""

    async def run(action: str, input: dict[str, Any]) -> Any:  # noqa: A002 - the protocol's name
        return await settled(execute(action, input))

    return {"execute": run}
