"""The published schema is what the types say, every real message keeps it, and the page's examples are real."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from specassay import catalogue, resources
from specassay.drivers.schemas import FILE, driver_protocol, text
from tests.suite.running import run

PAGE = Path(__file__).parents[2] / "docs" / "driver-protocol.md"
REFERENCE = [sys.executable, "-m", "specassay.drivers.reference"]
ALL = [scenario.id for scenario in catalogue.load().scenarios()]
SEVERAL = [name for name in ALL if "/chat-store" in name or "/orchestrator" in name or "/tool-registry" in name][::6]
SEVERAL += [name for name in ALL if name.startswith("managed-agent-tool/security-invariants.14/")]
SIDES = {"harness": "FromHarness", "driver": "FromDriver"}
ANSWERS = [{"content": "", "toolCalls": [{"id": "c1", "name": "probe", "args": {"q": "x"}}]}, {"content": "Done."}]


def validator(definition: str) -> Draft202012Validator:
    schema = driver_protocol()
    return Draft202012Validator({"$defs": schema["$defs"], "$ref": f"#/$defs/{definition}"})


def conversations() -> list[list[tuple[str, Any]]]:
    """Read the page's examples: who says what, in turn."""
    blocks = re.findall(r"```json conversation\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return [
        [("harness" if line[0] == "→" else "driver", json.loads(line[1:])) for line in block.splitlines()]
        for block in blocks
    ]


def test_the_file_is_what_the_types_say() -> None:
    file = resources.SCHEMAS / FILE
    assert file.read_text("utf-8") == text(), f"run: python -m specassay.drivers.schemas > fixtures/schemas/{FILE}"


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(driver_protocol())


def test_every_message_of_a_run_keeps_it(tmp_path: Path) -> None:
    messages = tmp_path / "messages.jsonl"
    played = run(tmp_path, driver=" ".join(REFERENCE), scenarios=SEVERAL, messages=str(messages))
    assert played.verdicts.keys() == set(SEVERAL)
    valid = {side: validator(definition) for side, definition in SIDES.items()}
    entries = [json.loads(line) for line in messages.read_text("utf-8").splitlines()]
    assert {entry["sender"] for entry in entries} == {"harness", "driver"}
    probe = re.compile(r"[a-z-]+\.x[0-9a-f]{8}")  # the operation that must be refused
    for entry in entries:
        if not probe.fullmatch(entry["message"].get("method", "")):
            valid[entry["sender"]].validate(entry["message"])
    declaration = next(entry["message"]["result"] for entry in entries if entry["sender"] == "driver")
    validator("Declaration").validate(declaration)


@pytest.mark.parametrize(
    ("side", "message"),
    [
        ("harness", {"jsonrpc": "2.0", "id": 1, "method": "chat-store.setLoading", "params": {"loading": "yes"}}),
        ("harness", {"jsonrpc": "2.0", "id": 1, "method": "chat-store.setLoading", "params": {}}),
        ("harness", {"jsonrpc": "2.0", "id": 1, "method": "chat-store.getState", "params": {"more": 1}}),
        ("harness", {"jsonrpc": "2.0", "id": 1, "method": "chat-store.undo", "params": {}}),
        ("harness", {"jsonrpc": "2.0", "method": "chat-store.getState", "params": {}}),
        ("driver", {"jsonrpc": "2.0", "id": 1, "method": "chat-store.getState", "params": {}}),
        ("driver", {"jsonrpc": "2.0", "id": 1, "method": "tool.execute", "params": {"args": {}}}),
        ("driver", {"jsonrpc": "2.0", "method": "control.execute", "params": {"action": "a.b", "input": {}}}),
        ("driver", {"jsonrpc": "2.0", "method": "control.aborted", "params": {}}),
        ("driver", {"jsonrpc": "2.0", "id": 1, "method": "control.aborted", "params": {"requestId": 1}}),
        ("harness", {"jsonrpc": "2.0", "id": 1, "method": "agent-tool.abort", "params": {"invocationId": "i"}}),
        ("driver", {"jsonrpc": "2.0", "id": None, "result": {}}),
        ("driver", {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": "no"}}),
        ("driver", {"jsonrpc": "2.0", "id": 1, "error": {"message": "no"}}),
        ("driver", {"id": 1, "result": {}}),
    ],
    ids=json.dumps,
)
def test_a_wrong_message_breaks_it(side: str, message: Any) -> None:
    assert not validator(SIDES[side]).is_valid(message)


@pytest.mark.parametrize(
    "change",
    [{"surfaces": ["chat-shop"]}, {"surfaces": ["chat-store"] * 2}, {"operations": ["a.b"]}, {"isolation": "none"}],
    ids=json.dumps,
)
def test_a_wrong_conformance_statement_breaks_it(change: Any) -> None:
    right: dict[str, Any] = {"protocolVersion": "1.0", "surfaces": ["chat-store"]}
    right |= {"implementation": {"name": "a", "version": "1", "language": "go"}}
    assert validator("Declaration").is_valid({**right, "unknown": "field"})
    assert not validator("Declaration").is_valid({**right, **change})


@pytest.mark.parametrize("number", range(len(conversations())))
def test_the_messages_of_the_page_keep_it(number: int) -> None:
    for side, message in conversations()[number]:
        validator(SIDES[side]).validate(message)


@pytest.fixture
def chat_origin() -> Iterator[str]:
    """Serve a chat route that asks for the tool once, and is then content."""
    answers = iter(ANSWERS)

    class Route(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            body = json.dumps(next(answers)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
            """Nothing is logged."""

    with HTTPServer(("127.0.0.1", 0), Route) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("number", range(len(conversations())))
def test_a_driver_speaks_as_the_page_says(number: int, chat_origin: str) -> None:
    """The page's harness is played line by line; the reference answers, but for its name, as the page's driver."""
    with subprocess.Popen(REFERENCE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        for side, message in conversations()[number]:
            if side == "harness":
                if message.get("method") == "scenario.begin":
                    message["params"]["endpoints"]["chatOrigin"] = chat_origin
                driver.stdin.write(json.dumps(message) + "\n")
                driver.stdin.flush()
            else:
                said = json.loads(driver.stdout.readline())
                assert _compared(said, message) == message
        driver.stdin.close()
    assert driver.returncode == 0


def _compared(said: Any, message: Any) -> Any:
    """Put what the page leaves free in the place of what was said: a result that nobody reads, who it is, a context."""
    result = message.get("result")
    if "result" in said and result == {}:
        return {**said, "result": {}}
    if isinstance(result, dict) and "protocolVersion" in result:
        free = {name: result[name] for name in ("implementation", "surfaces")}
        kept = {name: value for name, value in said["result"].items() if name in result}
        return {**said, "result": {**kept, **free}}
    if isinstance(result, dict) and "activeTool" in result and said["result"]["context"] is None:
        return {**said, "result": {**said["result"], "context": result["context"]}}
    return said
