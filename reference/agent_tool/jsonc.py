"""JSON with comments and trailing commas, as people write configuration."""

import json
import re
from typing import Any

_STRING = r'"(?:\\.|[^"\\])*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[\]}}])", re.DOTALL)


def parse(text: str) -> Any:
    """Read JSON with comments. Raises `ValueError` for what is none."""
    try:
        return json.loads(_without(_TRAILING_COMMA, _without(_COMMENT, text)))
    except RecursionError:
        raise ValueError("It is nested too deeply.") from None


def _without(pattern: re.Pattern[str], text: str) -> str:
    """Put a space in place of every match that is no string."""
    return pattern.sub(lambda match: match[1] or " ", text)
