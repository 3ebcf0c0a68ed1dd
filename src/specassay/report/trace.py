"""The trace on the terminal: by specification what is not in order, or all of it, and then the numbers."""

from collections.abc import Callable, Iterable, Iterator

import click

from specassay.report.scenario import painted
from specassay.report.text import counted, short, visible
from specassay.results.gaps import GapKind
from specassay.results.lines import merged, spelled
from specassay.trace.record import (
    Coverage,
    ImplementationTrace,
    Inventory,
    Link,
    RanLines,
    RequirementChain,
    ScenarioChain,
    SpecificationTrace,
    State,
    StatementChain,
    Trace,
)
from specassay.visible import visible_lines

_COLOURS = {State.OK: "green", State.SUSPECT: "yellow", State.ORPHANED: "red", State.MISSING: "red"}
_WORDS = {
    State.OK: "ok",
    State.SUSPECT: "suspect, the text moved",
    State.ORPHANED: "orphaned, the text is gone",
    State.MISSING: "missing, new in the text",
}
Chosen = Callable[[StatementChain], bool]


def render(trace: Trace, *, everything: bool = False, ids: Iterable[str] = ()) -> str:
    """Write the trace: what is not in order, `everything`, or all that there is of some ids, with steps and checks."""
    wanted = tuple(ids)
    lines: list[str] = []
    for one in trace.specifications:
        if not wanted:
            lines += [*_specification(one), *_links(one), *_losses(one.inventory)]
        for requirement in one.requirements:
            lines += _requirement(one, requirement, everything=everything, ids=wanted)
        if not wanted:
            lines.append("")
    lines += (f"note: {visible(note)}" for note in trace.notes)
    lines += _totals(trace)
    return "\n".join(lines)


def difference(link: Link) -> str:
    """Write the word diff, what is gone as [-…-] and what is new as {+…+}, so that nothing depends on a colour."""
    marks = {"same": ("", "", None), "gone": ("[-", "-]", "red"), "new": ("{+", "+}", "green")}
    written = []
    for kind, text in link.difference:
        before, after, colour = marks[kind]
        shown = visible_lines(text) + ("\n" if text.endswith("\n") and kind == "same" else "")
        written.append(click.style(f"{before}{shown}{after}", fg=colour) if colour else shown)
    return "".join(written)


def _specification(one: SpecificationTrace) -> Iterator[str]:
    yield click.style(visible(one.id), bold=True)
    yield f"  {state_counts(one)}"
    yield f"  Scenarios: {scenario_counts(one.inventory)}"


def state_counts(one: SpecificationTrace) -> str:
    """Say how many links are in which state."""
    total = sum(one.states.values())
    if not one.locked and one.file is None:
        return "it has no lock: where its sentences went is not known"
    counts = [f"{one.states[state]} {_WORDS[state]}" for state in State if one.states[state] or state is State.OK]
    said = f"of {total} sentences {', '.join(counts)}"
    return f"{visible(one.file)}: {said}" if one.file else f"{said}; not compared with a text (--against PATH)"


def scenario_counts(inventory: Inventory) -> str:
    """Count scenarios from the specification to the results."""
    parts = [f"{inventory.transcribed} of {inventory.specification} in the specification are in the features"]
    parts.append(f"{inventory.features} in the features")
    parts += [
        f"{visible(name)}: {collected} of {inventory.features} collected, "
        f"{inventory.accounted[name]} of {inventory.features} accounted for"
        for name, collected in inventory.collected.items()
    ]
    return "; ".join(parts)


def _links(one: SpecificationTrace) -> Iterator[str]:
    for link in one.links:
        if link.state is State.OK and link.change is None:
            continue
        word = link.state.value.upper() if link.state is not State.OK else (link.change or "").upper()
        yield ""
        yield f"  {click.style(word, fg=_COLOURS[link.state], bold=True)}  {visible(link.id)}  {place(one, link)}"
        if link.note:
            yield f"    {short(link.note)}"
        if link.statements:
            yield f"    Claimed by {visible(', '.join(link.statements))}"
        if link.state is State.MISSING and not link.demands:
            yield "    It demands nothing; say what it is when you accept it"
        body = difference(link) if link.difference else visible_lines(link.accepted or "\n".join(link.now))
        yield from (f"    | {line}" for line in body.splitlines())


def place(one: SpecificationTrace, link: Link) -> str:
    """Give the file and the lines of a sentence, or nothing where it has none."""
    lines = link.lines or ((link.accepted_lines,) if link.accepted_lines else ())
    if not lines:
        return ""
    first, last = lines[0][0], lines[-1][1]
    file = (one.file if link.lines else None) or one.source
    return f"{visible(file or '')}:{first}" + (f"-{last}" if last != first else "")


def _losses(inventory: Inventory) -> Iterator[str]:
    for loss in inventory.losses:
        yield f"  {click.style('LOST', fg='red', bold=True)}  {visible(loss.id)}: {visible(loss.where)}"


