"""Which implementations a run tests: the drivers of the command line and of the settings, each under a name."""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from specassay.errors import UsageError

REFERENCE = "reference"

_NAMED = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9._-]*)=(?P<command>.*)", re.DOTALL)
_VARIABLE = re.compile(r"(?P<name>[A-Z_][A-Z0-9_]*)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True)
class Driver:
    """One driver. `option` is what `--driver` takes to choose it again; `directory` None is the working folder."""

    name: str
    command: str
    option: str
    directory: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


EMBEDDED = Driver(REFERENCE, REFERENCE, REFERENCE)


def choose(options: Iterable[str], configured: Mapping[str, Driver]) -> tuple[Driver, ...]:
    """Give the drivers that `--driver` options name; without one the configured ones; without those the reference.

    Raises `UsageError` for a command that is empty or cannot be read, and for two drivers of one name.
    """
    drivers = tuple(_driver(option, configured) for option in options) or tuple(configured.values()) or (EMBEDDED,)
    names = [driver.name for driver in drivers]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two drivers are named {twice!r}; name each of them: --driver NAME=COMMAND")
    return drivers


def _driver(option: str, configured: Mapping[str, Driver]) -> Driver:
    """Read one `--driver [NAME=]COMMAND`.

    What stands before the first `=` is a name, unless it is all in capitals: `PORT=1 node driver.mjs` starts with an
    environment variable, as in a shell, which the driver is given.
    """
    if option in configured:
        return configured[option]
    if option == REFERENCE:
        return EMBEDDED
    named = _NAMED.fullmatch(option)
    name = named["name"] if named and not _VARIABLE.fullmatch(option) else None
    command = named["command"] if named and name is not None else option
    if command == REFERENCE:
        return Driver(name or REFERENCE, REFERENCE, option)
    words = _words(command, option)
    environment = {}
    while words and (variable := _VARIABLE.fullmatch(words[0])):
        environment[variable["name"]] = variable["value"]
        del words[0]
    if not words:
        raise UsageError(f"--driver {option!r} has no command; write --driver NAME=COMMAND")
    return Driver(name or _name(words), shlex.join(words) if environment else command, option, None, environment)


def _words(command: str, option: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--driver {option!r} cannot be read as a command: {str(error).lower()}") from None


def _name(words: list[str]) -> str:
    """Name a driver after its script: the first word after the program that is no option, or the program itself."""
    script = next((word for word in words[1:] if not word.startswith("-")), words[0])
    return PurePath(script).stem or script
