"""The file of every driver message, a JSON object a line."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO


class MessageFile:
    """Where it can no longer be written it is given up, and `lost` is told why: no scenario depends on it."""

    def __init__(self, file: str, lost: Callable[[str], None]) -> None:
        self._file = _open(file)
        self._lost = lost

    def write(self, entry: dict[str, Any]) -> None:
        """Write one message, at once."""
        if self._file.closed:
            return
        try:
            self._file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            self._lost(error.strerror or str(error))
            self.close()

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # what could not be written is flushed again
            self._file.close()


def _open(file: str) -> TextIO:
    """Open the file; half of a surrogate pair, which UTF-8 cannot hold, becomes its escape in JSON."""
    return Path(file).open("a", encoding="utf-8", errors="backslashreplace")
