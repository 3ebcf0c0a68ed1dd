"""Sorts the lines of an implementation by the scenarios that ran them: numbers become spans, and spans numbers."""

from collections import Counter
from collections.abc import Iterable, Mapping

from specassay.results.model import FileLines, Lines, ScenarioLines, Spans

Numbers = Mapping[str, frozenset[int]]
"""Lines by file."""


def classify(statements: Numbers, outside: Numbers, ran: Mapping[str, Numbers]) -> Lines:
    """Put every line that can run (`statements`) into one of the four lists of its file.

    `ran` are the lines that each scenario ran, `outside` those that ran while none was played.
    """
    return Lines(
        files=tuple(
            _file(
                name,
                lines,
                outside.get(name, frozenset()),
                [one.get(name, frozenset()) & lines for one in ran.values()],
            )
            for name, lines in sorted(statements.items())
        ),
        scenarios=tuple(
            ScenarioLines(
                id=scenario,
                files={name: spans(found & statements[name]) for name, found in sorted(files.items()) if found},
            )
            for scenario, files in ran.items()
        ),
    )


def spans(numbers: Iterable[int]) -> Spans:
    """Give the runs of consecutive numbers: 3, 4, 5 and 9 are (3, 5) and (9, 9)."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)


def numbers(found: Spans) -> frozenset[int]:
    """Give the lines of spans."""
    return frozenset(line for first, last in found for line in range(first, last + 1))


def spoken(lines: Lines) -> str:
    """Say how many lines there are of each kind: "812 of 1030 lines ran in scenarios, 12 of them in one alone, …"."""
    counts = {kind: sum(len(numbers(getattr(file, kind))) for file in lines.files) for kind in _KINDS}
    total, ran = sum(counts.values()), counts["exclusive"] + counts["shared"]
    return (
        f"{ran} of {total} lines ran in scenarios, {counts['exclusive']} of them in one alone; "
        f"{counts['imported']} only outside of any scenario, {counts['untouched']} never"
    )


_KINDS = ("exclusive", "shared", "imported", "untouched")


def _file(name: str, lines: frozenset[int], outside: frozenset[int], ran: Iterable[frozenset[int]]) -> FileLines:
    times = Counter(line for one in ran for line in one)
    exclusive = frozenset(line for line, many in times.items() if many == 1)
    shared = times.keys() - exclusive
    imported = (outside & lines) - times.keys()
    return FileLines(
        file=name,
        exclusive=spans(exclusive),
        shared=spans(shared),
        imported=spans(imported),
        untouched=spans(lines - times.keys() - imported),
    )


def spelled(found: Spans) -> str:
    """Write spans as "3-7, 12"."""
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def merged(*several: Spans) -> Spans:
    """Give the lines of several lists as one."""
    return spans(frozenset[int]().union(*map(numbers, several)))
