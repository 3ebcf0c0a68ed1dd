"""What a specification demands, sentence by sentence, and what it merely says.

A requirement's body and a prose document are read alike: every sentence, list item, table row and code block is one
`Sentence`, with its lines, and those with a modal verb are normative. A list below "The system SHALL:" inherits it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from specassay.trace import sentences
from specassay.trace.dialects import COLONS, MODALS, Keyword, modal_pattern
from specassay.trace.markdown import blocks, lex
from specassay.trace.model import Block, Document, Lint, Requirement, Span, rows

Level = Literal["MUST", "SHOULD", "MAY"]
SentenceKind = Literal["sentence", "lead-in", "heading", "row", "code", "metadata"]

LEVELS: dict[Keyword, Level] = {
    "MUST": "MUST",
    "MUST NOT": "MUST",
    "SHALL": "MUST",
    "SHALL NOT": "MUST",
    "SHOULD": "SHOULD",
    "SHOULD NOT": "SHOULD",
    "MAY": "MAY",
}

_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}(?=[A-Z]{3,}(?:\b|_))|(?<=[A-Z]{2})[*_]{1,3}(?!\w)")
_MODAL = re.compile(rf"(?<!\ba )(?<!\ban )(?<!\bthe )(?:{modal_pattern()})")
_ANY_MODAL = re.compile("|".join(MODALS))
_MONTH = re.compile(r"MAY\s+\d")
_TITLE = re.compile(r"^[^\W\d_a-z][^.!?;:]*$")
_TITLE_WORDS = 7


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, list item, table row or code block, its lines, and the modal verbs that it has or inherits.

    `lead` is the text that introduces the list that it stands in, `section` the nearest heading above it in a prose
    document. A `lead-in` demands nothing by itself: its items do.
    """

    text: str
    lines: Span
    keywords: tuple[Keyword, ...] = ()
    kind: SentenceKind = "sentence"
    lead: str = ""
    inherited: bool = False
    section: str = ""

    @property
    def normative(self) -> bool:
        """Whether the sentence demands, advises or allows something."""
        return bool(self.keywords) and self.kind != "lead-in"

    @property
    def level(self) -> Level | None:
        """Give the strongest of its verbs; None where it is not normative."""
        found = {LEVELS[keyword] for keyword in self.keywords} if self.normative else set()
        return next((level for level in ("MUST", "SHOULD", "MAY") if level in found), None)


@dataclass(frozen=True, slots=True)
class Prose:
    """A document without requirements: its title and every sentence of it, in order."""

    title: str | None
    sentences: tuple[Sentence, ...]


def of_requirement(requirement: Requirement) -> tuple[Sentence, ...]:
    """Split a requirement's body; `normative` tells the statements from the rest."""
    return of_blocks(requirement.body)


def of_blocks(found: Sequence[Block]) -> tuple[Sentence, ...]:
    """Split any running text of a specification, such as its purpose."""
    return tuple(_read(found))


def of_prose(text: str) -> Prose:
    """Read a document that is no OpenSpec specification, headings with and without marks included."""
    lines, _ = lex(text)
    found = blocks(lines)
    titled = [_as_heading(found, at) for at in range(len(found))]
    section, title = "", None
    read: list[Sentence] = []
    for sentence in _read(titled):
        if sentence.kind == "heading":
            title = title or sentence.text
            section = sentence.text
        read.append(replace(sentence, section=section))
    return Prose(title, tuple(read))


def lints(document: Document) -> tuple[Lint, ...]:
    """Say which requirements demand nothing, and which have more normative sentences than scenarios."""
    found = []
    for requirement in document.requirements:
        line = requirement.heading.lines[0].number
        demands = sum(sentence.normative for sentence in of_requirement(requirement))
        scenarios = sum(not scenario.empty for scenario in requirement.scenarios)
        if requirement.body and not demands:
            found.append(Lint("requirement-without-demand", line, "No sentence of this requirement has a modal verb."))
        if demands > scenarios:
            counted = f"{scenarios} scenario{'' if scenarios == 1 else 's'}"
            message = f"{demands} normative sentences, {counted}: not each sentence can have its own."
            found.append(Lint("more-statements-than-scenarios", line, message))
    return tuple(found)


