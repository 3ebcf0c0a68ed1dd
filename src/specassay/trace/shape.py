"""Decides what each heading of a document opens: where requirements, scenarios and sections begin and end."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from specassay.trace.model import OPERATIONS, Heading, Line, Lint, Operation

Kind = Literal[
    "start",
    "title",
    "purpose",
    "requirements",
    "added",
    "modified",
    "removed",
    "renamed",
    "section",
    "requirement",
    "scenario",
]


@dataclass
class Entry:
    """A heading, what it opens, the change's section that it stands in, and the lines up to the next entry."""

    kind: Kind
    heading: Heading | None
    operation: Operation | None = None
    lines: list[Line] = field(default_factory=list)


def entries(lines: Sequence[Line], headings: Sequence[Heading]) -> tuple[tuple[Entry, ...], tuple[Lint, ...]]:
    """Cut a document at the headings that open something; other headings stay in the lines of an entry."""
    shaper = _Shaper(headings)
    found = [Entry("start", None)]
    opens = {heading.lines[0].number: at for at, heading in enumerate(headings)}
    skip = 0
    for line in lines:
        if skip:
            skip -= 1
            continue
        at = opens.get(line.number)
        entry = None if at is None else shaper.open(at)
        if entry is None:
            found[-1].lines.append(line)
        else:
            found.append(entry)
            skip = len(entry.heading.lines) - 1 if entry.heading else 0
    return tuple(found), tuple(shaper.lints)


class _Shaper:
    """Goes over the headings in order and keeps in mind where it stands."""

    def __init__(self, headings: Sequence[Heading]) -> None:
        self.headings = headings
        self.lints: list[Lint] = []
        self.titled = False
        self.sections_of_requirements = 0
        self.section: int | None = None  # the level of the section of requirements that is open
        self.operation: Operation | None = None
        self.requirement: int | None = None  # the level of the requirement that is open
        self.scenario: int | None = None

    def open(self, at: int) -> Entry | None:
        """Give what a heading opens, or None for one that is part of the text around it."""
        heading = self.headings[at]
        if heading.role in ("requirement", "scenario"):
            return self._labelled(heading)
        if heading.role == "other":
            return self._other(at)
        return self._section(heading)

    def _section(self, heading: Heading) -> Entry:
        operation = next((operation for operation in OPERATIONS if operation == heading.role), None)
        if operation and self.sections_of_requirements:
            self._lint("delta-in-specification", heading, "A section of a change stands in a specification.")
        self._close()
        if operation:
            self.section, self.operation = heading.level, operation
            return Entry(operation, heading, operation)
        if heading.role == "requirements":
            self.section = heading.level
            self.sections_of_requirements += 1
            if self.sections_of_requirements > 1:
                self._lint("second-requirements-section", heading, "OpenSpec reads only the first of these sections.")
            return Entry("requirements", heading)
        return Entry("purpose", heading)

    def _labelled(self, heading: Heading) -> Entry:
        if heading.role == "scenario":
            self.scenario = heading.level
            return Entry("scenario", heading, self.operation)
        if self.section is None:
            message = "This requirement stands in no section of requirements; OpenSpec does not see it."
            self._lint("requirement-outside-section", heading, message)
        if not heading.name:
            self._lint("requirement-without-name", heading, "This requirement has no name.")
        return self._requirement(heading)

    def _requirement(self, heading: Heading) -> Entry:
        self.requirement, self.scenario = heading.level, None
        return Entry("requirement", heading, self.operation)

    def _other(self, at: int) -> Entry | None:
        heading = self.headings[at]
        if heading.level <= (self.section or 2):
            return self._end(heading)
        if self.requirement is None or heading.level <= self.requirement:
            return self._beside(at)
        if self.scenario is not None and heading.level > self.scenario:
            return None
        self.scenario = heading.level
        self._lint("scenario-without-label", heading, "A scenario's heading is `#### Scenario: …`.")
        return Entry("scenario", replace(heading, canonical=False), self.operation)

    def _beside(self, at: int) -> Entry | None:
        """Judge a heading where a requirement may stand."""
        heading = self.headings[at]
        if self.section is None:
            # after a requirement outside its section, a heading of its level ends it
            return None if self.requirement is None else self._end(heading)
        if self.operation:
            self._lint("heading-in-change", heading, "OpenSpec passes over a heading that names no requirement here.")
            self.requirement = self.scenario = None
            return Entry("section", heading)
        if self._holds_requirements(at):
            self._lint("group-of-requirements", heading, "OpenSpec reads this heading, a group, as a requirement.")
            self.requirement = self.scenario = None
            return Entry("section", heading)
        self._lint("requirement-without-label", heading, "A requirement's heading is `### Requirement: …`.")
        return self._requirement(replace(heading, canonical=False))

    def _holds_requirements(self, at: int) -> bool:
        level = self.headings[at].level
        for below in self.headings[at + 1 :]:
            if below.level <= level:
                return False
            if below.role == "requirement":
                return True
        return False

    def _end(self, heading: Heading) -> Entry:
        self._close()
        first = heading.level == 1 and not self.titled
        self.titled = self.titled or first
        return Entry("title" if first else "section", heading)

    def _close(self) -> None:
        self.section = self.operation = self.requirement = self.scenario = None

    def _lint(self, code: str, heading: Heading, message: str) -> None:
        self.lints.append(Lint(code, heading.lines[0].number, message))
