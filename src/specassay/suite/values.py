"""Values that a scenario draws, so that no implementation can know them beforehand.

A word `$name` in a doc string or a table stands for a text that is drawn once a scenario, and is the same
wherever the word recurs in it: `$answer` may be `answer-6f1c08e2`.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

_WORD = re.compile(r"\$([a-z][a-z0-9_]*)")


class Values:
    """The drawn texts of one scenario; those that are `given` are not drawn."""

    def __init__(self, seed: int, given: Mapping[str, str] | None = None) -> None:
        self._seed = seed
        self._given = given or {}

    def text(self, name: str) -> str:
        """Draw the text that `$name` stands for."""
        if name in self._given:
            return self._given[name]
        digest = hashlib.blake2b(f"{self._seed}/{name}".encode(), digest_size=4).hexdigest()
        return f"{name}-{digest}"

    def fill(self, text: str) -> str:
        """Replace every `$name` in a text."""
        return _WORD.sub(lambda match: self.text(match[1]), text)

    def json(self, text: str) -> Any:
        """Read a text as JSON, after its `$name`s are replaced."""
        return json.loads(self.fill(text))
