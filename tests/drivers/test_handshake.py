"""A driver that cannot be started, or whose handshake is wrong, is told of in one message with the way out."""

import asyncio
import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from specassay.drivers.protocol import OPTIONAL_OPERATIONS, SURFACES
from specassay.errors import DriverStartError, Exit
from tests.drivers.sessions import SHELL, declare, session


def start_error(command: str = SHELL, directory: str | None = None, **options: Any) -> str:
    async def start() -> None:
        await session(command, directory, **options).start()

    with pytest.raises(DriverStartError) as caught:
        asyncio.run(start())
    assert caught.value.exit is Exit.NOT_STARTED
    return str(caught.value)


OPTIONAL = ", ".join(repr(name) for name in sorted(OPTIONAL_OPERATIONS))
KNOWN = ", ".join(repr(name) for name in SURFACES)
WRONG = "the driver did not start: its conformance statement is wrong: "


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ({"protocolVersion": "2.0"}, "it speaks protocol version '2.0'; this harness speaks '1.0'"),
        (
            {"surfaces": ["chat-shop"]},
            f"unknown surface 'chat-shop'; known are {KNOWN}",
        ),
        ({"surfaces": ["chat-store", "chat-store"]}, "surface 'chat-store' is declared twice"),
        (
            {"operations": ["chat-store.undo"]},
            f"unknown optional operation 'chat-store.undo'; known are {OPTIONAL}",
        ),
        (
            {
                "surfaces": ["chat-store", "agent-store", "tool-registry", "orchestrator"],
                "operations": ["orchestrator.abort", "orchestrator.abort"],
            },
            "optional operation 'orchestrator.abort' is declared twice",
        ),
        (
            {"surfaces": ["chat-store", "orchestrator"]},
            "surface 'orchestrator' needs 'agent-store', 'tool-registry', which it does not declare",
        ),
        ({"operations": ["orchestrator.abort"]}, "operation 'orchestrator.abort' is declared without its surface"),
        (
            {"surfaces": ["a\u001b[31m", "a\u001b[31m"]},
            f"unknown surface 'a\\x1b[31m'; known are {KNOWN}; surface 'a\\x1b[31m' is declared twice",
        ),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_a_wrong_conformance_statement_names_what_is_wrong_and_what_is_known(statement: Any, message: str) -> None:
    with pytest.raises(DriverStartError, match=re.escape(WRONG + message) + "$"):
        declare(statement)


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ({"protocolVersion": 1}, "protocolVersion: input should be a valid string"),
        ({"implementation": "mine"}, "implementation: must be an object"),
        ({"implementation": {"name": "", "version": "1", "language": "go"}}, "implementation.name: "),
        ({"implementation": {"name": "mine", "version": "1"}}, "implementation.language: field required"),
        ({"surfaces": "chat-store"}, "surfaces: "),
        ({"surfaces": [1]}, "surfaces.0: "),
        ({"isolation": "scenario"}, "isolation: input should be 'session' or 'process'"),
        ({"limits": 3}, "limits: must be an object"),
        ({"limits": {"callSeconds": 0}}, "limits.callSeconds: "),
        ({"limits": {"callSeconds": True}}, "limits.callSeconds: input should be a valid number"),
        ({"conventions": {"toolResultRole": 1}}, "conventions.toolResultRole: "),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_a_field_of_a_wrong_type_is_named(statement: Any, place: str) -> None:
    expected = f"the driver did not start: its answer to initialize is wrong: {place}"
    with pytest.raises(DriverStartError, match=re.escape(expected)):
        declare(statement)


def test_an_answer_that_is_no_object_is_told_so() -> None:
    body = 'input(); print(\'{"jsonrpc": "2.0", "id": 1, "result": "hello"}\', flush=True); input()'
    expected = "the driver did not start: its answer to initialize is wrong: the answer: must be an object"
    assert start_error(shlex.join([sys.executable, "-c", body])).startswith(expected)


