"""The Markdown report: a comment for a pull request. What somebody must do comes first, the rest is folded.

What a driver or a specification wrote stands in code, in text with every sign of Markdown escaped, or in a fence that
is longer than any of its own.
"""

import re
from collections.abc import Iterator

from specassay.errors import Exit
from specassay.report.overview import Played, has_selected, kept, played, totals
from specassay.report.scenario import rerun
from specassay.report.text import short, side_by_side, visible
from specassay.report.trace import levels, state_counts
from specassay.results.gaps import gaps
from specassay.results.model import ImplementationRecord, Results, ScenarioRecord, Verdict
from specassay.results.verdicts import EXPECTED, NOT_COMPARED, excused
from specassay.trace.record import Link, State, Trace

LIMIT = 60_000
"""Characters of the whole, a little less than a comment on GitHub may have."""

_MARKS = {
    "passed": "✅",
    "failed": "❌",
    "inconclusive": "❓",
    "not-run": "⏸️",
    "inapplicable": "◽",
    "by inspection": "👁",
}
_ADVICE = 10
_LINKS = 50


def render(results: Results, trace: Trace | None = None) -> str:
    """Write the report; failures that would make it longer than `LIMIT` are counted instead of told.

    With a trace it also tells which sentences of the specifications are not in order.
    """
    head = "\n\n".join((*_head(results), *(_traced(trace) if trace is not None else ())))
    tail = "\n\n".join(_tail(results))
    room = LIMIT - len(head) - len(tail) - 200
    told: list[str] = []
    failures = [text for record in results.implementations for text in _failures(results, record)]
    for text in failures:
        room -= len(text) + 2
        if room < 0:
            break
        told.append(text)
    left = len(failures) - len(told)
    rest = [f"And {left} more, which the JSON and HTML reports tell."] if left else []
    return "\n\n".join(part for part in (head, *told, *rest, tail) if part)[: LIMIT + 2000] + "\n"


def _head(results: Results) -> Iterator[str]:
    for record in results.implementations:
        mark = {Exit.CONFORMS: "✅", Exit.NONCONFORMING: "❌"}.get(Exit(record.exit), "❓")
        yield f"### {mark} {escaped(record.conclusion)}"
        if record.failure is not None:
            yield f"The {record.program} did not start:\n\n{_fenced(record.failure)}"
        else:
            yield escaped(totals(results, record))
        if record.suite is not None:
            yield (
                f"Run with another version of the suite (`{record.suite[:12]}`): "
                "verdicts against an older text do not count."
            )
    yield "\n".join(_table(results))


def _traced(trace: Trace) -> Iterator[str]:
    """Tell what is not in order, with what is gone struck out and what is new in bold."""
    for one in trace.implementations:
        yield f"{_code(one.name)} {escaped('; '.join(levels(one)))}"
    for specification in trace.specifications:
        found = [link for link in specification.links if link.state is not State.OK]
        lost = [f"- ❌ lost: {_code(loss.id)}, {escaped(loss.where)}" for loss in specification.inventory.losses]
        if found or lost:
            told = [_link(link) for link in found[:_LINKS]]
            more = [f"- and {len(found) - _LINKS} more"] if len(found) > _LINKS else []
            title = f"**{escaped(specification.id)}** {escaped(state_counts(specification))}"
            yield "\n".join((title, "", *lost[:_LINKS], *told, *more))


def _link(link: Link) -> str:
    marks = {"same": ("", ""), "gone": ("<del>", "</del>"), "new": ("<ins>", "</ins>")}
    pieces = link.difference or (("same", link.accepted or " ".join(link.now)),)
    words = "".join(
        marks[kind][0] + "<br>".join(map(escaped, text.split("\n"))) + marks[kind][1] for kind, text in pieces
    )
    note = f" ({escaped(link.note)})" if link.note else ""
    return f"- {link.state.value} {_code(link.id)}{note}: {words}"


def _table(results: Results) -> Iterator[str]:
    """Write a row for each requirement, a column for each implementation; what passed everywhere is counted only."""
    names = [_code(record.name) for record in results.implementations]
    rows: list[str] = []
    quiet = 0
    for requirement in results.suite.requirements:
        if not has_selected(requirement):
            continue
        found = [kept(results, record, requirement) for record in results.implementations]
        if all(word == Verdict.PASSED for word, _ in found):
            quiet += 1
            continue
        cells = [f"{_MARKS[word]} {word}<br>{escaped(counts)}" for word, counts in found]
        rows.append(f"| {escaped(requirement.title)} {_code(requirement.id)} | {' | '.join(cells)} |")
    if rows:
        yield f"| Requirement | {' | '.join(names)} |"
        yield "|" + " --- |" * (len(names) + 1)
        yield from rows
        yield ""
    where = "every implementation" if len(names) > 1 else "it"
    yield f"{quiet} of {quiet + len(rows)} requirements passed by {where}."


