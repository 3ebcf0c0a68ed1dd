"""The numbers that every report gives, with their denominators: one place, so that no two reports disagree."""

from collections import Counter
from collections.abc import Callable

from specassay.results.model import (
    ImplementationRecord,
    Results,
    ScenarioRecord,
    SuiteRequirement,
    SuiteScenario,
    SuiteStatement,
    Verdict,
)
from specassay.results.verdicts import spoken, tally, worst

Played = tuple[SuiteStatement, SuiteScenario, ScenarioRecord]


def played(results: Results, record: ImplementationRecord) -> list[Played]:
    """Give every selected scenario with its statement and its record, in order."""
    records = {one.id: one for one in record.scenarios}
    return [
        (statement, scenario, records[scenario.id])
        for statement in results.suite.statements()
        for scenario in statement.scenarios
        if scenario.selected
    ]


def plain(verdict: str, words: str) -> str:
    """Paint nothing."""
    return words


def totals(results: Results, record: ImplementationRecord, paint: Callable[[str, str], str] = plain) -> str:
    """Count the scenarios by what they decide and by verdict, in a line; `paint` is given a verdict and its words."""
    found = played(results, record)
    strict = results.settings.strict
    parts = []
    for verb, group in (
        ("decide", [one for _, scenario, one in found if strict or not scenario.advice]),
        ("advise", [one for _, scenario, one in found if scenario.advice and not strict]),
    ):
        counts = Counter(one.verdict for one in group)
        said = ", ".join(
            paint(verdict.value, f"{counts[verdict]} {verdict.value}") for verdict in Verdict if counts[verdict]
        )
        parts += [f"{len(group)} {verb} ({said})"] if group else []
    seconds = sum(one.seconds for _, _, one in found)
    of = f" of {results.settings.total}" if results.settings.selected < results.settings.total else ""
    return f"{results.settings.selected}{of} scenarios, {seconds:.1f} s: {'; '.join(parts)}"


def kept(results: Results, record: ImplementationRecord, requirement: SuiteRequirement) -> tuple[str, str]:
    """Give the verdict of a requirement and its counts; after a filter, those of the scenarios that were selected."""
    if results.settings.selected == results.settings.total:
        verdict = record.verdicts.get(requirement.id)
        word = verdict.value if verdict is not None else "by inspection"
        return word, spoken(tally(requirement, record.verdicts))
    ids = {one.id: one.advice for statement in requirement.statements for one in statement.scenarios if one.selected}
    decide = {name for name, advice in ids.items() if results.settings.strict or not advice} or set(ids)
    found = [one.verdict for one in record.scenarios if one.id in decide]
    total = worst(found)
    if total is None:
        return Verdict.NOT_RUN.value, "nothing selected"
    counts = ", ".join(f"{found.count(verdict)} {verdict.value}" for verdict in Verdict if verdict in found)
    noun = "scenario" if len(found) == 1 else "scenarios"
    return total.value, f"{len(found)} {noun} selected: {counts}"


def level_counts(results: Results, record: ImplementationRecord) -> list[str]:
    """Write how many statements of each level passed, "155 of 156 MUST"; a level that has none is left out."""
    found = []
    for level in ("must", "should", "may"):
        statements = [one for one in results.suite.statements() if one.level == level]
        passed = sum(1 for one in statements if record.verdicts.get(one.id) is Verdict.PASSED)
        found += [f"{passed} of {len(statements)} {level.upper()}"] if statements else []
    return found


def undeclared(record: ImplementationRecord, requirement: SuiteRequirement) -> list[str]:
    """Give the surfaces that the deciding scenarios of a requirement need and a driver does not declare."""
    if record.declared is None:
        return []
    needed = {
        name
        for statement in requirement.statements
        for scenario in statement.scenarios
        if scenario.selected and not scenario.advice
        for name in scenario.surfaces
    }
    return sorted(needed - set(record.declared.surfaces))


def has_selected(requirement: SuiteRequirement) -> bool:
    """Say whether a filter left something of a requirement."""
    return any(scenario.selected for statement in requirement.statements for scenario in statement.scenarios)
