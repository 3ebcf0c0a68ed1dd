"""The report of what changed between two runs, on the terminal."""

import difflib
import re
from collections.abc import Iterable, Iterator

import click

from specassay.report.overview import level_counts
from specassay.report.text import short, visible
from specassay.results.changes import Change, Changes, Edit, Move, Shift
from specassay.results.model import Results

_COLOURS = {
    Move.LOST: "red",
    Move.BROKEN: "red",
    Move.FIXED: "green",
    Change.REMOVED: "red",
    Change.ADDED: "green",
}
_ORDER = (Move.LOST, Move.BROKEN, Move.GONE, Move.CHANGED, Move.FIXED, Move.NEW)


def render(old: Results, new: Results, changes: Changes) -> str:
    """Write what changed, and as the last line what was lost."""
    lines: list[str] = []
    for title, edits in (("Specification", changes.specification), ("Scenarios", changes.scenarios)):
        lines += [*_edits(title, edits), ""] if edits else []
    if changes.implementations:
        lines += [*_edits("Implementations", changes.implementations), ""]
    for name in dict.fromkeys(shift.implementation for shift in changes.verdicts):
        shifts = [shift for shift in changes.verdicts if shift.implementation == name]
        lines += [*_verdicts(name, shifts), ""]
    lines += [*_levels(old, new), _conclusion(changes, strict=new.settings.strict)]
    return "\n".join(lines)


def word_diff(old: str, new: str) -> str:
    """Write two texts as one: `[-removed-]` and `{+added+}`, word by word, in colours where there are any."""
    before, after = (re.findall(r"\s+|[^\s]+", text) for text in (old, new))
    parts = []
    for tag, i, j, m, n in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            parts.append(visible("".join(before[i:j])))
            continue
        removed, added = "".join(before[i:j]), "".join(after[m:n])
        parts.append(click.style(f"[-{visible(removed)}-]", fg="red") if removed else "")
        parts.append(click.style(f"{{+{visible(added)}+}}", fg="green") if added else "")
    return "".join(parts)


def _edits(title: str, edits: Iterable[Edit]) -> Iterator[str]:
    yield click.style(title, bold=True)
    for edit in edits:
        yield f"  {_painted(edit.kind)}  {visible(edit.id)}"
        if edit.kind is Change.REWORDED:
            yield f"    {word_diff(' '.join(edit.old.split()), ' '.join(edit.new.split()))}"
        elif edit.kind is Change.RENAMED:
            yield f"    is now {visible(edit.new)}"
        elif edit.kind is Change.LEVEL:
            yield f"    {edit.old} -> {edit.new}"
        elif title == "Specification":
            yield f"    {short(edit.old or edit.new)}"


def _verdicts(name: str, shifts: list[Shift]) -> Iterator[str]:
    yield click.style(f"Verdicts of {visible(name)}", bold=True)
    for move in _ORDER:
        for shift in (one for one in shifts if one.move is move):
            advice = "  (advice)" if shift.advice else ""
            yield f"  {_painted(move)}  {visible(shift.scenario)}: {shift.old} -> {shift.new}{advice}"
            if shift.reason is not None:
                yield f"    {short(shift.reason)}"


def _levels(old: Results, new: Results) -> Iterator[str]:
    """Give the counts of each implementation, before and after, where they are others."""
    before = {record.name: level_counts(old, record) for record in old.implementations}
    for record in new.implementations:
        now = level_counts(new, record)
        if record.name in before and before[record.name] != now:
            yield f"{visible(record.name)}: {', '.join(before[record.name])} -> {', '.join(now)}"


def _conclusion(changes: Changes, *, strict: bool) -> str:
    if changes == Changes((), (), (), ()):
        return "nothing changed"
    shifts = [one for one in changes.verdicts if strict or not one.advice]
    counts = {move: sum(1 for one in shifts if one.move is move) for move in Move}
    parts = [f"{counts[move]} {move}" for move in (Move.NEW, Move.FIXED, Move.LOST) if counts[move]]
    reworded = sum(1 for one in (*changes.specification, *changes.scenarios) if one.kind is Change.REWORDED)
    parts += [f"{reworded} changed text"] if reworded else []
    removed = sum(1 for one in changes.specification if one.kind is Change.REMOVED)
    parts += [f"{removed} removed from the specification"] if removed else []
    word, colour = ("lost", "red") if changes.lost(strict=strict) else ("nothing was lost", "green")
    return click.style(f"{word}: {', '.join(parts)}" if parts else word, fg=colour, bold=True)


def _painted(kind: Change | Move) -> str:
    loud = kind in (Move.LOST, Change.REMOVED)
    return click.style(kind.upper() if loud else kind.value, fg=_COLOURS.get(kind), bold=loud)