def _failures(results: Results, record: ImplementationRecord) -> Iterator[str]:
    """Tell of each failure that decides, folded, and of what could not be decided."""
    if record.failure is not None:
        return
    known = excused(results.suite, record.expectations)
    if record.broken is not None:
        yield f"**The run of {_code(record.name)} broke off:** {escaped(record.broken)}"
    for one in record.expectations:
        if one.outcome not in (EXPECTED, NOT_COMPARED):
            detail = f" ({escaped(short(one.detail))})" if one.detail else ""
            yield f"**{_code(record.name)}: {one.outcome}:** {_code(one.id)} {escaped(one.reason)}{detail}"
    for entry in _deciding(results, record):
        if entry[2].verdict is Verdict.FAILED and entry[1].id not in known:
            yield _told(results, record, entry)
    for entry in _deciding(results, record):
        if entry[2].verdict is Verdict.INCONCLUSIVE:
            yield _told(results, record, entry)


def _deciding(results: Results, record: ImplementationRecord) -> list[Played]:
    return [one for one in played(results, record) if results.settings.strict or not one[1].advice]


def _told(results: Results, record: ImplementationRecord, entry: Played) -> str:
    statement, scenario, one = entry
    case = f" [{scenario.case}]" if scenario.case is not None else ""
    lines = [
        f"<details><summary>{_MARKS[one.verdict]} {_html(record.name)}: {_html(scenario.title + case)}</summary>",
        f"> {escaped(statement.sentence)}<br>{_code(statement.id)}",
        *_broken(one),
        _fenced(rerun(results, record, scenario.id)),
        "</details>",
    ]
    return "\n\n".join(lines)


def _broken(one: ScenarioRecord) -> Iterator[str]:
    """Give the step and its check that broke, or else the reason."""
    shown = False
    for step in one.steps:
        for check in step.checks:
            if not check.passed:
                shown = True
                expected, actual = side_by_side(check.expected, check.actual)
                yield f"{step.keyword} {_code(step.text)}, {_code(check.claim)}:"
                yield _fenced(f"expected  {expected}\nactual    {actual}")
    if not shown and one.reason is not None:
        yield _fenced(short(one.reason, 600))


def _tail(results: Results) -> Iterator[str]:
    for record in results.implementations:
        yield from _advice(results, record)
    found = list(gaps(results))
    if found:
        counts = {
            kind: sum(1 for gap in found if gap.kind is kind) for kind in dict.fromkeys(gap.kind for gap in found)
        }
        total = sum(1 for one in results.suite.statements() if one.level != "advice")
        said = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        yield f"Not covered, of {total} statements: {said}."
    yield f"<sub>specassay {escaped(results.specassay)}, suite {_code(results.suite.digest[:12])}</sub>"


def _advice(results: Results, record: ImplementationRecord) -> Iterator[str]:
    if results.settings.strict or record.failure is not None:
        return
    found = [one for one in played(results, record) if one[1].advice]
    bad = [one for one in found if one[2].verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE)]
    if not bad:
        return
    lines = [f"- {_code(scenario.id)}: {_code(short(one.reason or '', 160))}" for _, scenario, one in bad[:_ADVICE]]
    more = [f"- and {len(bad) - _ADVICE} more"] if len(bad) > _ADVICE else []
    head = f"Advice for {_html(record.name)}: {len(bad)} of {len(found)} recommended scenarios did not pass"
    yield "\n\n".join(
        (f"<details><summary>{head}; this decides nothing</summary>", "\n".join(lines + more), "</details>")
    )


def escaped(text: str) -> str:
    """Write text so that Markdown shows it as it is, in one line, and notifies nobody."""
    safe = re.sub(r"[\\`*_{}\[\]#|~>$!]|:(?=//)|^[-+=]", lambda sign: "\\" + sign[0], visible(text))
    safe = re.sub(r"^(\d+)([.)])", r"\1\\\2", safe)
    return safe.replace("&", "&amp;").replace("<", "&lt;").replace("@", "@\u2060")


def _html(text: str) -> str:
    """Write text for inside an HTML element; signs of Markdown become entities, since it is read there too."""
    return re.sub(r"[^\w \u0080-\U0010ffff]", lambda sign: f"&#{ord(sign[0])};", visible(text)).replace(
        "&#64;", "@\u2060"
    )


def _code(text: str) -> str:
    """Write text as a code span, also in a table; one that holds backticks is fenced by more of them."""
    shown = short(text, 400).replace("|", "\\|") or " "
    marks = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    pad = " " if "`" in shown else ""
    return f"{marks}{pad}{shown}{pad}{marks}"


def _fenced(text: str) -> str:
    marks = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    lines = "\n".join(visible(line) for line in text.split("\n"))
    return f"{marks}text\n{lines}\n{marks}"
