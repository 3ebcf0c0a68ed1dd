"""What changed from one results object to another: the specification, its scenarios, and the verdicts."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from specassay.results.model import (
    ImplementationRecord,
    Results,
    ScenarioRecord,
    Suite,
    SuiteScenario,
    SuiteStatement,
    Verdict,
)
from specassay.results.older import same_words

_BAD = (Verdict.FAILED, Verdict.INCONCLUSIVE)


class Change(StrEnum):
    """What became of a requirement, a statement or a scenario."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    REWORDED = "changed text"
    LEVEL = "changed level"


class Move(StrEnum):
    """What became of a verdict. `LOST`: it was passed, and is no longer."""

    NEW = "new"
    FIXED = "fixed"
    LOST = "lost"
    BROKEN = "newly failed"
    GONE = "gone"
    CHANGED = "changed"


@dataclass(frozen=True)
class Edit:
    """One change of the suite's text. `id` is the old one where it was removed or renamed."""

    kind: Change
    id: str
    old: str = ""
    new: str = ""


@dataclass(frozen=True)
class Shift:
    """One verdict that is another now. `old` and `new` are verdicts in words, or "absent"."""

    move: Move
    implementation: str
    scenario: str
    old: str
    new: str
    reason: str | None
    advice: bool


@dataclass(frozen=True)
class Changes:
    """All that changed."""

    specification: tuple[Edit, ...]
    scenarios: tuple[Edit, ...]
    verdicts: tuple[Shift, ...]
    implementations: tuple[Edit, ...]

    def lost(self, *, strict: bool) -> bool:
        """Say whether something was lost that decides: a statement or its MUST, a pass, or an implementation."""
        return (
            any(edit.kind is Change.REMOVED for edit in (*self.specification, *self.implementations))
            or any(edit.kind is Change.LEVEL and edit.old == "must" for edit in self.specification)
            or any(shift.move is Move.LOST and (strict or not shift.advice) for shift in self.verdicts)
        )


def compare(old: Results, new: Results) -> Changes:
    """Compare two results. Implementations are the same ones by their name, scenarios by their id.

    A scenario that is gone, while one of equal text is new under the same statement, is renamed and keeps its verdict.
    """
    renamed = _renamed(old.suite, new.suite)
    before = {record.name: record for record in old.implementations}
    after = {record.name: record for record in new.implementations}
    return Changes(
        specification=tuple(_specification(old.suite, new.suite)),
        scenarios=tuple(_scenarios(old.suite, new.suite, renamed)),
        verdicts=tuple(
            shift
            for name in after
            if name in before
            for shift in _verdicts(old, new, before[name], after[name], renamed)
        ),
        implementations=(
            *(Edit(Change.REMOVED, name) for name in before if name not in after),
            *(Edit(Change.ADDED, name) for name in after if name not in before),
        ),
    )


def _specification(old: Suite, new: Suite) -> Iterator[Edit]:
    titles = {one.id: one.title for one in old.requirements}, {one.id: one.title for one in new.requirements}
    yield from _texts(*titles)
    before, after = ({one.id: one for one in suite.statements()} for suite in (old, new))
    sentences = ({id_: one.sentence for id_, one in side.items() if one.level != "advice"} for side in (before, after))
    yield from _texts(*sentences)
    for id_, statement in after.items():
        was = before.get(id_)
        if was is not None and _standing(was) != _standing(statement):
            yield Edit(Change.LEVEL, id_, _standing(was), _standing(statement))


def _standing(statement: SuiteStatement) -> str:
    return statement.level + (", by inspection" if statement.by_inspection is not None else "")


def _texts(old: dict[str, str], new: dict[str, str]) -> Iterator[Edit]:
    for id_, text in old.items():
        if id_ not in new:
            yield Edit(Change.REMOVED, id_, old=text)
        elif not same_words(text, new[id_]):
            yield Edit(Change.REWORDED, id_, text, new[id_])
    yield from (Edit(Change.ADDED, id_, new=text) for id_, text in new.items() if id_ not in old)


def _scenarios(old: Suite, new: Suite, renamed: dict[str, str]) -> Iterator[Edit]:
    before, after = _by_id(old), _by_id(new)
    found = {id_: scenario.text for id_, (_, scenario) in after.items()}
    for edit in _texts({id_: scenario.text for id_, (_, scenario) in before.items()}, found):
        if edit.kind is Change.REMOVED and edit.id in renamed:
            yield Edit(Change.RENAMED, edit.id, edit.id, renamed[edit.id])
        elif edit.kind is not Change.ADDED or edit.id not in renamed.values():
            yield edit


def _renamed(old: Suite, new: Suite) -> dict[str, str]:
    """Pair what is gone with what is new, by statement, values and text; a pair that is not certain is none."""
    before, after = _by_id(old), _by_id(new)
    gone: dict[tuple[str, ...], list[str]] = {}
    fresh: dict[tuple[str, ...], list[str]] = {}
    for side, other, found in ((before, after, gone), (after, before, fresh)):
        for id_, (statement, scenario) in side.items():
            if id_ not in other:
                found.setdefault((statement.id, *scenario.text.split()), []).append(id_)
    return {ids[0]: fresh[key][0] for key, ids in gone.items() if len(ids) == 1 and len(fresh.get(key, ())) == 1}


def _verdicts(
    old: Results, new: Results, before: ImplementationRecord, after: ImplementationRecord, renamed: dict[str, str]
) -> Iterator[Shift]:
    olds, news = _by_id(old.suite), _by_id(new.suite)
    was = {renamed.get(one.id, one.id): one for one in before.scenarios}
    now = {one.id: one for one in after.scenarios}
    for id_ in dict.fromkeys((*now, *was)):
        then, today = was.get(id_), now.get(id_)
        move = _move(then, today)
        if move is not None:
            scenario = (news.get(id_) or olds[id_])[1]
            reason = today.reason if today is not None else "the suite no longer has it"
            yield Shift(move, after.name, id_, _word(then), _word(today), reason, scenario.advice)


def _word(record: ScenarioRecord | None) -> str:
    return record.verdict.value if record is not None else "absent"


def _move(then: ScenarioRecord | None, now: ScenarioRecord | None) -> Move | None:
    was, is_ = (one.verdict if one is not None else None for one in (then, now))
    if was is is_:
        return None
    if was is Verdict.PASSED:
        return Move.LOST
    if was is None:
        return Move.NEW
    if is_ is None:
        return Move.GONE
    if is_ is Verdict.PASSED:
        return Move.FIXED if was in _BAD else Move.NEW
    return Move.BROKEN if is_ in _BAD and was not in _BAD else Move.CHANGED


def _by_id(suite: Suite) -> dict[str, tuple[SuiteStatement, SuiteScenario]]:
    return {scenario.id: (statement, scenario) for statement in suite.statements() for scenario in statement.scenarios}
