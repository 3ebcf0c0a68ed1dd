"""However a run, or an examination, is ended: its drivers end with it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from specassay.errors import Exit
from tests.suite.running import CHAT_STORE, SHELL, alive, begin, environment, run

COMMAND = (sys.executable, "-c", "import sys; from specassay.cli import main; sys.exit(main())")


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    """Give the folder in which every process of the driver is noted."""
    folder = tmp_path / "pids"
    folder.mkdir()
    return folder


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    """Give the file in which a run notes every message of its driver."""
    file = tmp_path / "messages.jsonl"
    file.touch()
    return file


def command(arguments: Sequence[str], told: dict[str, str]) -> subprocess.Popen[str]:
    """Start the command line, with this in the environment of whatever it starts."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **told},
    )


def wait_for(process: subprocess.Popen[str], file: Path, text: str) -> None:
    """Wait until a file holds this text."""
    while process.poll() is None:
        if file.exists() and text in file.read_text("utf-8"):
            return
    pytest.fail("the process ended before that was written")


@pytest.mark.parametrize("times", [1, 2])
def test_an_interruption_while_the_driver_lingers_after_its_shutdown_ends_it(
    tmp_path: Path, pids: Path, messages: Path, times: int
) -> None:
    told = environment({"end": "clings"}, pids)
    process = begin(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:1], messages=str(messages))
    with process:
        wait_for(process, messages, '"method": "shutdown"')
        process.send_signal(signal.SIGINT)
        if times == 2:
            while not (tmp_path / "termed").exists() and process.poll() is None:
                pass
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert len(list(pids.iterdir())) == 1
    assert alive(pids) == []


@pytest.mark.parametrize("numbers", [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGTERM, signal.SIGTERM)])
def test_a_run_that_is_pressed_to_end_leaves_no_driver(
    tmp_path: Path, pids: Path, messages: Path, numbers: tuple[signal.Signals, ...]
) -> None:
    told = environment({"end": "clings"}, pids)
    arguments = ("run", "--driver", f"mine={SHELL}", "--id", CHAT_STORE[0], "--messages", str(messages))
    with command(arguments, told) as process:
        wait_for(process, messages, '"method": "shutdown"')
        for number in numbers:
            process.send_signal(number)
        process.communicate(timeout=60)
    assert process.returncode == Exit.INTERRUPTED
    assert alive(pids) == []


def test_a_run_that_is_killed_goes_on_no_further_than_the_scenario_that_it_plays(pids: Path, messages: Path) -> None:
    told = environment({CHAT_STORE[1]: "hung"}, pids)
    arguments = ("run", "--driver", f"mine={SHELL}", "--surface", "chat-store", "--call-timeout", "1.5")
    with command([*arguments, "--messages", str(messages)], told) as process:
        wait_for(process, messages, f'"id": "{CHAT_STORE[1]}"')
        process.kill()
        process.communicate(timeout=60)
    assert alive(pids) == []
    sent = [json.loads(line)["message"] for line in messages.read_text("utf-8").splitlines()]
    begun = [message["params"]["id"] for message in sent if message.get("method") == "scenario.begin"]
    assert begun == CHAT_STORE[:2]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_examination_that_is_interrupted_leaves_no_driver(pids: Path, number: signal.Signals) -> None:
    told = environment({"specassay/doctor.1/one-call-of-each": "deaf_to_term"}, pids)
    with command(("doctor", "--driver", SHELL), told) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "scenario.begin" in line:
                break
        process.send_signal(number)
        output, _ = process.communicate(timeout=60)
    assert "specassay: interrupted" in output
    assert "Traceback" not in output
    assert process.returncode == Exit.INTERRUPTED
    assert alive(pids) == []


def test_two_workers_whose_driver_does_not_start_say_so_once(tmp_path: Path) -> None:
    played = run(tmp_path, "-p", "xdist", "-n", "2", driver="no-such-driver", scenarios=CHAT_STORE)
    assert played.code == Exit.NOT_STARTED, played.output
    assert played.output.count("the driver command does not exist: no-such-driver") == 1
    assert "Traceback" not in played.output
    assert played.records == {}
