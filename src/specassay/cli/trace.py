"""`specassay trace`: every sentence of a specification, how it is tested, and what an edit of it made stale."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from specassay.cli.accept import command as accept
from specassay.cli.features import features_option, read
from specassay.errors import Exit, UsageError
from specassay.report import files, html, markdown
from specassay.report import trace as report
from specassay.report.text import visible
from specassay.results.load import load
from specassay.results.merge import Part
from specassay.results.model import Results
from specassay.results.names import nearest
from specassay.results.select import resolve
from specassay.trace.against import Changed, changed, texts
from specassay.trace.chain import LEVELS, Material, build, links
from specassay.trace.evidence import suite_in
from specassay.trace.gates import GATES, refused
from specassay.trace.record import State, Trace

_FORMATS = ("json", "html", "markdown")
EPILOG = """\b
Exit codes:
  0  the trace is whole, and every gate is passed
  1  a gate of --fail-on or --min is not passed
  2  wrong usage, or a file that cannot be read
  3  scenarios were lost on the way from the specification to the results

\b
To accept a change, one at a time:
  specassay trace accept ID --against PATH --reason TEXT
"""


class _Trace(click.Command):
    """Hands `trace accept …` to the command that it is."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["accept"]:
            return accept.make_context(f"{info_name} accept", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command("trace", cls=_Trace, epilog=EPILOG, short_help="Trace a specification's sentences to their verdicts.")
@click.argument("results", nargs=-1, type=click.Path(path_type=Path), metavar="[RESULTS]...")
@features_option
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Compare with this specification's text: a file, or a folder of <name>/spec.md; repeatable.",
)
@click.option(
    "--change",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Compare with what an OpenSpec change would make of it.",
)
@click.option("--all", "everything", is_flag=True, help="Show every statement, and not only what is not in order.")
@click.option(
    "--id",
    "ids",
    multiple=True,
    metavar="ID",
    help="Show the whole chain of this one, with steps and checks; repeatable.",
)
@click.option("--fail-on", multiple=True, metavar="GATE,…", help=f"Exit with 1 where there is one: {', '.join(GATES)}.")
@click.option(
    "--min", "least", multiple=True, metavar="LEVEL=PERCENT", help="Exit with 1 where fewer statements passed: must=90."
)
@click.option(
    "--report",
    multiple=True,
    metavar="FORMAT=PATH",
    help="Write a report to a file: json, html or markdown; repeatable.",
)
def command(**options: Any) -> int:
    """Show what tests each sentence of a specification, and with which verdict: what is not in order, unless --all.

    RESULTS are JSON reports of `specassay run`, of one implementation or of several. A verdict against a text that is
    not the present one is shown, and does not count.
    """
    order = _order(options)
    trace, results = build(order.material)
    trace = trace.model_copy(update={"notes": (*order.notes, *trace.notes)})
    click.echo(report.render(trace, everything=options["everything"], ids=order.ids))
    for target in order.reports:
        files.put(target, _written(target.format, trace, results))
    return _concluded(trace, list(refused(trace, order.gates, order.least)))


@dataclass(frozen=True)
class _Order:
    """What the user asked for, with every name and file in it checked."""

    material: Material
    ids: tuple[str, ...]
    gates: tuple[str, ...]
    least: dict[str, float]
    reports: tuple[files.Target, ...]
    notes: tuple[str, ...]


def _order(options: Mapping[str, Any]) -> _Order:
    gates = tuple(_gates(options["fail_on"]))
    least = dict(_least(options["least"]))
    targets = files.targets(options["report"], _FORMATS)
    if not options["results"] and (least or any(target.format != "json" for target in targets)):
        raise UsageError("--min, and the reports html and markdown, are about verdicts; give a results file too")
    catalogue, locks = read(options["features"])
    known = [one.id for one in catalogue.specifications]
    compared = texts(options["against"], known, locks)
    notes: tuple[str, ...] = ()
    material = Material(
        catalogue=catalogue,
        suite=suite_in(options["features"], catalogue),
        locks=locks,
        texts=compared,
        parts=tuple(Part(str(file), load(file)) for file in dict.fromkeys(options["results"])),
    )
    if options["change"] is not None:
        change = changed(options["change"], options["against"], known, locks)
        material, notes = replace(material, texts={**compared, **change.texts}), _before(material, change)
    ids = tuple(resolve(catalogue, one) for one in options["ids"])
    return _Order(material, ids, gates, least, targets, notes)


def _before(material: Material, change: Changed) -> tuple[str, ...]:
    """Say what a change could not do, and what is not in order without it."""
    found = [
        link.id
        for name in change.bases
        for one in material.catalogue.specifications
        if one.id == name
        for link in links(one, replace(material, texts=change.bases))
        if link.state is not State.OK
    ]
    already = (f"not in order without this change: {', '.join(found)}",) if found else ()
    return (*change.notes, *already)


def _gates(options: Iterable[str]) -> Iterator[str]:
    for name in (name.strip() for option in options for name in option.split(",")):
        if name not in GATES:
            raise UsageError(f"--fail-on: no gate is called {name!r}{nearest(name, GATES)}; known: {', '.join(GATES)}")
        yield name


def _least(options: Iterable[str]) -> Iterator[tuple[str, float]]:
    for option in options:
        level, _, percent = option.partition("=")
        try:
            number = float(percent)
        except ValueError:
            number = -1.0
        if level not in LEVELS or not 0 < number <= 100:
            raise UsageError(f"--min {option!r}: write LEVEL=PERCENT, with {', '.join(LEVELS)} and a number up to 100")
        yield level, number


def _written(form: str, trace: Trace, results: Results) -> str:
    if form == "json":
        return trace.model_dump_json(by_alias=True, indent=2) + "\n"
    return html.render(results, trace=trace) if form == "html" else markdown.render(results, trace)


def _concluded(trace: Trace, refusals: list[str]) -> int:
    """Say which gates are not passed, and give the exit code."""
    for sentence in refusals:
        click.secho(visible(sentence), fg="red", bold=True)
    lost = len(trace.losses())
    if lost and not refusals:
        noun = "scenario is" if lost == 1 else "scenarios are"
        click.secho(f"{lost} {noun} lost on the way, so this trace is not whole", fg="red", bold=True)
    return int(Exit.NONCONFORMING if refusals else Exit.INCONCLUSIVE if lost else Exit.CONFORMS)
