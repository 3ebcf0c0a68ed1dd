"""Which implementations a run tests: the drivers, and the servers without one, of the command line and the settings."""

import re
import shlex
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from specassay.errors import UsageError
from specassay.results.names import nearest
from specassay.results.plan import Route

REFERENCE = "reference"

_NAMED = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9._-]*)=(?P<command>.*)", re.DOTALL)
_WORD = re.compile(r"[\w.-]+")
_VARIABLE = re.compile(r"(?P<name>[A-Z_][A-Z0-9_]*)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True)
class Driver:
    """One driver, each under a name of its own, or with `route` a server that has none.

    `chosen_by` are the words of a command line that choose it again; `directory` None is the working folder.
    """

    name: str
    command: str
    chosen_by: tuple[str, ...]
    directory: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    route: Route | None = None


EMBEDDED = Driver(REFERENCE, REFERENCE, ("--driver", REFERENCE))


def choose(
    options: Iterable[str], configured: Mapping[str, Driver], routes: Iterable[Driver] = ()
) -> tuple[Driver, ...]:
    """Give the drivers that `--driver` options name, and these `routes`.

    Without any, those are the configured ones; without those the reference. Raises `UsageError` for a command that is
    empty or cannot be read, for a word that is no configured name and no command, and for two drivers of one name.
    """
    chosen = (*(_driver(option, configured) for option in options), *routes)
    drivers = chosen or tuple(configured.values()) or (EMBEDDED,)
    names = [driver.name for driver in drivers]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two drivers are named {twice!r}; name each of them: --driver NAME=COMMAND")
    return drivers


def started(options: Iterable[str], configured: Mapping[str, Driver], route: Route) -> tuple[Driver, ...]:
    """Give the servers that `--route-cmd` options name. Raises `UsageError` as `choose` does."""
    known = {name: driver for name, driver in configured.items() if driver.route is not None}
    return tuple(known.get(option) or _unnamed(option, "--route-cmd", known, route) for option in options)


def running(origin: str, route: Route) -> Driver:
    """Give the server that is up already at this origin."""
    name = origin.partition("://")[2]
    chosen_by = ("--route-url", origin, "--provider-port", str(route.provider_port))
    return Driver(name, origin, (*chosen_by, *_conventions(route)), route=route.model_copy(update={"url": origin}))


def _driver(option: str, configured: Mapping[str, Driver]) -> Driver:
    """Read one `--driver [NAME=]COMMAND`."""
    if option in configured:
        return configured[option]
    name, command = _parts(option)
    if command == REFERENCE:
        return Driver(name or REFERENCE, REFERENCE, ("--driver", option))
    return _unnamed(option, "--driver", configured)


def _unnamed(option: str, flag: str, configured: Mapping[str, Driver], route: Route | None = None) -> Driver:
    """Read what is no configured name. Raises `UsageError` where it can only have been meant as one."""
    if configured and _WORD.fullmatch(option) and shutil.which(option) is None and not Path(option).exists():
        raise UsageError(
            f"{flag} {option!r} is no configured name and no command{nearest(option, configured)}; "
            f"configured: {', '.join(configured)}"
        )
    return _command(option, flag, route)


def _command(option: str, flag: str, route: Route | None = None) -> Driver:
    name, command = _parts(option)
    words = _words(command, option, flag)
    environment = {}
    while words and (variable := _VARIABLE.fullmatch(words[0])):
        environment[variable["name"]] = variable["value"]
        del words[0]
    if not words:
        raise UsageError(f"{flag} {option!r} has no command; write {flag} NAME=COMMAND")
    if environment and "/" not in words[0] and shutil.which(words[0]) is None:
        first = next(iter(environment))
        raise UsageError(
            f"{flag} {option!r}: there is no command {words[0]!r}; {first}= was taken for an environment variable, "
            f"as it is all in capitals; to name the implementation, write {first.lower()}="
        )
    called = name or _name(words)
    if called == REFERENCE:
        raise UsageError(f"{flag} {option!r} is named {REFERENCE!r}, as the embedded reference is; give another name")
    chosen_by = (flag, option, *(_conventions(route) if route is not None else ()))
    command = shlex.join(words) if environment else command
    return Driver(called, command, chosen_by, None, environment, route)


def _parts(option: str) -> tuple[str | None, str]:
    """Take the name from `[NAME=]COMMAND`.

    What stands before the first `=` is a name, unless it is all in capitals: `PORT=1 node driver.mjs` starts with an
    environment variable, as in a shell, which the command is given.
    """
    named = _NAMED.fullmatch(option)
    if named is None or _VARIABLE.fullmatch(option):
        return None, option
    return named["name"], named["command"]


def _conventions(route: Route) -> tuple[str, ...]:
    """Give the options that say how a server writes a tool result, where that is not as usual."""
    usual = Route()
    options = {"--tool-result-role": "tool_result_role", "--tool-call-id-field": "tool_call_id_field"}
    said = {flag: getattr(route, name) for flag, name in options.items()}
    return tuple(
        word for flag, name in options.items() if said[flag] != getattr(usual, name) for word in (flag, said[flag])
    )


def _words(command: str, option: str, flag: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{flag} {option!r} cannot be read as a command: {str(error).lower()}") from None


def _name(words: list[str]) -> str:
    """Name a driver after its script: the first word after the program that is no option, or the program itself."""
    script = next((word for word in words[1:] if not word.startswith("-")), words[0])
    return PurePath(script).stem or script
