"""What the page shows at once: the suite, the verdicts, the numbers and the gaps. Evidence is packed apart.

Verdicts are letters (`LETTERS`), one for each implementation in its order, so that ten thousand scenarios stay small;
what has its usual value is left out. `model.js` reads this.
"""

from collections import Counter
from typing import Any

from specassay.report.html.drift import sources, trace_data
from specassay.report.overview import has_selected, kept, level_counts, totals, undeclared
from specassay.report.scenario import rerun
from specassay.results.gaps import MEANING, GapKind, gaps
from specassay.results.model import (
    ImplementationRecord,
    Results,
    ScenarioRecord,
    SuiteRequirement,
    SuiteScenario,
    SuiteStatement,
    Verdict,
)
from specassay.results.verdicts import excused
from specassay.trace.record import Trace

LETTERS = {
    Verdict.PASSED: "p",
    Verdict.FAILED: "f",
    Verdict.INCONCLUSIVE: "i",
    Verdict.INAPPLICABLE: "a",
    Verdict.NOT_RUN: "n",
    None: "-",
}
REASON = 400
"""Characters of a reason that the lists show; the evidence has all of it."""

_SCENARIO = "THE-SCENARIO"

Json = dict[str, Any]


def page_data(results: Results, trace: Trace | None = None) -> Json:
    """Give all but the evidence."""
    played = [{one.id: one for one in record.scenarios} for record in results.implementations]
    specifications = list(dict.fromkeys(one.specification for one in results.suite.requirements))
    requirements = [_requirement(results, one, played) for one in results.suite.requirements]
    if trace is not None:
        behind = sources(trace)
        for statement in (one for requirement in requirements for one in requirement["statements"]):
            if statement["id"] in behind:
                statement["sources"] = behind[statement["id"]]
    return {
        "title": f"{', '.join(one.name for one in results.implementations)}: conformance report",
        "specassay": results.specassay,
        "started": results.started_at.isoformat(timespec="seconds"),
        "seconds": results.seconds,
        "interrupted": results.interrupted,
        "digest": results.suite.digest,
        "fixtures": results.suite.fixtures,
        "settings": results.settings.model_dump(by_alias=True),
        "specifications": specifications,
        "implementations": [_implementation(results, record) for record in results.implementations],
        "requirements": requirements,
        "readings": [one.model_dump() for one in results.suite.readings],
        "gaps": _gaps(results),
        "trace": trace_data(trace) if trace is not None else None,
    }


def _implementation(results: Results, record: ImplementationRecord) -> Json:
    again, _, options = rerun(results, record, _SCENARIO).rpartition(_SCENARIO)
    return {
        "name": record.name,
        "command": record.command,
        "declared": record.declared.model_dump(by_alias=True) if record.declared is not None else None,
        "failure": record.failure,
        "broken": record.broken,
        "missing": record.missing,
        "suite": record.suite,
        "diagnostics": record.diagnostics,
        "expectations": [one.model_dump() for one in record.expectations],
        "exit": record.exit,
        "conclusion": record.conclusion,
        "totals": totals(results, record),
        "levels": level_counts(results, record),
        "verdicts": {one: LETTERS[record.verdicts.get(one)] for one in _specifications(results)},
        "excused": sorted(excused(results.suite, record.expectations)),
        "rerun": [again, options],
    }


def _specifications(results: Results) -> list[str]:
    return list(dict.fromkeys(one.specification for one in results.suite.requirements))


def _requirement(results: Results, requirement: SuiteRequirement, played: list[dict[str, ScenarioRecord]]) -> Json:
    shown = [kept(results, record, requirement) for record in results.implementations]
    return {
        "id": requirement.id,
        "title": requirement.title,
        "specification": requirement.specification,
        "selected": has_selected(requirement),
        "words": [word for word, _ in shown],
        "counts": [counts for _, counts in shown],
        "absent": [undeclared(record, requirement) for record in results.implementations],
        "statements": [_statement(results, requirement, one, played) for one in requirement.statements],
    }


def _statement(
    results: Results,
    requirement: SuiteRequirement,
    statement: SuiteStatement,
    played: list[dict[str, ScenarioRecord]],
) -> Json:
    found: Json = {
        "id": statement.id,
        "sentence": statement.sentence,
        "level": statement.level,
        "verdicts": "".join(LETTERS[record.verdicts.get(statement.id)] for record in results.implementations),
    }
    if statement.by_inspection is not None:
        found["byInspection"] = statement.by_inspection
    if statement.restates:
        found["restates"] = statement.restates
    found["scenarios"] = [_scenario(requirement, statement, one, played) for one in statement.scenarios]
    return found


def _scenario(
    requirement: SuiteRequirement,
    statement: SuiteStatement,
    scenario: SuiteScenario,
    played: list[dict[str, ScenarioRecord]],
) -> Json:
    records = [by_id[scenario.id] for by_id in played]
    found: Json = {
        "id": scenario.id.removeprefix(statement.id),
        "title": scenario.title,
        "kind": scenario.kind,
        "line": scenario.line,
        "verdicts": "".join(LETTERS[one.verdict] for one in records),
    }
    usual = {
        "case": (scenario.case, None),
        "advice": (scenario.advice, False),
        "unselected": (not scenario.selected, False),
        "file": (scenario.file, f"{requirement.id}.feature"),
        "surfaces": (scenario.surfaces, ()),
        "operations": (scenario.operations, ()),
        "readings": (scenario.readings, ()),
    }
    found |= {name: value for name, (value, default) in usual.items() if value != default}
    reasons = {number: one.reason[:REASON] for number, one in enumerate(records) if one.reason is not None}
    if reasons:
        found["reasons"] = reasons
    if any(one.earlier is not None for one in records):
        found["earlier"] = "".join(LETTERS[one.earlier] for one in records)
    return found


def _gaps(results: Results) -> Json:
    """Give the kinds of gaps that there are, each with the statements that have it, and the denominator."""
    found = list(gaps(results))
    counts = Counter(gap.kind for gap in found)
    return {
        "of": sum(1 for one in results.suite.statements() if one.level != "advice"),
        "kinds": [
            {
                "name": kind.value,
                "meaning": MEANING[kind],
                "statements": [[gap.statement, *gap.implementations] for gap in found if gap.kind is kind],
            }
            for kind in GapKind
            if counts[kind]
        ],
    }
