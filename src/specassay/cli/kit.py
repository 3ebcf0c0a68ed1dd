"""`specassay kit`: what makes a driver short, and a first driver to begin with."""

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from specassay.errors import UsageError
from specassay.resources import KITS

_DRIVERS = {"javascript": "driver.mjs", "python": "driver.py"}
_IMPORTED = {"javascript": "specassay-kit.mjs", "python": "specassay_kit"}
_NO_PART = {"examples", "skeleton", "preload", "__init__.py", "__pycache__"}

EPILOG = """\b
Examples:
  specassay kit javascript --init conformance
  specassay kit python
"""


@click.command("kit", epilog=EPILOG, short_help="Write a first driver, or say where the kit lies.")
@click.argument("language", type=click.Choice(sorted(_DRIVERS)))
@click.option("--init", "folder", metavar="DIR", help="Write the kit and a driver that runs into this folder.")
def command(language: str, folder: str | None) -> None:
    """Write a first driver for an implementation in LANGUAGE, or say where its kit lies."""
    if folder is None:
        click.echo(_where(language))
        return
    written = _write(language, Path(folder))
    click.echo("\n".join(f"wrote {path}" for path in written))
    driver = _started(language, Path(folder))
    click.echo(f"\nNext, try it:\n  specassay doctor --driver {driver}")
    click.echo(f"put your own code where it says so, and then:\n  specassay run --driver {driver}")


def _write(language: str, folder: Path) -> list[Path]:
    """Copy each part; raises `UsageError` before anything is written where one is there already."""
    if folder.is_file():
        raise UsageError(f"{folder} is a file, not a folder; give the folder that the driver is to be in")
    parts = {folder / part.name: part for part in _parts(language)}
    for target in parts:
        if target.exists():
            raise UsageError(f"{target} exists already, and nothing was written; give another folder, or move it away")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for target, part in parts.items():
            if part.is_dir():
                shutil.copytree(part, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(part, target)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written to: {(error.strerror or str(error)).lower()}") from None
    return list(parts)


def _parts(language: str) -> Iterator[Path]:
    """Give what a driver of its own needs: the kit itself, and the driver to begin with."""
    for folder in (KITS / language, KITS / language / "skeleton"):
        yield from (part for part in sorted(folder.iterdir()) if part.name not in _NO_PART)


def _started(language: str, folder: Path) -> str:
    """Write the driver's command line as one argument of a shell."""
    program = "node" if language == "javascript" else "python" if shutil.which("python") else "python3"
    command_line = shlex.join([program, str(folder / _DRIVERS[language])])
    return f'"{command_line}"' if not set(command_line) & set("\"'$`\\!") else shlex.quote(command_line)


def _where(language: str) -> str:
    folder = KITS / language
    return (
        f"The kit for {language}: {folder / _IMPORTED[language]}\n"
        f"Drivers that use it:   {folder / 'examples'}\n"
        "Copy the kit, and what it imports, beside your driver and import it first, or begin with a driver that "
        "runs:\n"
        f"  specassay kit {language} --init DIR"
    )
