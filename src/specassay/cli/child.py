"""Runs the suite against one implementation, in a pytest process of its own, and hears what it tells."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from pydantic import ValidationError

from specassay.results.collect import Told
from specassay.results.events import EVENT, Event, GroupStarted, Started, StartFailed
from specassay.results.plan import Plan

PATIENCE = 15.0
"""Seconds that the process is given to end its driver after an interruption, before TERM; then 2 more before KILL."""

_POLL = 0.05
_ORDERLY = (0, 1, 2, 4, 5)
_PYTEST = (
    *(
        "-P",
        "-m",
        "pytest",
        "--pyargs",
        "specassay.suite",
        "-q",
        "--color=no",
        "--noconftest",
        "--import-mode=importlib",
    ),
    *("-p", "no:cacheprovider", "-p", "pytest_bdd.plugin", "-p", "specassay.suite.plugin"),
)


class Interrupts:
    """Counts the signals that ask the run to end: the first one asks the test process, later ones press it."""

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def listening(self) -> Iterator["Interrupts"]:
        """Take INT, TERM and HUP while the run goes on."""
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, self._count) for number in numbers}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _count(self, number: int, frame: FrameType | None) -> None:
        self.count += 1


def play(plan: Plan, hear: Callable[[Event], None], interrupts: Interrupts) -> Told:
    """Run what `plan` says, hand each event to `hear` as it comes, and give all of them.

    The process is in a process group of its own, so that one Ctrl-C reaches it once and it can end its driver. Where
    it breaks, `Told.broken` says so and names the log, which is kept.
    """
    folder = Path(tempfile.mkdtemp(prefix="specassay-"))
    plan = plan.model_copy(update={"events": str(folder / "events.jsonl")})
    (folder / "plan.json").write_text(plan.model_dump_json(), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (folder / "events.jsonl").touch()
    events: list[Event] = []

    def take(event: Event) -> None:
        events.append(event)
        hear(event)

    with (folder / "events.jsonl").open("rb") as told, (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - this Python, with its own arguments
            [sys.executable, *_PYTEST, *_places(folder)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=_environment(),
            process_group=0,
        )
        try:
            for event in _follow(process, told, interrupts):
                take(event)
        finally:
            _end(process)
            if process.returncode not in _ORDERLY:
                _end_groups(events)
    broken = None if interrupts.count else _broken(process.returncode, events, folder / "log.txt")
    if broken is None:
        shutil.rmtree(folder, ignore_errors=True)
    return Told(events=tuple(events), interrupted=interrupts.count > 0, broken=broken)


def _places(folder: Path) -> tuple[str, ...]:
    return (f"--specassay-plan={folder / 'plan.json'}", "-c", str(folder / "pytest.ini"), f"--rootdir={folder}")


def _environment() -> dict[str, str]:
    """Give the user's environment without what would change pytest."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_CORE_"))}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def _follow(process: subprocess.Popen[bytes], told: Any, interrupts: Interrupts) -> Iterator[Event]:
    rest = b""
    answered = 0
    asked_at = 0.0
    while True:
        ended = _ended(process)
        rest += told.read()
        *lines, rest = rest.split(b"\n")
        for line in lines:
            try:
                yield EVENT.validate_json(line)
            except ValidationError:
                continue  # a line that was cut short, as a run that is killed leaves it
        if ended:
            return
        if interrupts.count > answered:
            answered += 1  # two that come at once are still two: the first one lets it end its driver
            asked_at = asked_at or time.monotonic()
            _press(process, answered)
        elif answered and time.monotonic() - asked_at > PATIENCE:
            return


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL)
    except subprocess.TimeoutExpired:
        return False
    return True


def _press(process: subprocess.Popen[bytes], times: int) -> None:
    process.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[min(times, 3) - 1])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that has not ended by itself."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _end_groups(events: list[Event]) -> None:
    """End the drivers and servers of a run that was not given the time to do so."""
    for event in events:
        if isinstance(event, GroupStarted):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(event.group, signal.SIGKILL)


def _broken(code: int, events: list[Event], log: Path) -> str | None:
    started = any(isinstance(event, Started | StartFailed) for event in events)
    if started and code in _ORDERLY:
        return None
    how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
    said = [
        line for line in log.read_text("utf-8", "replace").splitlines() if line.startswith(("INTERNALERROR>", "ERROR"))
    ]
    last = f": {said[-1].partition(' ')[2].strip()[:300]}" if said else ""
    return f"the test process broke ({how}), which is a fault of specassay{last}; its full log is {log}"
