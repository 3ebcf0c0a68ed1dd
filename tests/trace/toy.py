"""The small suite of the tests of results, as a folder of its own with a specification and a lock."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from specassay import catalogue
from specassay.results.model import ImplementationRecord, Results
from specassay.trace.fingerprint import fingerprint
from specassay.trace.lock import Kind, Lock, Sentence, save
from specassay.trace.openspec import read
from specassay.trace.source import of_document
from tests.results import made

SPEC = """# Shell

## Purpose

It is about a door and its lock.

## Requirements

### Requirement: Door

The door MUST open, also for a visitor. The door MUST lock. The door SHOULD be quiet. The door MUST be made of oak. The
door MUST NOT stay shut.

#### Scenario: It opens for a visitor

- GIVEN a closed door
- WHEN a visitor knocks
- THEN the door is open

### Requirement: Lock

The lock MUST hold.
"""

CLAIMS = {
    "The door MUST open": ("door.1",),
    "The door MUST lock": ("door.2",),
    "The door SHOULD": ("door.3",),
    "The door MUST be": ("door.4",),
    "The door MUST NOT": ("door.5",),
    "Scenario: It opens": ("door.1",),
    "The lock MUST": ("lock.1",),
}


class Project:
    """A folder with features, a specification in OpenSpec's place, and results."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.features = root / "features"
        self.spec = root / "openspec" / "specs" / "shell" / "spec.md"
        self.spec.parent.mkdir(parents=True)
        self.spec.write_text(SPEC, "utf-8")
        shutil.copytree(made.FOLDER, self.features)
        shutil.rmtree(self.features / "other")
        save(lock(), self.features)

    @property
    def lock(self) -> Path:
        """The lock's file."""
        return self.features / "shell" / "trace.lock"

    def edit(self, old: str, new: str, file: Path | None = None) -> None:
        """Replace a text of the specification, or of another file, which must have it."""
        file = file or self.spec
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")
        catalogue.load.cache_clear()

    def feature(self, old: str, new: str) -> None:
        """Replace a text of the door's feature."""
        self.edit(old, new, self.features / "shell" / "door.feature")

    def results(self, name: str, *records: ImplementationRecord) -> str:
        """Write results, and give the path."""
        file = self.root / name
        file.write_text(shell_alone(made.results(*records)).model_dump_json(by_alias=True), "utf-8")
        return str(file)


def lock() -> Lock:
    """Accept the specification, with the claims of its statements."""
    sentences = []
    for one in of_document(read(SPEC)):
        claimed = next((names for start, names in CLAIMS.items() if one.text.startswith(start)), ())
        kind = Kind.DEMAND if claimed else Kind.INFORMATIVE
        kind = {"heading": Kind.HEADING, "scenario": Kind.SCENARIO}.get(one.shape, kind)
        sentences.append(
            Sentence(
                lines=one.lines,
                kind=kind,
                statements=claimed,
                reason="its purpose" if kind is Kind.INFORMATIVE else None,
                text=one.text,
                fingerprint=fingerprint(one.text),
            )
        )
    return Lock(specification="shell", source="spec.md", sentences=tuple(sentences))


def shell_alone(results: Results) -> Results:
    """Leave out the other specification."""
    suite = results.suite.model_copy(
        update={"requirements": tuple(one for one in results.suite.requirements if one.specification == "shell")}
    )
    known = {one.id for one in suite.scenarios()}
    records = tuple(_without(record, known) for record in results.implementations)
    return results.model_copy(update={"suite": suite, "implementations": records})


def _without(record: ImplementationRecord, known: Iterable[str]) -> ImplementationRecord:
    return record.model_copy(
        update={
            "scenarios": tuple(one for one in record.scenarios if one.id in known),
            "verdicts": {name: one for name, one in record.verdicts.items() if name.partition("/")[0] == "shell"},
        }
    )
