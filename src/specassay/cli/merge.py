"""`specassay merge`: one results file of several, and its reports."""

from collections.abc import Sequence
from pathlib import Path

import click

from specassay.errors import Exit, UsageError
from specassay.report import files
from specassay.report.text import visible
from specassay.results.load import load
from specassay.results.merge import Part, merge


@click.command("merge", short_help="Make one results file of several.")
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RESULTS...")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the merged results here.")
@click.option(
    "--report",
    multiple=True,
    metavar="FORMAT=PATH",
    help="Write a report of them: junit, markdown or html; repeatable. One results file is enough for that.",
)
def command(results: Sequence[Path], output: Path | None, report: Sequence[str]) -> int:
    """Merge RESULTS, JSON reports of `specassay run`: shards of one implementation, or implementations side by side.

    Shards must be of one suite and may not contradict each other. Implementations side by side may be of different
    versions of the suite: the newest text stands, and a verdict against an older one is shown and does not count.

    The exit code is 0 when the files fit together, whatever the verdicts are.
    """
    if output is None and not report:
        raise UsageError("nothing to write: name the merged file (-o FILE), a report (--report FORMAT=PATH), or both")
    targets = files.targets(report, taken={"-o": output})
    if output is not None:
        files.check_writable(output, "-o")
        targets = (files.Target("json", output), *targets)
    twice = next((file for number, file in enumerate(results) if file in results[:number]), None)
    if twice is not None:
        raise UsageError(f"{twice} is given twice")
    merged = merge([Part(str(file), load(file)) for file in results])
    for note in merged.notes:
        click.echo(f"note: {visible(note)}", err=True)
    files.write(merged.results, targets)
    for record in merged.results.implementations:
        click.echo(visible(record.conclusion))
    return int(Exit.CONFORMS)
