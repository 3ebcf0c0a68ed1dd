"""Writes a scenario of a specification in Gherkin, so that pytest-bdd reads the same words.

What stands in angle brackets stays as it is: in a scenario without Examples pytest-bdd takes it literally.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from specassay.trace.model import Block, Scenario, Step, rows

NO_TEXT = "…"
"""What a step says that is a keyword and nothing else: Gherkin knows no such step."""

_STRUCTURE = re.compile(
    r"[#@]|\*\s|(?:Given|When|Then|And|But)(?:\s|$)|(?:Feature|Business Need|Ability|Rule|Background):"
    r"|(?:Scenario|Scenario Outline|Scenario Template|Scenarios|Examples?):"
)
_MEDIA_TYPE = re.compile(r"[\w+./-]+$")
_QUOTES = '"""'
_TICKS = "```"


def scenario_lines(scenario: Scenario, title: str) -> list[str]:
    """Write a scenario under a title; a text around its steps is its description, or the step of one that has none."""
    lines = [f"Scenario: {title}"]
    if not scenario.steps:
        return [*lines, *_indented(_prose(scenario.notes))]
    for block in _shown(scenario.notes):
        lines += _indented(map(_harmless, _source([block])))
    if len(lines) > 1:
        lines.append("")
    before = None
    for step in scenario.steps:
        inherits = step.word in ("and", "but") and step.kind == before
        keyword = step.word.capitalize() if inherits else step.kind.capitalize()
        before = step.kind
        lines += _indented([f"{keyword} {step.text or NO_TEXT}", *_indented(_argument(step))])
    return lines


def _prose(notes: Sequence[Block]) -> Iterator[str]:
    """Write a text without steps as one that shall be shown; nobody has defined it, so it cannot pass by itself."""
    first, *rest = _shown(notes)
    yield f"Then {' '.join(first.text.split()) or NO_TEXT}"
    if rest:
        yield from _indented(_doc_string(_source(rest)))


def _argument(step: Step) -> list[str]:
    """Write what hangs on a step. Gherkin has one argument a step, so several things become one doc string."""
    blocks = _shown(step.blocks)
    if not blocks:
        return []
    if len(blocks) == 1 and blocks[0].kind == "code":
        return _doc_string(blocks[0].text.split("\n"), blocks[0].marker)
    if len(blocks) == 1 and blocks[0].kind == "table" and rows(blocks[0]):
        return _table(rows(blocks[0]))
    return _doc_string(_source(blocks))


def _table(found: Sequence[Sequence[str]]) -> list[str]:
    """Write a table, with empty cells where a row has fewer than another."""
    width = max(map(len, found))
    escaped = [
        [cell.replace("\\", "\\\\").replace("|", "\\|") for cell in (*row, *[""] * (width - len(row)))] for row in found
    ]
    widths = [max(map(len, column)) for column in zip(*escaped, strict=True)]
    return [f"| {' | '.join(map(str.ljust, row, widths))} |" for row in escaped]


def _doc_string(lines: Sequence[str], media_type: str = "") -> list[str]:
    text = "\n".join(lines)
    mark = _TICKS if (_QUOTES in text or r"\"\"\"" in text) and _TICKS not in text else _QUOTES
    escaped = text.replace(mark, "".join(f"\\{one}" for one in mark))
    return [mark + (media_type if _MEDIA_TYPE.match(media_type) else ""), *escaped.split("\n"), mark]


def _shown(blocks: Sequence[Block]) -> list[Block]:
    return [block for block in blocks if block.kind not in ("comment", "rule")]


def _source(blocks: Sequence[Block]) -> list[str]:
    """Give the lines of blocks as the specification has them, without what indents all of them."""
    lines: list[str] = []
    last = None
    for line in (line for block in blocks for line in block.lines):
        lines += [""] * (last is not None and line.number > last + 1)
        lines.append(line.visible.rstrip())
        last = line.number
    return textwrap.dedent("\n".join(lines)).split("\n")


def _harmless(line: str) -> str:
    """Keep a line of a description from being read as something else."""
    return f"> {line.lstrip()}" if _STRUCTURE.match(line.lstrip()) else line


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]
