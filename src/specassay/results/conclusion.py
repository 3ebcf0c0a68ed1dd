"""One sentence for the outcome of an implementation: the last line of every report."""

from collections import Counter

from specassay.errors import Exit
from specassay.results.model import ImplementationRecord, Suite, Verdict
from specassay.results.verdicts import EXPECTED, NOT_COMPARED, decisive, excused, spoken, tally, untested


def conclude(suite: Suite, record: ImplementationRecord, code: Exit, *, strict: bool) -> str:
    """Say whether an implementation conforms, for which surfaces, and on what counts."""
    sentence = _sentence(suite, record, code, strict=strict)
    return f"{record.name} {sentence}"


def _sentence(suite: Suite, record: ImplementationRecord, code: Exit, *, strict: bool) -> str:
    if record.failure is not None:
        return f"was not tested: its {record.program} did not start"
    if code is Exit.INTERRUPTED:
        return f"was not tested to the end: the run was interrupted after {_ran(record)}"
    if record.missing:
        return f"does not declare what is required: {', '.join(record.missing)}"
    if code is Exit.NONCONFORMING:
        return f"does not conform: {'; '.join(_against(suite, record, strict=strict))}"
    if code is Exit.INCONCLUSIVE:
        return _undecided(suite, record, strict=strict)
    return _conforming(suite, record)


def _ran(record: ImplementationRecord) -> str:
    ran = sum(1 for one in record.scenarios if one.verdict in (Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE))
    failed = sum(1 for one in record.scenarios if one.verdict is Verdict.FAILED)
    return _number(ran, "scenario") + (f", of which {failed} failed" if failed else "")


def _against(suite: Suite, record: ImplementationRecord, *, strict: bool) -> list[str]:
    known = excused(suite, record.expectations)
    failed = {one.id for one in record.scenarios if one.verdict is Verdict.FAILED}
    counted = (failed & decisive(suite, strict=strict)) - known
    statements = sum(1 for one in suite.statements() if any(scenario.id in counted for scenario in one.scenarios))
    stale = sum(1 for one in record.expectations if one.outcome not in (EXPECTED, NOT_COMPARED))
    parts = []
    if counted:
        total = sum(1 for one in suite.statements() if strict or one.level == "must")
        noun = "statements" if strict else "MUST statements"
        parts.append(f"{statements} of {total} {noun} failed ({_number(len(counted), 'scenario')})")
    if stale:
        parts.append(f"{_number(stale, 'expectation')} did not come out as written")
    if record.broken is not None:
        parts.append("the run broke off before its end")
    return parts


def _undecided(suite: Suite, record: ImplementationRecord, *, strict: bool) -> str:
    counts = Counter(one.verdict for one in record.scenarios if one.id in decisive(suite, strict=strict))
    if record.broken is not None:
        return f"was not decided: {record.broken}"
    if not counts:
        return "was not decided: only advice was selected"
    if set(counts) == {Verdict.INAPPLICABLE}:
        return "was not decided: nothing that was selected applies to the surfaces that it declares"
    parts = [f"{_number(counts[v], 'scenario')} {v.value}" for v in _OPEN if counts[v]]
    if bare := untested(suite, strict=strict):
        total = sum(1 for one in suite.statements() if strict or one.level == "must")
        parts.append(f"{bare} of {total} {'' if strict else 'MUST '}statements have no scenario")
    return f"was not decided: {', '.join(parts)}"


_OPEN = (Verdict.INCONCLUSIVE, Verdict.NOT_RUN)


def _conforming(suite: Suite, record: ImplementationRecord) -> str:
    excuse = excused(suite, record.expectations)
    known = sum(1 for one in record.scenarios if one.verdict is Verdict.FAILED and one.id in excuse)
    but = f" but for {_number(known, 'expected failure')}" if known else ""
    scenarios = list(suite.scenarios())
    selected = sum(1 for one in scenarios if one.selected)
    if selected < len(scenarios):
        passed = sum(1 for one in record.scenarios if one.verdict is Verdict.PASSED)
        return (
            f"keeps what was selected{but}: {passed} of {_number(len(scenarios), 'scenario')} passed, the rest is open"
        )
    total: Counter[str] = Counter()
    for requirement in suite.requirements:
        total += tally(requirement, record.verdicts)
    declared = record.declared.surfaces if record.declared else ()
    known_surfaces = sorted({surface for one in scenarios for surface in one.surfaces})
    tested = [surface for surface in known_surfaces if surface in declared]
    absent = [surface for surface in known_surfaces if surface not in declared]
    rest = f"; not declared: {', '.join(absent)}" if absent else ""
    surfaces = f" for {', '.join(tested)}" if known_surfaces else ""
    return f"conforms{but}{surfaces}: {spoken(total)}{rest}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
