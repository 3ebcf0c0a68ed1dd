"""`specassay run`, with real drivers."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from specassay import catalogue
from specassay.cli import main
from tests.cli import drivers

STATEMENT = "agent-session-shell/chat-store.5"
ONE = ("--id", STATEMENT)


@dataclass(frozen=True)
class Done:
    """How a command came out."""

    code: int
    out: str
    err: str

    @property
    def last(self) -> str:
        """The last line of what it printed."""
        return self.out.rstrip("\n").rpartition("\n")[2]


Run = Callable[..., Done]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `specassay run` with some arguments."""

    def call(*arguments: str) -> Done:
        code = main(["run", *arguments])
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err
        return Done(code, shown.out, shown.err)

    return call


def refused(run: Run, *arguments: str) -> str:
    """Give the one line in which a run is refused before it starts."""
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("specassay: ")
    assert done.err.count("\n") == 1
    return done.err


def test_the_embedded_reference_conforms(run: Run) -> None:
    done = run()
    assert done.code == 0
    assert done.last.startswith("reference conforms for ")
    assert "reference: starting\n" in done.err


def test_a_selection_is_run_alone_and_every_scenario_is_accounted_for(run: Run, folder: Path) -> None:
    done = run(*ONE, "--report", "json=r.json", "--messages", "m.jsonl")
    assert done.code == 0
    results = json.loads((folder / "r.json").read_text())
    (record,) = results["implementations"]
    assert [one["id"] for one in record["scenarios"]] == [one.id for one in catalogue.load().scenarios()]
    passed = {one["id"] for one in record["scenarios"] if one["verdict"] == "passed"}
    assert passed == {one.id for one in catalogue.load().scenarios() if one.statement == STATEMENT}
    assert results["settings"]["selected"] == len(passed)
    assert record["verdicts"][STATEMENT] == "passed"
    said = [json.loads(line) for line in (folder / "m.jsonl").read_text().splitlines()]
    assert {one["scenario"] for one in said} >= passed
    assert {one["implementation"] for one in said} == {"reference"}


def test_a_wrong_implementation_does_not_conform(run: Run, folder: Path) -> None:
    command = drivers.answering(folder, "None")
    done = run("--driver", f"mine={command}", *ONE, "--report", "junit=r.xml")
    assert done.code == 1
    assert f"FAILED  {STATEMENT}" in done.out
    assert f"Run it again: specassay run --driver {chr(39)}mine=" in done.out
    assert done.last.startswith("mine does not conform: 1 of ")
    assert f"mine: FAILED {STATEMENT}/" in done.err
    assert next(ET.parse(folder / "r.xml").iter("failure")).get("message")


def test_several_implementations_are_run_side_by_side(run: Run, folder: Path) -> None:
    bad = drivers.answering(folder, "None")
    done = run("--driver", f"good={drivers.REFERENCE}", "--driver", f"bad={bad}", "--driver", "gone=./nowhere", *ONE)
    assert done.code == 4
    assert [line.split()[0] for line in done.out.splitlines()[-3:]] == ["good", "bad", "gone"]
    assert "NOT STARTED  the driver command does not exist: ./nowhere" in done.out
    table = done.out[done.out.index("Side by side") :].splitlines()
    assert table[0].split() == ["Side", "by", "side", "good", "bad", "gone"]
    assert table[1].split()[2] == "FAILED"


def test_what_does_not_apply_is_not_decided(run: Run, folder: Path) -> None:
    command = drivers.answering(folder, "{}", '["agent-store"]')
    done = run("--driver", f"mine={command}", *ONE)
    assert done.code == 3
    assert "(chat-store not declared)" in done.out
    assert "inapplicable" in done.out


def test_a_required_surface_that_is_not_declared_ends_with_2(run: Run, folder: Path) -> None:
    done = run("--driver", f"mine={drivers.answering(folder, '{}')}", *ONE, "--require", "agent-store")
    assert done.code == 2
    assert done.last == "mine does not declare what is required: agent-store"


def test_the_settings_of_a_project_are_used(run: Run, folder: Path) -> None:
    (folder / "known.toml").write_text(f'[[expect]]\nid = "{STATEMENT}"\nreason = "ticket 17"\n')
    command = json.dumps(drivers.answering(folder, "None"))
    (folder / "pyproject.toml").write_text(
        f'[tool.specassay]\nexpect = "known.toml"\nrequire = ["chat-store"]\n'
        f"[tool.specassay.drivers.mine]\ncommand = {command}\n"
    )
    done = run(*ONE)
    assert done.code == 0
    assert f"failed as expected  {STATEMENT}  (ticket 17)" in done.out
    assert done.last.startswith("mine keeps what was selected but for 1 expected failure")


def test_an_unexpected_pass_fails_the_run(run: Run, folder: Path) -> None:
    (folder / "known.toml").write_text(f'[[expect]]\nid = "{STATEMENT}"\nreason = "ticket 17"\n')
    done = run(*ONE, "--expect", "known.toml")
    assert done.code == 1
    assert f"PASSED UNEXPECTEDLY  {STATEMENT}  (ticket 17)" in done.out


def test_what_failed_last_is_run_again_alone(run: Run, folder: Path) -> None:
    driver = ("--driver", f"mine={drivers.answering(folder, 'None')}")
    run(*driver, *ONE)
    done = run(*driver, "--last-failed", "--report", "json=r.json")
    results = json.loads((folder / "r.json").read_text())
    selected = [
        scenario["id"]
        for requirement in results["suite"]["requirements"]
        for statement in requirement["statements"]
        for scenario in statement["scenarios"]
        if scenario["selected"]
    ]
    assert done.code == 1
    assert selected == [one.id for one in catalogue.load().scenarios() if one.statement == STATEMENT]


