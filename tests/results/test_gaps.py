"""What is not covered, and why."""

from specassay.results.drivers import EMBEDDED
from specassay.results.gaps import MEANING, Gap, GapKind, gaps, vacuous
from specassay.results.merge import Part, merge
from specassay.results.model import Verdict
from tests.results import made
from tests.results.test_merge import _changed

OAK = Gap(GapKind.BY_INSPECTION, "shell/door.4")


def test_what_nothing_outside_can_see_is_the_only_gap_of_a_full_run() -> None:
    assert list(gaps(made.results(made.record(made.all_passed())))) == [OAK]


def test_a_statement_without_a_scenario_is_a_gap() -> None:
    results = made.results(made.record(made.all_passed()))
    door = results.suite.requirements[1]
    bare = door.statements[1].model_copy(update={"scenarios": ()})
    suite = results.suite.model_copy(update={"requirements": (door.model_copy(update={"statements": (bare,)}),)})
    assert list(gaps(results.model_copy(update={"suite": suite}))) == [Gap(GapKind.NO_SCENARIO, "shell/door.2")]


def test_an_open_verdict_is_a_gap_of_its_implementation() -> None:
    mine = made.record(made.all_passed(locks=Verdict.NOT_RUN, other=Verdict.INCONCLUSIVE))
    results = made.results(mine, made.record(made.all_passed(), driver=EMBEDDED))
    assert list(gaps(results)) == [
        Gap(GapKind.INCONCLUSIVE, "other/door.1", ("mine",)),
        Gap(GapKind.NOT_RUN, "shell/door.2", ("mine",)),
        OAK,
    ]


def test_a_scenario_that_checked_nothing_is_vacuous() -> None:
    played = made.played(made.LOCKS, Verdict.INCONCLUSIVE)
    empty = played.model_copy(update={"steps": (played.steps[0].model_copy(update={"checks": ()}),)})
    assert vacuous(empty)
    assert not vacuous(played)
    results = made.results(made.record({**made.all_passed(), made.LOCKS: empty}))
    assert list(gaps(results)) == [Gap(GapKind.VACUOUS, "shell/door.2", ("mine",)), OAK]


def test_a_failure_is_no_gap_and_advice_has_none() -> None:
    assert list(gaps(made.results(made.record(made.all_passed(locks=Verdict.FAILED, squeak=Verdict.NOT_RUN))))) == [OAK]


def test_a_verdict_against_an_older_text_is_a_gap() -> None:
    old = made.results(made.record(made.all_passed()))
    new = _changed(made.results(made.record(made.all_passed(), driver=EMBEDDED)), "The door MUST lock", "It MUST lock")
    merged = merge([Part("a", old), Part("b", new)]).results
    assert list(gaps(merged)) == [Gap(GapKind.SUSPECT, "shell/door.2", ("mine",)), OAK]


def test_every_kind_has_a_meaning() -> None:
    assert set(MEANING) == set(GapKind)
