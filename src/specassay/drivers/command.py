"""The command line of a driver, or of a server, taken apart and looked up before anything is started."""

import os
import re
import shlex
import shutil
from pathlib import Path

from specassay.errors import DriverStartError

_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"")
_SHELL = re.compile(r"(?:^|(?<=\s))(?:\|\|?|&&?|\d?>[>&]?|<|;)|;(?=\s|$)")
"""What only a shell understands: pipes, lists and redirections, outside of quotes."""


def split_command(command: str, directory: str | None, what: str = "driver") -> list[str]:
    """Split a command line as a shell would, and find its program; `what` it starts. Raises `DriverStartError`."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise DriverStartError(
            f"the {what} command cannot be read: {command}: {str(error).lower()}; close the quotes as in a shell"
        ) from None
    if not arguments or not arguments[0]:
        raise DriverStartError(f"the {what} command is empty; give the command line that starts the {what}")
    if directory is not None and not Path(directory).is_dir():
        raise DriverStartError(f"the {what}'s folder does not exist: {directory}; give one that does")
    shell = _SHELL.search(_QUOTED.sub("''", command))
    if shell is not None:
        raise DriverStartError(
            f"the {what} command is not read by a shell, so {shell[0].strip()!r} would be a word as any other: "
            f"{command}; put sh -c '...' around it, or give the {what} alone"
        )
    _find(arguments[0], directory, what)
    return arguments


def _find(name: str, directory: str | None, what: str) -> None:
    if "/" not in name:
        if shutil.which(name) is None:
            raise DriverStartError(f"the {what} command does not exist: {name}; {_beside(name, directory)}")
        return
    program = Path(directory or ".", name)
    if not program.exists():
        place = "" if Path(name).is_absolute() else f" (looked for in {Path(directory or '.').resolve()})"
        raise DriverStartError(f"the {what} command does not exist: {name}{place}; give its right path")
    if program.is_dir():
        raise DriverStartError(f"the {what} command is a folder: {name}; give the program in it")
    if not os.access(program, os.X_OK):
        raise DriverStartError(f"the {what} is not executable: {name}; name its interpreter, or set its executable bit")


def _beside(name: str, directory: str | None) -> str:
    """Say what to do about a program that is not on the path."""
    file = Path(directory or ".", name)
    if not file.is_file():
        return "is it installed, and on the path?"
    interpreter = {".py": "python", ".js": "node", ".mjs": "node"}.get(file.suffix, "sh")
    write = f"./{name}" if os.access(file, os.X_OK) else f"{interpreter} {name}"
    return f"there is a file of this name: write {write}"