def test_settings_of_pytest_in_the_folder_do_not_change_a_run(run: Run, folder: Path) -> None:
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")
    (folder / "conftest.py").write_text("raise RuntimeError('not for us')\n")
    (folder / "json.py").write_text("raise RuntimeError('not for us')\n")
    assert run(*ONE).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--driver", "a=x", "--driver", "a=y"), "two drivers are named 'a'"),
        (("--driver", "a="), "has no command"),
        (("--driver", "node 'x"), "no closing quotation"),
        (("--id", "chat-store.99"), "did you mean"),
        (("--spec", "agent-session-shel"), "did you mean agent-session-shell?"),
        (("--surface", "chat-stor"), "did you mean chat-store or "),
        (("--require", "chat-stor"), "did you mean chat-store or "),
        (("--id", "max-iteration-guard", "--surface", "agent-store"), "no scenario matches all of these filters"),
        (("--last-failed",), "run without --last-failed"),
        (("--expect", "nowhere.toml"), "nowhere.toml: cannot be read: No such file or directory"),
        (("--report", "htm=x"), "unknown format 'htm'"),
        (("--report", "json=nowhere/x"), "nowhere/x cannot be written"),
        (("--report", "json=-"), "name a file; standard output has the report for the terminal"),
        (("--report", "json=x", "--messages", "./x"), "this file is that of --messages; give another one"),
        (("--messages", "nowhere/x"), "--messages: nowhere/x cannot be written"),
    ],
)
def test_bad_input_is_refused_in_one_line_before_anything_starts(
    run: Run, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused(run, *arguments)
    assert os.listdir(folder) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_messages_that_cannot_be_written_are_told_of_after_the_report(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = folder / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    done = run(*ONE, "--messages", "/dev/full", "--report", "json=r.json")
    assert done.code == 2
    assert done.err.endswith("specassay: --messages: /dev/full cannot be written: No space left on device\n")
    assert done.last.startswith("reference keeps what was selected")
    assert json.loads((folder / "r.json").read_text())["exit"] == 0
    assert os.listdir(temporary) == []


@pytest.mark.parametrize("option", ["--start-timeout", "--call-timeout", "--scenario-timeout"])
@pytest.mark.parametrize("seconds", ["nan", "inf", "1e999", "-inf", "-1", "0", "soon"])
def test_a_time_limit_is_a_number_above_0(run: Run, option: str, seconds: str) -> None:
    done = run(f"{option}={seconds}")
    assert (done.code, done.out) == (2, "")
    assert f"Invalid value for '{option}': " in done.err


def test_a_reader_that_goes_away_changes_neither_the_exit_code_nor_the_reports(folder: Path) -> None:
    driver = drivers.answering(folder, "None")
    code = "import sys; from specassay.cli import main; sys.exit(main())"
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, "run", "--driver", f"mine={driver}", *ONE, "--report", "json=r.json"],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert json.loads((folder / "r.json").read_text())["exit"] == 1


def test_bad_settings_are_refused_with_file_and_key(run: Run, folder: Path) -> None:
    file = folder / "pyproject.toml"
    file.write_text("[tool.specassay]\nrequire = 'chat-store'\n")
    assert f"specassay: {file}: [tool.specassay]: require: " in refused(run)


def test_a_folder_that_cannot_be_written_to_is_noted(run: Run, folder: Path) -> None:
    (folder / ".specassay").write_text("a file where the folder should be")
    done = run(*ONE)
    assert done.code == 0
    assert "note: what failed cannot be remembered here for --last-failed: " in done.err


def test_nothing_of_a_driver_reaches_the_terminal_as_it_is(run: Run, folder: Path) -> None:
    evil = r"""{"messages": [{"role": "\x1b]0;pwn\x07\ud800\u202e<b>"}], "loading": "\x1b[2J" * 9000}"""
    done = run(
        "--driver", f"mine={drivers.answering(folder, evil)}", *ONE, "--messages", "m.jsonl", "--report", "json=r"
    )
    assert done.code == 1
    assert "pwn" in done.out
    assert not {"\x1b", "\x07", "\u202e", "\ud800"} & set(done.out + done.err)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_reports_what_ran_and_leaves_nothing_behind(folder: Path, number: signal.Signals) -> None:
    hanging = drivers.hanging(folder)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        code = "import sys; from specassay.cli import main; sys.exit(main())"
        arguments = ("--driver", f"mine={hanging}", "--driver", "reference", "--surface", "chat-store")
        process = subprocess.Popen(
            [sys.executable, "-c", code, "run", *arguments, "--report", "json=r.json", "--no-timeout"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "CALL_PORT": str(server.getsockname()[1])},
        )
        try:
            caller, _ = server.accept()
            with caller:
                caller.settimeout(30)
                process.send_signal(number)
                out, err = process.communicate(timeout=30)
                assert caller.recv(1) == b""  # the driver is gone
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in out + err
    first, second = out.rstrip().splitlines()[-2:]
    assert first.startswith("mine was not tested to the end: the run was interrupted after ")
    assert second.startswith("reference was not tested to the end: the run was interrupted after 0 scenarios")
    results = json.loads((folder / "r.json").read_text())
    assert results["interrupted"] is True
    reasons = {one["reason"] for one in results["implementations"][0]["scenarios"] if one["verdict"] == "not-run"}
    assert reasons == {"interrupted", "not selected"}
