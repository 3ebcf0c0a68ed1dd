"""`specassay run`: the suite against one implementation, or several side by side."""

import importlib.util
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from specassay import __version__, catalogue
from specassay.cli.child import Interrupts, play
from specassay.cli.filters import filter_options
from specassay.cli.routes import route_options, routes
from specassay.errors import UsageError
from specassay.report import console, files
from specassay.report.progress import Progress
from specassay.results import drivers, expectations, lines, remembered, settings
from specassay.results.collect import Terms, Told, implementation, suite_of
from specassay.results.drivers import Driver
from specassay.results.events import MessagesLost
from specassay.results.model import ImplementationRecord, Results, Settings, Suite
from specassay.results.plan import Plan, TimeLimits
from specassay.results.select import Filters, require_known, select, surfaces
from specassay.results.verdicts import worst_exit

EPILOG = """\b
Exit codes, the worst of all implementations:
  0    every implementation conforms
  1    one does not conform
  2    wrong usage, or a required surface is not declared
  3    not decided, or nothing applied
  4    a driver did not start
  130  interrupted

\b
Keys of [tool.specassay] in the nearest pyproject.toml:
  require = [SURFACE, ...]; expect = FILE
  drivers.NAME: command, directory, environment
  routes.NAME: these, and tool_result_role, tool_call_id_field

\b
Keys of an [[expect]] table in the file of known failures:
  id, reason; and, where wanted, implementation, expires, message
"""


