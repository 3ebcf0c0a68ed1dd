"""Brings results to the features and to the specification's text as they stand: what is older does not count."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from specassay import __version__, resources
from specassay.catalogue import Catalogue
from specassay.errors import Exit
from specassay.results.collect import suite_of
from specassay.results.conclusion import conclude
from specassay.results.digest import digest
from specassay.results.merge import Part, merge
from specassay.results.model import ImplementationRecord, Results, ScenarioRecord, Settings, Suite, Verdict
from specassay.results.verdicts import exit_of, roll_up, worst_exit

OLDER = "an older text of the specification"
_DECIDED = (Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE)


def suite_in(features: Path, catalogue: Catalogue) -> Suite:
    """Write down what a folder of features holds."""
    suite = suite_of(catalogue, frozenset())
    if features.resolve() == resources.FEATURES.resolve():
        return suite
    return suite.model_copy(update={"digest": digest(features), "fixtures": ""})


def gather(suite: Suite, parts: Sequence[Part]) -> tuple[Results, tuple[str, ...]]:
    """Make one results object of several files, with the features' own text, and what the user should know of it.

    A verdict against another text is kept aside (`ScenarioRecord.earlier`). Without results there is no implementation.
    Raises `UsageError` for results that do not fit together or are of other features.
    """
    same = next((part.results.suite for part in parts if _texts(part.results.suite) == _texts(suite)), None)
    if same is not None and not suite.fixtures:  # features of somebody else: what was run with them is not ours to hash
        suite = suite.model_copy(update={"digest": same.digest, "fixtures": same.fixtures})
    last = max((part.results.started_at for part in parts), default=datetime.now(UTC))
    now = Results(
        specassay=__version__,
        suite=suite,
        started_at=last + timedelta(seconds=1),
        seconds=0,
        settings=Settings(
            seed=parts[0].results.settings.seed if parts else 0,
            shuffled=False,
            isolated=False,
            strict=parts[0].results.settings.strict if parts else False,
            selected=0,
            total=sum(1 for _ in suite.scenarios()),
        ),
        implementations=(),
        exit=int(Exit.CONFORMS),
    )
    if not parts:
        return now, ()
    merged = merge([*parts, Part("the features", now)])
    return merged.results, merged.notes


def set_aside(results: Results, suspects: Mapping[str, str]) -> Results:
    """Keep aside every verdict of a statement that the specification has another text for, and add up again.

    `suspects` are the statements, each with what its verdicts are against.
    """
    if not suspects:
        return results
    below = {
        one.id: suspects[statement.id]
        for statement in results.suite.statements()
        if statement.id in suspects
        for one in statement.scenarios
    }
    records = tuple(_without(results, record, below) for record in results.implementations)
    if not records:
        return results
    return results.model_copy(
        update={"implementations": records, "exit": int(worst_exit(record.exit for record in records))}
    )


def _without(results: Results, record: ImplementationRecord, below: Mapping[str, str]) -> ImplementationRecord:
    strict = results.settings.strict
    scenarios = tuple(_aside(one, below[one.id]) if one.id in below else one for one in record.scenarios)
    draft = record.model_copy(
        update={"scenarios": scenarios, "verdicts": roll_up(results.suite, scenarios, strict=strict)}
    )
    code = exit_of(results.suite, draft, strict=strict, interrupted=record.exit == Exit.INTERRUPTED)
    return draft.model_copy(
        update={"exit": int(code), "conclusion": conclude(results.suite, draft, code, strict=strict)}
    )


def _aside(one: ScenarioRecord, what: str) -> ScenarioRecord:
    if one.verdict not in _DECIDED:
        return one
    reason = f"{one.verdict.value} against {what}"
    return one.model_copy(update={"verdict": Verdict.NOT_RUN, "earlier": one.verdict, "reason": reason})


def _texts(suite: Suite) -> list[tuple[str, ...]]:
    return [
        (statement.id, statement.sentence, statement.level, scenario.id, *scenario.text.split())
        for statement in suite.statements()
        for scenario in statement.scenarios
    ]
