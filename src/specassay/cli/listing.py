"""`specassay list`: what the suite holds."""

import click

from specassay import catalogue
from specassay.catalogue import Requirement, Statement
from specassay.cli.filters import filter_options
from specassay.results.select import Filters, select


@click.command("list", short_help="List what the suite holds.")
@filter_options
def command(spec: tuple[str, ...], id: tuple[str, ...], kind: tuple[str, ...], surface: tuple[str, ...]) -> None:  # noqa: A002 - it is the option's name
    """List the specifications, requirements, statements and scenarios of the suite."""
    suite = catalogue.load()
    chosen = frozenset(select(suite, Filters(spec, id, kind, surface)))
    everything = not (spec or id or kind or surface)
    counts = {"requirement": 0, "statement": 0, "scenario": 0}
    for specification in suite.specifications:
        kept = [one for one in specification.requirements if everything or _scenarios(one, chosen)]
        if kept:
            click.secho(specification.id, bold=True)
        for requirement in kept:
            counts["requirement"] += 1
            click.echo(f"  {click.style(requirement.title, bold=True)}  {requirement.id}")
            for statement in requirement.statements:
                shown = [one for one in statement.scenarios if one.id in chosen]
                if shown or everything:
                    counts["statement"] += 1
                    counts["scenario"] += len(shown)
                    _statement(statement, chosen)
    click.echo(", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items()))


def _scenarios(requirement: Requirement, chosen: frozenset[str]) -> bool:
    return any(scenario.id in chosen for statement in requirement.statements for scenario in statement.scenarios)


def _statement(statement: Statement, chosen: frozenset[str]) -> None:
    how = ", by inspection" if statement.by_inspection is not None else ""
    how += f", restates {', '.join(statement.restates)}" if statement.restates else ""
    click.echo(f"    {statement.id}  ({statement.level}{how})")
    click.echo(f"      {statement.sentence}")
    for scenario in statement.scenarios:
        if scenario.id in chosen:
            case = f" [{scenario.case}]" if scenario.case is not None else ""
            click.echo(f"        {scenario.kind:<11}  {scenario.title}{case}")
