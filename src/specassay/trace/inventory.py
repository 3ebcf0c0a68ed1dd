"""Counts scenarios from the specification to the results: none may be lost on the way."""

import re
from collections.abc import Iterator, Sequence

from specassay.catalogue import Scenario, Specification, Statement, slug
from specassay.results.merge import Part
from specassay.results.model import Results, Verdict
from specassay.trace.lock import Kind, Lock, Sentence
from specassay.trace.record import Inventory, Loss

_ROBUSTNESS = "robustness"


def take(specification: Specification, lock: Lock | None, results: Results, parts: Sequence[Part]) -> Inventory:
    """Count the scenarios of one specification.

    `parts` are the results as they were read, `results` what they became.
    """
    scenarios = {one.id: one for one in _scenarios(specification)}
    losses = list(_untranscribed(specification, lock)) if lock else []
    found = len(_scenarios_of(lock)) if lock else 0
    transcribed = found - len(losses)
    losses += _dropped(specification, lock, scenarios) if lock else []
    collected, accounted = {}, {}
    for record in results.implementations:
        holding = [part for part in parts if any(one.name == record.name for one in part.results.implementations)]
        held = {one.id for part in holding for one in part.results.suite.scenarios()}
        played = {one.id for one in record.scenarios if one.verdict is not Verdict.NOT_RUN or one.reason}
        collected[record.name] = len(scenarios.keys() & held)
        accounted[record.name] = len(scenarios.keys() & held & played)
        losses += [Loss(id=one, where=f"not in the results of {record.name}") for one in scenarios if one not in held]
        losses += [
            Loss(id=one, where=f"{record.name} has no verdict for it and no reason")
            for one in scenarios
            if one in held and one not in played
        ]
        losses += [
            Loss(id=one, where=f"in the results of {record.name}, and in no feature any more")
            for one in sorted(held - scenarios.keys())
            if one.startswith(f"{specification.id}/") and not _let_go(one, lock)
        ]
    return Inventory(
        specification=found,
        transcribed=transcribed,
        features=len(scenarios),
        collected=collected,
        accounted=accounted,
        losses=tuple({loss.id: loss for loss in reversed(losses)}.values())[::-1],
    )


def scenario_names(statement: Statement) -> tuple[str, ...]:
    """Give what follows the statement's id in those of its scenarios, as a lock lists them."""
    return tuple(one.id.removeprefix(f"{statement.id}/") for one in statement.scenarios)


def statements_of(specification: Specification) -> dict[str, Statement]:
    """Give the numbered statements of a specification by the ids that their tags have."""
    return {
        one.id.partition("/")[2]: one
        for requirement in specification.requirements
        for one in requirement.statements
        if not one.id.endswith(f"/{_ROBUSTNESS}")
    }


def _scenarios(specification: Specification) -> Iterator[Scenario]:
    for requirement in specification.requirements:
        for statement in requirement.statements:
            yield from statement.scenarios


def _scenarios_of(lock: Lock) -> list[Sentence]:
    """Give the source's scenarios, without those that nobody need transcribe, for a reason: they hold nothing, say."""
    found = (one for one in lock.sentences if one.kind is Kind.SCENARIO)
    return [one for one in found if one.statements or not one.reason]


def _untranscribed(specification: Specification, lock: Lock) -> Iterator[Loss]:
    """Find the source's scenarios that no feature has: under a statement that claims them, or else under any other."""
    statements = statements_of(specification)
    used: set[tuple[str, str]] = set()
    unclaimed = []
    for one in _scenarios_of(lock):
        title = one.text.partition("\n")[0].partition(":")[2].strip()
        claiming = [
            scenario for name in one.statements if name in statements for scenario in statements[name].scenarios
        ]
        found = next((scenario for scenario in claiming if _is(scenario, title)), None)
        if found is None:
            unclaimed.append(title)
        else:
            used.add((found.path, found.title))
    for title in unclaimed:
        free = (one for one in _scenarios(specification) if (one.path, one.title) not in used)
        found = next((one for one in free if _is(one, title)), None)
        if found is None:
            yield Loss(id=f"{specification.id}: {title}", where="in the specification, and in no feature")
        else:
            used.add((found.path, found.title))


def _is(scenario: Scenario, title: str) -> bool:
    """Say whether a scenario is the one of this title; one that was made unique has a number behind it."""
    plain = slug(title)
    numbered = re.fullmatch(rf"{re.escape(title)}( \(\d+\))?", scenario.title)
    return numbered is not None or (plain != "" and re.fullmatch(rf"{plain}(-\d+)?", slug(scenario.title)) is not None)


def _dropped(specification: Specification, lock: Lock, scenarios: dict[str, Scenario]) -> list[Loss]:
    """Find what was accepted as a statement's evidence and is gone; one that stands under another Rule now is not."""
    statements = statements_of(specification)
    there = {(one.path, one.id.rpartition("/")[2]) for one in scenarios.values()}
    lost = []
    for rule in lock.rules:
        id_ = f"{specification.id}/{rule.statement}"
        if rule.statement not in statements:
            lost.append(Loss(id=id_, where="an accepted statement, and no Rule has it any more"))
            continue
        path = f"{id_.rpartition('.')[0]}.feature"
        gone = [name for name in rule.scenarios if (path, name) not in there]
        lost += [Loss(id=f"{id_}/{name}", where="accepted, and in no feature any more") for name in gone]
    return lost


def _let_go(scenario: str, lock: Lock | None) -> bool:
    """Say whether a statement's accepted scenarios are known, and this one is not among them."""
    if lock is None:
        return False
    id_ = scenario.removeprefix(f"{lock.specification}/")
    statement, _, name = id_.partition("/")
    rule = next((one for one in lock.rules if one.statement == statement), None)
    return rule is not None and name not in rule.scenarios
