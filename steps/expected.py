"""What a feature expects, read from its text: JSON, or words that stand for a set of values."""

import json
import re
from typing import Any, Final

from specassay.suite.checks import A_STRING, A_TEXT, ABSENT, ABSENT_OR_NULL, NO_CALLS, Matcher, agrees, show
from specassay.suite.values import Values

_SOUNDS_LIKE_AN_ERROR = re.compile(r"error|fail|unknown|unrecogni|invalid|unavailable|no (such|tool)|\bnot\b|n't", re.I)

AN_ERROR: Final = Matcher(
    "an error",
    lambda actual: actual is not ABSENT and bool(_SOUNDS_LIKE_AN_ERROR.search(json.dumps(actual))),
)
_SOUNDS_LIKE_CONFIGURATION = re.compile(r"config|missing|not set|unset|required|LLM_(PROVIDER|MODEL|API_KEY)", re.I)

A_CONFIGURATION_ERROR: Final = Matcher(
    "a configuration error",
    lambda actual: (
        isinstance(actual, str) and actual != "LLM provider error" and bool(_SOUNDS_LIKE_CONFIGURATION.search(actual))
    ),
)
A_LIST: Final = Matcher("a list", lambda actual: isinstance(actual, list))

_MATCHERS = (A_STRING, A_TEXT, AN_ERROR, A_CONFIGURATION_ERROR, A_LIST, ABSENT_OR_NULL, NO_CALLS)
_WORDS = {matcher.words: matcher for matcher in _MATCHERS}
_A_LIST_WITH = "a list with "


def a_list_with(entry: Any) -> Matcher:
    """Give the lists in which an entry equals this one."""
    return Matcher(
        _A_LIST_WITH + show(entry),
        lambda actual: isinstance(actual, list) and any(agrees(entry, other) for other in actual),
    )


def expected(values: Values, text: str) -> Any:
    """Read words (`a non-empty string`, `an error`, `a list with <JSON>`, …), or JSON. Raises `ValueError`."""
    if text.startswith(_A_LIST_WITH):
        return a_list_with(values.json(text.removeprefix(_A_LIST_WITH)))
    return _WORDS.get(text) or values.json(text)


def rows(datatable: list[list[str]]) -> list[dict[str, str]]:
    """Give the rows of a table by the names of its columns."""
    head, *body = datatable
    return [dict(zip(head, row, strict=True)) for row in body]
