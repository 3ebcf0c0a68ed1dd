"""Whole runs under pytest: isolation, time limits, workers, order, interruption, and what is written on the way."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from specassay import catalogue
from specassay.results.plan import TimeLimits
from tests.cli.drivers import declaring
from tests.suite.running import CHAT_STORE, SHELL, alive, begin, environment, finish, run

REFERENCE = f"{sys.executable} -m specassay.drivers.reference"
ALL = [scenario.id for scenario in catalogue.load().scenarios()]
SEVERAL = ALL[:: max(1, len(ALL) // 12)]


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    """Give the folder in which every process of the driver is noted."""
    folder = tmp_path / "pids"
    folder.mkdir()
    return folder


def messages_in(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_a_driver_written_by_hand_passes_what_it_declares_and_the_rest_is_inapplicable(tmp_path: Path) -> None:
    played = run(tmp_path, driver=SHELL, environment=environment({}))
    assert played.code == 0
    assert played.started.declared.surfaces == ("chat-store",)
    assert list(played.verdicts) == list(played.started.scenarios)
    assert {name for name, verdict in played.verdicts.items() if verdict == "passed"} == set(CHAT_STORE)
    assert set(played.verdicts.values()) == {"passed", "inapplicable"}


def test_a_driver_that_declares_nothing_is_asked_nothing(tmp_path: Path) -> None:
    told = environment({}, surfaces=[])
    played = run(tmp_path, driver=SHELL, environment=told, messages=str(tmp_path / "m"), scenarios=CHAT_STORE[:2])
    assert set(played.verdicts.values()) == {"inapplicable"}
    asked = [entry["message"].get("method", "") for entry in messages_in(tmp_path / "m")]
    assert [method for method in asked if method.startswith("scenario.")] == []


@pytest.mark.parametrize("isolation", ["declared", "asked for"])
def test_isolation_plays_each_scenario_in_a_process_of_its_own(tmp_path: Path, pids: Path, isolation: str) -> None:
    declared = isolation == "declared"
    told = environment({}, pids, **({"isolation": "process"} if declared else {}))
    messages = tmp_path / "messages.jsonl"
    played = run(
        tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE, isolate=not declared, messages=str(messages)
    )
    assert set(played.verdicts.values()) == {"passed"}
    assert played.code == 0
    assert len(list(pids.iterdir())) >= len(CHAT_STORE)
    assert alive(pids) == []
    asked = {entry["message"].get("method") for entry in messages_in(messages)}
    assert ("chat-store.getStorage" in asked, "chat-store.reload" in asked) == (declared, not declared)


def test_a_fault_under_isolation_costs_its_own_scenario_alone(tmp_path: Path, pids: Path) -> None:
    told = environment({CHAT_STORE[0]: "poison", CHAT_STORE[2]: "killed"}, pids, isolation="process")
    played = run(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:4])
    assert list(played.verdicts.values()) == ["passed", "passed", "inconclusive", "passed"]
    assert alive(pids) == []


def test_a_scenario_has_a_time_limit_of_its_own(tmp_path: Path) -> None:
    told = environment({CHAT_STORE[0]: "hung"})
    limits = TimeLimits(call=None, scenario=1)
    played = run(tmp_path, driver=SHELL, environment=told, limits=limits, scenarios=CHAT_STORE[:2])
    assert list(played.verdicts.values()) == ["inconclusive", "passed"]
    assert (played.records[CHAT_STORE[0]].reason or "").startswith("no answer to chat-store.")


@pytest.mark.parametrize(
    ("limits", "asked"),
    [
        (TimeLimits(call=0.1, scenario=0.1), {"callSeconds": 20, "scenarioSeconds": 20}),
        (TimeLimits(start=None, call=None, scenario=None), {}),
    ],
    ids=["lengthened by the driver", "none"],
)
def test_a_late_answer_is_waited_for(tmp_path: Path, limits: TimeLimits, asked: dict[str, float]) -> None:
    told = environment({CHAT_STORE[0]: "late_but_right"}, limits=asked)
    played = run(tmp_path, driver=SHELL, environment=told, limits=limits, scenarios=CHAT_STORE[:1])
    assert list(played.verdicts.values()) == ["passed"]


def test_two_workers_give_the_same_verdicts(tmp_path: Path, pids: Path) -> None:
    told = environment({}, pids)
    played = run(tmp_path, "-p", "xdist", "-n", "2", driver=SHELL, environment=told, scenarios=CHAT_STORE)
    assert played.code == 0, played.output
    assert played.verdicts == dict.fromkeys(CHAT_STORE, "passed")
    assert len(list(pids.iterdir())) == 2
    assert alive(pids) == []


def test_tool_results_that_are_written_otherwise_than_declared_are_told_of_once(tmp_path: Path) -> None:
    driver = declaring(tmp_path, toolCallIdField="callId")
    several = [scenario.id for scenario in catalogue.load().scenarios() if "orchestrator" in scenario.surfaces][:40]
    played = run(tmp_path, driver=driver, scenarios=several)
    said = "a tool result has the call's id in 'toolCallId', the driver declares 'callId'; set toolCallIdField"
    assert [text.partition(", ")[2] for text in played.diagnostics] == [said]


def test_the_order_is_shuffled_by_a_seed(tmp_path: Path) -> None:
    orders = []
    for number, seed in enumerate((3, 3, 4)):
        folder = tmp_path / str(number)
        folder.mkdir()
        played = run(folder, driver="reference", shuffle=seed, scenarios=CHAT_STORE)
        assert set(played.verdicts.values()) == {"passed"}
        orders.append(played.started.scenarios)
    assert orders[0] == orders[1] != orders[2]
    assert set(orders[0]) == set(CHAT_STORE)


def test_the_reference_in_process_and_over_stdio_gives_the_same_verdicts(tmp_path: Path) -> None:
    verdicts = []
    for name, driver in (("in process", "reference"), ("stdio", REFERENCE)):
        folder = tmp_path / name
        folder.mkdir()
        verdicts.append(run(folder, driver=driver, scenarios=SEVERAL).verdicts)
    assert verdicts[0] == verdicts[1]
    assert verdicts[0].keys() == set(SEVERAL)


def test_an_interruption_in_the_middle_of_a_call_keeps_what_was_told_and_leaves_no_process(
    tmp_path: Path, pids: Path
) -> None:
    messages = tmp_path / "messages.jsonl"
    messages.touch()
    told = environment({CHAT_STORE[2]: "hung"}, pids)
    process = begin(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:4], messages=str(messages))
    _wait_for_call(process, messages, CHAT_STORE[2])
    process.send_signal(signal.SIGINT)
    played = finish(process, tmp_path)
    assert played.code == pytest.ExitCode.INTERRUPTED
    assert played.verdicts == dict.fromkeys(CHAT_STORE[:2], "passed")
    assert alive(pids) == []


def _wait_for_call(process: subprocess.Popen[str], messages: Path, scenario: str) -> None:
    """Wait until the driver has been called in this scenario, as the messages tell."""
    while process.poll() is None:
        told = [line for line in messages.read_text("utf-8").splitlines() if f'"scenario": "{scenario}"' in line]
        if any('"method": "chat-store.' in line for line in told):
            return
    pytest.fail("the run ended before the call came")


def test_what_a_driver_sends_is_kept_whatever_characters_it_holds(tmp_path: Path) -> None:
    told = environment({CHAT_STORE[0]: "strange_text"})
    messages = tmp_path / "messages.jsonl"
    played = run(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:2], messages=str(messages))
    assert list(played.verdicts.values()) == ["failed", "passed"]
    assert "\\ud83c" in messages.read_text("utf-8")


def test_a_request_of_the_driver_outside_a_scenario_is_refused(tmp_path: Path) -> None:
    messages = tmp_path / "messages.jsonl"
    told = environment({"start": "early_request"})
    played = run(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:1], messages=str(messages))
    assert played.code == 0
    answers = [entry["message"] for entry in messages_in(messages) if entry["sender"] == "harness"]
    assert "no scenario is being played" in [answer.get("error", {}).get("message") for answer in answers]


def test_development_mode_finds_nothing_left_open(tmp_path: Path) -> None:
    """`run` fails for a warning of a file, a socket, a transport or a task that nobody has closed."""
    for name, driver in (("in process", "reference"), ("stdio", REFERENCE)):
        folder = tmp_path / name
        folder.mkdir()
        played = run(folder, development=True, driver=driver, scenarios=SEVERAL)
        assert played.code == 0, played.output


def test_what_a_driver_writes_reaches_the_terminal_without_control_characters(tmp_path: Path) -> None:
    for number, faults in enumerate(({CHAT_STORE[0]: "own_error"}, {"start": "killed"})):
        folder = tmp_path / str(number)
        folder.mkdir()
        played = run(folder, driver=SHELL, environment=environment(faults), scenarios=CHAT_STORE[:1])
        assert ("broken\\x1b[2J", "about to go wrong\\x1b[31m")[number] in played.output
        assert "\x1b" not in played.output
