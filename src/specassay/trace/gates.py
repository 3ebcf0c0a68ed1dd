"""What a trace may be refused for."""

from collections.abc import Collection, Iterator, Mapping

from specassay.results.gaps import GapKind
from specassay.trace.record import State, Trace

GATES = ("gap", "suspect", "lost", "vacuous")
_NO_GATE = (GapKind.BY_INSPECTION, GapKind.SUSPECT, GapKind.VACUOUS)


def refused(trace: Trace, fail_on: Collection[str], least: Mapping[str, float]) -> Iterator[str]:
    """Give a sentence for each gate that a trace does not pass.

    `least` is the percentage of each level's statements that must have passed against the text as it stands, for every
    implementation: of those that it does not leave out as inapplicable, and 0 of 0 is never enough.
    """
    for gate, counts in _counts(trace).items():
        found = ", ".join(f"{what}: {count}" for what, count in counts.items() if count)
        if gate in fail_on and found:
            yield f"--fail-on {gate}: {found}"
    for one in trace.implementations:
        for level, percent in least.items():
            count = next((count for count in one.levels if count.level == level), None)
            passed, of = (count.passed, count.of - count.inapplicable) if count else (0, 0)
            if of == 0 or passed * 100 < percent * of:
                said = f"{passed} of {of} {level.upper()} statements that apply"
                yield f"--min {level}={percent:g}: {one.name} passed {said}"


def _counts(trace: Trace) -> dict[str, dict[str, int]]:
    gaps = {name: count for name, count in trace.gaps.items() if name not in _NO_GATE}
    new = sum(1 for link in trace.links(State.MISSING) if link.demands)
    return {
        "gap": {**gaps, "new in the specification and without a Rule": new},
        "suspect": {
            "sentences suspect": len(trace.links(State.SUSPECT)),
            "sentences orphaned": len(trace.links(State.ORPHANED)),
            "statements with verdicts against old text": trace.gaps.get(GapKind.SUSPECT, 0),
        },
        "lost": {"scenarios lost": len(trace.losses())},
        "vacuous": {"statements whose scenarios check nothing": trace.gaps.get(GapKind.VACUOUS, 0)},
    }
