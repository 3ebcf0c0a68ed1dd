"""Reads OpenSpec specifications and changes: the canonical form, and the forms that real files have besides."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from specassay.errors import UsageError
from specassay.trace import headings, scenario
from specassay.trace.dialects import COLON, LABELS
from specassay.trace.markdown import blocks, lex
from specassay.trace.model import (
    Delta,
    Document,
    Heading,
    Line,
    Lint,
    Named,
    Operation,
    Rename,
    Requirement,
    Scenario,
    Section,
)
from specassay.trace.shape import Entry, entries

_REQUIREMENT = "|".join(re.escape(label) for label, role in LABELS.items() if role == "requirement")
_HEADER = rf"`?###\s*(?:{_REQUIREMENT})\s*{COLON}\s*(.+?)`?\s*$"
_REMOVED = re.compile(rf"^\s*[-*+]\s*{_HEADER}", re.IGNORECASE)
_RENAMED = re.compile(rf"^\s*[-*+]?\s*(\*\*)?(FROM|TO)(?(1):?\*\*:?|:)\s*{_HEADER}", re.IGNORECASE)


def read(source: str | Path) -> Document:
    """Read a specification or a change, from its text or from the file at a path.

    Raises `UsageError` where the file cannot be read or is not UTF-8; any text can be read.
    """
    if isinstance(source, str):
        return _Reader(source, None).document()
    try:
        return _Reader(source.read_bytes().decode("utf-8"), str(source)).document()
    except OSError as error:
        raise UsageError(f"{source}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{source}: not UTF-8 at byte {error.start}. Save the file as UTF-8.") from error


@dataclass
class _Reader:
    """Puts a document together from the headings of a text and what stands below each."""

    text: str
    path: str | None
    lints: list[Lint] = field(default_factory=list)
    purpose: Section | None = None
    heading: Heading | None = None
    requirements: list[Requirement] = field(default_factory=list)
    deltas: list[Delta] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    stray: list[Scenario] = field(default_factory=list)

    def document(self) -> Document:
        lines, lints = lex(self.text)
        found, recovered = headings.find(lines)
        shape, misplaced = entries(lines, found)
        self.lints += [*lints, *recovered, *misplaced]
        for entry, below in _nested(shape):
            self._take(entry, below)
        self._check()
        document = Document(
            self.path,
            self.heading,
            self.purpose,
            tuple(self.requirements),
            tuple(self.deltas),
            tuple(self.sections),
            tuple(self.stray),
            tuple(sorted(self.lints, key=lambda lint: (lint.line, lint.code))),
            (),
        )
        claimed = {line.number for line in document.claims()}
        unclaimed = tuple(line for line in lines if not line.blank and line.number not in claimed)
        return replace(document, unclaimed=unclaimed)

    def _take(self, entry: Entry, below: Sequence[Entry]) -> None:
        heading = entry.heading
        if heading is None:
            self._keep(None, entry.lines)
        elif entry.kind == "requirement":
            self._require(self._requirement(heading, entry.lines, below), entry.operation)
        elif entry.kind == "scenario":
            self.stray.append(self._scenario(entry))
            self._lint("scenario-outside-requirement", heading, "This scenario stands in no requirement.")
        elif entry.kind == "title":
            self.heading = heading
            self._keep(None, entry.lines)
        elif entry.kind == "purpose" and self.purpose is None:
            self.purpose = Section(heading, blocks(entry.lines))
        elif entry.operation and entry.kind == entry.operation:
            self.deltas.append(self._delta(heading, entry.operation, entry.lines))
        else:
            self._keep(heading, entry.lines)

    def _keep(self, heading: Heading | None, lines: Sequence[Line]) -> None:
        below = blocks(lines)
        if heading or below:
            self.sections.append(Section(heading, below))

    def _require(self, requirement: Requirement, operation: Operation | None) -> None:
        if operation is None:
            self.requirements.append(requirement)
        else:
            delta = self.deltas[-1]
            self.deltas[-1] = replace(delta, requirements=(*delta.requirements, requirement))

    def _requirement(self, heading: Heading, lines: Sequence[Line], below: Sequence[Entry]) -> Requirement:
        scenarios = tuple(self._scenario(entry) for entry in below)
        seen: set[str] = set()
        for one in scenarios:
            if one.name in seen:
                self._lint("duplicate-scenario", one.heading, f"This requirement has two scenarios named “{one.name}”.")
            seen.add(one.name)
        return Requirement(heading, blocks(lines), scenarios)

    def _scenario(self, entry: Entry) -> Scenario:
        assert entry.heading is not None
        found, lints = scenario.read(entry.heading, entry.lines)
        self.lints += lints
        return found

    def _delta(self, heading: Heading, operation: Operation, lines: Sequence[Line]) -> Delta:
        removed = tuple(_removed(lines)) if operation == "removed" else ()
        renamed = tuple(self._renamed(lines)) if operation == "renamed" else ()
        return Delta(heading, operation, blocks(lines), (), removed, renamed)

    def _renamed(self, lines: Sequence[Line]) -> list[Rename]:
        pairs: list[Rename] = []
        pending: Named | None = None
        for line in lines:
            found = None if line.mask else _RENAMED.match(line.visible)
            if found is None:
                continue
            if found[1] or not found[2].isupper():
                self.lints.append(
                    Lint("rename-form", line.number, "OpenSpec reads FROM and TO in capitals, not in bold.")
                )
            name = Named(headings.unclosed(found[3]), line.number)
            if found[2].upper() == "FROM":
                self._unpaired("FROM", pending)
                pending = name
            elif pending is None:
                self._unpaired("TO", name)
            else:
                pairs.append(Rename(pending.name, name.name, pending.line))
                pending = None
        self._unpaired("FROM", pending)
        return pairs

    def _unpaired(self, side: str, name: Named | None) -> None:
        if name:
            other = "TO" if side == "FROM" else "FROM"
            self.lints.append(Lint("unpaired-rename", name.line, f"{side} “{name.name}” has no {other} beside it."))

    def _check(self) -> None:
        """Say what a complete specification has and this one has not."""
        groups = [(None, self.requirements), *((delta.operation, list(delta.requirements)) for delta in self.deltas)]
        for operation, requirements in groups:
            self._check_requirements(operation, requirements)
        if not self.deltas:
            if self.purpose is None or not self.purpose.text.strip():
                self.lints.append(Lint("no-purpose", 1, "The specification has no `## Purpose`, or an empty one."))
            if not self.requirements:
                self.lints.append(Lint("no-requirements", 1, "The specification has no `### Requirement: …`."))

    def _check_requirements(self, operation: Operation | None, requirements: Sequence[Requirement]) -> None:
        seen: dict[str, int] = {}
        for one in requirements:
            if one.name in seen:
                message = f"A requirement named “{one.name}” stands on line {seen[one.name]} too."
                self._lint("duplicate-requirement", one.heading, message)
            seen.setdefault(one.name, one.heading.lines[0].number)
            if operation == "removed":
                continue
            if not one.text:
                self._lint("requirement-without-text", one.heading, "This requirement says nothing below its heading.")
            if not any(not below.empty for below in one.scenarios):
                self._lint("requirement-without-scenario", one.heading, "This requirement has no scenario.")

    def _lint(self, code: str, heading: Heading, message: str) -> None:
        self.lints.append(Lint(code, heading.lines[0].number, message))


def _nested(shape: Sequence[Entry]) -> list[tuple[Entry, list[Entry]]]:
    """Put the scenarios of a requirement under it."""
    nested: list[tuple[Entry, list[Entry]]] = []
    for entry in shape:
        if entry.kind == "scenario" and nested and nested[-1][0].kind == "requirement":
            nested[-1][1].append(entry)
        else:
            nested.append((entry, []))
    return nested


def _removed(lines: Sequence[Line]) -> list[Named]:
    found = ((line, _REMOVED.match(line.visible)) for line in lines if not line.mask)
    return [Named(headings.unclosed(match[1]), line.number) for line, match in found if match]
