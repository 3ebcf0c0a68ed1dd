"""Standard output and standard error that do not change how a command ends."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from specassay.errors import SpecassayError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputError(SpecassayError):
    """An output that cannot be written, as on a full device."""


class _Steady(io.FileIO):
    """A file that goes on in silence when its reader has gone away. Raises `OutputError` for all else."""

    def __init__(self, descriptor: int, called: str) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._called = called

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            self._give_up()
            if not isinstance(error, BrokenPipeError):
                raise OutputError(f"{self._called} cannot be written: {error.strerror}") from None
            return memoryview(data).nbytes

    def _give_up(self) -> None:
        """Let all that is still to come vanish, the flush at the end among it."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


@contextmanager
def steady() -> Iterator[None]:
    """Let a reader that goes away change nothing, a character that a stream cannot hold be escaped."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _steady(before[0], "the standard output"), _steady(before[1], "the standard error")
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _steady(stream: TextIO, called: str) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper) or stream not in (sys.__stdout__, sys.__stderr__):
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(_Steady(stream.fileno(), called)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
