"""The reports that go to files."""

import os
from pathlib import Path

import pytest

from specassay.errors import UsageError
from specassay.report.files import targets, write
from tests.results import made


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("junit", "write FORMAT=PATH, with json, junit, markdown, html as the format"),
        ("json=", "write FORMAT=PATH"),
        ("=x.json", "unknown format ''"),
        ("jsn=x", "unknown format 'jsn'; did you mean json?; known: json, junit, markdown, html"),
        ("json=nowhere/x.json", "nowhere/x.json cannot be written: No such file or directory"),
        ("json=.", "cannot be written: Is a directory"),
    ],
)
def test_a_wrong_report_is_found_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as error:
        targets([option])
    assert message in str(error.value)
    assert str(error.value).startswith(f"--report {option!r}: ")
    assert os.listdir(tmp_path) == []


def test_two_reports_cannot_go_to_one_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="two reports cannot go to one file"):
        targets([f"json={tmp_path}/x", f"junit={tmp_path}/x"])


def test_looking_whether_a_report_can_be_written_changes_nothing(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text("kept")
    targets([f"json={old}", f"junit={tmp_path}/new.xml"])
    assert old.read_text() == "kept"
    assert os.listdir(tmp_path) == ["old.json"]


def test_the_reports_are_written(tmp_path: Path) -> None:
    results = made.results(made.record(made.all_passed()))
    write(results, targets([f"json={tmp_path}/r.json", f"junit={tmp_path}/r.xml"]))
    assert '"schemaVersion": "1.0"' in (tmp_path / "r.json").read_text()
    assert "<testsuites" in (tmp_path / "r.xml").read_text()


def test_a_report_that_can_no_longer_be_written_is_named(tmp_path: Path) -> None:
    chosen = targets([f"json={tmp_path}/r.json"])
    (tmp_path / "r.json").mkdir()
    with pytest.raises(UsageError, match=r"the json report .*r\.json cannot be written"):
        write(made.results(made.record(made.all_passed())), chosen)
