"""The lock of a specification: every sentence of its text as it was accepted, and what became of each.

A lock lies beside the features that it is about, as `trace.lock`: JSON, one value a line. The first line names the
version of the form, the specification and its source. Then comes a line for each sentence, in the order of the source;
one for each statement, with the text of its Rule and its scenarios; and one for each sentence that was removed.
"""

import json
import os
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from specassay import resources
from specassay.errors import UsageError

NAME = "trace.lock"
VERSION = 1


class Kind(StrEnum):
    """What a sentence is: a demand, a demand's example, a demand said again, or none."""

    DEMAND = "demand"
    SCENARIO = "scenario"
    RESTATEMENT = "restatement"
    PROCESS = "process"
    INFORMATIVE = "informative"
    HEADING = "heading"


class Acceptance(BaseModel):
    """When a text was last accepted after a change, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    on: date
    reason: str = Field(min_length=1)


class Sentence(BaseModel):
    """One sentence, heading or scenario of the source.

    `lines` are its first and last line there, counted from 1. `statements` are the statements that claim it, by the ids
    that their tags have ("scope.7"), and `reason` says why none does, or what of it none is about. The `fingerprint` is
    that of `specassay.trace.fingerprint`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    lines: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]
    kind: Kind
    statements: tuple[str, ...] = ()
    reason: str | None = None
    text: str = Field(min_length=1)
    fingerprint: str = Field(pattern="^[0-9a-f]{16}$")
    accepted: Acceptance | None = None


class Rule(BaseModel):
    """One statement of the features: its Rule's text as it was accepted, and the scenarios that it had then.

    `statement` is the id that its tag has, `scenarios` what follows the statement's id in theirs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    statement: str
    text: str = Field(min_length=1)
    fingerprint: str = Field(pattern="^[0-9a-f]{16}$")
    scenarios: tuple[str, ...] = ()
    accepted: Acceptance | None = None


class Removed(BaseModel):
    """A sentence that the source no longer has, or a statement whose Rule is gone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    removed: str
    fingerprint: str = Field(pattern="^[0-9a-f]{16}$")
    statements: tuple[str, ...] = ()
    on: date
    reason: str


class Lock(BaseModel):
    """The lock of one specification."""

    model_config = ConfigDict(frozen=True)

    specification: str
    source: str
    sentences: tuple[Sentence, ...]
    rules: tuple[Rule, ...] = ()
    removed: tuple[Removed, ...] = ()

    def of(self, statement: str) -> tuple[Sentence, ...]:
        """Give the sentences that a statement claims, by its full id, in order."""
        specification, _, name = statement.partition("/")
        ours = specification == self.specification
        return tuple(sentence for sentence in self.sentences if ours and name in sentence.statements)

    def listed(self, kind: Kind) -> tuple[Sentence, ...]:
        """Give the sentences of one kind, in order."""
        return tuple(sentence for sentence in self.sentences if sentence.kind is kind)


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid")

    lock: int
    specification: str
    source: str


T = TypeVar("T", bound=BaseModel)


def load(specification: str, features: Path = resources.FEATURES) -> Lock | None:
    """Read the lock of a specification; None where there is none. Raises `UsageError` for one that is broken."""
    file = features / specification / NAME
    if not file.is_file():
        return None
    lines = _read(file)
    place, value = next(lines, (f"{file}:1", None))
    head = _parse(_Head, value, place)
    if head.lock != VERSION:
        raise UsageError(f"{place}: a lock of version {head.lock}; this specassay reads version {VERSION}")
    found: dict[type[BaseModel], list[Any]] = {Sentence: [], Rule: [], Removed: []}
    for place, value in lines:
        model = _model(value)
        found[model].append(_parse(model, value, place))
    return Lock(
        specification=head.specification,
        source=head.source,
        sentences=tuple(found[Sentence]),
        rules=tuple(found[Rule]),
        removed=tuple(found[Removed]),
    )


def locks(features: Path = resources.FEATURES) -> tuple[Lock, ...]:
    """Read every lock that there is, in the order of the specifications' names."""
    found = (load(file.parent.name, features) for file in sorted(features.glob(f"*/{NAME}")))
    return tuple(lock for lock in found if lock is not None)


def text_of(lock: Lock) -> str:
    """Write a lock as its file holds it."""
    head = _Head(lock=VERSION, specification=lock.specification, source=lock.source)
    lines: list[BaseModel] = [head, *lock.sentences, *lock.rules, *lock.removed]
    dumped = (line.model_dump(mode="json", exclude_defaults=True) for line in lines)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in dumped)


def save(lock: Lock, features: Path) -> Path:
    """Write a lock to its place, whole or not at all, and give that. Raises `UsageError` where it cannot be written."""
    file = features / lock.specification / NAME
    draft = file.with_name(f".{NAME}.{os.getpid()}")
    try:
        draft.write_text(text_of(lock), "utf-8")
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise UsageError(f"{file}: cannot be written: {error.strerror}") from None
    return file


def _model(value: Any) -> type[BaseModel]:
    if isinstance(value, dict) and "statement" in value:
        return Rule
    return Removed if isinstance(value, dict) and "removed" in value else Sentence


def _read(file: Path) -> Iterator[tuple[str, Any]]:
    """Give each line's value, with its place."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {error}") from None
    lines = text.removesuffix("\n").split("\n") if text else []
    for number, line in enumerate(lines, 1):
        try:
            yield f"{file}:{number}", json.loads(line)
        except ValueError as error:
            raise UsageError(f"{file}:{number}: this is no JSON: {error}") from None


def _parse(model: type[T], value: Any, place: str) -> T:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{place}: {where or 'the line'}: {first['msg']}") from None
