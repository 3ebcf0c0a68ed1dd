"""The steps of a scenario, in all the forms that people write them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from specassay.trace.dialects import COLON, COLONS, STEP_WORDS
from specassay.trace.markdown import blocks
from specassay.trace.model import Block, Heading, Line, Lint, Scenario, Step, StepKind, StepWord

_WORDS = sorted(STEP_WORDS, key=len, reverse=True)
_LATIN = "|".join(re.escape(word) for word in _WORDS if word.isascii())
_OTHER = "|".join(re.escape(word) for word in _WORDS if not word.isascii())
_BULLET = r"(?P<indent>\s*)(?P<bullet>(?:[-*+]|\d{1,9}[.)])\s+|•\s*)?"
_MARKED = re.compile(
    rf"^{_BULLET}(?P<mark>[*_`]{{1,3}})(?P<word>(?:{_LATIN}|{_OTHER})(?:\s+(?:{_LATIN}|IF))?)"
    rf"(?P<colon>\s*{COLON}\s*)?(?P=mark)(?P<after>\s*{COLON})?(?P<text>.*)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"^{_BULLET}(?P<word>(?:{_LATIN})(?:\s+(?:{_LATIN}|IF)\b)?(?=\s|{COLON}|$)|当(?![前中时天地然日初作])|(?!当)(?:{_OTHER}))"
    rf"(?P<after>\s*{COLON})?(?P<text>.*)$",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(r"^\s*[-*+]\s+\*\*([A-Z]{2,})\*\*")

_INHERITED: dict[StepWord, StepKind | None] = {
    "given": "given",
    "when": "when",
    "then": "then",
    "and": None,
    "but": None,
}


@dataclass
class _Open:
    """A step that may grow; `nested` says that the bullets below it are its details."""

    keyword: str
    word: StepWord
    kind: StepKind
    text: str
    block: Block
    form: str
    blocks: list[Block] = field(default_factory=list)

    def closed(self) -> Step:
        text = " ".join(part for part in (self.text, *map(str.strip, self.block.parts[1:])) if part)
        lines, canonical = self.block.lines, not self.form
        return Step(self.keyword, self.word, self.kind, text, lines, tuple(self.blocks), canonical)


def read(heading: Heading, lines: Sequence[Line]) -> tuple[Scenario, tuple[Lint, ...]]:
    """Read what stands below a scenario's heading: its steps with what hangs on each, and its notes."""
    reader = _Reader()
    for block in blocks(lines, _starts):
        reader.take(block)
    scenario = Scenario(heading, tuple(step.closed() for step in reader.steps), tuple(reader.notes))
    if scenario.empty:
        reader.lint(
            "empty-scenario", heading.lines[0], "Nothing stands below this heading; OpenSpec does not count it."
        )
    elif not scenario.steps:
        reader.lint(
            "scenario-without-steps", heading.lines[0], "No line of this scenario begins with a step's keyword."
        )
    return scenario, tuple(reader.lints)


