"""`specassay transcribe`: the feature files of an OpenSpec specification."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from specassay.errors import Exit, UsageError
from specassay.trace import discovery
from specassay.trace.lock import NAME
from specassay.trace.transcribe import Transcription, Written, name_of, transcribe
from specassay.visible import visible

EPILOG = """\b
Examples:
  specassay transcribe openspec/specs/auth/spec.md -o tests/features
  specassay transcribe openspec/specs -o tests/features --check

\b
Exit codes:
  0  done; with --check: nothing would change
  1  with --check: something would
  2  wrong usage, or a file that cannot be read
"""


@click.command("transcribe", epilog=EPILOG, short_help="Write feature files from a specification.")
@click.argument("spec", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SPEC...")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder of the features; each specification gets a folder in it.",
)
@click.option("--check", is_flag=True, help="Write nothing; say what would change.")
def command(spec: Sequence[Path], output: Path, check: bool) -> int:
    """Write the feature files of each SPEC, an OpenSpec specification or a folder of them, and their lock.

    A requirement becomes a file, a normative sentence a Rule with a number, a scenario a scenario, which pytest-bdd
    collects. Run it again when the specification has changed: it adds what is new, gives a transcribed scenario that
    nobody has edited its new steps, and touches nothing else. What the specification no longer says is named, and
    stays.
    """
    found = [transcribe(source, name, output) for name, source in _sources(spec).items()]
    for one in found:
        if not check and one.changed:
            one.save(output)
        _tell(one, check)
    return int(Exit.NONCONFORMING if check and any(one.changed for one in found) else Exit.CONFORMS)


def _sources(given: Sequence[Path]) -> dict[str, Path]:
    """Give the specification files by their names. Raises `UsageError` where two have the same."""
    found: dict[str, Path] = {}
    for path in (file for one in given for file in _files(one)):
        name = name_of(path)
        if name in found:
            raise UsageError(f"{found[name]} and {path} are both called {name}; transcribe them into two folders")
        found[name] = path
    return found


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    specs = discovery.discover(path)
    if not specs:
        raise UsageError(f"{path}: there is no <name>/spec.md in this folder")
    yield from (one.path for one in specs)


def _tell(one: Transcription, check: bool) -> None:
    would = "would be " if check else ""
    click.echo(f"{one.specification}: {visible(str(one.source))}")
    for file in one.files:
        click.echo(f"  {visible(str(file.path))} {would}{'written' if file.new else 'changed'}: {_counted(file)}")
    if one.lock_changed:
        click.echo(f"  {NAME} {would}{'changed' if one.locked else 'written'}")
    if not one.changed:
        click.echo("  nothing to change")
    for note in one.notes:
        click.echo(f"  note: {visible(note)}")


def _counted(file: Written) -> str:
    counts = {"new Rule": file.rules, "new scenario": file.scenarios, "reworded scenario": file.rewritten}
    words = [f"{many} {noun}{'s' * (many != 1)}" for noun, many in counts.items() if many]
    return ", ".join(words).replace("new ", "" if file.new else "new ")
