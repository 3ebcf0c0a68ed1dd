"""A small suite and made-up results of it, for every test of what comes after a run."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

from specassay import catalogue
from specassay.results.collect import Terms, Told, implementation, suite_of
from specassay.results.drivers import Driver
from specassay.results.events import Event, Finished, Started
from specassay.results.model import (
    CheckRecord,
    Declared,
    ExchangeRecord,
    ImplementationRecord,
    Results,
    ScenarioRecord,
    Settings,
    StepRecord,
    Suite,
    Verdict,
)
from specassay.results.verdicts import worst_exit

FOLDER = Path(__file__).parent / "toy"
TOY = catalogue.load(FOLDER)
ALL = tuple(scenario.id for scenario in TOY.scenarios())

OPENS = "shell/door.1/it-opens"
FOR_ANN = "shell/door.1/it-opens-for-a-visitor[ann]"
FOR_BOB = "shell/door.1/it-opens-for-a-visitor[bob]"
LOCKS = "shell/door.2/it-locks"
QUIET = "shell/door.3/it-is-quiet"
SQUEAK = "shell/door/robustness/it-does-not-squeak"
HOLDS = "shell/lock.1/it-holds"
PICKED = "shell/lock.1/it-can-be-picked"
OTHER = "other/door.1/it-opens"

DRIVER = Driver("mine", "node driver.mjs", ("--driver", "mine=node driver.mjs"))
EVERYTHING = ("door", "lock", "gate")
TODAY = date(2027, 1, 15)


def declared(surfaces: Iterable[str] = EVERYTHING, operations: Iterable[str] = ("lock.pick",)) -> Declared:
    """Make a conformance statement."""
    return Declared(
        name="my-door",
        version="2.1",
        language="javascript",
        surfaces=tuple(surfaces),
        operations=tuple(operations),
        conventions={},
        isolation="session",
    )


def played(id: str, verdict: Verdict, reason: str | None = None) -> ScenarioRecord:  # noqa: A002
    """Make the record of a scenario with one step, whose check holds or not."""
    passed = verdict is not Verdict.FAILED
    check = CheckRecord(claim="the door", passed=passed, expected='"open"', actual='"open"' if passed else '"shut"')
    step = StepRecord(
        keyword="Then",
        text="the door is open",
        line=10,
        status="passed" if passed else "failed",
        checks=(check,),
        seconds=0.001,
    )
    said = reason or (None if verdict is Verdict.PASSED else f"it {verdict.value}")
    return ScenarioRecord(id=id, verdict=verdict, reason=said, steps=(step,), seconds=0.002)


def exchange(body: str = '{"a": 1}') -> ExchangeRecord:
    """Make the record of an HTTP exchange."""
    return ExchangeRecord(
        at=0.5,
        server="provider",
        method="POST",
        target="/v1/chat/completions",
        headers=(("content-type", "application/json"),),
        body=body,
        status=200,
        answer='{"b": 2}',
        note="a note",
    )


def events(verdicts: Mapping[str, Verdict | ScenarioRecord], statement: Declared | None = None) -> list[Event]:
    """Make the events of a run in which these scenarios were played."""
    said = statement or declared()
    records = [
        verdict if isinstance(verdict, ScenarioRecord) else played(name, verdict) for name, verdict in verdicts.items()
    ]
    return [Started(declared=said, scenarios=tuple(verdicts)), *(Finished(record=record) for record in records)]


def all_passed(**but: Verdict) -> dict[str, Verdict]:
    """Give every scenario `passed`, but for those named by the constants of this module in lower case."""
    changed = {globals()[name.upper()]: verdict for name, verdict in but.items()}
    return {**dict.fromkeys(ALL, Verdict.PASSED), **changed}


def suite(selected: Iterable[str] = ALL) -> Suite:
    """Give the small suite."""
    return suite_of(TOY, frozenset(selected))


def record(
    verdicts: Mapping[str, Verdict | ScenarioRecord],
    *,
    statement: Declared | None = None,
    terms: Terms | None = None,
    selected: Iterable[str] = ALL,
    driver: Driver = DRIVER,
    interrupted: bool = False,
) -> ImplementationRecord:
    """Make the record of an implementation whose scenarios came out so."""
    told = Told(events=events(verdicts, statement), interrupted=interrupted)
    return implementation(suite(selected), driver, told, terms or Terms(today=TODAY))


def results(*records: ImplementationRecord, selected: Iterable[str] = ALL, strict: bool = False) -> Results:
    """Make the results of a run."""
    chosen = tuple(selected)
    return Results(
        specassay="0.1.0",
        suite=suite(chosen),
        started_at=datetime(2027, 1, 15, 12, 0, tzinfo=UTC),
        seconds=1.5,
        settings=Settings(seed=0, shuffled=False, isolated=False, strict=strict, selected=len(chosen), total=len(ALL)),
        implementations=records,
        exit=int(worst_exit(one.exit for one in records)),
    )
