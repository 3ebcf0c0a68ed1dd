"""Puts the trace together: sentence, statement, scenario, step, check, and the verdict of each implementation."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from specassay import __version__
from specassay.catalogue import Catalogue, Specification
from specassay.results.gaps import Gap, GapKind, gaps
from specassay.results.merge import Part
from specassay.results.model import (
    ImplementationRecord,
    Results,
    ScenarioRecord,
    Suite,
    SuiteRequirement,
    SuiteScenario,
    SuiteStatement,
    Verdict,
)
from specassay.results.verdicts import worst
from specassay.trace import drift, evidence, inventory, matching
from specassay.trace.fingerprint import fingerprint
from specassay.trace.lines import by_scenario
from specassay.trace.lock import Lock, Sentence
from specassay.trace.record import (
    CheckTrace,
    Coverage,
    ImplementationTrace,
    LevelCount,
    Link,
    RanLines,
    RequirementChain,
    ScenarioChain,
    ScenarioTrace,
    SpecificationTrace,
    State,
    StatementChain,
    StepTrace,
    Trace,
)
from specassay.trace.source import Entry
from specassay.trace.words import difference

LEVELS = ("must", "should", "may")
_STALE = (State.SUSPECT, State.ORPHANED)


@dataclass(frozen=True)
class Text:
    """A specification's text as it stands: the file that it was read from, and its list."""

    file: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Material:
    """What a trace is made of. `texts` and `locks` are by specification; a text may have no features."""

    catalogue: Catalogue
    suite: Suite
    locks: Mapping[str, Lock]
    texts: Mapping[str, Text]
    parts: Sequence[Part] = ()


def build(material: Material) -> tuple[Trace, Results]:
    """Give the trace, and the results as it counts them: a verdict against old text is kept aside in both."""
    found = {one.id: links(one, material) for one in _specifications(material)}
    gathered, notes = evidence.gather(material.suite, material.parts)
    results = evidence.set_aside(gathered, stale(link for one in found.values() for link in one))
    open_ones = list(gaps(results))
    chains = _Chains(results, open_ones, [link for one in found.values() for link in one])
    trace = Trace(
        specassay=__version__,
        statements=sum(1 for one in results.suite.statements() if one.level != "advice"),
        gaps=_counted(open_ones),
        implementations=tuple(chains.implementation(record) for record in results.implementations),
        specifications=tuple(
            _specification(one, material, results, found[one.id], chains) for one in _specifications(material)
        ),
        notes=notes,
    )
    return trace, results


def links(specification: Specification, material: Material) -> tuple[Link, ...]:
    """Give the links of one specification: of its text's sentences, and of its Rules where they are not in order."""
    lock, text = material.locks.get(specification.id), material.texts.get(specification.id)
    found: tuple[Link, ...] = ()
    if text is not None:
        found = drift.compare(lock or Lock(specification=specification.id, source="", sentences=()), text.entries)
    elif lock is not None:
        names = drift.names_of(lock, ())[0]
        found = tuple(
            _unmoved(lock, one, section, name)
            for (one, section), name in zip(matching.with_sections(lock), names, strict=True)
        )
    return (*found, *(_rules(specification, lock) if lock is not None else ()))


def stale(found: Iterable[Link]) -> dict[str, str]:
    """Give the statements whose text is not the accepted one any more, each with what its verdicts are against."""
    nowhere = (State.ORPHANED, "rule")
    return {
        name: "a Rule that is not in the specification" if (link.state, link.kind) == nowhere else evidence.OLDER
        for link in found
        if link.state in _STALE
        for name in link.statements
    }


def _specifications(material: Material) -> Iterator[Specification]:
    """Give the specifications of the features, and those that there is nothing of but a text."""
    known = {one.id for one in material.catalogue.specifications}
    yield from material.catalogue.specifications
    yield from (Specification(name, ()) for name in material.texts if name not in known)


def _unmoved(lock: Lock, one: Sentence, section: str, name: str) -> Link:
    return Link(
        id=name,
        state=State.OK,
        shape=matching.shape_of(one),
        section=section,
        statements=tuple(f"{lock.specification}/{statement}" for statement in one.statements),
        kind=one.kind,
        accepted=one.text,
        accepted_lines=one.lines,
        now=(one.text,),
        lines=(one.lines,),
    )


def _rules(specification: Specification, lock: Lock) -> Iterator[Link]:
    """Find Rules whose text is not the accepted one, and Rules that no sentence of the source stands behind."""
    accepted = {one.statement: one for one in lock.rules}
    claimed = {name for one in lock.sentences for name in one.statements}
    for name, statement in inventory.statements_of(specification).items():
        rule = accepted.get(name)
        moved = rule is not None and rule.fingerprint != fingerprint(statement.sentence)
        if not moved and (name in claimed or not lock.sentences):
            continue
        yield Link(
            id=statement.id,
            state=State.SUSPECT if moved else State.ORPHANED,
            shape="sentence",
            section=statement.id.rpartition(".")[0],
            statements=(statement.id,),
            kind="rule",
            accepted=rule.text if rule else statement.sentence,
            accepted_lines=None,
            now=(statement.sentence,) if moved else (),
            lines=(),
            change="rule" if moved else None,
            note="the text of the Rule is another one"
            if moved
            else "no sentence of the specification is behind this Rule",
            difference=difference(rule.text, statement.sentence) if rule and moved else (),
        )


