"""What the verdicts of scenarios add up to."""

import itertools

import pytest

from specassay.errors import Exit
from specassay.results.collect import Terms
from specassay.results.conclusion import conclude
from specassay.results.expectations import KnownFailure
from specassay.results.model import Verdict
from specassay.results.verdicts import exit_of, spoken, tally, worst, worst_exit
from tests.results import made

PASSED, FAILED, INCONCLUSIVE = Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE
INAPPLICABLE, NOT_RUN = Verdict.INAPPLICABLE, Verdict.NOT_RUN

STRICT = Terms(strict=True, today=made.TODAY)


@pytest.mark.parametrize(
    ("better", "worse"), list(itertools.pairwise([INAPPLICABLE, PASSED, NOT_RUN, INCONCLUSIVE, FAILED]))
)
def test_the_worst_verdict_wins(better: Verdict, worse: Verdict) -> None:
    assert worst([better, worse, better]) is worse


def test_inapplicable_is_the_verdict_only_where_all_are() -> None:
    assert worst([INAPPLICABLE, INAPPLICABLE]) is INAPPLICABLE
    assert worst([INAPPLICABLE, PASSED]) is PASSED


def test_nothing_has_no_verdict() -> None:
    assert worst([]) is None


def test_a_failure_reaches_statement_requirement_and_specification_and_nothing_else() -> None:
    verdicts = made.record(made.all_passed(for_bob=FAILED)).verdicts
    assert [name for name, verdict in verdicts.items() if verdict is FAILED] == [
        "shell/door.1",
        "shell/door.5",
        "shell/door",
        "shell",
    ]


def test_a_statement_that_restates_follows_what_it_restates() -> None:
    assert made.record(made.all_passed(opens=INCONCLUSIVE)).verdicts["shell/door.5"] is INCONCLUSIVE
    assert made.record(made.all_passed()).verdicts["shell/door.5"] is PASSED


def test_a_statement_by_inspection_has_no_verdict() -> None:
    assert "shell/door.4" not in made.record(made.all_passed()).verdicts


def test_failed_advice_stays_with_its_statement() -> None:
    verdicts = made.record(made.all_passed(quiet=FAILED, squeak=FAILED)).verdicts
    assert verdicts["shell/door.3"] is FAILED
    assert verdicts["shell/door/robustness"] is FAILED
    assert verdicts["shell/door"] is PASSED


def test_failed_advice_counts_where_strict() -> None:
    found = made.record(made.all_passed(squeak=FAILED), terms=STRICT)
    assert found.verdicts["shell/door"] is FAILED
    assert found.exit == Exit.NONCONFORMING


def test_the_tally_writes_its_denominator_out() -> None:
    verdicts = made.record(made.all_passed(locks=FAILED)).verdicts
    door = next(one for one in made.suite().requirements if one.id == "shell/door")
    assert spoken(tally(door, verdicts)) == "2 of 4 MUST statements passed, 1 failed, 1 by inspection"


def test_nothing_counted_is_not_all_passed() -> None:
    assert spoken({}) == "no MUST statements"


@pytest.mark.parametrize(
    ("but", "exit_code"),
    [
        ({}, Exit.CONFORMS),
        ({"opens": FAILED}, Exit.NONCONFORMING),
        ({"opens": FAILED, "locks": INCONCLUSIVE}, Exit.NONCONFORMING),
        ({"locks": INCONCLUSIVE}, Exit.INCONCLUSIVE),
        ({"locks": NOT_RUN}, Exit.INCONCLUSIVE),
        ({"locks": INAPPLICABLE}, Exit.CONFORMS),
        ({"quiet": FAILED, "squeak": FAILED}, Exit.CONFORMS),
        ({"squeak": INCONCLUSIVE}, Exit.CONFORMS),
    ],
)
def test_the_exit_code_follows_the_verdicts(but: dict[str, Verdict], exit_code: Exit) -> None:
    assert made.record(made.all_passed(**but)).exit == exit_code


