"""`specassay explain`: what a requirement, a statement, a scenario or a reading says, and how it is tested."""

import textwrap
from collections.abc import Iterable

import click

from specassay import catalogue, resources
from specassay.catalogue import Catalogue, Reading, Requirement, Scenario, Statement
from specassay.cli import sentences
from specassay.cli.wording import wording
from specassay.errors import UsageError
from specassay.results.names import nearest
from specassay.results.select import outline, resolve


@click.command("explain", short_help="Explain an id or a reading.")
@click.argument("id", metavar="ID")
def command(id: str) -> None:  # noqa: A002 - it is the argument's name
    """Explain a specification, requirement, statement or scenario by its ID.

    Also a reading by its number, "reading.8", and a sentence by the id that a trace gives it, "name@1a2b3c4d".
    """
    suite = catalogue.load()
    if "@" in id:
        sentences.of_link(id)
        return
    if id.startswith("reading."):
        _reading(suite, id)
        return
    for specification in suite.specifications:
        if specification.id == id:
            sentences.of_specification(specification)
            return
    name = resolve(suite, id)
    for requirement in suite.requirements():
        if requirement.id == name:
            _requirement(suite, requirement)
    for statement in suite.statements():
        scenarios = [one for one in statement.scenarios if name in (one.id, outline(one))]
        if statement.id == name:
            _statement(suite, statement, statement.scenarios)
        elif scenarios:
            _statement(suite, statement, scenarios)


def _requirement(suite: Catalogue, requirement: Requirement) -> None:
    click.secho(f"{requirement.title}  {requirement.id}", bold=True)
    click.echo(f"{resources.FEATURES / requirement.path}\n")
    for statement in requirement.statements:
        _statement(suite, statement, statement.scenarios)


def _statement(suite: Catalogue, statement: Statement, scenarios: Iterable[Scenario]) -> None:
    click.echo(f"{click.style(statement.id, bold=True)}  ({statement.level})")
    click.echo(f"  {statement.sentence}")
    if statement.by_inspection is not None:
        click.echo(f"  By inspection: {statement.by_inspection}")
    if statement.restates:
        click.echo(f"  Restates, and is tested under: {', '.join(statement.restates)}")
    sentences.of_statement(statement.id)
    click.echo("")
    for title, cases in _by_title(scenarios).items():
        _scenario(title, cases)
    readings = sorted({number for scenario in scenarios for number in scenario.readings})
    for reading in (suite.readings[number] for number in readings if number in suite.readings):
        click.echo(f"  Reading {reading.id}, where the specification is open: {reading.point}")
        click.echo(f"    {reading.reading}\n")


def _by_title(scenarios: Iterable[Scenario]) -> dict[str, list[Scenario]]:
    found: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        found.setdefault(scenario.title, []).append(scenario)
    return found


def _scenario(title: str, cases: list[Scenario]) -> None:
    first = cases[0]
    advice = ", advice" if first.advice else ""
    needs = f", needs {', '.join((*first.surfaces, *first.operations))}" if first.surfaces else ""
    click.echo(f"  Scenario: {title}  ({first.kind}{advice}{needs})")
    for case in cases:
        click.echo(f"    {case.id}")
    click.echo(f"    {resources.FEATURES / first.path}:{first.line}")
    click.echo(textwrap.indent(wording(first), "      ") + "\n")


def _reading(suite: Catalogue, name: str) -> None:
    number = name.removeprefix("reading.")
    known = {str(one): reading for one, reading in suite.readings.items()}
    if number not in known:
        names = [f"reading.{one}" for one in known]
        raise UsageError(f"no reading is called {name!r}{nearest(name, names)}; there are {len(names)}, from reading.1")
    reading: Reading = known[number]
    click.echo(f"Reading {reading.id}, where the specification is open: {reading.point}")
    click.echo(f"  {reading.reading}\n")
    relying = [scenario.id for scenario in suite.scenarios() if reading.id in scenario.readings]
    click.echo("Scenarios that rely on it:" if relying else "No scenario relies on it.")
    for scenario in relying:
        click.echo(f"  {scenario}")
