"""Known failures: what a run is expected to fail, so that only what is new fails it.

A file of them is TOML, an `[[expect]]` table each:

    [[expect]]
    id = "chat-store.6"                       # a statement or a scenario, with its specification where two have it
    reason = "setError ignores null, ticket 17"
    implementation = "web"                    # of every implementation, unless said
    expires = 2027-03-01                      # from that day on it fails the run
    message = "expected null"                 # what the reason of the failure must contain
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from specassay.catalogue import Catalogue
from specassay.errors import UsageError
from specassay.results.model import Expectation, ScenarioRecord, Verdict
from specassay.results.names import nearest
from specassay.results.problems import first_problem
from specassay.results.verdicts import EXPECTED, NOT_COMPARED


class KnownFailure(BaseModel):
    """One entry of the file. `id` is a full one; `implementation` None means every one."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: str
    reason: str
    implementation: str | None = None
    expires: date | None = None
    message: str | None = None


def load(file: Path, catalogue: Catalogue, implementations: Iterable[str]) -> tuple[KnownFailure, ...]:
    """Read a file of known failures; `implementations` are the names that an entry may use.

    Raises `UsageError`, which names the file and the line or entry, for whatever is wrong in it.
    """
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file}: is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: is not TOML: {error}") from None
    entries = content.pop("expect", [])
    if content:
        raise UsageError(f"{file}: unknown key {next(iter(content))!r}; known failures are [[expect]] tables")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UsageError(f"{file}: expect is not a list of tables; write [[expect]] above each entry")
    names = tuple(implementations)
    found: list[KnownFailure] = []
    for number, entry in enumerate(entries, 1):
        place = f"{file}: entry {number}"
        failure = _entry(entry, place, catalogue, names)
        _refuse_twin(failure, found, place)
        found.append(failure)
    return tuple(found)


def compare(
    known: Iterable[KnownFailure],
    implementation: str,
    scenarios: Mapping[str, Sequence[ScenarioRecord]],
    today: date,
) -> tuple[Expectation, ...]:
    """Say how the known failures of one implementation came out.

    `scenarios` holds the records below each scenario's and each statement's id, the selected ones alone; what has none
    there, or none that applies, is not compared.
    """
    return tuple(
        _compared(failure, scenarios.get(failure.id, ()), today)
        for failure in known
        if failure.implementation in (None, implementation)
    )


def _compared(failure: KnownFailure, records: Sequence[ScenarioRecord], today: date) -> Expectation:
    def outcome(word: str, detail: str | None = None) -> Expectation:
        return Expectation.model_validate(
            {"id": failure.id, "reason": failure.reason, "outcome": word, "detail": detail}
        )

    if not records:
        return outcome(NOT_COMPARED, "not selected")
    applicable = [record for record in records if record.verdict is not Verdict.INAPPLICABLE]
    if not applicable:
        return outcome(NOT_COMPARED, f"inapplicable: {records[0].reason}")
    if failure.expires is not None and today >= failure.expires:
        return outcome("expired", f"on {failure.expires.isoformat()}; mend it, or agree on a new date")
    failed = [record for record in applicable if record.verdict is Verdict.FAILED]
    if failed:
        changed = [one for one in failed if failure.message is not None and failure.message not in (one.reason or "")]
        if changed:
            return outcome("failed otherwise", f"{changed[0].reason}; it should contain: {failure.message}")
        return outcome(EXPECTED)
    undecided = [record for record in applicable if record.verdict is not Verdict.PASSED]
    if undecided:
        return outcome(NOT_COMPARED, f"{undecided[0].verdict.value}: {undecided[0].reason}")
    return outcome("passed unexpectedly", "delete the entry")


def _entry(entry: dict[str, object], place: str, catalogue: Catalogue, names: tuple[str, ...]) -> KnownFailure:
    try:
        failure = KnownFailure.model_validate(entry)
    except ValidationError as error:
        name = f" ({entry['id']})" if isinstance(entry.get("id"), str) else ""
        raise UsageError(f"{place}{name}: {first_problem(error, KnownFailure)}") from None
    where = f"{place} ({failure.id})"
    if not failure.reason.strip():
        raise UsageError(f"{where}: reason is empty; say why the failure is accepted")
    failure = failure.model_copy(update={"id": _full(failure.id, where, catalogue)})
    if failure.implementation is not None and failure.implementation not in names:
        hint = nearest(failure.implementation, names)
        raise UsageError(
            f"{where}: no implementation of this run is called {failure.implementation!r}{hint}; "
            f"known: {', '.join(names)}"
        )
    return failure


def _full(name: str, where: str, catalogue: Catalogue) -> str:
    """Give the full id of a statement or a scenario by its id, in full or without its specification."""
    statements = {statement.id: statement for statement in catalogue.statements()}
    known = [*statements, *(scenario.id for scenario in catalogue.scenarios())]
    found = [one for one in known if name in (one, one.partition("/")[2])]
    if not found:
        raise UsageError(f"{where}: no statement or scenario has this id{nearest(name, known)}")
    if len(found) > 1:
        raise UsageError(f"{where}: this id is not clear: it may be {' or '.join(sorted(found))}")
    if found[0] in statements and not statements[found[0]].scenarios:
        raise UsageError(
            f"{where}: this statement has no scenario of its own, so nothing can fail there; delete the entry"
        )
    return found[0]


def _refuse_twin(failure: KnownFailure, found: list[KnownFailure], place: str) -> None:
    for number, other in enumerate(found, 1):
        same = other.implementation == failure.implementation or None in (other.implementation, failure.implementation)
        if other.id == failure.id and same:
            raise UsageError(f"{place} ({failure.id}): is a duplicate of entry {number}; keep one of them")
