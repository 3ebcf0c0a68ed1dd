"""The text of a specification as its lock lists it: headings, sentences and scenarios, in order.

An OpenSpec specification and a prose document become the same list, so that what follows knows no difference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from specassay.errors import UsageError
from specassay.trace.fingerprint import fingerprint, normalised
from specassay.trace.model import Document, Heading, Requirement, Scenario, Section
from specassay.trace.openspec import read
from specassay.trace.statements import Level, Sentence, of_blocks, of_prose

Shape = Literal["heading", "sentence", "scenario"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One heading, sentence or scenario: its text without marks, and the heading that it stands under.

    `level` is the strength of what it demands; a scenario and what demands nothing have None. `lead` is the place, in
    the list, of the sentence whose modal verb this one inherits.
    """

    shape: Shape
    text: str
    lines: tuple[int, int]
    section: str
    level: Level | None = None
    lead: int | None = None

    @property
    def fingerprint(self) -> str:
        """Give sixteen hexadecimal digits that change when the words do."""
        return fingerprint(self.text)


def load(file: Path) -> tuple[Entry, ...]:
    """Read a specification: OpenSpec where it has requirements, prose otherwise. Raises `UsageError`."""
    document = read(file)
    if document.requirements:
        return of_document(document)
    if document.deltas:
        raise UsageError(f"{file}: this is a change and no specification; give its folder with --change")
    return _listed(of_prose(file.read_text("utf-8-sig")).sentences)


def of_document(document: Document) -> tuple[Entry, ...]:
    """List an OpenSpec specification, also one that a change was applied to in memory."""
    found: list[Entry] = []
    if document.heading:
        found.append(_of_heading(document.heading))
    own = [*([document.purpose] if document.purpose else []), *document.sections]
    start = next((_first(one) for one in own if one.heading and one.heading.role == "requirements"), None)
    before = [one for one in own if start is None or _first(one) <= start]
    for section in sorted(before, key=_first):
        found += _of_section(section, len(found))
    for requirement in document.requirements:
        found += _of_requirement(requirement, len(found))
    found += [_of_scenario(one, "") for one in document.stray]
    for section in sorted((one for one in own if one not in before), key=_first):
        found += _of_section(section, len(found))
    return tuple(found)


def _of_requirement(requirement: Requirement, at: int) -> Iterator[Entry]:
    heading = _of_heading(requirement.heading)
    yield heading
    yield from _listed(of_blocks(requirement.body), at + 1, heading.text)
    yield from (_of_scenario(one, heading.text) for one in requirement.scenarios)


def _of_section(section: Section, at: int) -> Iterator[Entry]:
    name = ""
    if section.heading:
        heading = _of_heading(section.heading)
        name = heading.text
        yield heading
    yield from _listed(of_blocks(section.blocks), at + bool(section.heading), name)


def _listed(sentences: Sequence[Sentence], at: int = 0, section: str = "") -> tuple[Entry, ...]:
    """List sentences of which the first one will stand at a place of the whole list."""
    leads: dict[str, int] = {}
    found = []
    for number, one in enumerate(sentences, at):
        if one.kind == "lead-in":
            leads[one.text] = number
        found.append(
            Entry(
                shape="heading" if one.kind == "heading" else "sentence",
                text=" ".join(one.text.split()) if one.kind == "code" else normalised(one.text) or one.text.strip(),
                lines=(one.lines.first, one.lines.last),
                section=section or one.section,
                level=one.level,
                lead=leads.get(one.lead) if one.inherited else None,
            )
        )
    return tuple(found)


def _of_heading(heading: Heading) -> Entry:
    text = normalised(heading.text)
    return Entry("heading", text, (heading.lines[0].number, heading.lines[-1].number), text)


def _of_scenario(scenario: Scenario, section: str) -> Entry:
    span = scenario.span
    text = f"Scenario: {scenario.name}\n{normalised(scenario)}".rstrip()
    return Entry("scenario", text, (span.first, span.last), section)


def _first(section: Section) -> int:
    return section.span.first
