"""`specassay diff`: what changed from one run to another."""

from pathlib import Path

import click

from specassay.errors import Exit
from specassay.report import changes as report
from specassay.results.changes import compare
from specassay.results.load import load

EPILOG = """\b
Exit codes:
  0  nothing was lost
  1  something was: a statement, its MUST, an implementation, or a scenario that passed
  2  wrong usage, or a file that cannot be read
"""


@click.command("diff", epilog=EPILOG, short_help="Show what changed from one run to another.")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
def command(old: Path, new: Path) -> int:
    """Compare two results files: the specification's text, the scenarios under it, and the verdicts.

    Advice that no longer passes is shown; it loses nothing unless the new run was --strict.
    """
    before, after = load(old), load(new)
    found = compare(before, after)
    click.echo(report.render(before, after, found))
    return int(Exit.NONCONFORMING if found.lost(strict=after.settings.strict) else Exit.CONFORMS)
