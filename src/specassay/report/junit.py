"""The JUnit XML report: a test suite for each implementation and requirement, a test case for each scenario."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable

from specassay.report.text import visible
from specassay.results.model import (
    ImplementationRecord,
    Results,
    ScenarioRecord,
    SuiteRequirement,
    SuiteScenario,
    SuiteStatement,
    Verdict,
)
from specassay.results.verdicts import EXPECTED, NOT_COMPARED, excused

_BY_TAG = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def render(results: Results) -> str:
    """Write the results as JUnit XML.

    `failed` is a failure and `inconclusive` an error; `inapplicable`, `not-run`, expected failures and, unless strict,
    advice are skipped, with the reason. A driver that did not start is an error, an expectation that came out otherwise
    a failure, each as a test case of its own.
    """
    root = ET.Element("testsuites", name="specassay", time=f"{results.seconds:.3f}")
    for record in results.implementations:
        root.append(_run(results, record))
        if record.failure is None:
            for requirement in results.suite.requirements:
                root.append(_requirement(results, record, requirement))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _run(results: Results, record: ImplementationRecord) -> ET.Element:
    """Make the suite of what belongs to no requirement: the start, the required surfaces, the expectations."""
    cases = [_case("the driver starts", record.name, 0.0, _problem("error", record.failure or record.broken))]
    cases += [
        _case(f"declares {name}", record.name, 0.0, _problem("failure", f"required, not declared: {name}"))
        for name in record.missing
    ]
    cases += [
        _case(f"expected failure of {one.id}", record.name, 0.0, _problem("failure", f"{one.outcome}: {one.detail}"))
        for one in record.expectations
        if one.outcome not in (EXPECTED, NOT_COMPARED)
    ]
    declared = record.declared
    properties = {
        "specassay": results.specassay,
        "suite": results.suite.digest,
        "fixtures": results.suite.fixtures,
        "command": record.command,
        "implementation": f"{declared.name} {declared.version} ({declared.language})" if declared else "",
        "surfaces": ", ".join(declared.surfaces) if declared else "",
        "conclusion": record.conclusion,
    }
    return _suite(results, f"{record.name}: run", properties, cases)


def _requirement(results: Results, record: ImplementationRecord, requirement: SuiteRequirement) -> ET.Element:
    records = {one.id: one for one in record.scenarios}
    known = excused(results.suite, record.expectations)
    cases = [
        _scenario(record.name, statement, scenario, records[scenario.id], _leniency(results, scenario, known))
        for statement in requirement.statements
        for scenario in statement.scenarios
    ]
    verdict = record.verdicts.get(requirement.id)
    properties = {"requirement": requirement.id, "verdict": verdict.value if verdict is not None else "by inspection"}
    return _suite(results, f"{record.name}: {requirement.id}", properties, cases)


def _leniency(results: Results, scenario: SuiteScenario, known: frozenset[str]) -> str | None:
    """Say why a failure of this scenario does not fail the run, or None where it does."""
    if scenario.id in known:
        return "expected failure"
    return "advice" if scenario.advice and not results.settings.strict else None


def _scenario(
    name: str, statement: SuiteStatement, scenario: SuiteScenario, played: ScenarioRecord, leniency: str | None
) -> ET.Element:
    case = f" [{scenario.case}]" if scenario.case is not None else ""
    element = _case(f"{scenario.title}{case}", f"{name}.{statement.id}", played.seconds, _outcome(played, leniency))
    properties = {
        "id": scenario.id,
        "statement": statement.sentence,
        "level": statement.level,
        "kind": scenario.kind,
        "verdict": played.verdict.value,
        "file": f"features/{scenario.file}:{scenario.line}",
    }
    element.insert(0, _properties(properties))
    if played.log:
        ET.SubElement(element, "system-err").text = _multiline(played.log)
    return element


def _outcome(played: ScenarioRecord, leniency: str | None) -> ET.Element | None:
    reason = played.reason or played.verdict.value
    if played.verdict is Verdict.PASSED:
        return None
    if played.verdict in (Verdict.INAPPLICABLE, Verdict.NOT_RUN):
        return _problem("skipped", f"{played.verdict.value}: {reason}")
    if leniency == "advice" or (leniency is not None and played.verdict is Verdict.FAILED):
        return _problem("skipped", f"{leniency}: {played.verdict.value}: {reason}")
    tag = "failure" if played.verdict is Verdict.FAILED else "error"
    return _problem(tag, reason, "\n".join(_story(played)))


def _story(played: ScenarioRecord) -> Iterable[str]:
    for step in played.steps:
        yield f"{step.status}: {step.keyword} {step.text}"
        if step.reason is not None:
            yield f"  {step.reason}"
        for check in step.checks:
            if not check.passed:
                yield f"  {check.claim}: expected {check.expected}, actual {check.actual}"


def _problem(tag: str, message: str | None, text: str | None = None) -> ET.Element | None:
    if message is None:
        return None
    element = ET.Element(tag, message=visible(message))
    element.text = _multiline(text) if text is not None else None
    return element


def _case(name: str, classname: str, seconds: float, outcome: ET.Element | None) -> ET.Element:
    element = ET.Element("testcase", name=visible(name), classname=visible(classname), time=f"{seconds:.3f}")
    if outcome is not None:
        element.append(outcome)
    return element


def _suite(results: Results, name: str, properties: dict[str, str], cases: list[ET.Element]) -> ET.Element:
    counts = Counter(_BY_TAG[child.tag] for case in cases for child in case if child.tag in _BY_TAG)
    element = ET.Element(
        "testsuite",
        name=visible(name),
        tests=str(len(cases)),
        failures=str(counts["failures"]),
        errors=str(counts["errors"]),
        skipped=str(counts["skipped"]),
        time=f"{sum(float(case.get('time', '0')) for case in cases):.3f}",
        timestamp=results.started_at.isoformat(timespec="seconds"),
    )
    element.append(_properties(properties))
    element.extend(cases)
    return element


def _properties(properties: dict[str, str]) -> ET.Element:
    element = ET.Element("properties")
    for name, value in properties.items():
        ET.SubElement(element, "property", name=name, value=visible(value))
    return element


def _multiline(text: str) -> str:
    """Make text visible line by line: XML 1.0 cannot hold control characters at all."""
    return "\n".join(visible(line) for line in re.split(r"\r\n|\n", text))