def _requirement(
    one: SpecificationTrace, requirement: RequirementChain, *, everything: bool, ids: tuple[str, ...]
) -> Iterator[str]:
    shown = [chain for chain in requirement.statements if _shown(requirement, chain, everything=everything, ids=ids)]
    if not shown:
        return
    yield ""
    yield f"  {click.style(visible(requirement.title), bold=True)}  {visible(requirement.id)}"
    links = {link.id: link for link in one.links}
    full = everything or bool(ids)
    unrun = [] if full else [chain for chain in shown if _only_not_run(chain)]
    for chain in shown:
        if chain not in unrun:
            yield from _statement(one, chain, links, full=full, steps=bool(ids))
    groups: dict[tuple[str, ...], list[str]] = {}
    for chain in unrun:
        names = tuple(coverage.implementation for coverage in chain.coverage if coverage.gap)
        groups.setdefault(names, []).append(chain.id.rpartition("/")[2])
    for names, statements in groups.items():
        count = f"{len(statements)} of {len(requirement.statements)} statements"
        said = f"{count}, {visible(', '.join(names))}: {', '.join(statements)}"
        yield f"    {click.style('not run', fg='yellow')}  {said}"


def _only_not_run(chain: StatementChain) -> bool:
    """Say whether all that is to be said of a statement is where it was not run."""
    return chain.gap is None and {one.gap for one in chain.coverage if one.gap} == {GapKind.NOT_RUN}


def _shown(requirement: RequirementChain, chain: StatementChain, *, everything: bool, ids: tuple[str, ...]) -> bool:
    if ids:
        scenarios = [one.id for one in chain.scenarios]
        outlines = [name.removesuffix(f"[{one.case}]") for name, one in zip(scenarios, chain.scenarios, strict=True)]
        own = {requirement.id, chain.id, *scenarios, *outlines}
        return any(name in own for name in ids)
    return everything or chain.gap is not None or any(one.gap for one in chain.coverage)


def _statement(
    one: SpecificationTrace, chain: StatementChain, links: dict[str, Link], *, full: bool, steps: bool
) -> Iterator[str]:
    yield f"    {click.style(visible(chain.id), bold=True)}  ({chain.level})  {visible(chain.sentence)}"
    if chain.gap is not None:
        reason = f": {visible(chain.by_inspection)}" if chain.by_inspection else ""
        yield f"      {click.style(chain.gap.upper(), fg='yellow')}{reason}"
    elif not full:
        yield from (f"      {_covered(coverage)}" for coverage in chain.coverage if coverage.gap)
    if not full:
        return
    for name in chain.sources:
        link = links[name]
        word = click.style(link.state.value, fg=_COLOURS[link.state])
        yield f"      {word}  {place(one, link)}  {short((link.accepted or '').partition(chr(10))[0], 100)}"
    if chain.restates:
        yield f"      restates {', '.join(chain.restates)}"
    yield from (f"      {_covered(coverage)}" for coverage in chain.coverage)
    for scenario in chain.scenarios:
        yield from _scenario(scenario, steps=steps)


def _covered(coverage: Coverage) -> str:
    verdict = painted(coverage.verdict.value) if coverage.verdict else "by inspection"
    said = "covered" if coverage.covered else coverage.gap or "not claimed"
    earlier = f" ({coverage.earlier.value} against old text, not counted)" if coverage.earlier else ""
    return f"{visible(coverage.implementation)}: {verdict}, {said}{earlier}"


def _scenario(scenario: ScenarioChain, *, steps: bool) -> Iterator[str]:
    case = f" [{scenario.case}]" if scenario.case is not None else ""
    yield f"      {visible(scenario.title + case)}  ({scenario.kind})  {scenario.file}:{scenario.line}"
    for played in scenario.played:
        checks = sum(len(step.checks) for step in played.steps)
        earlier = f" ({played.earlier.value} against old text, not counted)" if played.earlier else ""
        done = f"{counted(len(played.steps), 'step')}, {counted(checks, 'check')}"
        counts = done if played.steps else short(played.reason or "", 100)
        yield f"        {visible(played.implementation)}: {painted(played.verdict.value)}{earlier}  {counts}"
        for step in played.steps if steps else ():
            yield f"          {step.keyword} {short(step.text)}  ({step.status})"
            for check in step.checks:
                yield f"            {'held ' if check.passed else 'BROKE'}  {short(check.claim)}"
        yield from (f"          ran {visible(_lines(ran))}" for ran in (played.lines if steps else ()))


def _lines(ran: RanLines) -> str:
    alone = f" (only here: {spelled(ran.exclusive)})" if ran.exclusive else ""
    return f"{ran.file}:{spelled(merged(ran.exclusive, ran.shared))}{alone}"


def _totals(trace: Trace) -> Iterator[str]:
    for one in trace.implementations:
        yield f"{click.style(visible(one.name), bold=True)}  {'; '.join(levels(one)) or 'no statements'}"
        yield f"  not covered: {gap_counts(one.gaps, trace.statements)}"
    if not trace.implementations:
        yield f"no results were given; without them, not covered: {gap_counts(trace.gaps, trace.statements)}"


def levels(one: ImplementationTrace) -> Iterator[str]:
    """Write the counts of each level with their denominators: "12 of 17 MUST covered, 11 of 17 passed"."""
    for level in one.levels:
        apart = f", {level.inapplicable} inapplicable" if level.inapplicable else ""
        yield f"{level.covered} of {level.of} {level.level.upper()} covered, {level.passed} of {level.of} passed{apart}"


def gap_counts(gaps: dict[str, int], total: int) -> str:
    """Write the gaps by their names, with the denominator."""
    found = ", ".join(f"{count} {name}" for name, count in gaps.items())
    return f"{sum(gaps.values())} of {total} statements" + (f" ({found})" if found else "")
