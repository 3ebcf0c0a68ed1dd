"""The last link of the chain: the lines of the reference that scenarios ran. They are evidence, and never a verdict."""

from collections.abc import Collection
from dataclasses import dataclass

from specassay.results.lines import numbers, spans
from specassay.results.model import Lines, Spans


@dataclass(frozen=True)
class Ran:
    """What some scenarios ran of one file: `exclusive` are lines that nothing else ran."""

    file: str
    exclusive: Spans
    shared: Spans

    def __str__(self) -> str:
        """Write the lines as `file:3-7,12 (only here: 5)`."""
        every = spans(numbers(self.exclusive) | numbers(self.shared))
        alone = f" (only here: {_written(self.exclusive)})" if self.exclusive else ""
        return f"{self.file}:{_written(every)}{alone}"


def of(lines: Lines, scenarios: Collection[str]) -> tuple[Ran, ...]:
    """Give what these scenarios ran, by file: those of a statement, say, or a single one."""
    mine = [one for one in lines.scenarios if one.id in scenarios]
    others = [one for one in lines.scenarios if one.id not in scenarios]
    found = []
    for file in sorted({name for one in mine for name in one.files}):
        ran = frozenset[int]().union(*(numbers(one.files.get(file, ())) for one in mine))
        elsewhere = frozenset[int]().union(*(numbers(one.files.get(file, ())) for one in others))
        found.append(Ran(file, spans(ran - elsewhere), spans(ran & elsewhere)))
    return tuple(found)


def at(lines: Lines, file: str, line: int) -> tuple[str, ...]:
    """Give the scenarios that ran one line."""
    return tuple(
        one.id for one in lines.scenarios if any(first <= line <= last for first, last in one.files.get(file, ()))
    )


def _written(found: Spans) -> str:
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in found)
