"""The test process: what it tells is heard, and how it ends is understood."""

from pathlib import Path

import pytest

from specassay.cli import child
from specassay.cli.child import Interrupts, play
from specassay.results.collect import Told
from specassay.results.events import Event
from specassay.results.model import Verdict
from specassay.results.plan import Plan
from tests.results import made

_PROGRAM = """
import json, os, signal, sys
plan = json.load(open(sys.argv[1].partition("=")[2]))
events = open(plan["events"], "ab", buffering=0)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the place in which the folders of runs are made."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def played(monkeypatch: pytest.MonkeyPatch, program: str) -> tuple[Told, list[Event]]:
    """Run a program in the place of pytest; give what was told, and what was heard on the way."""
    monkeypatch.setattr(child, "_PYTEST", ("-c", _PROGRAM + program))
    heard: list[Event] = []
    return play(Plan(driver="x"), heard.append, Interrupts()), heard


def written(*verdicts: Verdict) -> bytes:
    """Give the lines of a run with these verdicts."""
    events = made.events(dict(zip(made.ALL, verdicts, strict=False)))
    return b"".join(event.model_dump_json(by_alias=True).encode() + b"\n" for event in events)


def test_every_event_is_heard_in_order_and_nothing_is_left(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    lines = written(Verdict.PASSED, Verdict.FAILED)
    told, heard = played(monkeypatch, f"for part in {[lines[:50], lines[50:]]!r}: events.write(part)\nsys.exit(1)")
    assert list(told.events) == heard == made.events({made.ALL[0]: Verdict.PASSED, made.ALL[1]: Verdict.FAILED})
    assert (told.broken, told.interrupted) == (None, False)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("end", "how"),
    [
        ("sys.exit(3)", "exit status 3"),
        ("sys.exit(0)", "exit status 0"),
        ("sys.exit(5)", "exit status 5"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "signal SIGKILL"),
        ("raise RuntimeError('no')", "exit status 1"),
    ],
)
def test_a_process_that_tells_nothing_is_broken_and_keeps_its_log(
    end: str, how: str, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    told, heard = played(monkeypatch, f"print('what went wrong', flush=True)\n{end}")
    assert heard == []
    assert told.broken is not None
    assert told.broken.startswith(f"the test process broke ({how})")
    log = Path(told.broken.rpartition("its full log is ")[2])
    assert log.is_relative_to(folder)
    assert log.read_text().startswith("what went wrong\n")


def test_the_last_error_of_a_broken_process_is_quoted(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    program = (
        "print('INTERNALERROR>   File x\\nINTERNALERROR> ImportError: no\\n\\nno tests ran', flush=True)\nsys.exit(3)"
    )
    told, _ = played(monkeypatch, program)
    assert told.broken is not None
    assert "which is a fault of specassay: ImportError: no; its full log is " in told.broken


@pytest.mark.parametrize("end", ["sys.exit(3)", "sys.exit(-1)", "os.kill(os.getpid(), signal.SIGSEGV)"])
def test_what_was_told_before_the_process_broke_is_kept(
    end: str, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    lines = written(Verdict.PASSED, Verdict.FAILED)
    told, _ = played(monkeypatch, f"events.write({lines[:-20]!r})\n{end}")
    whole = made.events({made.ALL[0]: Verdict.PASSED, made.ALL[1]: Verdict.FAILED})
    assert list(told.events) == whole[:2]
    assert told.broken is not None


def test_the_users_settings_of_pytest_do_not_reach_it(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    monkeypatch.setenv("PYTEST_PLUGINS", "nonsense")
    told, _ = played(monkeypatch, "print({k: v for k, v in os.environ.items() if k.startswith('PYTEST')}); sys.exit(3)")
    log = Path((told.broken or "").rpartition("its full log is ")[2])
    assert log.read_text() == "{'PYTEST_DISABLE_PLUGIN_AUTOLOAD': '1'}\n"
    assert log.is_relative_to(folder)


def test_an_interruption_is_passed_on_once_and_what_is_told_afterwards_is_heard(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """The program tells its first event, asks for the interruption itself, and answers it with the second."""
    first, second = written(Verdict.PASSED).splitlines(keepends=True)
    interrupts = Interrupts()
    program = f"""
interrupted = []
def end(*_):
    interrupted.append(1)
    events.write({second!r})
    sys.exit(2)
signal.signal(signal.SIGINT, end)
events.write({first!r})
signal.pause()
"""
    monkeypatch.setattr(child, "_PYTEST", ("-c", _PROGRAM + program))
    heard: list[Event] = []

    def hear(event: Event) -> None:
        heard.append(event)
        interrupts.count = 1

    told = play(Plan(driver="x"), hear, interrupts)
    assert len(heard) == 2
    assert (told.broken, told.interrupted) == (None, True)
    assert list(folder.iterdir()) == []


def test_a_process_that_does_not_end_when_it_is_asked_is_ended(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (first, _) = written(Verdict.PASSED).splitlines(keepends=True)
    program = f"""
signal.signal(signal.SIGINT, signal.SIG_IGN)
events.write({first!r})
while True: signal.pause()
"""
    monkeypatch.setattr(child, "_PYTEST", ("-c", _PROGRAM + program))
    monkeypatch.setattr(child, "PATIENCE", 0.1)
    interrupts = Interrupts()

    def hear(event: Event) -> None:
        interrupts.count = 1

    told = play(Plan(driver="x"), hear, interrupts)
    assert told.interrupted
    assert list(folder.iterdir()) == []
