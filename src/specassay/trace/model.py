"""What a specification is made of, each part with the lines that are its own.

- `Document`: a file; its title, purpose, requirements, deltas and other sections.
  - `Requirement`: a heading, a body of `Block`s and its `Scenario`s.
    - `Scenario`: a heading, its `Step`s and notes.

Every non-blank line of a file is claimed by exactly one part; `Document.unclaimed` holds what is not, and is empty.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

Mask = Literal["", "code-open", "code", "code-close", "comment", "front-matter"]
BlockKind = Literal[
    "paragraph", "item", "code", "table", "quote", "metadata", "heading", "rule", "comment", "front-matter"
]
Role = Literal["purpose", "requirements", "added", "modified", "removed", "renamed", "requirement", "scenario", "other"]
Operation = Literal["added", "modified", "removed", "renamed"]
StepKind = Literal["given", "when", "then"]
StepWord = Literal["given", "when", "then", "and", "but"]

OPERATIONS: tuple[Operation, ...] = ("added", "modified", "removed", "renamed")


@dataclass(frozen=True, slots=True)
class Span:
    """The first and the last line of a part, counted from 1, both of them its own."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Lint:
    """Something that a reader of the file should know: what was recovered, or what another tool reads otherwise."""

    code: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it stands in the file, without its end; `visible` is what is left without HTML comments."""

    number: int
    text: str
    visible: str
    mask: Mask = ""

    @property
    def blank(self) -> bool:
        """Whether the line holds nothing but white space."""
        return not self.text.strip()


class Part:
    """A part of a document: it claims lines."""

    __slots__ = ()

    def claims(self) -> Iterator[Line]:
        """Give the lines of this part and of the parts in it, each once."""
        raise NotImplementedError

    @property
    def span(self) -> Span:
        """Give the first and the last line."""
        numbers = [line.number for line in self.claims()]
        return Span(min(numbers), max(numbers))


@dataclass(frozen=True, slots=True)
class Block(Part):
    """A paragraph, a list item, a table, a code block…; `parts` is the content of each line, without the block's marks.

    `indent` is the column of the mark or of the text, `marker` a list item's bullet or number, a code block's language.
    """

    kind: BlockKind
    lines: tuple[Line, ...]
    parts: tuple[str, ...]
    indent: int = 0
    marker: str = ""

    @property
    def text(self) -> str:
        """Give the content: the lines of code, of a table or of a comment, otherwise one line of running text."""
        if self.kind in ("code", "table", "comment", "front-matter"):
            return "\n".join(self.parts)
        return " ".join(part.strip() for part in self.parts if part.strip())

    def claims(self) -> Iterator[Line]:
        """Give the lines that are not blank."""
        return (line for line in self.lines if not line.blank)


@dataclass(frozen=True, slots=True)
class Heading(Part):
    """A heading: its text without marks, the name that follows its label, and whether its form is the canonical one."""

    level: int
    text: str
    name: str
    role: Role
    lines: tuple[Line, ...]
    canonical: bool

    def claims(self) -> Iterator[Line]:
        """Give its line; two where the heading is underlined."""
        return iter(self.lines)


@dataclass(frozen=True, slots=True)
class Step(Part):
    """A step: its keyword as written, which word that is, the kind that it is or inherits, and its text.

    Continuation lines are joined to the text. `blocks` are what hangs on it: nested bullets, code blocks (doc strings),
    tables, further paragraphs.
    """

    keyword: str
    word: StepWord
    kind: StepKind
    text: str
    lines: tuple[Line, ...]
    blocks: tuple[Block, ...]
    canonical: bool

    @property
    def details(self) -> tuple[Block, ...]:
        """Give the nested bullets."""
        return tuple(block for block in self.blocks if block.kind == "item")

    @property
    def doc_strings(self) -> tuple[str, ...]:
        """Give the content of its code blocks."""
        return tuple(block.text for block in self.blocks if block.kind == "code")

    @property
    def tables(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Give its tables, each as rows of cells."""
        return tuple(rows(block) for block in self.blocks if block.kind == "table")

    def claims(self) -> Iterator[Line]:
        """Give the step's lines and those of what hangs on it."""
        return chain((line for line in self.lines if not line.blank), claims_of(self.blocks))


