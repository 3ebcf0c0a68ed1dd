"""What the verdicts of scenarios add up to: for statements, requirements, an implementation and a run."""

from collections import Counter
from collections.abc import Iterable, Mapping

from specassay.errors import WORST_FIRST, Exit
from specassay.results.model import (
    Expectation,
    ImplementationRecord,
    ScenarioRecord,
    Suite,
    SuiteRequirement,
    SuiteStatement,
    Verdict,
)

_WORST_FIRST = (Verdict.FAILED, Verdict.INCONCLUSIVE, Verdict.NOT_RUN, Verdict.PASSED, Verdict.INAPPLICABLE)

EXPECTED = "failed as expected"
NOT_COMPARED = "not compared"


def worst(verdicts: Iterable[Verdict]) -> Verdict | None:
    """Give the worst of several verdicts, `inapplicable` only if all are, and None of none."""
    found = set(verdicts)
    return next((verdict for verdict in _WORST_FIRST if verdict in found), None)


def roll_up(suite: Suite, scenarios: Iterable[ScenarioRecord], *, strict: bool) -> dict[str, Verdict]:
    """Give the verdict of each statement, requirement and specification by its id.

    What nothing outside can see, by inspection, is left out. Advice counts only where `strict`, or for a statement
    that has nothing else; a statement of advice does not count for its requirement.
    """
    by_scenario = {record.id: record.verdict for record in scenarios}
    by_statement = _statements(suite, by_scenario, strict=strict)
    verdicts = dict(by_statement)
    below: dict[str, list[Verdict]] = {}
    for requirement in suite.requirements:
        counted = [
            by_statement[statement.id]
            for statement in requirement.statements
            if statement.id in by_statement and (strict or statement.level == "must")
        ]
        verdict = worst(counted)
        if verdict is not None:
            verdicts[requirement.id] = verdict
            below.setdefault(requirement.specification, []).append(verdict)
    for specification, found in below.items():
        total = worst(found)
        assert total is not None
        verdicts[specification] = total
    return verdicts


def tally(requirement: SuiteRequirement, verdicts: Mapping[str, Verdict]) -> Counter[str]:
    """Count the MUST statements of a requirement by verdict, or as "by inspection"."""
    return Counter(
        verdicts[statement.id].value if statement.id in verdicts else "by inspection"
        for statement in requirement.statements
        if statement.level == "must"
    )


def spoken(counts: Mapping[str, int]) -> str:
    """Write a tally with its denominator: "12 of 17 MUST statements passed, 3 failed, 2 by inspection"."""
    total = sum(counts.values())
    if total == 0:
        return "no MUST statements"
    rest = [f"{counts[word]} {word}" for word in _TALLY_ORDER if counts.get(word)]
    noun = "MUST statement" if total == 1 else "MUST statements"
    return ", ".join([f"{counts.get(Verdict.PASSED.value, 0)} of {total} {noun} passed", *rest])


_TALLY_ORDER = ("failed", "inconclusive", "not-run", "inapplicable", "by inspection")


def excused(suite: Suite, expectations: Iterable[Expectation]) -> frozenset[str]:
    """Give the ids of the scenarios whose failure was expected and came as expected."""
    ids = {expectation.id for expectation in expectations if expectation.outcome == EXPECTED}
    return frozenset(
        scenario.id
        for statement in suite.statements()
        for scenario in statement.scenarios
        if scenario.id in ids or statement.id in ids
    )


def decisive(suite: Suite, *, strict: bool) -> frozenset[str]:
    """Give the ids of the selected scenarios that decide about conformance: all but advice, unless strict."""
    return frozenset(
        scenario.id for scenario in suite.scenarios() if scenario.selected and (strict or not scenario.advice)
    )


def exit_of(suite: Suite, record: ImplementationRecord, *, strict: bool, interrupted: bool = False) -> Exit:
    """Give the exit code that one implementation deserves (the table of `specassay run --help`).

    Nothing that applied and was decided, a scenario that could not be run, or a demand that has none, is inconclusive
    and never a pass.
    """
    if interrupted:
        return Exit.INTERRUPTED
    if record.failure is not None:
        return Exit.NOT_STARTED
    if record.missing:
        return Exit.USAGE
    deciding = decisive(suite, strict=strict)
    counted = [one for one in record.scenarios if one.id in deciding]
    known = excused(suite, record.expectations)
    if any(one.verdict is Verdict.FAILED and one.id not in known for one in counted):
        return Exit.NONCONFORMING
    if any(one.outcome not in (EXPECTED, NOT_COMPARED) for one in record.expectations):
        return Exit.NONCONFORMING
    found = {one.verdict for one in counted}
    undecided = found & {Verdict.INCONCLUSIVE, Verdict.NOT_RUN} or not found & {Verdict.PASSED, Verdict.FAILED}
    if undecided or record.broken is not None or untested(suite, strict=strict):
        return Exit.INCONCLUSIVE
    return Exit.CONFORMS


def untested(suite: Suite, *, strict: bool) -> int:
    """Count the statements that decide about conformance and that nobody has written a scenario for."""
    return sum(
        1
        for one in suite.statements()
        if (strict or one.level == "must") and not one.scenarios and not one.restates and one.by_inspection is None
    )


def worst_exit(codes: Iterable[int]) -> Exit:
    """Give the worst of several exit codes."""
    found = set(codes)
    return next(code for code in WORST_FIRST if code in found)


def _statements(suite: Suite, by_scenario: Mapping[str, Verdict], *, strict: bool) -> dict[str, Verdict]:
    statements = {statement.id: statement for statement in suite.statements()}
    own: dict[str, Verdict] = {}

    def judge(statement: SuiteStatement, seen: frozenset[str]) -> Verdict | None:
        if statement.id not in own:
            verdict = _own(statement, by_scenario, strict=strict)
            linked = [statements[link] for link in statement.restates if link in statements and link not in seen]
            followed = worst(v for other in linked if (v := judge(other, seen | {other.id})) is not None)
            found = worst(v for v in (verdict, followed) if v is not None)
            if found is None and statement.by_inspection is None and not linked:
                found = Verdict.NOT_RUN  # nobody has written a scenario yet: never a pass
            if found is None:
                return None
            own[statement.id] = found
        return own[statement.id]

    for statement in statements.values():
        judge(statement, frozenset({statement.id}))
    return own


def _own(statement: SuiteStatement, by_scenario: Mapping[str, Verdict], *, strict: bool) -> Verdict | None:
    counted = [one for one in statement.scenarios if strict or not one.advice] or statement.scenarios
    return worst(by_scenario[one.id] for one in counted)
