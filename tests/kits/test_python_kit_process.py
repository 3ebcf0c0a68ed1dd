"""The Python kit as the folder that is copied beside a driver, in a process of its own."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from specassay.resources import KITS
from tests.kits.driving import drive

Json = Any
BEGIN = {"id": "a/b.1/c", "endpoints": {"chatOrigin": "http://127.0.0.1:9"}, "environment": {}, "seed": 7}


def test_within_specassay_the_kit_leaves_standard_output_alone() -> None:
    code = "import sys; out = sys.stdout; import specassay.drivers.reference; assert sys.stdout is out"

    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)


PROGRAM = """
import specassay_kit as kit
print("printed by a module")
import os, subprocess, sys

def say(text):
    print(text)
    os.write(1, b"written to the descriptor\\n")
    subprocess.run([sys.executable, "-c", "print('printed by a child')"], check=True, timeout=30)
    return text.upper()

def environment(prefixes):
    return {name: value for name, value in os.environ.items() if name.startswith(tuple(prefixes))}

kit.Driver(name="it", version="1", surfaces=["x"],
    begin=lambda scenario: {"x": {"say": say, "environment": environment}}).serve()
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Put a driver beside its own copy of the kit."""
    shutil.copytree(KITS / "python" / "specassay_kit", tmp_path / "specassay_kit")
    (tmp_path / "driver.py").write_text(PROGRAM)
    return tmp_path / "driver.py"


def request_line(number: int, method: str, **params: Json) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def talk(program: Path, *lines: bytes, **environment: str) -> tuple[dict[int, Json], str]:
    """Give a program its whole input at once; gives the answers by id, and its log."""
    finished = subprocess.run(
        [sys.executable, str(program)],
        input=b"".join(lines),
        capture_output=True,
        timeout=30,
        check=True,
        env=os.environ | environment,
    )
    answers = [json.loads(line) for line in finished.stdout.splitlines()]
    return {answer["id"]: answer for answer in answers}, finished.stderr.decode()


def test_standard_output_is_the_protocol_s_whoever_prints(program: Path) -> None:
    answers, log = talk(program, request_line(1, "scenario.begin", **BEGIN), request_line(2, "x.say", text="printed é"))

    assert answers == {
        1: {"jsonrpc": "2.0", "id": 1, "result": {}},
        2: {"jsonrpc": "2.0", "id": 2, "result": "PRINTED É"},
    }
    for text in ("printed by a module", "printed é", "written to the descriptor", "printed by a child"):
        assert text in log


def test_the_environment_is_the_scenario_s_and_holds_nothing_that_client_libraries_read(program: Path) -> None:
    begin = BEGIN | {"environment": {"LLM_MODEL": "model-1"}}
    prefixes = ["LLM_", "OPENAI_", "GEMINI_", "GOOGLE_", "HTTP_", "https_", "NO_PROXY", "KEPT"]
    answers, _ = talk(
        program,
        request_line(1, "scenario.begin", **begin),
        request_line(2, "x.environment", prefixes=prefixes),
        **dict.fromkeys(("LLM_API_KEY", "LLM_OTHER", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_X"), "old"),
        **dict.fromkeys(("HTTP_PROXY", "https_proxy", "NO_PROXY", "KEPT"), "old"),
    )

    assert answers[2]["result"] == {
        "LLM_MODEL": "model-1",
        "LLM_PROVIDER": "",
        "LLM_API_KEY": "",
        "LLM_BASE_URL": "",
        "KEPT": "old",
    }


IMPORTING = """
import specassay_kit as kit
import os

AT_IMPORT = {name: value for name, value in os.environ.items() if name.startswith(("LLM_", "OPENAI_", "HTTP_"))}

async def app(scope, receive, send):
    pass

kit.Driver(name="it", version="1", surfaces=["x", "chat-route"], begin=lambda scenario: {
    "x": {"at_import": lambda: AT_IMPORT, "now": lambda: os.environ["LLM_MODEL"]},
    "chat-route": kit.chat_route(scenario, lambda environment, tools: app),
}).serve()
"""
UNSET = dict.fromkeys(("LLM_PROVIDER", "LLM_MODEL", "LLM_API_KEY", "LLM_BASE_URL"), "")


def test_the_environment_is_clean_from_the_import_on_and_the_route_s_own_while_it_runs(program: Path) -> None:
    program.write_text(IMPORTING)
    start = ("chat-route.start", {"environment": {"LLM_MODEL": "model-2"}})
    foreign = {"LLM_MODEL": "old", "OPENAI_API_KEY": "old", "HTTP_PROXY": "http://127.0.0.1:9"}
    calls = [("x.at_import", {}), start, ("x.now", {}), ("chat-route.stop", {}), ("x.now", {})]
    answers = asyncio.run(drive(program.parent, "http://127.0.0.1:9", *calls, **foreign))

    assert [answers[0], *answers[2:]] == [UNSET, "model-2", None, ""]


def test_a_line_that_is_no_message_is_logged_and_the_next_one_served(program: Path) -> None:
    answers, log = talk(program, b"{broken\n", b"[1]\n", request_line(1, "initialize"))

    assert answers[1]["result"]["implementation"]["name"] == "it"
    assert "{broken" in log


def test_shutdown_ends_the_program_while_its_input_is_still_open(program: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, str(program)], stdin=pipe, stdout=pipe, stderr=pipe) as running:
        guard = threading.Timer(30, running.kill)
        guard.start()
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(request_line(1, "shutdown"))
        running.stdin.flush()
        answer, status = json.loads(running.stdout.readline()), running.wait()
        guard.cancel()
        log = running.stderr.read().decode()

    assert (answer["result"], status) == ({}, 0)
    assert log == "printed by a module\n"


def test_input_may_be_a_file(program: Path, tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(request_line(1, "initialize"))
    with (tmp_path / "lines").open("rb") as lines:
        output = subprocess.check_output([sys.executable, str(program)], stdin=lines, timeout=30)

    assert json.loads(output)["id"] == 1


def test_the_skeleton_runs_as_it_stands(tmp_path: Path) -> None:
    shutil.copytree(KITS / "python" / "specassay_kit", tmp_path / "specassay_kit")
    shutil.copy(KITS / "python" / "skeleton" / "driver.py", tmp_path)
    message = {"role": "user", "content": "Hello"}
    answers, log = talk(
        tmp_path / "driver.py",
        request_line(1, "initialize", protocolVersion="1.0", harness={"name": "specassay", "version": "0"}),
        request_line(2, "scenario.begin", **BEGIN),
        request_line(3, "chat-store.addMessage", message=message),
        request_line(4, "chat-store.getState"),
        request_line(5, "shutdown"),
    )

    assert answers[1]["result"]["surfaces"] == ["chat-store"]
    assert answers[4]["result"] == {"messages": [message], "loading": False, "error": None}
    assert (answers[5]["result"], log) == ({}, "")