def keywords(text: str) -> tuple[Keyword, ...]:
    """Give the modal verbs of a sentence in order, without those in code or quotes, and without "a MUST"."""
    if not _ANY_MODAL.search(text):
        return ()
    bare = _EMPHASIS.sub("", sentences.blanked(text, sentences.shielded(text)))
    found = (match for match in _MODAL.finditer(bare) if not _MONTH.match(bare, match.start()))
    return tuple(MODALS[" ".join(match[0].split())] for match in found)


@dataclass(frozen=True, slots=True)
class _Lead:
    """A lead-in: `below` is the column from which on a block may stand below it, `items` that of its items."""

    sentence: Sentence
    below: int
    items: int

    def holds(self, block: Block) -> bool:
        if block.kind in ("item", "code", "table", "comment"):
            return block.indent >= self.below
        return block.indent > self.items


def _read(found: Sequence[Block]) -> Iterator[Sentence]:
    """Give the sentences of blocks; one that ends in a colon leads the items below it, and not what is below those."""
    leads: list[_Lead] = []
    for at, block in enumerate(found):
        if block.kind in ("comment", "front-matter", "rule"):
            continue
        while leads and not leads[-1].holds(block):
            leads.pop()
        is_item = bool(leads) and block.kind == "item" and block.indent <= leads[-1].items + 1
        read = list(_of_block(block, leads[-1].sentence if is_item else None))
        following = next((below for below in found[at + 1 :] if below.kind != "comment"), None)
        if read and following and _leads(block, following):
            read[-1] = replace(read[-1], kind="lead-in")
            leads.append(_Lead(read[-1], block.indent + 1 if block.kind == "item" else 0, following.indent))
        yield from read


def _leads(block: Block, following: Block) -> bool:
    """Tell whether a block introduces the list that follows."""
    if following.kind != "item" or block.kind not in ("paragraph", "item", "metadata", "quote"):
        return False
    ends = block.text.rstrip("*_ ").endswith(COLONS)
    return ends and (block.kind != "item" or following.indent > block.indent)


def _of_block(block: Block, lead: Sentence | None) -> Iterator[Sentence]:
    span = Span(block.lines[0].number, block.lines[-1].number)
    if block.kind == "code":
        yield Sentence(block.text, span, kind="code")
    elif block.kind == "heading":
        yield Sentence(block.text.rstrip("# \t"), span, kind="heading")
    elif block.kind == "table":
        shown = set(rows(block))
        for line, part in zip(block.lines, block.parts, strict=True):
            row = tuple(cell.strip() for cell in part.strip("|").split("|"))
            if row in shown:
                text = " | ".join(row)
                yield Sentence(text, Span(line.number, line.number), keywords(text), "row")
    else:
        yield from _running(block, lead)


def _running(block: Block, lead: Sentence | None) -> Iterator[Sentence]:
    """Give the sentences of a block of running text; the first one of an item inherits from its lead."""
    parts = [part.strip() for part in block.parts]
    text = " ".join(parts)
    starts = [0, *accumulate(len(part) + 1 for part in parts)][:-1]
    for number, (start, end) in enumerate(sentences.split(text)):
        first, last = (block.lines[bisect_right(starts, place) - 1].number for place in (start, end - 1))
        own = keywords(text[start:end])
        inherits = lead is not None and number == 0 and not own
        words = lead.keywords if lead and inherits else own
        kind: SentenceKind = "metadata" if block.kind == "metadata" and not own else "sentence"
        introduced = lead.text if lead and number == 0 else ""
        yield Sentence(text[start:end], Span(first, last), words, kind, introduced, inherits and bool(words))


def _as_heading(found: Sequence[Block], at: int) -> Block:
    """Take a short line by itself, without an end, for the heading that it is: "Scope"."""
    block = found[at]
    alone = block.kind == "paragraph" and len(block.lines) == 1 and block.indent == 0
    if alone and _TITLE.match(block.text) and len(block.text.split()) <= _TITLE_WORDS:
        return replace(block, kind="heading")
    return block
