"""`specassay run --lines`: which lines of the reference each scenario ran."""

import importlib.util
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from specassay import resources
from specassay.cli import run as cli
from specassay.cli import trace
from specassay.errors import UsageError
from specassay.results.lines import numbers, spoken
from specassay.results.load import load

GUARD = "agent-session-shell/max-iteration-guard"


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> Result:
    monkeypatch.chdir(folder)
    report = ("--report", "json=results.json")
    return CliRunner().invoke(cli.command, ["--lines", *report, *options], standalone_mode=False)


def test_each_scenario_has_the_lines_that_it_ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(tmp_path, monkeypatch, "--id", f"{GUARD}.2", "--id", "agent-session-shell/chat-store.4")
    assert result.exception is None
    (record,) = load(tmp_path / "results.json").implementations
    assert record.lines is not None
    assert f"reference: {spoken(record.lines)}\n" in result.output
    by_scenario = {one.id: one.files for one in record.lines.scenarios}
    assert set(by_scenario) == {one.id for one in record.scenarios if one.verdict == "passed"}
    loop = {name: len(numbers(files.get("reference/orchestrator.py", ()))) for name, files in by_scenario.items()}
    guarded = [many for name, many in loop.items() if name.startswith(GUARD)]
    others = [many for name, many in loop.items() if not name.startswith(GUARD)]
    assert min(guarded) > 2 * max(others)  # who only uses the store makes the orchestrator, and never runs it
    shown = CliRunner().invoke(trace.command, ["results.json", "--id", f"{GUARD}.2"], standalone_mode=False).output
    assert "\n          ran reference/orchestrator.py:" in shown
    assert "ran reference/" not in CliRunner().invoke(trace.command, ["results.json"], standalone_mode=False).output


def test_every_line_of_every_file_is_accounted_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path, monkeypatch, "--id", "agent-session-shell/chat-store.4")
    (record,) = load(tmp_path / "results.json").implementations
    assert record.lines is not None
    root = resources.REFERENCE.resolve()
    files = {f"reference/{file.relative_to(root).as_posix()}" for file in root.rglob("*.py")}
    assert {one.file for one in record.lines.files} == files
    adapter = next(one for one in record.lines.files if one.file == "reference/providers/gemini.py")
    assert numbers(adapter.imported)
    assert not numbers(adapter.exclusive) | numbers(adapter.shared)


def test_only_the_embedded_reference_has_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(tmp_path, monkeypatch, "--driver", f"{sys.executable} -c pass")
    assert isinstance(result.exception, UsageError)
    assert str(result.exception) == "--lines follows the embedded reference alone; add it with --driver reference"


def test_without_coverage_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    result = run(tmp_path, monkeypatch)
    assert isinstance(result.exception, UsageError)
    assert str(result.exception) == "--lines needs coverage: pip install 'specassay[lines]'"
