"""The command line as a whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from specassay import __version__
from specassay.cli import main
from specassay.cli.commands import group
from specassay.errors import DriverStartError, UsageError

COMMAND = (sys.executable, "-c", "import sys; from specassay.cli import main; sys.exit(main())")
_HEAVY = ("pydantic", "pytest", "gherkin", "httpx", "specassay.catalogue", "specassay.results.model")


def test_the_version_is_told_without_loading_anything_heavy() -> None:
    code = (
        "import sys; from specassay.cli import main; code = main(['--version']); "
        f"print([name for name in {_HEAVY!r} if name in sys.modules]); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"specassay {__version__}\n[]\n", "")


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name in ("run", "list", "explain", "doctor", "kit"):
        assert f"\n  {name} " in shown


@pytest.mark.parametrize("arguments", [["nonsense"], ["run", "--nonsense"], ["run", "--kind", "odd"], ["explain"]])
def test_wrong_usage_is_told_in_a_line_and_ends_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Error: " in shown.err
    assert "Traceback" not in shown.err


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (UsageError("that is wrong"), 2, "specassay: that is wrong\n"),
        (DriverStartError("it did not start"), 4, "specassay: it did not start\n"),
        (KeyboardInterrupt(), 130, "specassay: interrupted\n"),
    ],
)
def test_each_error_has_its_exit_code(
    error: BaseException, code: int, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(group, "main", fail)
    assert main([]) == code
    assert capsys.readouterr().err == message


@pytest.mark.parametrize(("arguments", "code"), [(["list"], 0), (["explain", "chat-store"], 0), (["explain", "x"], 2)])
def test_a_reader_that_goes_away_changes_nothing(arguments: list[str], code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run([*COMMAND, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1 if code else 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_output_is_told_in_a_line_and_ends_with_2() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    said = "specassay: the standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_an_interruption_while_a_command_loads_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([*COMMAND, "list"], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "specassay: interrupted\n")


def test_the_help_cuts_no_line_off(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    commands = capsys.readouterr().out.partition("Commands:")[2]
    assert "doctor" in commands
    assert "..." not in commands


def test_every_option_of_run_has_a_help_text() -> None:
    from specassay.cli.run import command

    without = [one.name for one in command.params if not getattr(one, "help", None)]
    assert without == []


def test_a_terminal_without_unicode_is_no_traceback(tmp_path: Path) -> None:
    code = "import sys; from specassay.cli import main; sys.exit(main(['explain', 'nonsense\\u2026']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"nonsense" in done.stderr
