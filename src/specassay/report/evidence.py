"""The checks of what passed, where a reader should see them and not trust a verdict: attacks and their answers, say."""

from collections.abc import Iterator

import click

from specassay.report.overview import Played
from specassay.report.text import short, visible
from specassay.results.model import Verdict

TAG = "evidence"
"""A scenario with this tag is told of with its checks also where it passed."""


def evidence(selected: list[Played]) -> Iterator[str]:
    """List the checks of the passed scenarios that are tagged so, by statement: each claim, and what came."""
    last = None
    for statement, scenario, record in selected:
        if TAG not in scenario.tags or record.verdict is not Verdict.PASSED:
            continue
        if statement.id != last:
            last = statement.id
            yield f"{click.style('Evidence', bold=True)}  {visible(statement.id)}"
            yield f"  {visible(statement.sentence)}"
        case = f" [{scenario.case}]" if scenario.case is not None else ""
        yield f"\n  passed  {visible(scenario.title + case)}"
        for check in (check for step in record.steps for check in step.checks):
            yield f"    {visible(check.claim)}"
            yield f"      {short(visible(check.actual))}"
        yield ""