class _Reader:
    def __init__(self) -> None:
        self.steps: list[_Open] = []
        self.notes: list[Block] = []
        self.lints: list[Lint] = []
        self.in_notes = True

    def take(self, block: Block) -> None:
        step = self._step(block) if block.kind in ("item", "paragraph", "metadata") else None
        if step is not None:
            self._follow(step)
            self.steps.append(step)
            self.in_notes = False
        elif self._goes_on(block):
            self._glue(block)
        elif self.in_notes or not self._hangs(block):
            self.in_notes = True
            self.notes.append(block)
            if self.steps and block.kind == "paragraph":
                self.lint(
                    "text-in-scenario", block.lines[0], "This text belongs to no step, and to no requirement's body."
                )
        else:
            self.steps[-1].blocks.append(block)

    def _goes_on(self, block: Block) -> bool:
        """Tell the wrapped line of a step that begins like a step ("Then" below "…and") from a paragraph of its own."""
        if self.in_notes or block.kind != "paragraph":
            return False
        last = (self.steps[-1].blocks or [self.steps[-1].block])[-1]
        return last.kind in ("item", "paragraph") and block.lines[0].number == last.lines[-1].number + 1

    def _glue(self, block: Block) -> None:
        step = self.steps[-1]
        last = (step.blocks or [step.block])[-1]
        grown = replace(last, lines=last.lines + block.lines, parts=last.parts + block.parts)
        if step.blocks:
            step.blocks[-1] = grown
        else:
            step.block = grown

    def _step(self, block: Block) -> _Open | None:
        """Read a block as a step, where it is one."""
        found = _match(block.lines[0])
        if found is None or self._is_detail(block, found):
            return None
        parts = found["word"].split()
        word = STEP_WORDS[parts[0].casefold()]
        second = STEP_WORDS.get(parts[1].casefold()) if len(parts) > 1 else None
        before: StepKind = self.steps[-1].kind if self.steps else "given"
        kind = _INHERITED[second or word] or _INHERITED[word] or before
        step = _Open(found["word"], word, kind, found["text"].strip(), block, self._form(block, found))
        if step.form:
            self.lint(step.form, block.lines[0], _FORMS[step.form])
        return step

    def _is_detail(self, block: Block, found: re.Match[str]) -> bool:
        """Tell the bullets that explain a step ("…for steps:"), and wrapped lines, from steps."""
        marked, bullet, word = "mark" in found.groupdict(), bool(found["bullet"]), found["word"]
        last = self.steps[-1] if self.steps else None
        deeper = last is not None and block.indent > last.block.indent
        if last and deeper and (last.closed().text.endswith(COLONS) or (not bullet and last.block.kind == "item")):
            return True
        if marked:
            return False
        if not bullet and last and word.isascii() and not word.isupper():
            return last.block.kind == "item"
        return word.islower() and (not bullet or deeper)

    def _form(self, block: Block, found: re.Match[str]) -> str:
        """Name the form of a step that is not `- **KEYWORD** text`; "" for that one."""
        groups = found.groupdict()
        if self.steps and found["bullet"] and block.indent > self.steps[-1].block.indent:
            return "nested-step"
        if not found["bullet"]:
            return "step-without-bullet"
        if groups.get("colon") or groups["after"]:
            return "step-with-colon"
        if groups.get("mark") != "**":
            return "step-not-bold"
        return "" if found["word"].isupper() or not found["word"].isascii() else "step-not-in-capitals"

    def _follow(self, step: _Open) -> None:
        """Say where the order of steps is unusual."""
        line = step.block.lines[0]
        if not self.steps and step.word in ("and", "but"):
            self.lint("first-step-inherits", line, f"The first step begins with {step.keyword}: it is read as a Given.")
        if self.steps and step.word == "when" and self.steps[-1].kind == "then":
            self.lint("second-act", line, "A When follows a Then: this scenario shows two things.")

    def _hangs(self, block: Block) -> bool:
        """Tell whether a block belongs to the step before it."""
        step = self.steps[-1]
        if block.kind in ("code", "table", "comment"):
            return True
        deeper = block.indent > step.block.indent
        if block.kind != "item" or deeper:
            return deeper and block.kind in ("item", "paragraph", "quote", "metadata")
        if unknown := _UNKNOWN.match(block.lines[0].visible):
            message = f"{unknown[1]} is no keyword of a step: this line is read as a detail of the step before it."
            self.lint("unknown-keyword", block.lines[0], message)
        elif not step.text.endswith(COLONS):
            message = "This bullet begins with no keyword: it is read as a detail of the step before it."
            self.lint("bullet-without-keyword", block.lines[0], message)
        return True

    def lint(self, code: str, line: Line, message: str) -> None:
        self.lints.append(Lint(code, line.number, message))


_FORMS = {
    "nested-step": "A step stands at the first level of the list.",
    "step-without-bullet": "A step is a list item, `- **KEYWORD** …`.",
    "step-with-colon": "A step's keyword has no colon.",
    "step-not-bold": "A step's keyword is bold, `- **KEYWORD** …`.",
    "step-not-in-capitals": "A step's keyword is in capitals.",
}


def _match(line: Line) -> re.Match[str] | None:
    if line.mask:
        return None
    found = _MARKED.match(line.visible)
    if found is not None and STEP_WORDS.get(found["word"].split()[0].casefold()):
        return found
    return _PLAIN.match(line.visible)


def _starts(line: Line) -> bool:
    """Tell a line without a bullet that may begin a step."""
    found = _match(line)
    if found is None or found["bullet"]:
        return False
    return "mark" in found.groupdict() or not found["word"].islower()