class _Seconds(click.FloatRange):
    """A time limit: a number above 0, and no other word for none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value} is no number of seconds; --no-timeout sets no limit", param, ctx)
        return seconds


_SECONDS = _Seconds(min=0, min_open=True)


@dataclass(frozen=True)
class _Order:
    """What the user asked for, with every name and file in it checked."""

    drivers: tuple[Driver, ...]
    scenarios: tuple[str, ...]
    terms: Terms
    reports: tuple[files.Target, ...]
    limits: TimeLimits
    shuffle: int | None
    isolate: bool
    lines: bool
    messages: Path | None


@click.command("run", epilog=EPILOG, short_help="Run the suite against an implementation.")
@click.option(
    "--driver",
    "driver",
    multiple=True,
    metavar="[NAME=]COMMAND",
    help="Start this driver, a configured one by its name, or 'reference', the embedded one; repeat it to compare. "
    "What is all in capitals before '=' is an environment variable, no name.",
)
@route_options
@filter_options
@click.option("--last-failed", is_flag=True, help="Run only what failed, or was inconclusive, in the last run here.")
@click.option("--require", multiple=True, metavar="SURFACE", help="Fail unless this surface is declared.")
@click.option("--strict", is_flag=True, help="Let advice count: robustness, SHOULD and MAY.")
@click.option(
    "--expect", type=click.Path(path_type=Path), metavar="FILE", help="Expect the known failures of this file."
)
@click.option("--isolate", is_flag=True, help="Start a new driver process for each scenario.")
@click.option("--lines", is_flag=True, help="Record which lines of the embedded reference each scenario runs.")
@click.option("--shuffle", type=int, metavar="SEED", help="Run the scenarios in a random order.")
@click.option(
    "--start-timeout", type=_SECONDS, default=10, show_default=True, metavar="SECONDS", help="Limit the start."
)
@click.option("--call-timeout", type=_SECONDS, default=10, show_default=True, metavar="SECONDS", help="Limit a call.")
@click.option(
    "--scenario-timeout", type=_SECONDS, default=30, show_default=True, metavar="SECONDS", help="Limit a scenario."
)
@click.option("--no-timeout", is_flag=True, help="Set no time limit at all, for work with a debugger.")
@click.option(
    "--messages", type=click.Path(path_type=Path), metavar="FILE", help="Write every driver message to a file."
)
@click.option(
    "--report",
    multiple=True,
    metavar="FORMAT=PATH",
    help="Write a report to a file: json, junit, markdown or html; repeatable.",
)
def command(**options: Any) -> int:
    """Run the suite against the implementation that a driver exposes; against the embedded reference without one.

    A server needs no driver for its chat route: --route-cmd starts it with PORT, HOST and each LLM_* environment that
    scenarios take, and tests it from outside. --route-url tests one that is up already, as far as its one environment
    goes: that can show what it breaks, and never that it conforms.
    """
    order = _order(options)
    begun, started_at = time.monotonic(), datetime.now(UTC)
    suite = suite_of(catalogue.load(), frozenset(order.scenarios))
    interrupts = Interrupts()
    with interrupts.listening():
        played = [_one(order, driver, suite, interrupts) for driver in order.drivers]
    records = tuple(record for record, _ in played)
    results = Results(
        specassay=__version__,
        suite=suite,
        started_at=started_at,
        seconds=round(time.monotonic() - begun, 3),
        interrupted=interrupts.count > 0,
        settings=Settings(
            seed=order.shuffle or 0,
            shuffled=order.shuffle is not None,
            isolated=order.isolate,
            strict=order.terms.strict,
            selected=len(order.scenarios),
            total=sum(1 for _ in suite.scenarios()),
        ),
        implementations=records,
        exit=int(worst_exit(record.exit for record in records)),
    )
    try:
        for record in records:
            if record.lines is not None:
                click.echo(f"{record.name}: {lines.spoken(record.lines)}")
        click.echo(console.render(results))
    finally:
        _remember(records)
        files.write(results, order.reports)
    lost = next((event for _, told in played for event in told.events if isinstance(event, MessagesLost)), None)
    if lost is not None:
        raise UsageError(f"--messages: {order.messages} cannot be written: {lost.reason}")
    return results.exit


def _order(options: Mapping[str, Any]) -> _Order:
    suite = catalogue.load()
    project = settings.load(Path.cwd())
    chosen = drivers.choose(options["driver"], project.drivers, routes(options, project.drivers))
    names = [driver.name for driver in chosen]
    if options["lines"]:
        _require_lines(chosen)
    required = options["require"] or project.require
    require_known("surface", required, surfaces(suite))
    only = remembered.recall(names) if options["last_failed"] else None
    scenarios = select(suite, Filters(options["spec"], options["id"], options["kind"], options["surface"], only))
    expect = options["expect"] or project.expect
    known = expectations.load(expect, suite, [*names, *project.drivers]) if expect is not None else ()
    reports = files.targets(options["report"], taken={"--messages": options["messages"]})
    if options["messages"] is not None:
        _empty(options["messages"])
    limits = TimeLimits(
        start=options["start_timeout"], call=options["call_timeout"], scenario=options["scenario_timeout"]
    )
    return _Order(
        drivers=chosen,
        scenarios=scenarios,
        terms=Terms(strict=options["strict"], required=tuple(required), known=known),
        reports=reports,
        limits=TimeLimits(start=None, call=None, scenario=None) if options["no_timeout"] else limits,
        shuffle=options["shuffle"],
        isolate=options["isolate"],
        lines=options["lines"],
        messages=options["messages"],
    )


def _require_lines(chosen: tuple[Driver, ...]) -> None:
    """Make sure that there are lines to record. Raises `UsageError`."""
    if all(driver.command != drivers.REFERENCE for driver in chosen):
        raise UsageError("--lines follows the embedded reference alone; add it with --driver reference")
    if importlib.util.find_spec("coverage") is None:
        raise UsageError("--lines needs coverage: pip install 'specassay[lines]'")


def _one(order: _Order, driver: Driver, suite: Suite, interrupts: Interrupts) -> tuple[ImplementationRecord, Told]:
    if interrupts.count:
        told = Told(interrupted=True)
        return implementation(suite, driver, told, order.terms), told
    plan = Plan(
        name=driver.name,
        driver=driver.command,
        directory=driver.directory,
        environment=dict(driver.environment),
        route=driver.route,
        scenarios=order.scenarios,
        seed=order.shuffle or 0,
        shuffle=order.shuffle,
        isolate=order.isolate,
        lines=order.lines and driver.command == drivers.REFERENCE,
        limits=order.limits,
        messages=str(order.messages.absolute()) if order.messages is not None else None,
    )
    progress = Progress(suite, driver.name)
    try:
        told = play(plan, progress.hear, interrupts)
    finally:
        progress.end()
    return implementation(suite, driver, told, order.terms), told


def _empty(messages: Path) -> None:
    files.check_writable(messages, "--messages")
    messages.write_bytes(b"")


def _remember(records: tuple[ImplementationRecord, ...]) -> None:
    try:
        remembered.remember(records)
    except OSError as error:
        click.echo(f"note: what failed cannot be remembered here for --last-failed: {error.strerror}", err=True)
