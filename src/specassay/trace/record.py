"""What a trace holds. The JSON report of `specassay trace` is this model, and every other one is made from it."""

import json
from enum import StrEnum
from typing import Any, Literal

from specassay.results.model import Record, Spans, Verdict
from specassay.trace.words import Piece

SCHEMA_VERSION = "1.0"

Change = Literal["renamed", "moved", "reworded", "strength", "split", "merged", "lead", "rule"]


class State(StrEnum):
    """What became of the link between a sentence of a specification and what the lock says of it."""

    OK = "ok"
    SUSPECT = "suspect"
    ORPHANED = "orphaned"
    MISSING = "missing"


class Link(Record):
    """One sentence, heading or scenario of a specification.

    `id` is what `specassay trace accept` takes. `accepted` is the text in the lock, `now` what stands in its place:
    several texts after a split. `note` says in words what happened, or what is proposed; `also` are the ids of the
    links that go with this one, in a merge. `difference` is the word diff. `demands` says whether a `missing` one needs
    a Rule: a scenario does, and a sentence with a modal verb.
    """

    id: str
    state: State
    shape: Literal["heading", "sentence", "scenario"]
    section: str
    statements: tuple[str, ...]
    kind: str | None
    accepted: str | None
    accepted_lines: tuple[int, int] | None
    now: tuple[str, ...]
    lines: tuple[tuple[int, int], ...]
    change: Change | None = None
    note: str | None = None
    also: tuple[str, ...] = ()
    difference: tuple[Piece, ...] = ()
    demands: bool = False


class Count(Record):
    """A number with its denominator: "12 of 17"."""

    count: int
    of: int

    def __str__(self) -> str:
        return f"{self.count} of {self.of}"


class CheckTrace(Record):
    """One check that a step made."""

    claim: str
    passed: bool


class StepTrace(Record):
    """One step that ran, or was skipped, with its checks."""

    keyword: str
    text: str
    status: str
    checks: tuple[CheckTrace, ...]


class RanLines(Record):
    """What was run of one file; `exclusive` are lines that no other scenario ran."""

    file: str
    exclusive: Spans
    shared: Spans


class ScenarioTrace(Record):
    """What became of a scenario with one implementation; `earlier` is a verdict against old text: it does not count.

    `lines` are those of the implementation that it ran, where they were recorded: evidence, and never a verdict.
    """

    implementation: str
    verdict: Verdict
    earlier: Verdict | None
    reason: str | None
    steps: tuple[StepTrace, ...]
    lines: tuple[RanLines, ...] = ()


class ScenarioChain(Record):
    """One scenario, and what became of it with every implementation; `line` is that of its feature file."""

    id: str
    title: str
    case: str | None
    kind: str
    file: str
    line: int
    played: tuple[ScenarioTrace, ...]


class Coverage(Record):
    """Whether a statement is covered for one implementation, and the name of the gap where it is not.

    It is covered when the scenarios under its own Rule ran, made checks, and did so against the text as it stands;
    `verdict` says with which result, None for what is looked at by inspection; `earlier` is the worst verdict against
    old text, which does not count.
    """

    implementation: str
    verdict: Verdict | None
    earlier: Verdict | None
    covered: bool
    gap: str | None


class StatementChain(Record):
    """One demand: the sentences of the source that it comes from, by their links' ids, and what tests it.

    `gap` is one that it has for any implementation: no scenario, by inspection.
    """

    id: str
    sentence: str
    level: str
    by_inspection: str | None
    restates: tuple[str, ...]
    sources: tuple[str, ...]
    suspect: bool
    gap: str | None
    coverage: tuple[Coverage, ...]
    scenarios: tuple[ScenarioChain, ...]


class RequirementChain(Record):
    """One requirement, with its statements."""

    id: str
    title: str
    statements: tuple[StatementChain, ...]


class Loss(Record):
    """A scenario that is not where it should be, and where that is."""

    id: str
    where: str


class Inventory(Record):
    """Scenarios in the specification and in the features, of a specification; a loss is an error.

    `specification` are the source's own scenarios, by the lock, `transcribed` those of them that are in the features.
    `features` are all scenarios there, each row of an outline by itself; `collected` and `accounted` are those of them
    that each implementation's results hold, and that have a verdict or a reason there.
    """

    specification: int
    transcribed: int
    features: int
    collected: dict[str, int]
    accounted: dict[str, int]
    losses: tuple[Loss, ...]


class SpecificationTrace(Record):
    """One specification. `source` is the name of its file in the lock, `file` the one that it was compared with.

    `states` counts the links by state; without `file` nothing was compared and every link is as it was accepted.
    """

    id: str
    source: str | None
    file: str | None
    locked: bool
    states: dict[str, int]
    inventory: Inventory
    links: tuple[Link, ...]
    requirements: tuple[RequirementChain, ...]


class LevelCount(Record):
    """How many statements of a level an implementation covers and passes, of those that there are.

    `inapplicable` of them it does not claim to keep; they stay in the denominator.
    """

    level: str
    covered: int
    passed: int
    inapplicable: int
    of: int


class ImplementationTrace(Record):
    """One implementation: where its verdicts are from, and what they add up to."""

    name: str
    suite: str | None
    conclusion: str
    levels: tuple[LevelCount, ...]
    gaps: dict[str, int]


class Trace(Record):
    """The whole trace. `statements` is the denominator of the gaps: every numbered statement."""

    schema_version: str = SCHEMA_VERSION
    specassay: str
    statements: int
    gaps: dict[str, int]
    implementations: tuple[ImplementationTrace, ...]
    specifications: tuple[SpecificationTrace, ...]
    notes: tuple[str, ...] = ()

    def links(self, *states: State) -> tuple[Link, ...]:
        """Give the links in these states, in order."""
        return tuple(link for one in self.specifications for link in one.links if link.state in states)

    def losses(self) -> tuple[Loss, ...]:
        """Give every scenario that was lost."""
        return tuple(loss for one in self.specifications for loss in one.inventory.losses)


def schema() -> dict[str, Any]:
    """Give the JSON Schema of a trace, as it is published in `fixtures/schemas/trace.schema.json`."""
    made = Trace.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def schema_text() -> str:
    """Write the schema as the file holds it; `python -m specassay.trace.record` prints it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
