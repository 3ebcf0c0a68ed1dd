"""The headings of a specification, in the canonical form and in the forms that real files have besides."""

import re
from collections.abc import Sequence

from specassay.trace.dialects import COLON, LABELS, role_of
from specassay.trace.markdown import ATX, ITEM, LABELLED
from specassay.trace.model import Heading, Line, Lint, Role

_CLOSING = re.compile(r"(?<![ \t])[ \t]+#+[ \t]*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)\s*$")
_SCENARIO = "|".join(re.escape(label) for label, role in LABELS.items() if role == "scenario")
_BOLD_SCENARIO = re.compile(
    rf"^\s*(?:[-*+]\s+)?(\*\*|__)\s*(?:{_SCENARIO})\s*(?:{COLON}\s*\1\s*(\S.*?)|\1\s*{COLON}\s*(\S.*?)|{COLON}\s*(\S.*?)\1)\s*$",
    re.IGNORECASE,
)
LEVELS: dict[Role, int] = {
    **dict.fromkeys(("purpose", "requirements", "added", "modified", "removed", "renamed"), 2),
    "requirement": 3,
    "scenario": 4,
}


def find(lines: Sequence[Line]) -> tuple[tuple[Heading, ...], tuple[Lint, ...]]:
    """Find the headings, in order, and say which of them were recovered from another form."""
    found: list[Heading] = []
    lints: list[Lint] = []
    in_requirements = False
    at = 0
    while at < len(lines):
        heading, code, message = _read(lines, at, in_requirements, first=not found)
        if heading is None:
            at += 1
            continue
        found.append(heading)
        if code:
            lints.append(Lint(code, heading.lines[0].number, message))
        in_requirements = in_requirements or heading.role in ("requirements", "requirement", "added", "modified")
        at += len(heading.lines)
    return tuple(found), tuple(lints)


def _read(lines: Sequence[Line], at: int, in_requirements: bool, *, first: bool) -> tuple[Heading | None, str, str]:
    """Give the heading that begins at a line, or None, with the code and the message of its lint."""
    line = lines[at]
    if line.mask or line.blank:
        return None, "", ""
    if atx := ATX.match(line.visible):
        return _levelled(_heading(len(atx[1]), atx[2], line))
    if (labelled := LABELLED.match(line.visible)) and _named(labelled[2], len(labelled[1])):
        code = "heading-without-space" if line.visible[:1] == "#" else "indented-heading"
        message = "A heading begins in the first column, with a space after its marks."
        return _heading(len(labelled[1]), labelled[2], line, canonical=False), code, message
    if in_requirements and (bold := _BOLD_SCENARIO.match(line.visible)):
        name = bold[2] or bold[3] or bold[4]
        heading = Heading(4, line.visible.strip(), name.strip("*_ "), "scenario", (line,), canonical=False)
        return heading, "bold-scenario", "A scenario is a heading, `#### Scenario: …`; OpenSpec does not see this one."
    level = _underlined(lines, at)
    if level and (_named(line.visible, level) or (first and level == 1)):
        heading = _heading(level, line.visible, line, lines[at + 1], canonical=False)
        return heading, "underlined-heading", "A heading begins with `#`; OpenSpec does not see this one."
    return None, "", ""


def unclosed(text: str) -> str:
    """Take away the marks that may close a heading; those of a word, as in C#, stay."""
    return _CLOSING.sub("", text).strip()


def _heading(level: int, text: str, *lines: Line, canonical: bool = True) -> Heading:
    role, name = role_of(unclosed(text))
    if level == 1 and role in ("requirement", "scenario"):
        role, name = "other", text.strip()
    return Heading(level, text.strip(), name, role, lines, canonical)


def _levelled(heading: Heading) -> tuple[Heading, str, str]:
    """Say of a heading with marks whether it has the level that its role asks for."""
    wanted = LEVELS.get(heading.role, heading.level)
    if heading.level == wanted:
        return heading, "", ""
    recovered = Heading(heading.level, heading.text, heading.name, heading.role, heading.lines, canonical=False)
    message = f"A heading of this kind has level {wanted}, `{'#' * wanted} `, and this one has level {heading.level}."
    return recovered, f"{'section' if wanted == 2 else heading.role}-level", message


def _named(text: str, level: int) -> bool:
    return _heading(level, text).role != "other"


def _underlined(lines: Sequence[Line], at: int) -> int:
    """Give the level of a heading whose next line underlines it, 0 where it is none."""
    if at + 1 == len(lines) or lines[at + 1].mask or ITEM.match(lines[at].visible):
        return 0
    if at and not lines[at - 1].blank:
        return 0
    line = _UNDERLINE.match(lines[at + 1].visible)
    return 0 if line is None else 1 if line[1][0] == "=" else 2
