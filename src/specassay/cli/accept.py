"""`specassay trace accept`: write into a lock what a specification says now."""

from datetime import UTC, datetime
from pathlib import Path

import click

from specassay.cli.features import features_option, read
from specassay.errors import Exit, UsageError
from specassay.report.text import visible
from specassay.results.names import nearest
from specassay.trace.accept import Wish, accept
from specassay.trace.against import texts
from specassay.trace.lock import Kind, save

_KINDS = [kind.value for kind in Kind if kind not in (Kind.SCENARIO, Kind.HEADING)]


@click.command("accept", short_help="Accept one change of a specification.")
@click.argument("id", metavar="ID")
@features_option
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The specification's text: a file, or a folder of <name>/spec.md.",
)
@click.option("--reason", required=True, metavar="TEXT", help="Say why; the lock keeps it, with today's date.")
@click.option("--as", "kind", type=click.Choice(_KINDS), help="Say what a sentence is, where that is new or another.")
@click.option(
    "--statement",
    "statements",
    multiple=True,
    metavar="NAME.N",
    help="Say which statement claims a sentence, by its tag, where that is new or another; repeatable.",
)
def command(
    id: str,  # noqa: A002 - it is the argument's name
    features: Path,
    against: tuple[Path, ...],
    reason: str,
    kind: str | None,
    statements: tuple[str, ...],
) -> int:
    """Accept what became of one ID: one that `specassay trace` shows ("name@1a2b3c4d"), or a statement.

    A statement is accepted with its sentences, its Rule and its scenarios. A whole specification's name takes in the
    statements and scenarios of the features that its lock does not have yet, and changes nothing that it has.
    """
    if not reason.strip():
        raise UsageError("--reason: say why, in a few words")
    catalogue, locks = read(features)
    name = id.partition("/")[0].partition("@")[0]
    if name not in locks:
        raise UsageError(f"{id}: no specification with a lock is called {name!r}{nearest(name, locks)}")
    entries = None
    if against:
        found = texts(against, [one.id for one in catalogue.specifications], locks)
        if name not in found:
            raise UsageError(f"--against: the text of {name} is not there")
        entries = found[name].entries
    wish = Wish(
        id=id,
        reason=reason.strip(),
        on=datetime.now(UTC).date(),
        kind=Kind(kind) if kind else None,
        statements=tuple(one.removeprefix(f"{name}/") for one in statements),
    )
    specification = next(one for one in catalogue.specifications if one.id == name)
    done = accept(locks[name], specification, entries, wish)
    file = save(done.lock, features)
    for line in done.told:
        click.echo(visible(line))
    click.echo(f"written to {file}")
    return int(Exit.CONFORMS)
