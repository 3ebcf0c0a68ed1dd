"""Makes the results of a run from what was planned and what was told while it went on."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from specassay import resources
from specassay.catalogue import Catalogue, Scenario
from specassay.results.conclusion import conclude
from specassay.results.digest import digest
from specassay.results.drivers import Driver
from specassay.results.events import Diagnostic, Event, Finished, LinesRan, Started, StartFailed
from specassay.results.expectations import KnownFailure, compare
from specassay.results.model import (
    Declared,
    Expectation,
    ImplementationRecord,
    ScenarioRecord,
    Suite,
    SuiteReading,
    SuiteRequirement,
    SuiteScenario,
    SuiteStatement,
    Verdict,
)
from specassay.results.verdicts import exit_of, roll_up


@dataclass(frozen=True)
class Told:
    """What one run told. `interrupted` says that the user broke it off, `broken` why it ended too early otherwise."""

    events: Sequence[Event] = ()
    interrupted: bool = False
    broken: str | None = None


@dataclass(frozen=True)
class Terms:
    """What the user asks of an implementation: required surfaces, known failures, and whether advice counts."""

    strict: bool = False
    required: tuple[str, ...] = ()
    known: tuple[KnownFailure, ...] = ()
    today: date = field(default_factory=date.today)


def suite_of(catalogue: Catalogue, selected: Collection[str]) -> Suite:
    """Write down what the suite holds, and which scenarios were selected."""
    return Suite(
        digest=digest(resources.FEATURES, resources.FEATURES.parent / "steps"),
        fixtures=digest(resources.FIXTURES),
        requirements=tuple(
            SuiteRequirement(
                id=requirement.id,
                title=requirement.title,
                statements=tuple(
                    SuiteStatement(
                        id=statement.id,
                        sentence=statement.sentence,
                        level=statement.level,
                        by_inspection=statement.by_inspection,
                        restates=statement.restates,
                        scenarios=tuple(_scenario(scenario, selected) for scenario in statement.scenarios),
                    )
                    for statement in requirement.statements
                ),
            )
            for requirement in catalogue.requirements()
        ),
        readings=tuple(
            SuiteReading(id=reading.id, point=reading.point, reading=reading.reading)
            for _, reading in sorted(catalogue.readings.items())
        ),
    )


def implementation(suite: Suite, driver: Driver, told: Told, terms: Terms) -> ImplementationRecord:
    """Make the record of one implementation.

    A selected scenario that nothing was told of is `inapplicable` where the driver does not declare what it needs, and
    `not-run` otherwise, with the reason; one that was told of twice has its last verdict.
    """
    started = next((event for event in told.events if isinstance(event, Started)), None)
    failed = next((event for event in told.events if isinstance(event, StartFailed)), None)
    finished = {event.record.id: event.record for event in told.events if isinstance(event, Finished)}
    declared = started.declared if started else None
    ran = next((event for event in told.events if isinstance(event, LinesRan)), None)
    scenarios = tuple(
        _selected(scenario, finished, declared, told, start_failed=failed is not None)
        if scenario.selected
        else ScenarioRecord(id=scenario.id, verdict=Verdict.NOT_RUN, reason="not selected")
        for scenario in suite.scenarios()
    )
    draft = ImplementationRecord(
        name=driver.name,
        command=driver.command,
        chosen_by=driver.chosen_by,
        declared=declared,
        failure=failed.message if failed else None,
        broken=told.broken,
        missing=tuple(one for one in terms.required if declared is not None and one not in declared.surfaces),
        diagnostics=tuple(dict.fromkeys(event.text for event in told.events if isinstance(event, Diagnostic))),
        scenarios=scenarios,
        verdicts=roll_up(suite, scenarios, strict=terms.strict),
        expectations=_expectations(suite, driver.name, scenarios, terms),
        lines=ran.lines if ran else None,
        exit=0,
        conclusion="",
    )
    code = exit_of(suite, draft, strict=terms.strict, interrupted=told.interrupted)
    sentence = conclude(suite, draft, code, strict=terms.strict)
    return draft.model_copy(update={"exit": int(code), "conclusion": sentence})


def _selected(
    scenario: SuiteScenario,
    finished: dict[str, ScenarioRecord],
    declared: Declared | None,
    told: Told,
    *,
    start_failed: bool,
) -> ScenarioRecord:
    if scenario.id in finished:
        return finished[scenario.id]
    absent = _undeclared(scenario, declared)
    if absent:
        return ScenarioRecord(id=scenario.id, verdict=Verdict.INAPPLICABLE, reason=f"not declared: {', '.join(absent)}")
    reason = "interrupted" if told.interrupted else "the driver did not start" if start_failed else "the run broke off"
    return ScenarioRecord(id=scenario.id, verdict=Verdict.NOT_RUN, reason=reason)


def _undeclared(scenario: SuiteScenario, declared: Declared | None) -> list[str]:
    if declared is None:
        return []
    return [one for one in scenario.surfaces if one not in declared.surfaces] + [
        one for one in scenario.operations if one not in declared.operations
    ]


def _expectations(
    suite: Suite, name: str, scenarios: Iterable[ScenarioRecord], terms: Terms
) -> tuple[Expectation, ...]:
    records = {record.id: record for record in scenarios}
    below: dict[str, list[ScenarioRecord]] = {}
    for statement in suite.statements():
        for scenario in statement.scenarios:
            record = records[scenario.id]
            if scenario.selected:
                below.setdefault(statement.id, []).append(record)
                below[scenario.id] = [record]
    return compare(terms.known, name, below, terms.today)


def _scenario(scenario: Scenario, selected: Collection[str]) -> SuiteScenario:
    return SuiteScenario(
        id=scenario.id,
        title=scenario.title,
        case=scenario.case,
        kind=scenario.kind,
        advice=scenario.advice,
        selected=scenario.id in selected,
        surfaces=scenario.surfaces,
        operations=scenario.operations,
        readings=scenario.readings,
        file=scenario.path,
        line=scenario.line,
        text=scenario.text,
        tags=tuple(sorted(scenario.tags)),
    )
