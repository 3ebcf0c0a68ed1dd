"""`specassay merge` and `specassay diff`, on files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from specassay.cli import main
from specassay.report import json as report
from specassay.results.drivers import EMBEDDED
from specassay.results.load import load
from specassay.results.model import Results, Verdict
from tests.results import made

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err
        return code, shown.out, shown.err

    return run


def _write(name: str, results: Results) -> str:
    Path(name).write_text(report.render(results), "utf-8")
    return name


def _mine(**but: Verdict) -> Results:
    return made.results(made.record(made.all_passed(**but)))


def _reference() -> Results:
    return made.results(made.record(made.all_passed(), driver=EMBEDDED))


def test_files_are_merged_into_one_and_its_reports(call: Call) -> None:
    files = _write("a.json", _reference()), _write("b.json", _mine(opens=Verdict.FAILED))
    code, out, err = call("merge", *files, "-o", "all.json", "--report", "html=all.html", "--report", "markdown=all.md")
    assert (code, err) == (0, "")
    merged = load(Path("all.json"))
    assert [one.name for one in merged.implementations] == ["reference", "mine"]
    assert out.splitlines() == [one.conclusion for one in merged.implementations]
    assert Path("all.html").read_text().startswith("<!doctype html>")
    assert Path("all.md").read_text().startswith("### ")


def test_one_file_is_enough_for_a_report(call: Call) -> None:
    code, _, _ = call("merge", _write("a.json", _mine()), "--report", "junit=a.xml")
    assert code == 0
    assert "<testsuites" in Path("a.xml").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("merge", "a.json"), "nothing to write: name the merged file (-o FILE), a report"),
        (("merge", "a.json", "a.json", "-o", "c.json"), "a.json is given twice"),
        (("merge", "no.json", "-o", "c.json"), "no.json: cannot be read"),
        (("merge", "a.json", "-o", "nowhere/c.json"), "-o: nowhere/c.json cannot be written: No such file"),
        (("merge", "a.json", "-o", "c.json", "--report", "junit=./c.json"), "this file is that of -o; give another"),
        (("merge", "a.json", "--report", "htm=c"), "unknown format 'htm'; did you mean html?"),
        (("merge", "a.json", "b.json", "-o", "c.json"), "'mine' has contradicting verdicts"),
        (("diff", "a.json", "no.json"), "no.json: cannot be read"),
        (("diff", "a.json", "bad.json"), "bad.json: line 1, column 1: is not JSON"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(call: Call, arguments: tuple[str, ...], message: str) -> None:
    _write("a.json", _mine())
    _write("b.json", _mine(opens=Verdict.FAILED))
    Path("bad.json").write_text("bad")
    code, _, err = call(*arguments)
    assert code == 2
    assert err.startswith("specassay: ")
    assert message in err
    assert {one.name for one in Path().iterdir()} == {"a.json", "b.json", "bad.json"}


def test_a_merged_file_may_take_the_place_of_a_part(call: Call) -> None:
    files = _write("a.json", _reference()), _write("b.json", _mine())
    assert call("merge", *files, "-o", "a.json")[0] == 0
    assert len(load(Path("a.json")).implementations) == 2


def test_a_note_says_what_was_kept_aside(call: Call) -> None:
    newer = report.render(_reference()).replace("it is pushed", "it is pulled").replace("2027-01-15", "2027-01-16")
    Path("b.json").write_text(newer.replace(made.suite().digest, "0" * 64))
    code, out, err = call("merge", _write("a.json", _mine()), "b.json", "-o", "c.json")
    assert code == 0
    assert "note: mine: a.json is of another version of the suite" in err
    assert "mine was not decided: 1 scenario not-run" in out


def test_a_diff_tells_what_was_lost_and_fails(call: Call) -> None:
    old, new = _write("a.json", _mine()), _write("b.json", _mine(locks=Verdict.FAILED))
    code, out, _ = call("diff", old, new)
    assert code == 1
    assert f"LOST  {made.LOCKS}: passed -> failed" in out
    assert out.splitlines()[-1] == "lost: 1 lost"


def test_a_diff_of_what_was_fixed_does_not_fail(call: Call) -> None:
    old, new = _write("a.json", _mine(locks=Verdict.FAILED)), _write("b.json", _mine())
    code, out, _ = call("diff", old, new)
    assert code == 0
    assert out.splitlines()[-1] == "nothing was lost: 1 fixed"
