"""What a feature expects, read from its text: JSON, or words that stand for a set of values."""

import json
import re
from typing import Any, Final

from specassay.suite.checks import A_TEXT, ABSENT, Matcher, agrees, show
from specassay.suite.values import Values

_SOUNDS_LIKE_AN_ERROR = re.compile(r"error|fail|unknown|unrecogni|invalid|unavailable|no (such|tool)|\bnot\b|n't", re.I)

AN_ERROR: Final = Matcher(
    "an error",
    lambda actual: actual is not ABSENT and bool(_SOUNDS_LIKE_AN_ERROR.search(json.dumps(actual))),
)
A_LIST: Final = Matcher("a list", lambda actual: isinstance(actual, list))

_WORDS = {matcher.words: matcher for matcher in (A_TEXT, AN_ERROR, A_LIST)}
_A_LIST_WITH = "a list with "


def a_list_with(entry: Any) -> Matcher:
    """Give the lists in which an entry equals this one."""
    return Matcher(
        _A_LIST_WITH + show(entry),
        lambda actual: isinstance(actual, list) and any(agrees(entry, other) for other in actual),
    )


def expected(values: Values, text: str) -> Any:
    """Read `a non-empty string`, `an error`, `a list`, `a list with <JSON>`, or JSON. Raises `ValueError`."""
    if text.startswith(_A_LIST_WITH):
        return a_list_with(values.json(text.removeprefix(_A_LIST_WITH)))
    return _WORDS.get(text) or values.json(text)


def rows(datatable: list[list[str]]) -> list[dict[str, str]]:
    """Give the rows of a table by the names of its columns."""
    head, *body = datatable
    return [dict(zip(head, row, strict=True)) for row in body]
