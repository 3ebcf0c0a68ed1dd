"""Reading results from a file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from specassay.errors import UsageError
from specassay.report import json as report
from specassay.results.load import load
from specassay.results.model import Verdict
from tests.results import made

RESULTS = made.results(made.record(made.all_passed(opens=Verdict.FAILED)))


def _file(folder: Path, change: Callable[[Any], object] = lambda _: None) -> Path:
    content = json.loads(report.render(RESULTS))
    change(content)
    file = folder / "r.json"
    file.write_text(json.dumps(content), "utf-8")
    return file


def test_what_was_written_is_read(tmp_path: Path) -> None:
    assert load(_file(tmp_path)) == RESULTS


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1,}', "line 1, column 9: is not JSON"),
        (b"\xff", "is not UTF-8 text"),
        (b"[]", "is not a results file; write one with `specassay run --report json=r.json`"),
        (b'{"a": 1}', "is not a results file"),
        (b'{"schemaVersion": "9.0"}', "schemaVersion is '9.0', and this specassay reads '1.0'"),
        (b"[" * 100_000, "is nested too deep to be read"),
        (b"1" * 5000, "holds a number that cannot be read"),
    ],
)
def test_what_is_no_results_file_is_said(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "r.json"
    file.write_bytes(content)
    with pytest.raises(UsageError) as error:
        load(file)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no\.json: cannot be read: No such file or directory"):
        load(tmp_path / "no.json")


def _set(*path: Any, value: Any) -> Callable[[Any], None]:
    def change(content: Any) -> None:
        for part in path[:-1]:
            content = content[part]
        content[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            _set("implementations", 0, "scenarios", 2, "verdict", value="fine"),
            "implementations[0].scenarios[2].verdict: ",
        ),
        (_set("seconds", value="long"), "seconds: input should be a valid number"),
        (_set("extra", value=1), "extra: is a name that this specassay does not know"),
        (lambda content: content["suite"].pop("digest"), "suite.digest: is missing"),
        (_set("implementations", value=[]), "implementations: there is none"),
        (_set("implementations", 0, "exit", value=77), "implementations[0].exit: 77 is no exit code"),
        (_set("implementations", 0, "verdicts", value={"x": "passed"}), "implementations[0].verdicts: 'x' is nothing"),
        (
            lambda content: content["implementations"][0]["scenarios"].pop(),
            "implementations[0].scenarios: are not those",
        ),
        (lambda content: content["implementations"].append(content["implementations"][0]), "two are named 'mine'"),
        (_set("suite", "requirements", 1, "id", value="other/door"), "suite: two of one id"),
    ],
)
def test_a_wrong_place_is_named(tmp_path: Path, change: Callable[[Any], object], message: str) -> None:
    file = _file(tmp_path, change)
    with pytest.raises(UsageError) as error:
        load(file)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)
