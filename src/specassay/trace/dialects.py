"""The words that specifications are written with, a table a language: headings, labels, steps, modal verbs.

Headings and labels are compared without regard to case, the others as they stand.
"""

import re
from dataclasses import dataclass
from typing import Literal

from specassay.trace.model import Role, StepWord

Keyword = Literal["MUST", "MUST NOT", "SHALL", "SHALL NOT", "SHOULD", "SHOULD NOT", "MAY"]


@dataclass(frozen=True)
class Dialect:
    """The words of one language; the first of several is the one to write."""

    name: str
    sections: dict[Role, tuple[str, ...]]
    requirement: tuple[str, ...]
    scenario: tuple[str, ...]
    steps: dict[StepWord, tuple[str, ...]]
    modals: dict[Keyword, tuple[str, ...]]


ENGLISH = Dialect(
    name="en",
    sections={
        "purpose": ("Purpose",),
        "requirements": ("Requirements",),
        "added": ("ADDED Requirements",),
        "modified": ("MODIFIED Requirements",),
        "removed": ("REMOVED Requirements",),
        "renamed": ("RENAMED Requirements",),
    },
    requirement=("Requirement",),
    scenario=("Scenario",),
    steps={"given": ("GIVEN",), "when": ("WHEN",), "then": ("THEN",), "and": ("AND",), "but": ("BUT",)},
    modals={
        "MUST": ("MUST",),
        "MUST NOT": ("MUST NOT",),
        "SHALL": ("SHALL",),
        "SHALL NOT": ("SHALL NOT",),
        "SHOULD": ("SHOULD",),
        "SHOULD NOT": ("SHOULD NOT",),
        "MAY": ("MAY",),
    },
)

CHINESE = Dialect(
    name="zh",
    sections={
        "purpose": ("目的",),
        "requirements": ("需求",),
        "added": ("新增需求",),
        "modified": ("修改需求",),
        "removed": ("移除需求", "删除需求"),
        "renamed": ("重命名需求",),
    },
    requirement=("需求",),
    scenario=("场景",),
    steps={
        "given": ("给定", "假如", "假设", "假定"),
        "when": ("当",),
        "then": ("那么", "则"),
        "and": ("并且", "而且", "同时", "且"),
        "but": ("但是", "但"),
    },
    modals={
        "MUST": ("必须",),
        "MUST NOT": ("不得", "禁止", "严禁"),
        "SHALL": ("应当", "应"),
        "SHALL NOT": ("不应当", "不应"),
        "SHOULD": ("应该",),
        "SHOULD NOT": ("不应该",),
        "MAY": ("可以",),
    },
)

DIALECTS = (ENGLISH, CHINESE)
COLONS = (":", "\uff1a")
COLON = f"[{''.join(COLONS)}]"
"""A colon, or the full-width one of Chinese, as a regular expression."""

_NOT_BEFORE = {"应": "响适反对供相效回感照因答"}
_NOT_AFTER = {"应": "用答对付急", "不应": "用答对付急"}
"""Characters that make another word of a modal verb: 响应 is an answer, 应用 an application."""

SECTIONS: dict[str, Role] = {
    title.casefold(): role for dialect in DIALECTS for role, titles in dialect.sections.items() for title in titles
}
LABELS: dict[str, Role] = {
    **{label.casefold(): "requirement" for dialect in DIALECTS for label in dialect.requirement},
    **{label.casefold(): "scenario" for dialect in DIALECTS for label in dialect.scenario},
}
STEP_WORDS: dict[str, StepWord] = {
    word.casefold(): kind for dialect in DIALECTS for kind, words in dialect.steps.items() for word in words
}
MODALS: dict[str, Keyword] = {
    word: keyword for dialect in DIALECTS for keyword, words in dialect.modals.items() for word in words
}


def role_of(title: str) -> tuple[Role, str]:
    """Tell what a heading's text makes it, and the name that follows its label: ("scenario", "Cap reached")."""
    if (role := SECTIONS.get(" ".join(title.split()).casefold())) is not None:
        return role, title
    labelled = _LABEL.match(title)
    return (LABELS[labelled[1].casefold()], labelled[2].strip()) if labelled else ("other", title)


def modal_pattern() -> str:
    """Give the regular expression of any modal verb, the longest first, with what must not stand around it."""
    return "|".join(_guarded(word) for word in sorted(MODALS, key=len, reverse=True))


def _guarded(word: str) -> str:
    if word.isascii():
        return rf"(?<![\w-]){word.replace(' ', chr(92) + 's+')}(?![\w-])"
    before = f"(?<![{_NOT_BEFORE[word]}])" if word in _NOT_BEFORE else ""
    after = f"(?![{_NOT_AFTER[word]}])" if word in _NOT_AFTER else ""
    return before + word + after


_LABEL = re.compile(rf"\s*({'|'.join(map(re.escape, LABELS))})\s*{COLON}\s*(.*)", re.IGNORECASE)
