"""Markdown, as far as a specification needs it: lines with their masks, and blocks, with nothing lost on the way."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import dedent

from specassay.trace.dialects import COLON, role_of
from specassay.trace.model import Block, BlockKind, Line, Lint, Mask

ATX = re.compile(r"^(#{1,6})\s+(.+)$")
ITEM = re.compile(r"^(\s*)(?:([-*+]|\d{1,9}[.)])(?:\s+|$)|(•)\s*)(.*)$")
LABELLED = re.compile(r"^\s{0,3}(#{1,6})\s*([^#\s].*)$")

_FENCE = re.compile(r"^\s*(?:(?:[-*+•]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})")
_FENCE_OF_OPENSPEC = re.compile(r"^\s*(?:`{3,}|~{3,})")
_RULE = re.compile(r"^\s*([-*_])(?:\s*\1){2,}\s*$")
_METADATA = re.compile(rf"^\s*\*\*[^*]+\*\*{COLON}")
_TICKS = re.compile(r"`+")
_FRONT_MATTER_KEY = re.compile(r"^[\w-]+\s*:")


def lex(text: str) -> tuple[tuple[Line, ...], tuple[Lint, ...]]:
    """Split a text into its lines, the end and the byte-order mark removed, and mask code, comments and front matter.

    A code block that is never closed ends before the next heading of a requirement, scenario or section; a comment that
    is never closed is text.
    """
    raw = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lints: list[Lint] = []
    masked = _Masks(raw, lints)
    lines = tuple(Line(at + 1, raw[at], visible, mask) for at, (visible, mask) in enumerate(masked.read()))
    return lines, tuple(lints)


class _Masks:
    """Walks over the lines once and tells what hides them."""

    def __init__(self, raw: Sequence[str], lints: list[Lint]) -> None:
        self.raw = raw
        self.lints = lints
        self.last_comment_end = max((at for at, line in enumerate(raw) if "-->" in line), default=-1)

    def read(self) -> list[tuple[str, Mask]]:
        masked: list[tuple[str, Mask]] = [(line, "front-matter") for line in self.raw[: self._front_matter()]]
        in_comment = False
        while len(masked) < len(self.raw):
            at = len(masked)
            if not in_comment and (fence := _FENCE.match(self.raw[at])):
                masked += self._code(at, fence[1])
                continue
            visible, comment, in_comment = self._cut(at, in_comment)
            hidden = comment and not visible.strip()
            if not hidden and _FENCE_OF_OPENSPEC.match(visible):
                self._lint("inline-code-fence", at, "OpenSpec reads this line as the start of a code block.")
            if hidden and _role(self.raw[at]) is not None:
                self._lint(
                    "heading-in-comment", at, "This heading is in a comment and is not read; OpenSpec counts it."
                )
            masked.append((visible, "comment" if hidden else ""))
        return masked

    def _front_matter(self) -> int:
        if self.raw[0].rstrip() != "---" or len(self.raw) < 2 or not _FRONT_MATTER_KEY.match(self.raw[1]):
            return 0
        return next((at + 1 for at, line in enumerate(self.raw) if at and line.rstrip() == "---"), 0)

    def _code(self, opening: int, fence: str) -> list[tuple[str, Mask]]:
        end, closed = self._code_end(opening, fence)
        inner: list[Mask] = ["code"] * (end - opening - 1)
        masks: list[Mask] = ["code-open", *inner]
        if closed:
            masks[-1] = "code-close"
        return list(zip(self.raw[opening:end], masks, strict=True))

    def _code_end(self, opening: int, fence: str) -> tuple[int, bool]:
        """Give the line after the code block that opens on a line, and whether it is closed."""
        closing = re.compile(rf"^\s*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
        heading = None
        for at in range(opening + 1, len(self.raw)):
            if closing.match(self.raw[at]):
                if heading is not None:
                    self._lint("heading-in-code", heading, "This heading stands in a code block and is not read.")
                return at + 1, True
            if heading is None and ATX.match(self.raw[at]) and _role(self.raw[at]) is not None:
                heading = at
        message = (
            "This code block is never closed: it ends at the next heading here; OpenSpec loses the rest of the file."
        )
        self._lint("unclosed-code-block", opening, message)
        return (len(self.raw) if heading is None else heading), False

    def _cut(self, at: int, in_comment: bool) -> tuple[str, bool, bool]:
        """Give a line without its comments, whether it had one, and whether one goes on."""
        left, kept = self.raw[at], ""
        cut = in_comment
        while True:
            if in_comment:
                _, end, left = left.partition("-->")
                if not end:
                    return kept, True, True
                in_comment = False
            start = _comment_start(left)
            if start is None:
                return kept + left, cut, False
            if "-->" not in left[start:] and self.last_comment_end <= at:
                self._lint("unclosed-comment", at, "This comment is never closed, and is read as text.")
                return kept + left, cut, False
            kept, left, in_comment, cut = kept + left[:start], left[start + 4 :], True, True

    def _lint(self, code: str, at: int, message: str) -> None:
        self.lints.append(Lint(code, at + 1, message))


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """A range of a line in code, its marks included, and the text between these."""

    start: int
    end: int
    code: str


def code_spans(text: str) -> list[CodeSpan]:
    """Find the code spans of a running text: from a run of backticks to the next one of the same length."""
    runs = list(_TICKS.finditer(text))
    waiting: dict[int, list[int]] = {}
    for at in range(len(runs) - 1, -1, -1):
        waiting.setdefault(len(runs[at][0]), []).append(at)
    found, at = [], 0
    while at < len(runs):
        same = waiting[len(runs[at][0])]
        while same and same[-1] <= at:
            same.pop()
        if same:
            opening, closing = runs[at], runs[same[-1]]
            found.append(CodeSpan(opening.start(), closing.end(), text[opening.end() : closing.start()]))
            at = same[-1]
        at += 1
    return found


def _comment_start(text: str) -> int | None:
    start = text.find("<!--")
    if start < 0:
        return None
    code = code_spans(text)
    while start >= 0 and any(span.start < start < span.end for span in code):
        start = text.find("<!--", start + 1)
    return start if start >= 0 else None


def _role(text: str) -> str | None:
    """Tell what a line would be as a heading of a specification; None for any other heading, and for none."""
    heading = LABELLED.match(text)
    role = role_of(heading[2])[0] if heading else "other"
    return None if role == "other" else role


@dataclass
class _Open:
    """A block that may grow."""

    kind: BlockKind
    indent: int
    marker: str
    lines: list[Line]
    parts: list[str]

    def add(self, line: Line, part: str) -> None:
        self.lines.append(line)
        self.parts.append(part)

    def closed(self) -> Block:
        parts = dedent("\n".join(self.parts)).split("\n") if self.kind == "code" and self.parts else self.parts
        return Block(self.kind, tuple(self.lines), tuple(parts), self.indent, self.marker)


def blocks(lines: Sequence[Line], starts: Callable[[Line], bool] = lambda line: False) -> tuple[Block, ...]:
    """Gather lines into blocks; `starts` tells of a line that begins one although it could go on with the one before.

    Every line that is not blank is in exactly one block.
    """
    found: list[_Open] = []
    gap = True
    for line in lines:
        if line.mask == "code":
            found[-1].add(line, line.visible)
        elif line.mask == "code-close":
            found[-1].lines.append(line)
        elif line.blank:
            gap = True
            continue
        elif line.mask == "code-open":
            language = _FENCE.sub("", line.visible).strip()
            found.append(_Open("code", column(line.visible), language, [line], []))
        else:
            opened = _describe(line)
            if not gap and found and not starts(line) and _continues(found[-1], opened):
                found[-1].add(line, opened.parts[0])
            else:
                found.append(opened)
        gap = False
    return tuple(block.closed() for block in found)


def column(text: str) -> int:
    """Give the column of the first character that is no white space; a tab goes to the next multiple of four."""
    return len(text.expandtabs(4)) - len(text.expandtabs(4).lstrip())


def _describe(line: Line) -> _Open:
    """Give the block that a line would begin."""
    text = line.visible
    indent, bare = column(text), text.strip()
    kind: BlockKind = "paragraph"
    marker, part = "", bare
    if line.mask in ("comment", "front-matter"):
        kind, part = ("comment" if line.mask == "comment" else "front-matter"), line.text
    elif bare.startswith("|"):
        kind = "table"
    elif _RULE.match(text):
        kind, part = "rule", ""
    elif heading := ATX.match(text):
        kind, marker, part = "heading", heading[1], heading[2].strip()
    elif bare.startswith(">"):
        kind, marker, part = "quote", ">", bare.lstrip("> \t")
    elif item := ITEM.match(text):
        kind, marker, part = "item", item[2] or item[3], item[4].strip()
    elif _METADATA.match(text):
        kind = "metadata"
    return _Open(kind, indent, marker, [line], [part])


def _continues(block: _Open, line: _Open) -> bool:
    if line.kind in ("table", "comment", "front-matter", "quote"):
        return block.kind == line.kind
    if line.kind == "item" and block.kind == "paragraph" and line.indent >= block.indent and _is_number(line.marker):
        line.parts[0] = f"{line.marker} {line.parts[0]}"
        return True
    return line.kind == "paragraph" and block.kind in ("paragraph", "item", "quote")


def _is_number(marker: str) -> bool:
    """Tell the number that begins a wrapped line, the year of "since 2024.", from a list's, which begins with 1."""
    return marker[:-1].isdigit() and marker[:-1] != "1"
