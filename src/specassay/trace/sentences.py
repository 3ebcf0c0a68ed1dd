"""Splits running text into sentences; code, quotes, abbreviations, file names, numbers and addresses do not split."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from specassay.trace.markdown import code_spans

_ABBREVIATIONS = {
    *("e.g", "i.e", "cf", "vs", "viz", "approx", "resp", "fig", "figs", "eq", "sec", "no", "nos", "vol", "ver", "ch"),
    *("dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr", "inc", "ltd", "co", "al", "incl", "excl", "max", "min"),
}
# of these, only the ones before a number are abbreviations: "No. 5", and not "The answer is no."
_BEFORE_NUMBERS = {"no", "nos", "fig", "figs", "eq", "sec", "vol", "ver", "ch", "max", "min", "co", "st"}
_END = re.compile(r"[.!?]+[\"'”’)\]*_`]*(?=\s|$)|[。！？]+[”’」』）*_`]*")  # noqa: RUF001
_WORD_BEFORE = re.compile(r"([A-Za-z][A-Za-z.]*)$")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9-]*(?:[A-Z_(/]|[.][a-z(])")
_QUOTED = re.compile(r"(?<!\w)\"[^\"]*\"(?!\w)|“[^”]*”|「[^」]*」|『[^』]*』|‘[^’]*’(?!\w)")  # noqa: RUF001
_PAIRS = {"(": ")", "[": "]", "{": "}", "（": "）"}  # noqa: RUF001
_BRACKET = re.compile(f"[{re.escape(''.join([*_PAIRS, *_PAIRS.values()]))}]")


def split(text: str) -> tuple[tuple[int, int], ...]:
    """Give the ranges of the sentences in a text, white space around them left out."""
    shields = shielded(text)
    spans = sorted([*shields, *_brackets(text, shields)])
    cuts = [0, *(end for end in _ends(text) if not _inside(end, spans)), len(text)]
    return tuple(_trimmed(text, start, end) for start, end in pairwise(cuts) if text[start:end].strip())


def shielded(text: str) -> tuple[tuple[int, int], ...]:
    """Give the ranges of code spans and quotations: what they say is shown, not said."""
    code = [(span.start, span.end) for span in code_spans(text)]
    quoted = [match.span() for match in _QUOTED.finditer(blanked(text, code))]
    return tuple(sorted([*code, *quoted]))


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Give a text of the same length with spaces in these ranges."""
    kept, at = [], 0
    for start, end in spans:
        kept += [text[at:start], " " * (end - max(at, start))]
        at = max(at, end)
    return "".join([*kept, text[at:]])


def _ends(text: str) -> Iterator[int]:
    """Give the places where a sentence may end."""
    for match in _END.finditer(text):
        before, after = text[: match.start()], text[match.end() :].lstrip()
        if match[0][0] == "." and (match[0].startswith("..") or _abbreviated(before, after)):
            continue
        if after[:1].islower() and not _IDENTIFIER.match(after):
            continue
        yield match.end()


def _abbreviated(before: str, after: str) -> bool:
    found = _WORD_BEFORE.search(before[-40:])
    if found is None:
        return False
    word = found[1].lower()
    if word in _BEFORE_NUMBERS:
        return after[:1].isdigit()
    return word in _ABBREVIATIONS


def _brackets(text: str, shields: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give the outermost ranges in brackets; a bracket without its other half is a character like any."""
    stack: list[tuple[str, int]] = []
    for found in _BRACKET.finditer(text):
        if _inside(found.start(), shields):
            continue
        if found[0] in _PAIRS:
            stack.append((_PAIRS[found[0]], found.start()))
        elif any(found[0] == closing for closing, _ in stack[-3:]):
            while stack[-1][0] != found[0]:
                stack.pop()
            yield stack.pop()[1], found.end()


def _inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < place < end for start, end in spans)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
