"""Text from a driver, made safe and short: whatever it holds, a terminal or a file is given plain characters."""

import re

from specassay.visible import visible as visible


def short(text: str, limit: int = 300) -> str:
    """Make text visible in one line, cut to `limit` characters with its length said."""
    return visible(text) if len(text) <= limit else f"{visible(text[:limit])}… ({len(text)} characters)"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: "1 step", "2 steps"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def last_lines(text: str, count: int) -> list[str]:
    """Give the last lines of a log, each visible and short."""
    kept = [line for line in re.split(r"\r\n|\n", text) if line.strip()][-count:]
    return [short(line.expandtabs(4)) for line in kept]


def side_by_side(expected: str, actual: str, limit: int = 400) -> tuple[str, str]:
    """Make two texts visible and short, from a little before the place where they part."""
    common = next((i for i, (a, b) in enumerate(zip(expected, actual, strict=False)) if a != b), 0)
    start = max(0, common - 60) if max(len(expected), len(actual)) > limit else 0
    return _window(expected, start, limit), _window(actual, start, limit)


def _window(text: str, start: int, limit: int) -> str:
    before = "…" if start else ""
    if len(text) - start <= limit:
        return before + visible(text[start:])
    return f"{before}{visible(text[start : start + limit])}… ({len(text)} characters)"
