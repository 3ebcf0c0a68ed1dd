"""Makes one results object of several: shards of one implementation, or implementations side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from specassay.errors import Exit, UsageError
from specassay.results.conclusion import conclude
from specassay.results.model import (
    Expectation,
    ImplementationRecord,
    Results,
    ScenarioRecord,
    Suite,
    SuiteRequirement,
    SuiteScenario,
    SuiteStatement,
    Verdict,
)
from specassay.results.older import bring
from specassay.results.verdicts import exit_of, roll_up, worst_exit

_NAMED = 5
# Of several outcomes of one expectation the first of these stands: a failure in one shard is a failure of the whole.
_OUTCOMES = ("failed otherwise", "expired", "failed as expected", "passed unexpectedly", "not compared")


@dataclass(frozen=True)
class Part:
    """The results of one file, under the name that messages give them."""

    name: str
    results: Results


@dataclass(frozen=True)
class Merged:
    """What came of it, and what the user should know about it."""

    results: Results
    notes: tuple[str, ...]


def merge(parts: Sequence[Part]) -> Merged:
    """Merge results, in the order given.

    One implementation may lie in several parts, as shards of one run: they must be of one suite and one conformance
    statement, and may not contradict each other. Parts that hold different implementations may be of different
    suites: the newest one's text stands, and a verdict against an older text is kept aside (`ScenarioRecord.earlier`).
    Raises `UsageError`, which names the parts and the way out, for what does not fit together.
    """
    _refuse_other_terms(parts)
    newest = max(parts, key=lambda part: part.results.started_at).results
    suite = _selected(newest.suite, parts)
    names = dict.fromkeys(record.name for part in parts for record in part.results.implementations)
    notes: list[str] = []
    records = tuple(_implementation(suite, name, _holding(name, parts), notes) for name in names)
    scenarios = list(suite.scenarios())
    results = Results(
        specassay=newest.specassay,
        suite=suite,
        started_at=min(part.results.started_at for part in parts),
        seconds=round(sum(part.results.seconds for part in parts), 3),
        interrupted=any(record.exit == Exit.INTERRUPTED for record in records),
        settings=newest.settings.model_copy(
            update={
                "shuffled": any(part.results.settings.shuffled for part in parts),
                "isolated": any(part.results.settings.isolated for part in parts),
                "selected": sum(1 for one in scenarios if one.selected),
                "total": len(scenarios),
            }
        ),
        implementations=records,
        exit=int(worst_exit(record.exit for record in records)),
    )
    return Merged(results, tuple(notes))


def _refuse_other_terms(parts: Sequence[Part]) -> None:
    first = parts[0]
    for part in parts[1:]:
        if part.results.settings.strict != first.results.settings.strict:
            strict, other = (part, first) if part.results.settings.strict else (first, part)
            raise UsageError(f"{strict.name} was run with --strict and {other.name} was not; run one of them again")
        mine = {one.specification for one in part.results.suite.requirements}
        if not mine & {one.specification for one in first.results.suite.requirements}:
            raise UsageError(f"{first.name} and {part.name} have no specification in common; there is nothing to merge")


def _selected(newest: Suite, parts: Sequence[Part]) -> Suite:
    """Give the newest suite with every scenario selected that was so in any part."""
    chosen = {one.id for part in parts for one in part.results.suite.scenarios() if one.selected}

    def scenario(one: SuiteScenario) -> SuiteScenario:
        return one.model_copy(update={"selected": one.id in chosen})

    def statement(one: SuiteStatement) -> SuiteStatement:
        return one.model_copy(update={"scenarios": tuple(map(scenario, one.scenarios))})

    def requirement(one: SuiteRequirement) -> SuiteRequirement:
        return one.model_copy(update={"statements": tuple(map(statement, one.statements))})

    return newest.model_copy(update={"requirements": tuple(map(requirement, newest.requirements))})


def _holding(name: str, parts: Sequence[Part]) -> list[tuple[Part, ImplementationRecord]]:
    return [(part, record) for part in parts for record in part.results.implementations if record.name == name]


def _implementation(
    suite: Suite, name: str, shards: list[tuple[Part, ImplementationRecord]], notes: list[str]
) -> ImplementationRecord:
    for other in shards[1:]:
        _refuse_other_run(name, shards[0], other)
    part, record = shards[0]
    own = part.results.suite
    draft = record.model_copy(
        update={
            "declared": next((one.declared for _, one in shards if one.declared is not None), None),
            "failure": next((one.failure for _, one in shards if one.failure is not None), None),
            "broken": next((one.broken for _, one in shards if one.broken is not None), None),
            "missing": _unique(surface for _, one in shards for surface in one.missing),
            "diagnostics": _unique(text for _, one in shards for text in one.diagnostics),
            "expectations": _expectations(shards),
            "scenarios": _scenarios(name, own, shards, notes),
            "lines": record.lines if len(shards) == 1 else None,  # what a shard calls exclusive another one may run
        }
    )
    if (own.digest, own.fixtures) != (suite.digest, suite.fixtures):
        draft = bring(draft, own, suite)
        notes.append(_aside(part, draft))
    strict = part.results.settings.strict
    draft = draft.model_copy(update={"verdicts": roll_up(suite, draft.scenarios, strict=strict)})
    left = {one.id for one in suite.scenarios() if one.selected}
    unfinished = any(one.verdict is Verdict.NOT_RUN and one.id in left for one in draft.scenarios)
    interrupted = unfinished and any(one.exit == Exit.INTERRUPTED for _, one in shards)
    code = exit_of(suite, draft, strict=strict, interrupted=interrupted)
    return draft.model_copy(
        update={"exit": int(code), "conclusion": conclude(suite, draft, code, strict=strict)},
    )


def _refuse_other_run(
    name: str, first: tuple[Part, ImplementationRecord], other: tuple[Part, ImplementationRecord]
) -> None:
    (part, record), (second, twin) = first, other
    mine, theirs = part.results.suite, second.results.suite
    for what, one, two in (
        ("suite", mine.digest, theirs.digest),
        ("fixtures", mine.fixtures, theirs.fixtures),
        ("scenarios", _ids(record), _ids(twin)),
    ):
        if one != two:
            raise UsageError(
                f"{part.name} and {second.name} hold {name!r}, run with different {what} ({one[:12]} and {two[:12]}); "
                f"run one of them again, or see what changed: specassay diff {part.name} {second.name}"
            )
    if record.declared is not None and twin.declared is not None and record.declared != twin.declared:
        raise UsageError(
            f"{part.name} and {second.name} hold {name!r} with different conformance statements "
            f"({record.declared.name} {record.declared.version} and {twin.declared.name} {twin.declared.version}); "
            "give each a name of its own: specassay run --driver NAME=COMMAND"
        )


def _scenarios(
    name: str, suite: Suite, shards: list[tuple[Part, ImplementationRecord]], notes: list[str]
) -> tuple[ScenarioRecord, ...]:
    """Take each scenario from the shard that ran it. Raises `UsageError` where two of them say different things."""
    if len(shards) == 1:
        return shards[0][1].scenarios
    by_shard = [(part, {one.id: one for one in record.scenarios}) for part, record in shards]
    taken: list[ScenarioRecord] = []
    twice: list[str] = []
    conflicts: list[str] = []
    for scenario in suite.scenarios():
        found = [(part, records[scenario.id]) for part, records in by_shard]
        ran = [(part, one) for part, one in found if one.verdict is not Verdict.NOT_RUN]
        told = [one for _, one in found if one.reason != "not selected"] or [found[0][1]]
        taken.append(ran[-1][1] if ran else told[-1])
        if len({one.verdict for _, one in ran}) > 1:
            conflicts.append(f"{scenario.id} ({', '.join(f'{one.verdict.value} in {part.name}' for part, one in ran)})")
        elif len(ran) > 1 and ran[0][1].verdict is not Verdict.INAPPLICABLE:
            twice.append(scenario.id)
    if conflicts:
        raise UsageError(
            f"{name!r} has contradicting verdicts: {_some(conflicts)}; run these again, or leave one file out"
        )
    if twice:
        notes.append(f"{name}: run more than once with the same verdict, the last one is kept: {_some(twice)}")
    return tuple(taken)


def _ids(record: ImplementationRecord) -> str:
    return "\n".join(one.id for one in record.scenarios)


def _expectations(shards: list[tuple[Part, ImplementationRecord]]) -> tuple[Expectation, ...]:
    found: dict[str, Expectation] = {}
    for one in (one for _, record in shards for one in record.expectations):
        known = found.get(one.id)
        if known is None or _OUTCOMES.index(one.outcome) < _OUTCOMES.index(known.outcome):
            found[one.id] = one
    return tuple(found.values())


def _aside(part: Part, record: ImplementationRecord) -> str:
    old = sum(1 for one in record.scenarios if one.earlier is not None)
    return (
        f"{record.name}: {part.name} is of another version of the suite ({part.results.suite.digest[:12]}); "
        f"{old} {'verdict' if old == 1 else 'verdicts'} against an older text, shown and not counted"
    )


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _some(names: list[str]) -> str:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + rest
