"""Applies a change to a specification in OpenSpec's order: renamed, removed, modified, added."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from specassay.trace.fingerprint import fingerprint, normalised
from specassay.trace.model import Delta, Document, Lint, Operation, Requirement


@dataclass(frozen=True)
class Applied:
    """The specification as the change makes it, what could not be applied, and what had been applied before.

    The parts of `document` that come from the change have the change's lines. OpenSpec applies nothing at all where
    there is an error; here the rest is applied, so that its effect can be shown.
    """

    document: Document
    errors: tuple[Lint, ...]
    notes: tuple[Lint, ...]


def apply(base: Document | None, change: Document) -> Applied:
    """Apply a change to a specification, or to None where it makes a new one; lints have the lines of the change."""
    work = _Work(base, change)
    work.check()
    for rename in (rename for delta in work.sections("renamed") for rename in delta.renamed):
        work.rename(rename.old, rename.new, rename.line)
    for name, line in work.removals():
        work.remove(name, line)
    for requirement in work.of("modified"):
        work.modify(requirement)
    for requirement in work.of("added"):
        work.add(requirement)
    purpose = base.purpose if base and base.purpose else change.purpose
    old = base or replace(change, requirements=(), sections=(), stray=(), lints=(), heading=None)
    document = replace(old, purpose=purpose, deltas=(), requirements=tuple(work.requirements))
    return Applied(document, tuple(work.errors), tuple(work.notes))


@dataclass
class _Work:
    base: Document | None
    change: Document
    requirements: list[Requirement] = field(default_factory=list)
    errors: list[Lint] = field(default_factory=list)
    notes: list[Lint] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.requirements = list(self.base.requirements) if self.base else []

    def sections(self, operation: Operation) -> Iterator[Delta]:
        return (delta for delta in self.change.deltas if delta.operation == operation)

    def of(self, operation: Operation) -> list[Requirement]:
        return [requirement for delta in self.sections(operation) for requirement in delta.requirements]

    def removals(self) -> list[tuple[str, int]]:
        """Give what REMOVED names, by heading or by bullet, in the order of the file."""
        headed = [(requirement.name, _line(requirement)) for requirement in self.of("removed")]
        listed = [(named.name, named.line) for delta in self.sections("removed") for named in delta.removed]
        return sorted(headed + listed, key=lambda removal: removal[1])

    def check(self) -> None:
        """Find what contradicts itself within the change."""
        modified, added = self.of("modified"), self.of("added")
        renames = [rename for delta in self.sections("renamed") for rename in delta.renamed]
        sides = {
            "MODIFIED": [(one.name, _line(one)) for one in modified],
            "ADDED": [(one.name, _line(one)) for one in added],
            "REMOVED": self.removals(),
            "RENAMED FROM": [(rename.old, rename.line) for rename in renames],
            "RENAMED TO": [(rename.new, rename.line) for rename in renames],
        }
        for side, names in sides.items():
            for name, line in _again(names):
                self._error("named-twice", line, f"{side} names “{name}” twice.")
        for first, second in _CONFLICTS:
            there = {_fold(name) if first == "REMOVED" else name for name, _ in sides[first]}
            for name, line in sides[second]:
                if (_fold(name) if first == "REMOVED" else name) in there:
                    self._error("contradiction", line, f"“{name}” stands under {first} and under {second}.")
        if not any(sides.values()):
            self._error("no-operation", 1, "This change adds, modifies, removes and renames nothing.")
        self.errors += [lint for lint in self.change.lints if lint.code == "unpaired-rename"]

    def rename(self, old: str, new: str, line: int) -> None:
        at, there = self._find(old), self._find(new)
        if at is None and there is not None:
            if self._variant(old, line, besides=new) is None:
                self.notes.append(Lint("already-renamed", line, f"“{old}” is already named “{new}”."))
        elif at is None:
            self._missing("RENAMED", old, line)
        elif there is not None:
            self._error("name-taken", line, f"RENAMED: a requirement named “{new}” is already there.")
        elif self._variant(new, line, besides=old) is None:
            one = self.requirements[at]
            heading = replace(one.heading, name=new, text=f"Requirement: {new}")
            self.requirements[at] = replace(one, heading=heading)

    def remove(self, name: str, line: int) -> None:
        at = self._find(name)
        if at is not None:
            del self.requirements[at]
        elif self._variant(name, line) is None:
            self.notes.append(Lint("already-removed", line, f"There is no requirement “{name}” (any more)."))

    def modify(self, new: Requirement) -> None:
        at = self._find(new.name)
        if at is None:
            self._missing("MODIFIED", new.name, _line(new))
            return
        left = Counter(scenario.name for scenario in new.scenarios)
        missing = Counter(scenario.name for scenario in self.requirements[at].scenarios) - left
        if missing:
            names = ", ".join(f"“{name}”" for name in missing)
            message = (
                f"MODIFIED “{new.name}” leaves out {names}, which the specification has; write each as it is to be."
            )
            self._error("scenario-left-out", _line(new), message)
        self.requirements[at] = new

    def add(self, new: Requirement) -> None:
        at = self._find(new.name)
        if at is None:
            if self._variant(new.name, _line(new)) is None:
                self.requirements.append(new)
        elif _same(self.requirements[at], new):
            self.notes.append(Lint("already-added", _line(new), f"“{new.name}” is already there, with the same text."))
        else:
            self._error("name-taken", _line(new), f"ADDED: a requirement named “{new.name}” is already there.")

    def _find(self, name: str) -> int | None:
        return next((at for at, one in enumerate(self.requirements) if one.name == name), None)

    def _variant(self, name: str, line: int, besides: str = "") -> str | None:
        """Report a requirement whose name differs in nothing but case and spaces, which OpenSpec takes for a slip."""
        names = (one.name for one in self.requirements if one.name != besides)
        found = next((other for other in names if _fold(other) == _fold(name)), None)
        if found is not None:
            self._error(
                "almost-the-same-name", line, f"“{name}” is “{found}” in the specification; write it like that."
            )
        return found

    def _missing(self, operation: str, name: str, line: int) -> None:
        if self._variant(name, line) is None:
            self._error("no-such-requirement", line, f"{operation}: the specification has no requirement “{name}”.")

    def _error(self, code: str, line: int, message: str) -> None:
        self.errors.append(Lint(code, line, message))


_CONFLICTS = (
    ("MODIFIED", "ADDED"),
    ("REMOVED", "RENAMED FROM"),
    ("MODIFIED", "REMOVED"),
    ("ADDED", "REMOVED"),
    ("RENAMED FROM", "MODIFIED"),
    ("RENAMED TO", "ADDED"),
)


def _again(names: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    for name, line in names:
        if name in seen:
            yield name, line
        seen.add(name)


def _same(one: Requirement, other: Requirement) -> bool:
    def content(requirement: Requirement) -> list[str]:
        scenarios = [part for below in requirement.scenarios for part in (below.name, fingerprint(below))]
        return [normalised(requirement.text), *scenarios]

    return content(one) == content(other)


def _fold(name: str) -> str:
    return " ".join(name.split()).casefold()


def _line(requirement: Requirement) -> int:
    return requirement.heading.lines[0].number
