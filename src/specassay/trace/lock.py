"""The lock of a specification: every sentence of its text as it was accepted, and what became of each.

A lock lies beside the features that it is about, as `trace.lock`: JSON, one value a line. The first line names the
version of the form, the specification and its source; each further line is a sentence, in the order of the source.
"""

import json
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
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


class Lock(BaseModel):
    """The lock of one specification."""

    model_config = ConfigDict(frozen=True)

    specification: str
    source: str
    sentences: tuple[Sentence, ...]

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


@cache
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
    sentences = tuple(_parse(Sentence, value, place) for place, value in lines)
    return Lock(specification=head.specification, source=head.source, sentences=sentences)


def locks(features: Path = resources.FEATURES) -> tuple[Lock, ...]:
    """Read every lock that there is, in the order of the specifications' names."""
    found = (load(file.parent.name, features) for file in sorted(features.glob(f"*/{NAME}")))
    return tuple(lock for lock in found if lock is not None)


def _read(file: Path) -> Iterator[tuple[str, Any]]:
    """Give each line's value, with its place."""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
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
