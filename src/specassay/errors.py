"""What can go wrong, as the user is told it.

- `SpecassayError`: the base; its text is one clear message that names the thing and the way out.
  - `UsageError`: a wrong option, filter, file or name.
  - `DriverStartError`: a driver did not start, or its handshake was wrong.

Each carries the exit code that it ends a run with. No traceback of these reaches a user.
"""

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of a run; where several apply, `WORST_FIRST` decides."""

    CONFORMS = 0
    NONCONFORMING = 1
    USAGE = 2
    INCONCLUSIVE = 3
    NOT_STARTED = 4
    INTERRUPTED = 130


WORST_FIRST = (
    Exit.INTERRUPTED,
    Exit.USAGE,
    Exit.NOT_STARTED,
    Exit.NONCONFORMING,
    Exit.INCONCLUSIVE,
    Exit.CONFORMS,
)


class SpecassayError(Exception):
    """Something that the user can set right."""

    exit = Exit.USAGE


class UsageError(SpecassayError):
    """A wrong option, filter, file or name."""


class DriverStartError(SpecassayError):
    """A driver that did not start, or whose handshake was wrong."""

    exit = Exit.NOT_STARTED