def test_nothing_that_applies_is_no_pass() -> None:
    found = made.record({}, statement=made.declared(surfaces=()))
    assert {one.verdict for one in found.scenarios} == {INAPPLICABLE}
    assert found.exit == Exit.INCONCLUSIVE
    assert found.conclusion == (
        "mine was not decided: nothing that was selected applies to the surfaces that it declares"
    )


def test_advice_alone_is_no_pass() -> None:
    found = made.record({made.SQUEAK: PASSED}, selected=[made.SQUEAK])
    assert found.exit == Exit.INCONCLUSIVE
    assert found.conclusion == "mine was not decided: only advice was selected"


def test_a_demand_that_has_no_scenario_is_no_pass() -> None:
    record = made.record(made.all_passed())
    requirements = []
    for one in made.suite().requirements:
        bare = [st.model_copy(update={"scenarios": ()}) if st.id == "shell/door.2" else st for st in one.statements]
        requirements.append(one.model_copy(update={"statements": tuple(bare)}))
    suite = made.suite().model_copy(update={"requirements": tuple(requirements)})
    assert exit_of(suite, record, strict=False) is Exit.INCONCLUSIVE
    told = conclude(suite, record, Exit.INCONCLUSIVE, strict=False)
    assert told == "mine was not decided: 1 of 6 MUST statements have no scenario"


def test_a_required_surface_that_is_not_declared_is_wrong_usage() -> None:
    verdicts = {name: PASSED for name in made.ALL if name != made.OTHER}
    found = made.record(
        verdicts,
        statement=made.declared(surfaces=("door", "lock")),
        terms=Terms(required=("gate", "door"), today=made.TODAY),
    )
    assert found.missing == ("gate",)
    assert found.exit == Exit.USAGE
    assert found.conclusion == "mine does not declare what is required: gate"


def test_an_interrupted_run_says_so_whatever_came_before() -> None:
    found = made.record({made.OPENS: FAILED}, interrupted=True)
    assert found.exit == Exit.INTERRUPTED
    assert found.conclusion == (
        "mine was not tested to the end: the run was interrupted after 1 scenario, of which 1 failed"
    )


def test_the_worst_exit_code_is_that_of_the_run() -> None:
    order = [Exit.INTERRUPTED, Exit.USAGE, Exit.NOT_STARTED, Exit.NONCONFORMING, Exit.INCONCLUSIVE, Exit.CONFORMS]
    for position, worse in enumerate(order):
        assert worst_exit(reversed(order[position:])) is worse


def test_a_conforming_implementation_is_told_for_which_surfaces() -> None:
    assert made.record(made.all_passed()).conclusion == (
        "mine conforms for door, gate, lock: 5 of 6 MUST statements passed, 1 by inspection"
    )


def test_what_is_not_declared_is_said_beside_what_is() -> None:
    found = made.record(
        {name: PASSED for name in made.ALL if name.startswith("shell/door") and name != made.LOCKS},
        statement=made.declared(surfaces=("door",)),
    )
    assert found.exit == Exit.CONFORMS
    assert found.conclusion == (
        "mine conforms for door: 2 of 6 MUST statements passed, 3 inapplicable, 1 by inspection; "
        "not declared: gate, lock"
    )


def test_a_selection_never_conforms() -> None:
    found = made.record({made.OPENS: PASSED}, selected=[made.OPENS])
    assert found.exit == Exit.CONFORMS
    assert found.conclusion == "mine keeps what was selected: 1 of 9 scenarios passed, the rest is open"


def test_failures_are_counted_by_statement_and_scenario() -> None:
    found = made.record(made.all_passed(for_ann=FAILED, for_bob=FAILED, quiet=FAILED))
    assert found.conclusion == "mine does not conform: 1 of 6 MUST statements failed (2 scenarios)"


def test_an_expected_failure_is_excused_and_still_said() -> None:
    known = KnownFailure(id="shell/door.2", reason="ticket 17")
    found = made.record(made.all_passed(locks=FAILED), terms=Terms(known=(known,), today=made.TODAY))
    assert found.verdicts["shell/door.2"] is FAILED
    assert found.exit == Exit.CONFORMS
    assert "conforms but for 1 expected failure for door" in found.conclusion
