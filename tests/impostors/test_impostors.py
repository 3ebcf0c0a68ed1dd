"""Every demand has a wrong implementation that the suite notices, and notices where the demand stands."""

import importlib
import pkgutil
from collections import Counter

import pytest

from specassay import catalogue
from specassay.catalogue import Statement
from specassay.results.model import ScenarioRecord, Verdict
from tests.impostors import faults
from tests.impostors.arena import Arena
from tests.impostors.impostor import ALL, Impostor
from tests.impostors.reach import Reach

for _module in pkgutil.iter_modules(faults.__path__, f"{faults.__name__}."):
    importlib.import_module(_module.name)


@pytest.mark.parametrize("impostor", [pytest.param(entry, id=entry.id) for entry in ALL])
def test_the_suite_notices(arena: Arena, reach: Reach, impostor: Impostor, monkeypatch: pytest.MonkeyPatch) -> None:
    impostor.patch(monkeypatch)
    records = {name: arena.play(name) for name in reach.of(impostor)}
    fallen = {name: record for name, record in records.items() if record.verdict is not Verdict.PASSED}
    own = {name for name in fallen if impostor.owns(name)}
    assert any(fallen[name].verdict is Verdict.FAILED for name in own), _unnoticed(impostor, records)
    unexplained = {name: fallen[name].reason for name in fallen.keys() - own if not impostor.reasons(name)}
    assert not unexplained, "it fails elsewhere, without a reason"
    assert not impostor.idle(fallen.keys() - own), "there is a reason for what it does not fail"


def test_the_reference_itself_passes_in_the_arena(arena: Arena) -> None:
    records = [arena.play(name) for name in arena.scenarios]
    assert records
    assert {record.id: record.reason for record in records if record.verdict is not Verdict.PASSED} == {}


def test_every_demand_has_an_impostor() -> None:
    demands = [demand for statement in catalogue.load().statements() for demand in _demands(statement)]
    assert [demand for demand in demands if demand not in {entry.demand for entry in ALL}] == []


def test_every_scenario_is_failed_by_an_impostor(arena: Arena) -> None:
    assert [name for name in arena.scenarios if not any(_falls(arena, name, entry) for entry in _rivals(name))] == []


def test_every_impostor_has_a_name_and_a_fault_of_its_own() -> None:
    for texts in ([entry.id for entry in ALL], [entry.fault for entry in ALL]):
        assert [text for text, count in Counter(texts).items() if count > 1 or not text] == []


def _demands(statement: Statement) -> list[str]:
    """Give what must be broken: the statement or, where there is none, each robustness scenario by itself."""
    if statement.by_inspection is not None or statement.restates:
        return []
    if statement.level == "advice":
        return list(dict.fromkeys(scenario.id.partition("[")[0] for scenario in statement.scenarios))
    return [statement.id]


def _rivals(scenario: str) -> list[Impostor]:
    """Give the impostors that may fail a scenario, those that break its own demand first."""
    return sorted((e for e in ALL if e.owns(scenario) or e.reasons(scenario)), key=lambda e: not e.owns(scenario))


def _falls(arena: Arena, scenario: str, impostor: Impostor) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        impostor.patch(patch)
        return arena.play(scenario).verdict is Verdict.FAILED


def _unnoticed(impostor: Impostor, records: dict[str, ScenarioRecord]) -> str:
    own = [f"{record.verdict} {name}: {record.reason}" for name, record in records.items() if impostor.owns(name)]
    return "\n".join([f"not noticed: {impostor.fault}", *own])
