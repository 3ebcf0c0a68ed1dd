"""The check helper: the one way in which a `Then` step states a comparison.

`check(claim, expected, actual)` records what was wanted and what came, and never raises, so that a scenario
shows all of its evidence. `expected` is any JSON, in which matchers may stand at any depth.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol


class _Absent:
    """What stands where there is nothing: an absent key, or a path that leads nowhere."""

    def __repr__(self) -> str:
        return "(absent)"


ABSENT: Final = _Absent()


@dataclass(frozen=True)
class Matcher:
    """A set of values, in words and as a test."""

    words: str
    test: Callable[[Any], bool]

    def __repr__(self) -> str:
        return f"({self.words})"


def containing(*texts: str) -> Matcher:
    """Give the values in whose JSON text all of `texts` stand."""
    return Matcher(
        "containing " + " and ".join(json.dumps(text, ensure_ascii=False) for text in texts),
        lambda actual: actual is not ABSENT and all(text in _spoken(actual) for text in texts),
    )


def without(*texts: str) -> Matcher:
    """Give the values in whose JSON text none of `texts` stands."""
    return Matcher(
        "without " + " and ".join(json.dumps(text, ensure_ascii=False) for text in texts),
        lambda actual: actual is not ABSENT and not any(text in _spoken(actual) for text in texts),
    )


def one_of(*values: Any) -> Matcher:
    """Give the values that equal one of `values`, each any JSON or matcher."""
    return Matcher("one of " + ", ".join(show(value) for value in values), lambda a: any(agrees(v, a) for v in values))


def other_than(value: Any) -> Matcher:
    """Give the values, present ones, that differ from `value`."""
    return Matcher(f"other than {show(value)}", lambda actual: actual is not ABSENT and not agrees(value, actual))


def also(fields: Mapping[str, Any]) -> Matcher:
    """Give the objects that have these fields, and whatever others."""
    return Matcher(
        f"an object with {show(dict(fields))}",
        lambda actual: isinstance(actual, dict) and all(agrees(v, actual.get(k, ABSENT)) for k, v in fields.items()),
    )


A_STRING: Final = Matcher("a string", lambda actual: isinstance(actual, str))
A_TEXT: Final = Matcher("a non-empty string", lambda actual: isinstance(actual, str) and actual.strip() != "")
A_NUMBER: Final = Matcher("a number", lambda actual: isinstance(actual, int | float) and not isinstance(actual, bool))
ABSENT_OR_NULL: Final = Matcher("absent or null", lambda actual: actual is ABSENT or actual is None)
NO_CALLS: Final = Matcher("absent, null or []", lambda actual: actual is ABSENT or actual is None or actual == [])


def agrees(expected: Any, actual: Any) -> bool:
    """Compare as JSON does: true is no number, 1 and 1.0 are one number, the order of keys is nothing."""
    if isinstance(expected, Matcher):
        return expected.test(actual)
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and expected.keys() | actual.keys() == expected.keys()
            and all(agrees(value, actual.get(key, ABSENT)) for key, value in expected.items())
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(agrees(left, right) for left, right in zip(expected, actual, strict=True))
        )
    return bool(expected == actual)


def show(value: Any, levels: int = 100) -> str:
    """Write a value as JSON, with the matchers in it as words; what is nested deeper than `levels` is "…"."""
    if isinstance(value, Matcher | _Absent):
        return repr(value)
    if not isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False)
    if not levels:
        return "…"
    if isinstance(value, dict):
        named = (f"{json.dumps(key, ensure_ascii=False)}: {show(inner, levels - 1)}" for key, inner in value.items())
        return "{" + ", ".join(named) + "}"
    return "[" + ", ".join(show(inner, levels - 1) for inner in value) + "]"


def at(value: Any, *path: str | int) -> Any:
    """Follow keys and positions into an implementation's data; `ABSENT` where there is nothing, never an error."""
    for key in path:
        if isinstance(key, str):
            value = value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
        else:
            value = value[key] if isinstance(value, list) and -len(value) <= key < len(value) else ABSENT
    return value


def items(value: Any) -> list[Any]:
    """Give the entries of a list, and none of anything else."""
    return value if isinstance(value, list) else []


def _spoken(actual: Any) -> str:
    return actual if isinstance(actual, str) else show(actual)


class Check(Protocol):
    """The helper that a step is given as `check`."""

    def __call__(self, claim: str, expected: Any, actual: Any) -> bool:
        """Record that `actual` was compared with `expected`; True where they agree.

        `claim` is a short sentence of what is compared: "the store holds one message".
        """
        ...


@dataclass(frozen=True)
class Recorded:
    """One check as it was made; expected and actual as JSON text."""

    claim: str
    passed: bool
    expected: str
    actual: str


def record(claim: str, expected: Any, actual: Any) -> Recorded:
    """Compare, and keep both sides as text."""
    return Recorded(claim, agrees(expected, actual), show(expected), show(actual))


def counted(values: Sequence[Any], what: str) -> str:
    """Write "3 messages", "1 message"."""
    return f"{len(values)} {what}" + ("" if len(values) == 1 else "s")
