"""The results of a run. The JSON report is this model, and every other report is made from it.

Times are seconds from the start of what they belong to, unless a name says otherwise.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.alias_generators import to_camel

SCHEMA_VERSION = "1.0"


_DEEPEST = 100
_SURROGATE = re.compile("[\ud800-\udfff]")


def writable(value: Any, depth: int = 0) -> Any:
    r"""Make any JSON such that a file can hold it.

    Half of a surrogate pair, which is no character, becomes its escape as text (`\ud800`); what is nested more than
    100 deep becomes a remark.
    """
    if isinstance(value, str):
        return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", value)
    if not isinstance(value, dict | list):
        return value
    if depth == _DEEPEST:
        return "(nested too deep to be kept)"
    if isinstance(value, list):
        return [writable(item, depth + 1) for item in value]
    return {writable(key): writable(item, depth + 1) for key, item in value.items()}


Text = Annotated[str, BeforeValidator(writable)]
"""Text from outside."""


class Record(BaseModel):
    """A part of the results; its names are camelCase in JSON."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Verdict(StrEnum):
    """What became of a scenario, a statement or a requirement."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    INAPPLICABLE = "inapplicable"
    NOT_RUN = "not-run"


class CheckRecord(Record):
    """One comparison of a `Then`; both sides as JSON text, with matchers in words."""

    claim: Text
    passed: bool
    expected: Text
    actual: Text


class StepRecord(Record):
    """One step as it went. `undecided` is a step that the harness could not carry out; `reason` says why."""

    keyword: str
    text: Text
    line: int
    status: Literal["passed", "failed", "undecided", "skipped"]
    reason: Text | None = None
    checks: tuple[CheckRecord, ...] = ()
    seconds: float


class MessageRecord(Record):
    """One message between harness and driver; `message` is the JSON-RPC message, or the text of a line that is none."""

    at: float
    sender: Literal["harness", "driver"]
    message: Annotated[Any, BeforeValidator(writable)]


class ExchangeRecord(Record):
    """One HTTP request that a server of the harness received, and its answer."""

    at: float
    server: str
    method: Text
    target: Text
    headers: tuple[tuple[Text, Text], ...]
    body: Text
    status: int | None
    answer: Text | None
    fault: str | None = None
    note: str | None = None


class ScenarioRecord(Record):
    """One scenario of one implementation. `reason` says in a line why the verdict is not `passed`.

    `earlier` is the verdict against an older text of the suite: it is shown, and does not count. `evidence` is
    `unknown` where nobody could count what its steps compared: a step without a check may have made some then. `log` is
    what the driver wrote to its standard error meanwhile, where the scenario did not pass.
    """

    id: str
    verdict: Verdict
    reason: Text | None = None
    earlier: Verdict | None = None
    evidence: Literal["counted", "unknown"] = "counted"
    steps: tuple[StepRecord, ...] = ()
    messages: tuple[MessageRecord, ...] = ()
    exchanges: tuple[ExchangeRecord, ...] = ()
    log: Text = ""
    seconds: float = 0.0


class SuiteScenario(Record):
    """One scenario of the suite. `selected` is false where a filter left it out; `file` is relative to `features/`.

    `text` are its steps as they are written, with their tables and doc strings, and the values of an outline's row.
    `tags` are its own and those of its Rule and Feature.
    """

    id: str
    title: str
    case: str | None
    kind: str
    advice: bool
    selected: bool
    surfaces: tuple[str, ...]
    operations: tuple[str, ...]
    readings: tuple[int, ...]
    file: str
    line: int
    text: str
    tags: tuple[str, ...] = ()


class SuiteStatement(Record):
    """One demand. `level` is must, should, may or advice; `by_inspection` the reason why no scenario can show it."""

    id: str
    sentence: str
    level: str
    by_inspection: str | None
    restates: tuple[str, ...]
    scenarios: tuple[SuiteScenario, ...]


class SuiteRequirement(Record):
    """One requirement; its specification is what stands before the slash of its id."""

    id: str
    title: str
    statements: tuple[SuiteStatement, ...]

    @property
    def specification(self) -> str:
        """The id of its specification."""
        return self.id.partition("/")[0]


class SuiteReading(Record):
    """How the suite reads a point that the specifications leave open."""

    id: int
    point: str
    reading: str


class Suite(Record):
    """What the suite held when it was run; `digest` and `fixtures` are SHA-256 of features with steps, and fixtures."""

    digest: str
    fixtures: str
    requirements: tuple[SuiteRequirement, ...]
    readings: tuple[SuiteReading, ...]

    def statements(self) -> Iterator[SuiteStatement]:
        """Give every statement, in order."""
        for requirement in self.requirements:
            yield from requirement.statements

    def scenarios(self) -> Iterator[SuiteScenario]:
        """Give every scenario, in order."""
        for statement in self.statements():
            yield from statement.scenarios


class Declared(Record):
    """The conformance statement of a driver, as it was declared at the handshake."""

    name: str
    version: str
    language: str
    surfaces: tuple[str, ...]
    operations: tuple[str, ...] = ()
    conventions: dict[str, str]
    isolation: str


class Expectation(Record):
    """How an expected failure came out; `id` names a scenario or a statement."""

    id: str
    reason: str
    outcome: Literal["failed as expected", "passed unexpectedly", "failed otherwise", "not compared", "expired"]
    detail: str | None = None


Spans = tuple[tuple[int, int], ...]
"""Lines of a file: the first and the last of each run of them, counted from 1."""


class FileLines(Record):
    """The lines of one file of an implementation that can run at all, each in one of four lists.

    `exclusive` ran in one scenario, `shared` in several, `imported` in none but while the modules were loaded or the
    session began, `untouched` never. `file` is relative to the folder of the implementation.
    """

    file: str
    exclusive: Spans
    shared: Spans
    imported: Spans
    untouched: Spans


class ScenarioLines(Record):
    """The lines that one scenario ran, by file."""

    id: str
    files: dict[str, Spans]


class Lines(Record):
    """Which lines of an implementation ran in which scenario. That is evidence, and never a verdict."""

    files: tuple[FileLines, ...]
    scenarios: tuple[ScenarioLines, ...]


class ImplementationRecord(Record):
    """One implementation in a run.

    `command` starts its driver, or is what stands for one: a server's command or origin, or the pytest command that
    recorded a suite of another project. `chosen_by` are the words of a command line that choose it again, none for that
    one. `failure` says why its driver did not start, or None; `broken` why the run broke off by a fault of the harness.
    `missing` are the surfaces that were required and are not declared. `suite` is the digest of the suite that it was
    run with, where that is an older one than the results hold. `scenarios` holds every scenario of the suite, in its
    order; `verdicts` those of statements, requirements and specifications, by id: one that has none there is by
    inspection. `lines` are there where they were asked for. `exit` is the exit code that this implementation deserves,
    `conclusion` the same in a sentence.
    """

    name: str
    command: str
    chosen_by: tuple[str, ...]
    declared: Declared | None = None
    failure: str | None = None
    broken: str | None = None
    missing: tuple[str, ...] = ()
    suite: str | None = None
    diagnostics: tuple[str, ...] = ()
    scenarios: tuple[ScenarioRecord, ...] = ()
    verdicts: dict[str, Verdict] = {}
    expectations: tuple[Expectation, ...] = ()
    lines: Lines | None = None
    exit: int
    conclusion: str

    @property
    def program(self) -> str:
        """What is started to test it: "driver", or "server" where there is none."""
        return "server" if self.chosen_by and self.chosen_by[0].startswith("--route") else "driver"


class Settings(Record):
    """How the run was asked for, so that it can be repeated."""

    seed: int
    shuffled: bool
    isolated: bool
    strict: bool
    selected: int
    total: int


class Results(Record):
    """A whole run; `exit` is its exit code, the worst of its implementations."""

    schema_version: str = SCHEMA_VERSION
    specassay: str
    suite: Suite
    started_at: datetime
    seconds: float
    interrupted: bool = False
    settings: Settings
    implementations: tuple[ImplementationRecord, ...]
    exit: int