@dataclass(frozen=True, slots=True)
class Scenario(Part):
    """A scenario: its steps, and the text around them that belongs to none."""

    heading: Heading
    steps: tuple[Step, ...]
    notes: tuple[Block, ...]

    @property
    def name(self) -> str:
        """Give the title, without its label."""
        return self.heading.name

    @property
    def canonical(self) -> bool:
        """Whether the heading and every step have the canonical form."""
        return self.heading.canonical and all(step.canonical for step in self.steps)

    @property
    def empty(self) -> bool:
        """Whether nothing stands below the heading; OpenSpec does not count such a scenario."""
        return not self.steps and not self.notes

    def claims(self) -> Iterator[Line]:
        """Give the lines of heading, steps and notes."""
        return chain(self.heading.claims(), claims_of(self.steps), claims_of(self.notes))


@dataclass(frozen=True, slots=True)
class Requirement(Part):
    """A requirement: its heading, its body and its scenarios."""

    heading: Heading
    body: tuple[Block, ...]
    scenarios: tuple[Scenario, ...]

    @property
    def name(self) -> str:
        """Give the name that identifies the requirement in its specification."""
        return self.heading.name

    @property
    def canonical(self) -> bool:
        """Whether the heading has the canonical form."""
        return self.heading.canonical

    @property
    def text(self) -> str:
        """Give the body as OpenSpec reads it: trimmed lines without code, and without `**Key**:` lines unless alone."""
        lines = [(block.kind, part.strip()) for block in self.body for part in _oracle_parts(block) if part.strip()]
        plain = [text for kind, text in lines if kind != "metadata"]
        return "\n".join(plain or [text for _, text in lines])

    def claims(self) -> Iterator[Line]:
        """Give the lines of heading, body and scenarios."""
        return chain(self.heading.claims(), claims_of(self.body), claims_of(self.scenarios))


@dataclass(frozen=True, slots=True)
class Section(Part):
    """Any other part of a document; without a heading it is what stands before the first one."""

    heading: Heading | None
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        """Give the paragraphs, with an empty line between them."""
        return "\n\n".join(block.text for block in self.blocks if block.kind not in ("comment", "front-matter"))

    def claims(self) -> Iterator[Line]:
        """Give the lines of heading and blocks."""
        return chain(self.heading.claims() if self.heading else (), claims_of(self.blocks))


@dataclass(frozen=True, slots=True)
class Rename:
    """A pair of a RENAMED section; the line is that of its FROM."""

    old: str
    new: str
    line: int


@dataclass(frozen=True, slots=True)
class Named:
    """A requirement that a REMOVED section lists by name."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Delta(Part):
    """One section of a change: ADDED, MODIFIED, REMOVED or RENAMED requirements."""

    heading: Heading
    operation: Operation
    blocks: tuple[Block, ...]
    requirements: tuple[Requirement, ...]
    removed: tuple[Named, ...] = ()
    renamed: tuple[Rename, ...] = ()

    def claims(self) -> Iterator[Line]:
        """Give the lines of heading, blocks and requirements."""
        return chain(self.heading.claims(), claims_of(self.blocks), claims_of(self.requirements))


@dataclass(frozen=True, slots=True)
class Document(Part):
    """A specification or a change to one; `stray` are scenarios that stand in no requirement."""

    path: str | None
    heading: Heading | None
    purpose: Section | None
    requirements: tuple[Requirement, ...]
    deltas: tuple[Delta, ...]
    sections: tuple[Section, ...]
    stray: tuple[Scenario, ...]
    lints: tuple[Lint, ...]
    unclaimed: tuple[Line, ...]

    @property
    def title(self) -> str | None:
        """Give the text of the first level-1 heading."""
        return self.heading.name if self.heading else None

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """Give the scenarios of all requirements."""
        return tuple(scenario for requirement in self.requirements for scenario in requirement.scenarios)

    def claims(self) -> Iterator[Line]:
        """Give every line that a part claims, in no particular order."""
        own: tuple[Part | None, ...] = (self.heading, self.purpose)
        several: tuple[tuple[Part, ...], ...] = (self.requirements, self.deltas, self.sections, self.stray)
        return chain(claims_of(part for part in own if part), *(claims_of(parts) for parts in several))


def claims_of(parts: Iterable[Part]) -> Iterator[Line]:
    """Give the lines of several parts."""
    return chain.from_iterable(part.claims() for part in parts)


def rows(table: Block) -> tuple[tuple[str, ...], ...]:
    """Give the rows of a table, header first, without the line of dashes below it."""
    cells = (tuple(cell.strip() for cell in part.strip().strip("|").split("|")) for part in table.parts)
    return tuple(row for row in cells if not all(set(cell) <= set(":-") and "-" in cell for cell in row))


def _oracle_parts(block: Block) -> tuple[str, ...]:
    if block.kind in ("code", "comment"):
        return ()
    return tuple(line.visible for line in block.lines)
