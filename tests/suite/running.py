"""A run of the suite by pytest, in a process of its own, and what came of it."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from specassay import catalogue
from specassay.results.events import EVENT, Diagnostic, Event, Finished, Started, StartFailed
from specassay.results.model import ScenarioRecord
from specassay.results.plan import Plan

SCRIPTS = Path(__file__).parents[1] / "drivers" / "scripts"
SHELL = f"{sys.executable} {SCRIPTS / 'shell.py'}"
CHAT_STORE = [scenario.id for scenario in catalogue.load().scenarios() if scenario.surfaces == ("chat-store",)]


@dataclass(frozen=True)
class Run:
    """A run that has ended: its exit code, the events that it told, and what pytest printed."""

    code: int
    events: list[Event]
    output: str

    @cached_property
    def records(self) -> dict[str, ScenarioRecord]:
        """The record of each scenario; a later one takes the place of an earlier one."""
        return {event.record.id: event.record for event in self.events if isinstance(event, Finished)}

    @cached_property
    def verdicts(self) -> dict[str, str]:
        return {name: record.verdict.value for name, record in self.records.items()}

    @cached_property
    def started(self) -> Started:
        return next(event for event in self.events if isinstance(event, Started))

    @cached_property
    def failure(self) -> str:
        return next(event.message for event in self.events if isinstance(event, StartFailed))

    @cached_property
    def diagnostics(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Diagnostic)]


def begin(folder: Path, *arguments: str, development: bool = False, **plan: Any) -> subprocess.Popen[str]:
    """Start a run in `folder`, with every warning an error; Python's development mode sees more of them."""
    settings = Plan.model_validate({"events": str(folder / "events.jsonl"), **plan})
    (folder / "plan.json").write_text(settings.model_dump_json(), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", "utf-8")
    return subprocess.Popen(
        [
            *(
                sys.executable,
                *(("-X", "dev") if development else ()),
                "-W",
                "error",
                "-P",
                "-m",
                "pytest",
                "--pyargs",
                "specassay.suite",
                "-q",
            ),
            *("-c", str(folder / "pytest.ini"), f"--rootdir={folder}", "--noconftest", "--import-mode=importlib"),
            *("-p", "no:cacheprovider", "-p", "pytest_bdd.plugin", "-p", "specassay.suite.plugin"),
            *(f"--specassay-plan={folder / 'plan.json'}", *arguments),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
    )


def finish(process: subprocess.Popen[str], folder: Path) -> Run:
    """Wait for a run, and read what it told."""
    with process:
        output, _ = process.communicate(timeout=300)
    file = folder / "events.jsonl"
    lines = file.read_bytes().splitlines() if file.exists() else []  # of bytes: in a text, U+2028 ends one too
    assert "ResourceWarning" not in output, output
    assert "never retrieved" not in output, output
    assert "INTERNALERROR" not in output, output
    return Run(process.returncode, [EVENT.validate_json(line) for line in lines], output)


def run(folder: Path, *arguments: str, development: bool = False, **plan: Any) -> Run:
    """Run the suite as the plan says."""
    return finish(begin(folder, *arguments, development=development, **plan), folder)


def environment(faults: dict[str, str], pids: Path | None = None, **statement: Any) -> dict[str, str]:
    """Make what tells the driver written by hand which faults to commit, and what to declare."""
    told = {"FAULTS": json.dumps(faults), "STATEMENT": json.dumps(statement)}
    return told if pids is None else {**told, "PIDS": str(pids), "STRAYS": str(pids)}


def alive(pids: Path) -> list[int]:
    """Of the processes noted in a folder, those that still run; one that is killed is given the time to die."""
    deadline = time.monotonic() + 5
    left = [int(file.name) for file in pids.iterdir()]
    while (left := [pid for pid in left if _runs(pid)]) and time.monotonic() < deadline:
        pass
    return left


def _runs(pid: int) -> bool:
    """Say whether a process runs; one that has ended and that nobody has waited for does not."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout.strip() not in ("", "Z")
