"""A driver that breaks costs its own scenario the verdict, and no other one; nothing of it is left behind."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from specassay.results.plan import TimeLimits
from tests.suite.running import CHAT_STORE, SHELL, alive, environment, run

LIMITS = TimeLimits(start=10, call=1.5, scenario=10)

# What the reason of the verdict must say, by the fault in the middle of a call.
LOST = {
    "killed": "killed by signal SIGKILL",
    "ended": "ended with exit status 0",
    "hung": "no answer to chat-store.",
    "deaf_to_term": "no answer to chat-store.",
    "long_line": "a line over 16 MiB",
    "half_message": "ended with exit status 0 in the middle of a message",
    "broken_message": "a message that is no JSON (JSON has no NaN)",
    "deep_message": "a message that is no JSON",
    "nested_message": "a message that is no JSON (nested over 100 deep)",
    "wrong_id": "answered a call that nobody made (id 1",
    "no_json_rpc": "a message that is no JSON-RPC 2.0",
    "strange_request": "parameters that are no object",
    "closed_output": "closed its standard output",
    "orphan": "killed by signal SIGKILL",
    "stray": "killed by signal SIGKILL",
    "late": "no answer to chat-store.",
    "killed_in_begin": "killed by signal SIGKILL",
}
FAULTS = tuple(LOST)
HALF = (len(FAULTS) + 1) // 2


@pytest.fixture
def strays(tmp_path: Path) -> Iterator[Path]:
    """Give a folder for the ids of processes that only this test can end."""
    folder = tmp_path / "strays"
    folder.mkdir()
    yield folder
    for pid in alive(folder):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("faults", [FAULTS[:HALF], FAULTS[HALF:]], ids=["first-half", "second-half"])
def test_a_fault_costs_its_own_scenario_the_verdict_and_no_other(
    tmp_path: Path, strays: Path, faults: tuple[str, ...]
) -> None:
    pids = tmp_path / "pids"
    pids.mkdir()
    placed = dict(zip(CHAT_STORE[:: len(CHAT_STORE) // len(faults)], faults, strict=False))
    assert tuple(placed.values()) == faults
    told = {**environment(placed, pids), "STRAYS": str(strays)}
    played = run(tmp_path, driver=SHELL, environment=told, limits=LIMITS, scenarios=CHAT_STORE)

    expected = {scenario: "inconclusive" if scenario in placed else "passed" for scenario in CHAT_STORE}
    assert played.verdicts == expected
    assert played.code == 1
    reasons = {fault: played.records[scenario].reason or "" for scenario, fault in placed.items()}
    assert [(fault, reason) for fault, reason in reasons.items() if LOST[fault] not in reason] == []
    assert alive(pids) == []


def test_much_on_standard_error_and_a_child_that_lives_on_harm_nothing(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    pids.mkdir()
    told = environment({CHAT_STORE[0]: "noisy", CHAT_STORE[1]: "kept_child"}, pids)
    played = run(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:3])
    assert played.code == 0
    assert len(list(pids.iterdir())) == 2
    assert alive(pids) == []


def test_a_print_to_standard_output_is_told_and_harms_nothing(tmp_path: Path) -> None:
    played = run(tmp_path, driver=SHELL, environment=environment({CHAT_STORE[1]: "prints"}), scenarios=CHAT_STORE[:3])
    assert played.code == 0
    assert [text.partition(": ")[2] for text in played.diagnostics] == ["a print", "[not json", "\ufffd\ufffd\x1b[31m"]
    assert all("is no JSON (a print to standard output?" in text for text in played.diagnostics)


def test_a_crash_that_comes_only_after_another_scenario_is_put_down_to_that_one(tmp_path: Path) -> None:
    told = environment({CHAT_STORE[1]: "poison"})
    played = run(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:4])
    assert list(played.verdicts.values()) == ["passed", "inconclusive", "passed", "passed"]
    reason = played.records[CHAT_STORE[1]].reason or ""
    assert CHAT_STORE[2] in reason
    assert "which alone is passed" in reason
    assert "killed by signal SIGKILL" in reason
    assert f"specassay: {CHAT_STORE[1]} is inconclusive: after it" in played.output
    assert played.code == 1


@pytest.mark.parametrize("fault", ["ended_after", "killed_in_end", "hung_in_end"])
def test_a_driver_that_breaks_at_the_end_of_a_scenario_costs_that_one_its_verdict(tmp_path: Path, fault: str) -> None:
    told = environment({CHAT_STORE[1]: fault})
    played = run(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:4], limits=LIMITS)
    assert list(played.verdicts.values()) == ["passed", "inconclusive", "passed", "passed"]
    assert played.code == 1


@pytest.mark.parametrize(
    ("position", "fault"), [(0, "killed"), (2, "killed"), (2, "killed_in_begin"), (1, "hung")], ids=str
)
def test_one_broken_scenario_makes_pytest_fail(tmp_path: Path, position: int, fault: str) -> None:
    """The first one has a process of its own, the last one has no successor."""
    told = environment({CHAT_STORE[position]: fault})
    played = run(tmp_path, driver=SHELL, environment=told, scenarios=CHAT_STORE[:3], limits=LIMITS)
    expected = ["passed"] * 3
    expected[position] = "inconclusive"
    assert list(played.verdicts.values()) == expected
    assert played.code == 1
