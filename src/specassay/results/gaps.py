"""What is not covered, each with its name: a statement is covered when a scenario of its own ran and made checks."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from specassay.results.model import ImplementationRecord, Results, ScenarioRecord, SuiteStatement, Verdict


class GapKind(StrEnum):
    """Why a statement is not covered, in the order in which one is named where several apply."""

    NO_SCENARIO = "no scenario"
    SUSPECT = "suspect"
    VACUOUS = "vacuous"
    UNKNOWN = "unknown"
    INCONCLUSIVE = "inconclusive"
    NOT_RUN = "not run"
    BY_INSPECTION = "by inspection"


MEANING = {
    GapKind.NO_SCENARIO: "Nobody has written a scenario for these statements.",
    GapKind.SUSPECT: "The verdict is against an older text than there is now. It is shown, and does not count.",
    GapKind.VACUOUS: "A scenario ran to its end and compared nothing. A pass without evidence does not exist.",
    GapKind.UNKNOWN: "A scenario passed, and nobody counted what it compared: pytest was not asked to.",
    GapKind.INCONCLUSIVE: "The harness could not tell: a crash, a timeout, or a fault of its own.",
    GapKind.NOT_RUN: "A scenario was not run: left out by a filter, interrupted, or not possible on that machine.",
    GapKind.BY_INSPECTION: "Nothing outside can observe these statements. Somebody has to read the code.",
}


@dataclass(frozen=True)
class Gap:
    """One statement that is not covered. `implementations` are those that it is not covered for; none: for any."""

    kind: GapKind
    statement: str
    implementations: tuple[str, ...] = ()


def gaps(results: Results) -> Iterator[Gap]:
    """Give every gap of the numbered statements, in the order of the suite. Advice has none: it demands nothing."""
    played = [{one.id: one for one in record.scenarios} for record in results.implementations]
    for statement in results.suite.statements():
        if statement.level == "advice":
            continue
        if statement.by_inspection is not None:
            yield Gap(GapKind.BY_INSPECTION, statement.id)
        elif not statement.scenarios and not statement.restates:
            yield Gap(GapKind.NO_SCENARIO, statement.id)
        else:
            yield from _open(results, statement, played)


def vacuous(record: ScenarioRecord) -> bool:
    """Say whether a scenario ran to its end, and some `Then` of it, or the whole of it, made no check."""
    claims = [step for step in record.steps if step.keyword == "Then"]
    ran = bool(record.steps) and all(step.status == "passed" for step in record.steps)
    silent = not any(step.checks for step in record.steps) or not all(step.checks for step in claims)
    counted = record.evidence == "counted"
    return counted and record.verdict in (Verdict.INCONCLUSIVE, Verdict.PASSED) and ran and silent


def _open(results: Results, statement: SuiteStatement, played: list[dict[str, ScenarioRecord]]) -> Iterator[Gap]:
    found: dict[GapKind, list[str]] = {}
    for record, by_id in zip(results.implementations, played, strict=True):
        kind = _kind(record, statement, [by_id[one.id] for one in statement.scenarios])
        if kind is not None:
            found.setdefault(kind, []).append(record.name)
    for kind in GapKind:
        if kind in found:
            yield Gap(kind, statement.id, tuple(found[kind]))


def _kind(record: ImplementationRecord, statement: SuiteStatement, scenarios: list[ScenarioRecord]) -> GapKind | None:
    verdict = record.verdicts.get(statement.id)
    if verdict is Verdict.PASSED and any(vacuous(one) for one in scenarios):
        return GapKind.VACUOUS
    if verdict is Verdict.PASSED and any(one.evidence == "unknown" for one in scenarios):
        return GapKind.UNKNOWN
    if verdict not in (Verdict.NOT_RUN, Verdict.INCONCLUSIVE):
        return None
    if any(one.earlier is not None for one in scenarios):
        return GapKind.SUSPECT
    if verdict is Verdict.NOT_RUN:
        return GapKind.NOT_RUN
    return GapKind.VACUOUS if any(vacuous(one) for one in scenarios) else GapKind.INCONCLUSIVE
