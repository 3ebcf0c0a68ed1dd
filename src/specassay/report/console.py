"""The report on the terminal: what did not pass in full, then the overview, then the outcome as the last line."""

from collections import Counter
from collections.abc import Iterator

import click

from specassay.errors import Exit
from specassay.report.evidence import evidence
from specassay.report.overview import Played, has_selected, kept, played, totals, undeclared
from specassay.report.scenario import loud, painted, told
from specassay.report.text import short, visible
from specassay.results.model import (
    ImplementationRecord,
    Results,
    SuiteRequirement,
    Verdict,
)
from specassay.results.verdicts import EXPECTED, NOT_COMPARED, excused

_COLUMN = 13
_FEW = 3
_MARKS = {Exit.CONFORMS: "green", Exit.INCONCLUSIVE: "yellow", Exit.INTERRUPTED: "yellow"}


def render(results: Results) -> str:
    """Write the whole report; colours are ANSI sequences, which `click.echo` removes where nobody sees them."""
    lines = []
    for record in results.implementations:
        lines += [*_implementation(results, record), ""]
    if len(results.implementations) > 1:
        lines += [*_comparison(results), ""]
    for record in results.implementations:
        colour = _MARKS.get(Exit(record.exit), "red")
        lines.append(click.style(visible(record.conclusion), fg=colour, bold=True))
    return "\n".join(lines)


def _implementation(results: Results, record: ImplementationRecord) -> Iterator[str]:
    yield from _heading(record)
    if record.failure is not None:
        return
    selected = played(results, record)
    known = excused(results.suite, record.expectations)
    strict = results.settings.strict
    main = [one for one in selected if strict or not one[1].advice]
    failed = [one for one in main if one[2].verdict is Verdict.FAILED and one[1].id not in known]
    undecided = [one for one in main if one[2].verdict is Verdict.INCONCLUSIVE]
    if record.broken is not None:
        yield f"{painted('failed', 'BROKE OFF')}  {visible(record.broken)}\n"
    for statement, scenario, one in [*failed, *undecided]:
        yield from told(results, record, statement, scenario, one)
    yield from _left_out(main)
    if results.settings.selected < results.settings.total:  # in a whole run it would bury the rest
        yield from evidence(selected)
    if not strict:
        yield from _advice([one for one in selected if one[1].advice])
    yield from _expectations(record)
    yield from _diagnostics(record)
    yield from _overview(results, record)


def _heading(record: ImplementationRecord) -> Iterator[str]:
    how = "embedded" if record.command == "reference" else visible(record.command)
    yield click.style(f"=== {visible(record.name)} ", bold=True) + f"({how})"
    if record.failure is not None:
        first, *rest = record.failure.splitlines() or [""]
        yield f"  {painted('failed', 'NOT STARTED')}  {visible(first)}"
        yield from (f"    | {visible(line)}" for line in rest)
        return
    if record.declared is not None:
        said = record.declared
        surfaces = visible(", ".join(said.surfaces)) or "no surface"
        name = visible(f"{said.name} {said.version}".rstrip())
        yield f"  {name}, {visible(said.language)}; declares {surfaces}"
    yield ""


def _left_out(selected: list[Played]) -> Iterator[str]:
    """Tell why scenarios were not run, or do not apply; what is not declared stands in the overview."""
    reasons = Counter(
        (one.verdict, one.reason or "")
        for _, _, one in selected
        if one.verdict in (Verdict.NOT_RUN, Verdict.INAPPLICABLE) and not (one.reason or "").startswith("not declared")
    )
    for (verdict, reason), count in reasons.items():
        yield f"{painted(verdict.value)}  {count} {'scenario' if count == 1 else 'scenarios'}: {short(reason)}"
    if reasons:
        yield ""


def _advice(selected: list[Played]) -> Iterator[str]:
    open_ones = [one for one in selected if one[2].verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE)]
    if not open_ones:
        return
    yield f"Advice: {len(open_ones)} of {len(selected)} recommended scenarios did not pass; this decides nothing."
    for _, scenario, one in open_ones:
        yield f"  {painted(one.verdict.value)}  {scenario.id}"
        yield f"    {short(one.reason or '')}"
    yield ""


def _expectations(record: ImplementationRecord) -> Iterator[str]:
    for one in record.expectations:
        bad = one.outcome not in (EXPECTED, NOT_COMPARED)
        word = painted("failed", one.outcome.upper()) if bad else one.outcome
        yield f"{word}  {one.id}  ({visible(one.reason)})"
        if one.detail is not None:
            yield f"  {short(one.detail, 600)}"
    if record.expectations:
        yield ""


def _diagnostics(record: ImplementationRecord) -> Iterator[str]:
    if record.diagnostics:
        yield "Notes on the driver:"
        yield from (f"  {short(text)}" for text in record.diagnostics[:10])
        if len(record.diagnostics) > 10:
            yield f"  and {len(record.diagnostics) - 10} more"
        yield ""


def _overview(results: Results, record: ImplementationRecord) -> Iterator[str]:
    chosen = [one for one in results.suite.requirements if has_selected(one)]
    width = max((len(one.title) for one in chosen), default=0)
    by_specification: dict[str, list[SuiteRequirement]] = {}
    for requirement in chosen:
        by_specification.setdefault(requirement.specification, []).append(requirement)
    for specification, requirements in by_specification.items():
        yield click.style(specification, bold=True)
        folded = _folded(results, record, requirements)
        for requirement in requirements:
            if requirement not in folded:
                word, counts = kept(results, record, requirement)
                why = _why(undeclared(record, requirement))
                yield f"  {painted(word, f'{loud(word):<{_COLUMN}}')}  {requirement.title:<{width}}  {counts}{why}"
        if folded:
            why = _why(sorted({name for one in folded for name in undeclared(record, one)}))
            word = Verdict.INAPPLICABLE.value
            yield f"  {painted(word, f'{word:<{_COLUMN}}')}  {len(folded)} requirements{why}"
        yield ""
    yield totals(results, record, painted)


def _folded(
    results: Results, record: ImplementationRecord, requirements: list[SuiteRequirement]
) -> list[SuiteRequirement]:
    """Give the requirements that do not apply for what is not declared, where they are more than a few."""
    absent = [
        one
        for one in requirements
        if undeclared(record, one) and kept(results, record, one)[0] == Verdict.INAPPLICABLE.value
    ]
    return absent if len(absent) > _FEW else []


def _why(absent: list[str]) -> str:
    return f" ({', '.join(absent)} not declared)" if absent else ""


def _comparison(results: Results) -> Iterator[str]:
    chosen = [one for one in results.suite.requirements if has_selected(one)]
    title = "Side by side"
    left = max(len(title), *(len(one.id) for one in chosen))
    names = [visible(record.name) for record in results.implementations]
    widths = [max(len(name), _COLUMN) for name in names]
    heads = "  ".join(f"{name:<{width}}" for name, width in zip(names, widths, strict=True))
    yield click.style(f"{title:<{left}}  {heads}".rstrip(), bold=True)
    for requirement in chosen:
        words = [kept(results, record, requirement)[0] for record in results.implementations]
        cells = [
            painted(word, loud(word)) + " " * (width - len(word)) for word, width in zip(words, widths, strict=True)
        ]
        yield f"{requirement.id:<{left}}  {'  '.join(cells)}".rstrip()
