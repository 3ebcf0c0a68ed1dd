"""One scenario that did not pass, told in full: what it claims, what happened, and how to see it again."""

import json
import shlex
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from specassay.report.text import last_lines, short, side_by_side, visible
from specassay.results.model import (
    ExchangeRecord,
    ImplementationRecord,
    MessageRecord,
    Results,
    ScenarioRecord,
    StepRecord,
    SuiteScenario,
    SuiteStatement,
)

MESSAGES, EXCHANGES, LOG_LINES = 12, 6, 12
LINE = 160

COLOURS = {
    "failed": "red",
    "inconclusive": "yellow",
    "undecided": "yellow",
    "passed": "green",
    "not-run": "yellow",
    "inapplicable": "bright_black",
    "skipped": "bright_black",
}


def painted(word: str, text: str | None = None) -> str:
    """Colour a verdict's word; what is bad is also in capitals, so that no colour is needed."""
    shown = word if text is None else text
    return click.style(shown, fg=COLOURS.get(word), bold=word in ("failed", "inconclusive", "undecided") or None)


def loud(word: str) -> str:
    """Write a verdict or a step's status, in capitals where somebody should look."""
    return word.upper() if word in ("failed", "inconclusive", "undecided") else word


def told(
    results: Results,
    record: ImplementationRecord,
    statement: SuiteStatement,
    scenario: SuiteScenario,
    played: ScenarioRecord,
) -> Iterator[str]:
    """Give the lines that tell of one scenario."""
    word = played.verdict.value
    yield painted(word, loud(word)) + "  " + click.style(statement.id, bold=True)
    yield f"  {statement.sentence}"
    case = f" [{scenario.case}]" if scenario.case is not None else ""
    yield ""
    yield f"  Scenario: {scenario.title}{case}  ({scenario.kind}, features/{scenario.file}:{scenario.line})"
    yield from _steps(played)
    yield from _messages(played.messages)
    yield from _exchanges(played.exchanges)
    tail = last_lines(played.log, LOG_LINES)
    if tail:
        yield f"  The {record.program}'s log, its last lines:"
        yield from (f"    | {line}" for line in tail)
    for reading in results.suite.readings:
        if reading.id in scenario.readings:
            yield f"  Reading {reading.id}, where the specification is open: {reading.point}"
            yield from textwrap.wrap(reading.reading, 110, initial_indent="    ", subsequent_indent="    ")
    yield f"  Run it again: {rerun(results, record, scenario.id)}"
    yield ""


def rerun(results: Results, record: ImplementationRecord, scenario: str) -> str:
    """Give the command that runs one scenario again, as a shell takes it."""
    if not record.chosen_by:  # a suite of another project, whose command runs all of it
        return visible(f"{record.command}  # {scenario}")
    words = ["specassay", "run", *record.chosen_by, "--id", scenario]
    words += ["--isolate"] * results.settings.isolated + ["--strict"] * results.settings.strict
    return visible(shlex.join(words))


def _steps(played: ScenarioRecord) -> Iterator[str]:
    """Tell of each step; a reason that several of them share is given once."""
    told_reasons = set()
    for step in played.steps:
        yield from _step(step)
        if step.status == "undecided" and step.reason is not None and step.reason not in told_reasons:
            told_reasons.add(step.reason)
            yield f"                {short(step.reason, 600)}"
    shown = any(not check.passed for step in played.steps for check in step.checks)
    if played.reason is not None and played.reason not in told_reasons and not shown:
        yield f"  Why: {short(played.reason, 600)}"


def _step(step: StepRecord) -> Iterator[str]:
    status = painted(step.status, f"{loud(step.status):<9}")
    yield f"    {status} {step.keyword} {visible(step.text)}"
    for check in step.checks:
        if not check.passed:
            expected, actual = side_by_side(check.expected, check.actual)
            yield f"                {visible(check.claim)}"
            yield f"                  expected  {expected}"
            yield f"                  actual    {actual}"


def _messages(messages: tuple[MessageRecord, ...]) -> Iterator[str]:
    messages = tuple(_telling(messages))
    if not messages:
        return
    yield f"  Messages{_last(len(messages), MESSAGES)} (-> to the driver, <- from it, seconds from the start):"
    for message in messages[-MESSAGES:]:
        arrow = "->" if message.sender == "harness" else "<-"
        yield f"    {message.at:7.3f} {arrow} {_spoken(message.message)}"


def _telling(messages: tuple[MessageRecord, ...]) -> Iterator[MessageRecord]:
    """Leave out the beginning and the end of the scenario, where the driver took them as it should."""
    framing = set()
    for one in messages:
        message = one.message if isinstance(one.message, dict) else {}
        if one.sender == "harness" and message.get("method") in ("scenario.begin", "scenario.end"):
            framing.add(_json(message.get("id")))
        elif one.sender == "harness" or "result" not in message or _json(message.get("id")) not in framing:
            yield one


def _spoken(message: Any) -> str:
    if not isinstance(message, dict):
        return short(message if isinstance(message, str) else _json(message), LINE)
    number = f"#{short(str(message['id']), 20)} " if "id" in message else ""
    if "method" in message:
        return f"{number}{short(str(message['method']), 60)} {short(_json(message.get('params', {})), LINE)}"
    if "error" in message:
        return f"{number}error {short(_json(message['error']), LINE)}"
    return f"{number}{short(_json(message.get('result')), LINE)}"


def _exchanges(exchanges: tuple[ExchangeRecord, ...]) -> Iterator[str]:
    if not exchanges:
        return
    yield f"  HTTP{_last(len(exchanges), EXCHANGES)}:"
    for one in exchanges[-EXCHANGES:]:
        end = one.fault or (str(one.status) if one.status is not None else "no answer")
        note = f"  ({visible(one.note)})" if one.note else ""
        yield f"    {one.at:7.3f} {one.server}: {short(one.method, 20)} {short(one.target, LINE)}  {end}{note}"
        if one.body:
            yield f"              sent      {short(one.body, LINE)}"
        if one.answer:
            yield f"              answered  {short(one.answer, LINE)}"


def _last(count: int, shown: int) -> str:
    return f", the last {shown} of {count}" if count > shown else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