def _counted(found: Sequence[Gap]) -> dict[str, int]:
    """Count gaps by their names, in the order in which reports tell them."""
    counts = Counter(gap.kind for gap in found)
    return {kind.value: counts[kind] for kind in GapKind if counts[kind]}


def _specification(
    specification: Specification, material: Material, results: Results, found: Sequence[Link], chains: "_Chains"
) -> SpecificationTrace:
    lock, text = material.locks.get(specification.id), material.texts.get(specification.id)
    states = Counter(link.state for link in found)
    return SpecificationTrace(
        id=specification.id,
        source=lock.source if lock else None,
        file=text.file if text else None,
        locked=lock is not None,
        states={state.value: states[state] for state in State},
        inventory=inventory.take(specification, lock, results, material.parts),
        links=tuple(found),
        requirements=tuple(
            chains.requirement(one) for one in results.suite.requirements if one.specification == specification.id
        ),
    )


class _Chains:
    """Writes the chain of each statement, with what is looked up for all of them made once."""

    def __init__(self, results: Results, found: Sequence[Gap], all_links: Sequence[Link]) -> None:
        self.results = results
        self.gaps: dict[str, list[Gap]] = {}
        for gap in found:
            self.gaps.setdefault(gap.statement, []).append(gap)
        self.sources: dict[str, list[Link]] = {}
        for link in all_links:
            for name in link.statements:
                self.sources.setdefault(name, []).append(link)
        self.played = {record.name: {one.id: one for one in record.scenarios} for record in results.implementations}
        self.ran = {
            record.name: by_scenario(record.lines) if record.lines else {} for record in results.implementations
        }

    def implementation(self, record: ImplementationRecord) -> ImplementationTrace:
        """Add up one implementation."""
        every = [gap for found in self.gaps.values() for gap in found]
        own = [gap for gap in every if not gap.implementations or record.name in gap.implementations]
        return ImplementationTrace(
            name=record.name,
            suite=record.suite,
            conclusion=record.conclusion,
            levels=tuple(count for level in LEVELS if (count := self._level(record, level)).of),
            gaps=_counted(own),
        )

    def requirement(self, requirement: SuiteRequirement) -> RequirementChain:
        """Write the chains of a requirement."""
        return RequirementChain(
            id=requirement.id,
            title=requirement.title,
            statements=tuple(self._statement(one) for one in requirement.statements),
        )

    def _level(self, record: ImplementationRecord, level: str) -> LevelCount:
        statements = [one for one in self.results.suite.statements() if one.level == level]
        verdicts = [record.verdicts.get(one.id) for one in statements]
        return LevelCount(
            level=level,
            covered=sum(1 for one in statements if self._coverage(one, record).covered),
            passed=verdicts.count(Verdict.PASSED),
            inapplicable=verdicts.count(Verdict.INAPPLICABLE),
            of=len(statements),
        )

    def _coverage(self, statement: SuiteStatement, record: ImplementationRecord) -> Coverage:
        found = self.gaps.get(statement.id, ())
        gap = next((one for one in found if not one.implementations or record.name in one.implementations), None)
        verdict = record.verdicts.get(statement.id)
        played = self.played[record.name]
        earlier = [played[one.id].earlier for one in statement.scenarios]
        return Coverage(
            implementation=record.name,
            verdict=verdict,
            earlier=worst(one for one in earlier if one is not None),
            covered=gap is None and verdict in (Verdict.PASSED, Verdict.FAILED),
            gap=gap.kind.value if gap else None,
        )

    def _statement(self, statement: SuiteStatement) -> StatementChain:
        sources = self.sources.get(statement.id, [])
        gap = next((one for one in self.gaps.get(statement.id, ()) if not one.implementations), None)
        return StatementChain(
            id=statement.id,
            sentence=statement.sentence,
            level=statement.level,
            by_inspection=statement.by_inspection,
            restates=statement.restates,
            sources=tuple(link.id for link in sources if link.kind != "rule"),
            suspect=any(link.state in _STALE for link in sources),
            gap=gap.kind.value if gap else None,
            coverage=tuple(self._coverage(statement, record) for record in self.results.implementations),
            scenarios=tuple(self._scenario(one) for one in statement.scenarios),
        )

    def _scenario(self, scenario: SuiteScenario) -> ScenarioChain:
        return ScenarioChain(
            id=scenario.id,
            title=scenario.title,
            case=scenario.case,
            kind=scenario.kind,
            file=scenario.file,
            line=scenario.line,
            played=tuple(
                _played(name, by_id[scenario.id], self.ran[name].get(scenario.id, ()))
                for name, by_id in self.played.items()
            ),
        )


def _played(name: str, one: ScenarioRecord, ran: tuple[RanLines, ...]) -> ScenarioTrace:
    steps = (
        StepTrace(
            keyword=step.keyword,
            text=step.text,
            status=step.status,
            checks=tuple(CheckTrace(claim=check.claim, passed=check.passed) for check in step.checks),
        )
        for step in one.steps
    )
    return ScenarioTrace(
        implementation=name,
        verdict=one.verdict,
        earlier=one.earlier,
        reason=one.reason,
        steps=tuple(steps),
        lines=ran,
    )
