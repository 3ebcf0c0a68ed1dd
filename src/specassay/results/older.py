"""Brings the verdicts of an older suite to a newer one: where the text is another, they do not count."""

from specassay.results.model import ImplementationRecord, ScenarioRecord, Suite, SuiteScenario, SuiteStatement, Verdict

_DECIDED = (Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE)


def bring(record: ImplementationRecord, old: Suite, new: Suite) -> ImplementationRecord:
    """Give the record with the scenarios of the new suite.

    A verdict stays where the scenario and its statement have the text that they had. Elsewhere the scenario is
    `not-run`, and `earlier` holds what it was; one that the old suite does not have is `not-run`. What is added up from
    the scenarios is left as it was: see `specassay.results.merge`.
    """
    before = _by_scenario(old)
    records = {one.id: one for one in record.scenarios}
    scenarios = tuple(
        _brought(records[scenario.id], before[scenario.id], (statement, scenario))
        if scenario.id in before
        else ScenarioRecord(
            id=scenario.id, verdict=Verdict.NOT_RUN, reason="the suite that it was run with does not have it"
        )
        for statement in new.statements()
        for scenario in statement.scenarios
    )
    return record.model_copy(update={"scenarios": scenarios, "suite": record.suite or old.digest, "lines": None})


def same_words(one: str, other: str) -> bool:
    """Say whether two texts differ in nothing but their white space."""
    return one.split() == other.split()


def _brought(
    record: ScenarioRecord, before: tuple[SuiteStatement, SuiteScenario], now: tuple[SuiteStatement, SuiteScenario]
) -> ScenarioRecord:
    what = _changed(before, now)
    if what is None or record.verdict not in _DECIDED:
        return record
    reason = f"{record.verdict.value} against an older text of the {what}"
    return record.model_copy(update={"verdict": Verdict.NOT_RUN, "earlier": record.verdict, "reason": reason})


def _changed(before: tuple[SuiteStatement, SuiteScenario], now: tuple[SuiteStatement, SuiteScenario]) -> str | None:
    if not same_words(before[0].sentence, now[0].sentence) or before[0].level != now[0].level:
        return "statement"
    return "scenario" if not same_words(before[1].text, now[1].text) else None


def _by_scenario(suite: Suite) -> dict[str, tuple[SuiteStatement, SuiteScenario]]:
    return {scenario.id: (statement, scenario) for statement in suite.statements() for scenario in statement.scenarios}
