"""What changed from one run to another."""

from datetime import timedelta

import click
import pytest

from specassay.report import changes as report
from specassay.results.changes import Change, Changes, Move, compare
from specassay.results.drivers import EMBEDDED
from specassay.results.model import Results, Verdict
from tests.results import made


def _run(**but: Verdict) -> Results:
    return made.results(made.record(made.all_passed(**but)))


def _edited(results: Results, old: str, new: str) -> Results:
    text = results.model_dump_json(by_alias=True)
    assert old in text
    return Results.model_validate_json(text.replace(old, new))


def _without(results: Results, *ids: str) -> Results:
    """Drop scenarios from the suite and from the records."""
    requirements = tuple(
        requirement.model_copy(
            update={
                "statements": tuple(
                    one.model_copy(update={"scenarios": tuple(s for s in one.scenarios if s.id not in ids)})
                    for one in requirement.statements
                )
            }
        )
        for requirement in results.suite.requirements
    )
    records = tuple(
        record.model_copy(update={"scenarios": tuple(s for s in record.scenarios if s.id not in ids)})
        for record in results.implementations
    )
    suite = results.suite.model_copy(update={"requirements": requirements})
    return results.model_copy(update={"suite": suite, "implementations": records})


def _told(old: Results, new: Results) -> str:
    return click.unstyle(report.render(old, new, compare(old, new)))


def test_nothing_changed_between_a_run_and_itself() -> None:
    later = _run().model_copy(update={"started_at": _run().started_at + timedelta(days=1)})
    found = compare(_run(), later)
    assert found == Changes((), (), (), ())
    assert not found.lost(strict=True)
    assert _told(_run(), later) == "nothing changed"


@pytest.mark.parametrize(
    ("before", "after", "move", "lost"),
    [
        (Verdict.PASSED, Verdict.FAILED, Move.LOST, True),
        (Verdict.PASSED, Verdict.INCONCLUSIVE, Move.LOST, True),
        (Verdict.PASSED, Verdict.NOT_RUN, Move.LOST, True),
        (Verdict.PASSED, Verdict.INAPPLICABLE, Move.LOST, True),
        (Verdict.FAILED, Verdict.PASSED, Move.FIXED, False),
        (Verdict.INCONCLUSIVE, Verdict.PASSED, Move.FIXED, False),
        (Verdict.NOT_RUN, Verdict.PASSED, Move.NEW, False),
        (Verdict.NOT_RUN, Verdict.FAILED, Move.BROKEN, False),
        (Verdict.FAILED, Verdict.INCONCLUSIVE, Move.CHANGED, False),
    ],
)
def test_each_move_of_a_verdict_has_its_name(before: Verdict, after: Verdict, move: Move, lost: bool) -> None:
    found = compare(_run(locks=before), _run(locks=after))
    assert [(one.scenario, one.move) for one in found.verdicts] == [(made.LOCKS, move)]
    assert found.lost(strict=False) is lost


def test_advice_is_lost_only_when_strict() -> None:
    found = compare(_run(), _run(squeak=Verdict.FAILED))
    assert [one.move for one in found.verdicts] == [Move.LOST]
    assert not found.lost(strict=False)
    assert found.lost(strict=True)


def test_a_reworded_statement_is_shown_word_by_word() -> None:
    new = _edited(_run(), "The door MUST lock", "The door MUST lock twice")
    found = compare(_run(), new)
    assert [(one.kind, one.id) for one in found.specification] == [(Change.REWORDED, "shell/door.2")]
    assert not found.lost(strict=True)
    assert "The door MUST lock{+ twice+}" in _told(_run(), new)


def test_a_changed_scenario_is_shown_word_by_word() -> None:
    new = _edited(_run(), "When it is pushed", "When it is pulled")
    assert [(one.kind, one.id) for one in compare(_run(), new).scenarios] == [(Change.REWORDED, made.OPENS)]
    assert "it is [-pushed-]{+pulled+} Then" in _told(_run(), new)


def test_white_space_is_no_change() -> None:
    new = _edited(_run(), "The door MUST lock", "The  door MUST lock ")
    assert compare(_run(), new) == Changes((), (), (), ())


def test_a_scenario_that_is_gone_is_lost() -> None:
    found = compare(_run(), _without(_run(), made.LOCKS))
    assert [(one.kind, one.id) for one in found.scenarios] == [(Change.REMOVED, made.LOCKS)]
    (shift,) = found.verdicts
    assert (shift.move, shift.new, shift.reason) == (Move.LOST, "absent", "the suite no longer has it")
    assert found.lost(strict=False)


def test_a_scenario_that_is_new_is_new() -> None:
    found = compare(_without(_run(), made.LOCKS), _run())
    assert [(one.kind, one.id) for one in found.scenarios] == [(Change.ADDED, made.LOCKS)]
    assert [one.move for one in found.verdicts] == [Move.NEW]
    assert not found.lost(strict=True)


def test_a_renamed_scenario_keeps_its_verdict() -> None:
    found = compare(_run(), _edited(_run(), "it-locks", "it-can-be-locked"))
    assert [(one.kind, one.new) for one in found.scenarios] == [(Change.RENAMED, "shell/door.2/it-can-be-locked")]
    assert found.verdicts == ()
    assert not found.lost(strict=True)


def test_a_statement_that_is_gone_is_lost() -> None:
    old = _run()
    door = old.suite.requirements[1]
    less = door.model_copy(update={"statements": door.statements[:3] + door.statements[4:]})
    suite = old.suite.model_copy(
        update={"requirements": (old.suite.requirements[0], less, *old.suite.requirements[2:])}
    )
    found = compare(old, old.model_copy(update={"suite": suite}))
    assert [(one.kind, one.id) for one in found.specification] == [(Change.REMOVED, "shell/door.4")]
    assert found.lost(strict=False)


def test_a_must_that_became_a_should_is_lost_and_the_reverse_is_not() -> None:
    new = _edited(
        _run(), '"sentence":"The door MUST lock","level":"must"', '"sentence":"The door MUST lock","level":"should"'
    )
    assert [(one.kind, one.old, one.new) for one in compare(_run(), new).specification] == [
        (Change.LEVEL, "must", "should")
    ]
    assert compare(_run(), new).lost(strict=False)
    assert not compare(new, _run()).lost(strict=False)


def test_an_implementation_that_is_gone_is_lost() -> None:
    both = made.results(made.record(made.all_passed()), made.record(made.all_passed(), driver=EMBEDDED))
    assert compare(both, _run()).lost(strict=False)
    assert not compare(_run(), both).lost(strict=False)
    assert [(one.kind, one.id) for one in compare(_run(), both).implementations] == [(Change.ADDED, "reference")]


def test_the_counts_and_the_outcome_are_told() -> None:
    told = _told(_run(opens=Verdict.FAILED), _run(locks=Verdict.FAILED)).splitlines()
    assert "mine: 3 of 6 MUST, 1 of 1 SHOULD -> 4 of 6 MUST, 1 of 1 SHOULD" in told
    assert told[-1] == "lost: 1 fixed, 1 lost"
    assert f"  LOST  {made.LOCKS}: passed -> failed" in told


def test_what_changed_is_told_in_plain_characters() -> None:
    new = _edited(_run(), "The door MUST lock", "The door MUST lock\\u001b[31m")
    assert "\x1b" not in _told(_run(), new)
