"""Makes the results of a pytest session of another project: its feature files are the suite, the project is tested.

A folder of its features is a specification, a file a requirement: see `specassay.catalogue`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from specassay import __version__, catalogue
from specassay.catalogue import Catalogue, slug
from specassay.results.collect import suite_of
from specassay.results.conclusion import conclude
from specassay.results.digest import digest
from specassay.results.model import (
    Expectation,
    ImplementationRecord,
    Results,
    ScenarioRecord,
    Settings,
    Suite,
    Verdict,
)
from specassay.results.verdicts import exit_of, roll_up, worst

UNCOUNTED = "what the steps compared was not counted; run pytest with -o enable_assertion_pass_hook=true"
UNSEEN = (
    "what the steps compared could not be counted everywhere: pytest tells only of assertions in test modules, "
    "conftest files and what pytest.register_assert_rewrite names, and keeps in __pycache__ what it compiled before"
)


class Place(NamedTuple):
    """Where a test's scenario stands: the feature file, the line of its title, and which row of its examples it is."""

    file: str
    heading: int
    row: int


@dataclass
class Run:
    """What one session has told, by the ids of its tests.

    `counting` says whether pytest tells of assertions that pass. `chosen` are the tests that were to be run, `records`
    those that have a verdict, `expected` the reasons of those that were expected to fail, `again` how often one was run
    again, `crashed` what ended the process that played one.
    """

    name: str
    command: str
    counting: bool
    started_at: datetime
    seconds: float = 0.0
    interrupted: bool = False
    collected: dict[str, Place] = field(default_factory=dict)
    chosen: set[str] = field(default_factory=set)
    records: dict[str, ScenarioRecord] = field(default_factory=dict)
    expected: dict[str, str | None] = field(default_factory=dict)
    again: dict[str, int] = field(default_factory=dict)
    crashed: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def results(run: Run, root: Path) -> Results:
    """Make the results of a session in the project at `root`. Raises `UsageError` for a feature file that is broken."""
    folders = _names({Path(place.file).parent for place in run.collected.values()}, root)
    specifications = {folder: catalogue.specification(folder, name) for folder, name in folders.items()}
    whole = Catalogue(tuple(specifications.values()), {})
    tests = _tests(run, {folder.as_posix(): name for folder, name in folders.items()}, whole)
    selected = {one for one, nodes in tests.items() if run.chosen.intersection(nodes)}
    suite = suite_of(whole, selected).model_copy(update={"digest": digest(*folders), "fixtures": ""})
    record = _implementation(run, suite, tests)
    return Results(
        specassay=__version__,
        suite=suite,
        started_at=run.started_at,
        seconds=run.seconds,
        interrupted=run.interrupted,
        settings=Settings(
            seed=0, shuffled=False, isolated=False, strict=False, selected=len(selected), total=len(record.scenarios)
        ),
        implementations=(record,),
        exit=record.exit,
    )


def _names(folders: Iterable[Path], root: Path) -> dict[Path, str]:
    """Name each folder; where two have one name, by those above it, too."""
    ordered = sorted(folders)
    found = {}
    for folder in ordered:
        twins = [one for one in ordered if one.name == folder.name]
        inside = folder.relative_to(root).parts if folder.is_relative_to(root) else folder.parts[1:]
        found[folder] = folder.name if len(twins) == 1 else slug("-".join(inside)) or folder.name
    return found


def _tests(run: Run, names: Mapping[str, str], whole: Catalogue) -> dict[str, list[str]]:
    """Give the tests of each scenario, by its id."""
    rows: dict[tuple[str, int], list[str]] = {}
    for scenario in whole.scenarios():
        rows.setdefault((scenario.path, scenario.heading), []).append(scenario.id)
    found: dict[str, list[str]] = {}
    for nodeid, place in run.collected.items():
        file = Path(place.file)
        ids = rows.get((f"{names[file.parent.as_posix()]}/{file.name}", place.heading), [])
        if place.row < len(ids):
            found.setdefault(ids[place.row], []).append(nodeid)
    return found


def _implementation(run: Run, suite: Suite, tests: Mapping[str, list[str]]) -> ImplementationRecord:
    files = {scenario.file for scenario in suite.scenarios() if scenario.id in tests}
    scenarios = tuple(
        _record(run, one.id, tests.get(one.id, ()), in_use=one.file in files) for one in suite.scenarios()
    )
    again = {name: nodes for name, nodes in tests.items() if any(run.again.get(node) for node in nodes)}
    draft = ImplementationRecord(
        name=run.name,
        command=run.command,
        chosen_by=(),
        diagnostics=(
            *run.notes,
            *([UNSEEN if run.counting else UNCOUNTED] if any(one.evidence == "unknown" for one in scenarios) else ()),
            *(f"{name} was run again after a failure" for name in again),
        ),
        scenarios=scenarios,
        verdicts=roll_up(suite, scenarios, strict=False),
        expectations=tuple(_expectations(run, scenarios, tests)),
        exit=0,
        conclusion="",
    )
    code = exit_of(suite, draft, strict=False, interrupted=run.interrupted)
    return draft.model_copy(update={"exit": int(code), "conclusion": conclude(suite, draft, code, strict=False)})


def _record(run: Run, name: str, nodes: Iterable[str], *, in_use: bool) -> ScenarioRecord:
    """Give a scenario's record: the worst of its tests. One that pytest-bdd lost has neither verdict nor reason."""
    found = [_of_test(run, node) for node in nodes]
    verdict = worst(one.verdict for one in found)
    chosen = next((one for one in found if one.verdict is verdict), None)
    if chosen is not None:
        return chosen.model_copy(update={"id": name})
    reason = None if in_use else "no test was collected from its feature file"
    return ScenarioRecord(id=name, verdict=Verdict.NOT_RUN, reason=reason)


def _of_test(run: Run, node: str) -> ScenarioRecord:
    if node in run.crashed:
        return ScenarioRecord(id=node, verdict=Verdict.INCONCLUSIVE, reason=run.crashed[node])
    if node in run.records:
        return run.records[node]
    reason = "not selected" if node not in run.chosen else "interrupted" if run.interrupted else "was not run"
    return ScenarioRecord(id=node, verdict=Verdict.NOT_RUN, reason=reason)


def _expectations(
    run: Run, scenarios: Iterable[ScenarioRecord], tests: Mapping[str, list[str]]
) -> Iterable[Expectation]:
    for one in scenarios:
        reason = next(
            (run.expected[node] for node in tests.get(one.id, ()) if run.expected.get(node) is not None), None
        )
        if reason is None or one.verdict not in (Verdict.FAILED, Verdict.PASSED):
            continue
        if one.verdict is Verdict.FAILED:
            yield Expectation(id=one.id, reason=reason, outcome="failed as expected")
        else:
            yield Expectation(id=one.id, reason=reason, outcome="passed unexpectedly")
