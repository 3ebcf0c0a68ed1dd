"""The last link of the chain: the lines of the reference that scenarios ran. They are evidence, and never a verdict."""

from specassay.results.lines import numbers, spans
from specassay.results.model import Lines
from specassay.trace.record import RanLines


def by_scenario(lines: Lines) -> dict[str, tuple[RanLines, ...]]:
    """Give what each scenario ran, by file."""
    alone = {file.file: numbers(file.exclusive) for file in lines.files}
    return {
        one.id: tuple(
            RanLines(file=file, exclusive=spans(ran & alone[file]), shared=spans(ran - alone[file]))
            for file, ran in ((file, numbers(found)) for file, found in one.files.items())
        )
        for one in lines.scenarios
    }


def at(lines: Lines, file: str, line: int) -> tuple[str, ...]:
    """Give the scenarios that ran one line."""
    return tuple(
        one.id for one in lines.scenarios if any(first <= line <= last for first, last in one.files.get(file, ()))
    )
