"""Tells whether a sentence or a scenario says the same as before, however it is written.

White space, wrapping, emphasis, bullets, the marks of code and of escapes do not count; every word does, and so a modal
verb's strength. A scenario's title does not count, so that one that got another name is recognised by its steps.
"""

import re
import unicodedata
from collections.abc import Iterator
from hashlib import sha256

from specassay.trace.markdown import code_spans
from specassay.trace.model import Block, Scenario, Step, rows
from specassay.trace.statements import Sentence

_DIGITS = 16
_LONGEST_MARK = 3
_BULLET = re.compile(r"^\s*(?:[-*+]\s+|•\s*|\d{1,9}[.)]\s+)")
_RUN = re.compile(r"\*+|_+")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_BETWEEN_WIDE = re.compile(rf"(?<=[{_WIDE}]) (?=[{_WIDE}])")


def fingerprint(what: str | Sentence | Scenario) -> str:
    """Give sixteen hexadecimal digits that change when the words do."""
    return sha256(normalised(what).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def normalised(what: str | Sentence | Scenario) -> str:
    """Give the text that counts: of a scenario a line for each step and each thing that hangs on one."""
    if isinstance(what, Scenario):
        return "\n".join(_of_scenario(what))
    if isinstance(what, Sentence):
        own = _spaces(what.text) if what.kind == "code" else _plain(what.text)
        return f"{_plain(what.lead)} {own}" if what.lead else own
    return _plain(what)


def _of_scenario(scenario: Scenario) -> Iterator[str]:
    for step in scenario.steps:
        yield _of_step(step)
        for block in step.blocks:
            yield from _of_block(block)
    for block in scenario.notes:
        yield from _of_block(block)


def _of_step(step: Step) -> str:
    """Write a step with its keyword in capitals, and with no more of the keyword's form."""
    return f"{step.keyword.upper()} {_plain(step.text)}"


def _of_block(block: Block) -> Iterator[str]:
    if block.kind == "code":
        yield _spaces(block.text)
    elif block.kind == "table":
        yield from (" | ".join(map(_plain, row)) for row in rows(block))
    elif block.kind not in ("comment", "rule"):
        yield _plain(block.text)


def _plain(text: str) -> str:
    """Take the marks off a running text."""
    text = _BULLET.sub("", text)
    plain, at = [], 0
    for span in code_spans(text):
        plain += [text[at : span.start], _kept(span.code.strip())]
        at = span.end
    plain.append(text[at:])
    return _spaces(_shown(_ESCAPE.sub(r"\1", _unstressed("".join(plain)))))


def _unstressed(text: str) -> str:
    """Take away the marks of emphasis that come in pairs; a single one, or one between spaces, is a character."""
    opened: dict[str, list[re.Match[str]]] = {}
    marks: list[re.Match[str]] = []
    for run in _RUN.finditer(text):
        before, after = text[max(run.start() - 1, 0) : run.start()], text[run.end() : run.end() + 1]
        if len(run[0]) > _LONGEST_MARK or before == "\\":
            continue
        within = run[0] in ("**", "***")  # these may stand in a word
        closes = bool(before.strip()) and (within or not after.isalnum())
        opens = bool(after.strip()) and (within or not before.isalnum())
        if closes and opened.get(run[0]):
            marks += [opened[run[0]].pop(), run]
        elif opens:
            opened.setdefault(run[0], []).append(run)
    kept, at = [], 0
    for mark in sorted(marks, key=lambda run: run.start()):
        kept.append(text[at : mark.start()])
        at = mark.end()
    return "".join([*kept, text[at:]])


_MARKS = str.maketrans({mark: chr(0xE000 + ord(mark)) for mark in "*_\\"})
_UNMARKED = {value: chr(key) for key, value in ((key, ord(value)) for key, value in _MARKS.items())}


def _kept(code: str) -> str:
    """Hide the characters of code that would be marks outside of it."""
    return code.translate(_MARKS)


def _shown(text: str) -> str:
    return text.translate(_UNMARKED)


def _spaces(text: str) -> str:
    return _BETWEEN_WIDE.sub("", " ".join(unicodedata.normalize("NFC", text).split()))
