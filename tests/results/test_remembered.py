"""What failed last."""

from pathlib import Path

import pytest

from specassay.errors import UsageError
from specassay.results.drivers import Driver
from specassay.results.model import Verdict
from specassay.results.remembered import recall, remember
from tests.results import made

FAILED, PASSED, INCONCLUSIVE = Verdict.FAILED, Verdict.PASSED, Verdict.INCONCLUSIVE


def file(folder: Path) -> Path:
    """Give the file in a folder of its own."""
    return folder / ".specassay" / "last-failed.json"


def test_what_failed_or_was_inconclusive_is_remembered(tmp_path: Path) -> None:
    remember([made.record(made.all_passed(opens=FAILED, locks=INCONCLUSIVE))], file(tmp_path))
    assert recall(["mine"], file(tmp_path)) == {made.OPENS, made.LOCKS}


def test_what_was_not_run_keeps_its_place(tmp_path: Path) -> None:
    remember([made.record(made.all_passed(opens=FAILED, locks=FAILED))], file(tmp_path))
    remember([made.record({made.OPENS: PASSED}, selected=[made.OPENS])], file(tmp_path))
    assert recall(["mine"], file(tmp_path)) == {made.LOCKS}


def test_each_implementation_has_its_own(tmp_path: Path) -> None:
    yours = made.record(made.all_passed(locks=FAILED), driver=Driver("yours", "x", ("--driver", "yours=x")))
    remember([made.record(made.all_passed(opens=FAILED)), yours], file(tmp_path))
    assert recall(["mine"], file(tmp_path)) == {made.OPENS}
    assert recall(["mine", "yours"], file(tmp_path)) == {made.OPENS, made.LOCKS}


def test_version_control_is_told_to_leave_it_alone(tmp_path: Path) -> None:
    remember([made.record(made.all_passed())], file(tmp_path))
    assert (tmp_path / ".specassay" / ".gitignore").read_text() == "*\n"


def test_nothing_remembered_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run without --last-failed"):
        recall(["mine"], file(tmp_path))


@pytest.mark.parametrize("content", ["{", "[]", '{"mine": [1]}', '{"mine": "x"}'])
def test_a_spoilt_file_is_named_and_then_replaced(tmp_path: Path, content: str) -> None:
    place = file(tmp_path)
    place.parent.mkdir()
    place.write_text(content)
    with pytest.raises(UsageError, match=r"last-failed\.json: .*delete it"):
        recall(["mine"], place)
    remember([made.record(made.all_passed(opens=FAILED))], place)
    assert recall(["mine"], place) == {made.OPENS}