def test_an_unknown_field_is_ignored_and_a_minor_version_too() -> None:
    declared = declare({"protocolVersion": "1.7", "colour": "red", "limits": {"naps": 3}})
    assert declared.surfaces == ("chat-store",)
    assert declared.isolation == "session"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ('"result": {}', "with a result; it must answer error -32601"),
        ('"error": {"code": -32000, "message": "no"}', "with error -32000; it must answer -32601"),
        ('"error": "no"', "with error -32000; it must answer -32601"),
    ],
)
def test_a_driver_that_answers_an_operation_that_does_not_exist_is_not_started(answer: str, message: str) -> None:
    statement: dict[str, Any] = {"protocolVersion": "1.0", "surfaces": ["agent-store"]}
    statement |= {"implementation": {"name": "yes", "version": "1", "language": "python"}}
    body = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    number = json.loads(line)['id']\n"
        f"    given = {json.dumps(json.dumps(statement))} if number == 1 else None\n"
        f"    rest = '\"result\": ' + given if given else {answer!r}\n"
        '    print(\'{"jsonrpc": "2.0", "id": %d, %s}\' % (number, rest), flush=True)\n'
    )
    error = start_error(shlex.join([sys.executable, "-c", body]))
    assert re.fullmatch(rf"the driver answered agent-store\.x[0-9a-f]{{8}}, which does not exist, {message}", error)


def test_a_command_that_does_not_exist() -> None:
    assert start_error("no-such-driver --flag") == (
        "the driver command does not exist: no-such-driver; is it installed, and on the path?"
    )


def test_a_path_that_does_not_exist_says_where_it_was_looked_for(tmp_path: Path) -> None:
    assert start_error("./driver", str(tmp_path)) == (
        f"the driver command does not exist: ./driver (looked for in {tmp_path}); give its right path"
    )


def test_a_file_that_is_not_executable(tmp_path: Path) -> None:
    (tmp_path / "driver.py").write_text("print()")
    assert start_error("./driver.py", str(tmp_path)) == (
        "the driver is not executable: ./driver.py; name its interpreter, or set its executable bit"
    )


def test_an_executable_file_that_the_system_cannot_run(tmp_path: Path) -> None:
    file = tmp_path / "driver"
    file.write_text("no program")
    file.chmod(0o755)
    assert start_error(str(file)) == (
        f"the driver cannot be started: {file}: exec format error; does the command work in a shell?"
    )


def test_a_folder_as_a_command(tmp_path: Path) -> None:
    assert start_error(str(tmp_path)) == f"the driver command is a folder: {tmp_path}; give the program in it"


def test_a_folder_to_start_in_that_does_not_exist(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    assert start_error(SHELL, missing) == f"the driver's folder does not exist: {missing}; give one that does"


@pytest.mark.parametrize("command", ["", "   ", "''"])
def test_an_empty_command(command: str) -> None:
    assert start_error(command) == "the driver command is empty; give the command line that starts the driver"


def test_unbalanced_quotes() -> None:
    assert start_error("node 'driver.mjs") == (
        "the driver command cannot be read: node 'driver.mjs: no closing quotation; close the quotes as in a shell"
    )


def test_a_null_character_in_the_command() -> None:
    assert "embedded null byte; does the command work in a shell?" in start_error(f"{sys.executable} a\0b")


def test_a_relative_program_is_found_from_the_folder_to_start_in(tmp_path: Path) -> None:
    file = tmp_path / "driver"
    file.write_text(f"#!/bin/sh\nexec {SHELL}\n")
    file.chmod(0o755)
    folder = os.path.relpath(tmp_path)

    async def start() -> str:
        opened = session("./driver", folder)
        declared = await opened.start()
        await opened.close()
        return declared.implementation.name

    assert asyncio.run(start()) == "by-hand"


def test_the_end_of_the_log_is_shown_where_a_driver_does_not_start() -> None:
    error = start_error(environment={"FAULTS": json.dumps({"start": "ended"})})
    assert error.startswith("the driver did not start: the driver ended with exit status 0\n")
    assert "the end of its log:\nabout to go wrong" in error


def test_a_driver_that_is_slow_to_start_is_waited_for_and_no_longer_than_the_limit() -> None:
    slow = {"FAULTS": json.dumps({"start": "slow"})}
    error = start_error(environment=slow, start_seconds=0.1)
    assert "no answer to initialize within 0.1 s" in error
    assert "give it longer with --start-timeout" in error

    async def start() -> None:
        opened = session(environment=slow, start_seconds=None)
        await opened.start()
        await opened.close()

    asyncio.run(start())
