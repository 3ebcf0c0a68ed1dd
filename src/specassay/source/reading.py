"""Reads one file in its language."""

from pathlib import Path

from specassay.source import ecmascript, python
from specassay.source.model import Import, Module, SourceError

SUFFIXES: dict[str, tuple[str, ...]] = {
    "python": (".py", ".pyi"),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "typescript": (".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"),
}
"""The endings of the files of a language."""


def cannot_read(language: str) -> str | None:
    """Say why the sources of a language cannot be read, in one sentence; None where they can."""
    if language not in SUFFIXES:
        return f"There is no parser for {language!r}; there are parsers for {', '.join(SUFFIXES)}."
    if language == "python" or ecmascript.is_installed():
        return None
    return f"The parser for {language} is not installed: run pip install 'specassay[source]'."


def read(file: Path, language: str) -> Module:
    """Read a file; raises `SourceError` where it cannot be read or parsed, or the language has no parser."""
    if reason := cannot_read(language):
        raise SourceError(reason)
    try:
        source = file.read_bytes()
    except OSError as error:
        raise SourceError(f"{file}: cannot be read: {error.strerror}") from None
    if language == "python":
        return python.read(source, file)
    return ecmascript.read(source, file)


def imports(file: Path, language: str) -> tuple[Import, ...]:
    """Give the imports of a file, in the order of its lines; raises as `read` does."""
    return read(file, language).imports
