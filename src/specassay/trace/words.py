"""Compares two texts word by word."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Literal

Piece = tuple[Literal["same", "gone", "new"], str]

_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"\s+|[{_WIDE}]|[^\W{_WIDE}]+|[^\w\s]")
_WORD = re.compile(rf"[{_WIDE}]|[^\W{_WIDE}]+")

_HARDLY = 0.3  # below this likeness nobody asks how much it is exactly


def words(text: str) -> tuple[str, ...]:
    """Give the words in lower case; each character of a script without spaces is one."""
    return tuple(_WORD.findall(text.casefold()))


def likeness(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Say how much of two lists of words is the same, in order: from 0 to 1."""
    few, many = sorted((len(one), len(other)))
    if 2 * few < _HARDLY * (few + many) or len(set(one) & set(other)) < _HARDLY * few / 2:
        return 0.0
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def difference(old: str, new: str) -> tuple[Piece, ...]:
    """Give the pieces of both texts in order; put together, the ones that are not `gone` are the new text."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    found: list[Piece] = []
    for _, from_, to, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, fresh = "".join(before[from_:to]), "".join(after[start:end])
        if gone == fresh:
            found.append(("same", gone))
        else:
            found += [piece for piece in (("gone", gone), ("new", fresh)) if piece[1]]
    return _joined(found)


def share(part: Iterable[str], whole: Iterable[str]) -> float:
    """Say how much of the words of one text is in another, each counted once: from 0 to 1."""
    own = set(part)
    return len(own & set(whole)) / len(own) if own else 0.0


def _joined(found: list[Piece]) -> tuple[Piece, ...]:
    """Draw changes together that only white space parts, so that a phrase is read as one."""
    joined: list[Piece] = []
    at = 0
    while at < len(found):
        gone = fresh = ""
        while at < len(found) and not (found[at][0] == "same" and (found[at][1].strip() or not (gone or fresh))):
            kind, text = found[at]
            if kind == "same" and not any(one[0] != "same" for one in found[at + 1 : at + 2]):
                break
            gone += text if kind in ("gone", "same") else ""
            fresh += text if kind in ("new", "same") else ""
            at += 1
        joined += [piece for piece in (("gone", gone), ("new", fresh)) if piece[1]]
        if at < len(found):
            joined.append(found[at])
            at += 1
    return tuple(joined)
