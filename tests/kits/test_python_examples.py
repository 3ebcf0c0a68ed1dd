"""The drivers of the kit's examples and of the reference, in conversation over real standard input and output."""

import asyncio
import functools
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from specassay.resources import KITS

Json = Any
EXAMPLES = KITS / "python" / "examples"
COMMANDS = {
    "module-stores": [str(EXAMPLES / "module_stores" / "driver.py")],
    "factory": [str(EXAMPLES / "factory" / "driver.py")],
    "reference": ["-m", "specassay.drivers.reference"],
}
CONTEXT: Json = {"projectId": "p1", "activeSceneId": None, "mediaAssets": [], "playbackTimeMs": 0}
QUESTION = {"id": "m1", "role": "user", "content": "Hello é", "timestamp": 1764500000000}
every_driver = pytest.mark.parametrize("name", COMMANDS)


def conversation(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test, for thirty seconds at most."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(asyncio.wait_for(test(**fixtures), timeout=30))

    return run


class Program:
    """A running driver; `tools` answers its requests, by default with the name of the tool."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin, self._stdout = process.stdin, process.stdout
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self.tools: Callable[[Json], Coroutine[Any, Any, Json]] = self._found
        self.declared: Json = None

    async def call(self, method: str, **params: Json) -> Json:
        number = len(self._answers) + 1
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = await self._answers[number]
        return answer["result"] if "result" in answer else answer["error"]

    async def begin(self, origin: str, storage: Json = None) -> None:
        endpoints = {"chatOrigin": origin}
        given = {} if storage is None else {"storage": storage}
        assert await self.call("scenario.begin", id="x", endpoints=endpoints, environment={}, seed=1, **given) == {}

    async def register(self, *names: str) -> None:
        for name in names:
            parameters = [{"key": "q", "type": "string", "required": True}]
            definition = {"name": name, "description": "A probe.", "parameters": parameters}
            await self.call("tool-registry.register", definition=definition)

    async def read(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            async for line in self._stdout:
                message = json.loads(line)
                if "method" in message:
                    tasks.create_task(self._answer(message))
                else:
                    self._answers[message["id"]].set_result(message)

    async def _answer(self, request: Json) -> None:
        assert request["method"] == "tool.execute"
        outcome = await self.tools(request["params"])
        self._write({"jsonrpc": "2.0", "id": request["id"], **outcome})

    def _write(self, message: Json) -> None:
        self._stdin.write(json.dumps(message).encode() + b"\n")

    async def _found(self, params: Json) -> Json:
        return {"result": f"{params['name']} found {params['args']['q']}"}


@asynccontextmanager
async def running(name: str) -> AsyncIterator[Program]:
    """Start a driver, shake hands, and see that it ends by itself and with status 0."""
    process = await asyncio.create_subprocess_exec(sys.executable, *COMMANDS[name], stdin=PIPE, stdout=PIPE)
    program = Program(process)
    reading = asyncio.create_task(program.read())
    try:
        harness = {"name": "specassay", "version": "0"}
        program.declared = await program.call("initialize", protocolVersion="1.0", harness=harness)
        yield program
        assert await program.call("shutdown") == {}
        assert await process.wait() == 0
        await reading
    finally:
        reading.cancel()
        if process.returncode is None:
            process.kill()
            await process.wait()


@asynccontextmanager
async def chat_route(*answers: Json) -> AsyncIterator[tuple[str, list[Json]]]:
    """Serve answers one after another, the last one again and again; a number is a status without an answer."""
    asked: list[Json] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(int(line.split(":")[1]) for line in head.splitlines() if line.startswith("content-length:"))
        assert head.startswith("post /api/agent/chat http/1.1")
        asked.append(json.loads(await reader.readexactly(length)))
        answer = answers[min(len(asked), len(answers)) - 1]
        status, body = (answer, b"{}") if isinstance(answer, int) else (200, json.dumps(answer).encode())
        writer.write(f"HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


def calls(**args_of: Json) -> Json:
    """Make an answer that calls tools, by name with their arguments; a call's id is its tool's name in capitals."""
    return {"content": "", "toolCalls": [{"id": key.upper(), "name": key, "args": args_of[key]} for key in args_of]}


def conventions(declared: Json) -> tuple[str, str]:
    """Give the role of a tool result, and the field that holds its call's id."""
    written = {"toolResultRole": "tool", "toolCallIdField": "toolCallId"} | declared["conventions"]
    return written["toolResultRole"], written["toolCallIdField"]


def replies(messages: list[Json], declared: Json) -> dict[str, str]:
    """Find the tool results in a history, by the id of their call, where the driver's conventions say."""
    role, field = conventions(declared)
    return {message[field]: message["content"] for message in messages if message["role"] == role}


@every_driver
@conversation
async def test_it_declares_the_client_s_surfaces_and_refuses_an_operation_that_does_not_exist(name: str) -> None:
    async with running(name) as program:
        assert program.declared["implementation"]["name"] == name
        assert {"chat-store", "agent-store", "tool-registry", "orchestrator"} <= set(program.declared["surfaces"])
        assert (await program.call("chat-store.x7f3"))["code"] == -32601


@every_driver
@conversation
async def test_a_run_executes_each_tool_at_the_harness_and_ends_with_the_model_s_words(name: str) -> None:
    executed: list[Json] = []
    states: list[Json] = []
    async with (
        running(name) as program,
        chat_route(calls(a={"q": "x"}, b={"q": "y"}), {"content": "Done."}) as (origin, asked),
    ):

        async def tools(params: Json) -> Json:
            executed.append(params)
            states.append(await program.call("agent-store.getState"))
            return {"result": f"{params['name']} found é"}

        program.tools = tools
        await program.begin(origin)
        await program.register("a", "b")
        outcome = await program.call("orchestrator.run", messages=[QUESTION], context=CONTEXT)
        chat = await program.call("chat-store.getState")
        agent = await program.call("agent-store.getState")
        history = await program.call("agent-store.getHistory")

        assert outcome == {"rejected": None}
        assert asked[0] == {"messages": [QUESTION], "context": CONTEXT}
        assert executed == [{"name": key, "args": {"q": q}, "context": CONTEXT} for key, q in (("a", "x"), ("b", "y"))]
        assert [(state["status"], state["activeTool"]) for state in states] == [
            ("processing", "a"),
            ("processing", "b"),
        ]
        for messages in (asked[1]["messages"], chat["messages"]):
            found = replies(messages, program.declared)
            assert {key: json.loads(text)["result"] for key, text in found.items()} == {
                "A": "a found é",
                "B": "b found é",
            }
        assert chat["messages"][-1]["content"] == "Done."
        assert (chat["error"], agent["status"], agent["activeTool"]) == (None, "idle", None)
        statuses = [entry["state"]["status"] for entry in history["entries"]]
        assert (statuses[0], statuses[1], statuses[-1]) == ("idle", "sending", "idle")


@every_driver
@conversation
async def test_a_tool_that_throws_costs_the_others_nothing_and_the_run_goes_on(name: str) -> None:
    async with (
        running(name) as program,
        chat_route(calls(a={"q": "x"}, b={"q": 5}, c={"q": "z"}, d={"q": "w"}), {"content": "Done."}) as (
            origin,
            asked,
        ),
    ):

        async def tools(params: Json) -> Json:
            error = {"code": -32000, "message": "failed", "data": {"message": "boom-7f3a"}}
            return {"error": error} if params["name"] == "a" else {"result": params["name"]}

        program.tools = tools
        await program.begin(origin)
        await program.register("a", "b", "c")
        await program.call("orchestrator.run", messages=[QUESTION], context=CONTEXT)
        found = {key: json.loads(text) for key, text in replies(asked[1]["messages"], program.declared).items()}

        assert "boom-7f3a" in found["A"]["error"]
        assert '"q"' in found["B"]["error"]
        assert found["C"]["result"] == "c"
        assert '"d"' in found["D"]["error"]
        assert (await program.call("chat-store.getState"))["messages"][-1]["content"] == "Done."
        assert (await program.call("agent-store.getState"))["status"] == "idle"


@every_driver
@conversation
async def test_a_route_that_fails_sets_the_error_and_adds_no_message(name: str) -> None:
    async with running(name) as program, chat_route(502) as (origin, asked):
        await program.begin(origin)
        await program.call("orchestrator.run", messages=[QUESTION], context=CONTEXT)
        chat = await program.call("chat-store.getState")

        assert len(asked) == 1
        assert "502" in chat["error"]
        assert (chat["messages"], (await program.call("agent-store.getState"))["status"]) == ([], "error")


@every_driver
@conversation
async def test_a_model_that_always_calls_a_tool_is_asked_eight_times(name: str) -> None:
    async with running(name) as program, chat_route(calls(a={"q": "x"})) as (origin, asked):
        await program.begin(origin)
        await program.register("a")
        await program.call("orchestrator.run", messages=[QUESTION], context=CONTEXT)
        last = (await program.call("chat-store.getState"))["messages"][-1]

        assert len(asked) == 8
        assert (last["role"], "Reached maximum iteration limit" in last["content"]) == ("assistant", True)
        assert (await program.call("agent-store.getState"))["status"] == "idle"


@every_driver
@conversation
async def test_the_shipped_tool_can_be_stubbed_and_keeps_its_declaration(name: str) -> None:
    async with (
        running(name) as program,
        chat_route(calls(transcribe_video={}), {"content": "Done."}) as (origin, asked),
    ):

        async def tools(params: Json) -> Json:
            return {"result": {"text": "of " + params["name"]}}

        program.tools = tools
        await program.begin(origin)
        before = await program.call("tool-registry.getAll")
        await program.call("tool-registry.stub", name="transcribe_video")
        after = await program.call("tool-registry.getAll")
        await program.call("orchestrator.run", messages=[QUESTION], context=CONTEXT)
        found = replies(asked[1]["messages"], program.declared)

        assert [tool["name"] for tool in before["definitions"]] == ["transcribe_video"]
        assert after == before
        assert json.loads(found["TRANSCRIBE_VIDEO"])["result"] == {"text": "of transcribe_video"}


@every_driver
@conversation
async def test_messages_survive_a_reload_and_not_the_next_scenario(name: str) -> None:
    asked = {"role": "assistant", "content": "é", "toolCalls": [{"id": "C1", "name": "a", "args": {"n": [1, None]}}]}
    async with running(name) as program:
        role, field = conventions(program.declared)
        found = {"role": role, field: "C1", "content": "found"}
        await program.begin("http://127.0.0.1:9")
        for message in (asked, found):
            await program.call("chat-store.addMessage", message=message)
        before = await program.call("chat-store.getState")
        if program.declared["isolation"] == "session":
            await program.call("chat-store.reload")
            after = await program.call("chat-store.getState")
            await program.begin("http://127.0.0.1:9")
            assert (await program.call("chat-store.getState"))["messages"] == []
        else:
            kept = await program.call("chat-store.getStorage")
            async with running(name) as successor:
                await successor.begin("http://127.0.0.1:9", storage=kept["storage"])
                after = await successor.call("chat-store.getState")

        assert asked.items() <= before["messages"][0].items()
        assert found.items() <= before["messages"][1].items()
        assert after["messages"] == before["messages"]


@conversation
async def test_the_reference_s_open_run_can_be_aborted() -> None:
    async with (
        running("reference") as program,
        chat_route(calls(a={"q": "x"}), {"content": "Never."}) as (origin, asked),
    ):

        async def tools(params: Json) -> Json:
            await program.call("orchestrator.abort")
            return {"result": "too late"}

        program.tools = tools
        await program.begin(origin)
        await program.register("a")
        await program.call("orchestrator.run", messages=[QUESTION], context=CONTEXT)

        assert "orchestrator.abort" in program.declared["operations"]
        assert len(asked) == 1
        assert (await program.call("agent-store.getState"))["status"] == "idle"
