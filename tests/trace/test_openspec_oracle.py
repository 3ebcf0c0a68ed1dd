"""The reader beside OpenSpec's own: the same requirements, scenarios and bodies, and each difference with its reason.

OpenSpec is a package of npm; where Node is absent the reader is not compared.
"""

import json
import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from specassay.trace.deltas import apply
from specassay.trace.model import Document, Requirement
from specassay.trace.openspec import read
from tests.node import install, node
from tests.trace import samples

HERE = Path(__file__).parent / "openspec"
COMMAND = HERE / "node_modules" / "@fission-ai" / "openspec" / "bin" / "openspec.js"


@dataclass(frozen=True)
class Differs:
    """What OpenSpec makes of a sample: the number of scenarios for each requirement, or None where it refuses it."""

    reason: str
    scenarios: list[int] | None


DIFFERENCES = {
    "levels": Differs(
        "a scenario that is too deep is part of the one before it, one that is too high is a requirement, one that is "
        "indented, bold or without a space is text; a group is a requirement; an empty scenario and a second section "
        "are not read",
        [1, 0, 1],
    ),
    "outside": Differs(
        "a requirement above the section is not read, a scenario that is in no requirement is one", [0, 1]
    ),
    "comments": Differs("a requirement in a comment is read, and takes the scenario that follows it", [0, 2]),
    "unclosed-code": Differs("what follows a code block that is never closed is not read", [0]),
    "underlined": Differs("an underlined heading is none, so the purpose is missing", None),
    "chinese": Differs("sections have English titles", None),
    "delta": Differs("a change is no specification", None),
}
ALIKE = [name for name in samples.NAMES if name not in DIFFERENCES]


def _node() -> str:
    install(HERE)
    return node()


def _openspec(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command, which reports to nobody what it is asked."""
    quiet = {"OPENSPEC_TELEMETRY": "0", "DO_NOT_TRACK": "1", "CI": "true", "HOME": str(project), "NO_COLOR": "1"}
    command = [_node(), str(COMMAND), *arguments]
    environment = {**os.environ, **quiet}
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def _project(folder: Path, text: str) -> Path:
    file = folder / "openspec" / "specs" / "sample" / "spec.md"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    return file


def _shown(folder: Path, text: str) -> list[dict[str, Any]] | None:
    """Give the requirements as OpenSpec shows them; None where it refuses the file."""
    _project(folder, text)
    done = _openspec(folder, "show", "sample", "--type", "spec", "--json")
    if done.returncode:
        return None
    requirements: list[dict[str, Any]] = json.loads(done.stdout)["requirements"]
    return requirements


def _as_openspec(requirement: Requirement, lines: list[str]) -> dict[str, Any]:
    """Give a requirement as OpenSpec would show it, the scenarios' text by their lines."""
    spans = [
        (scenario.heading.span.last, scenario.span.last) for scenario in requirement.scenarios if not scenario.empty
    ]
    scenarios = [{"rawText": "\n".join(lines[first:last]).strip()} for first, last in spans]
    return {"text": requirement.text or requirement.heading.text, "scenarios": scenarios}


def _all(document: Document, text: str) -> list[dict[str, Any]]:
    lines = text.split("\n")
    return [_as_openspec(requirement, lines) for requirement in document.requirements]


@pytest.mark.parametrize("name", ALIKE)
def test_requirements_scenarios_and_bodies_are_those_that_openspec_reads(name: str, tmp_path: Path) -> None:
    text = samples.text(name)
    shown = _shown(tmp_path, text)
    assert shown
    assert _all(read(text), text) == shown


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_difference_is_the_one_that_is_known(name: str, tmp_path: Path) -> None:
    text = samples.text(name)
    shown = _shown(tmp_path, text)
    counts = None if shown is None else [len(requirement["scenarios"]) for requirement in shown]
    assert counts == DIFFERENCES[name].scenarios, DIFFERENCES[name].reason
    assert shown is None or _all(read(text), text) != shown


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_are_read_alike(end: str, tmp_path: Path) -> None:
    text = samples.text("rich-steps")
    assert _shown(tmp_path, "\ufeff" + text.replace("\n", end)) == _all(read(text), text)


PIECES = (
    *("### Requirement: A", "### Requirement: B ##", "### requirement:  C", "### Requirement:", "### Note", "### C#"),
    *("#### Scenario: S", "#### Edge", "#### scenario: T #", "#### Scenario: S", "##### Deep", "###### Deeper"),
    *("- **WHEN** w", "- THEN t", "Given x", "  - nested", "It SHALL (e.g. `x`).", "  wrapped", "    far", "\ttab"),
    *("```json\n{}\n```", "```\n### Requirement: Z\n```", "~~~\n#### Scenario: no\n~~~", "| a | b |", "|---|---|"),
    *(
        "**ID**: 7",
        "**Note:** x",
        "> quoted",
        "1. one",
        "* star",
        "---",
        "-",
        "***",
        "",
        "",
        "   ",
        "\u00a0",
        "é",
        "a\tb",
    ),
)


def test_made_specifications_are_read_as_openspec_reads_them() -> None:
    place = random.Random(11)
    start = "## Purpose\n\nWhy.\n\n## Requirements\n\n### Requirement: First\n"
    texts = [start + "\n".join(place.choices(PIECES, k=place.randint(1, 24))) + "\n" for _ in range(500)]
    script = str(HERE / "requirements.mjs")
    done = subprocess.run(
        [_node(), script], input=json.dumps(texts), capture_output=True, text=True, timeout=60, check=True
    )
    for text, shown in zip(texts, json.loads(done.stdout), strict=True):
        assert _all(read(text), text) == shown, text


BASE = samples.text("canonical")
DELTA = samples.text("delta")
MORE = "\nIt SHALL be.\n\n#### Scenario: Being\n\n- **WHEN** it is\n- **THEN** it is\n"
CHANGES = {
    "all four operations": DELTA,
    "a name that is not there": DELTA.replace("FROM: `### Requirement: Label`", "FROM: `### Requirement: Labels`"),
    "a name in another case": DELTA.replace("### Requirement: Registration", "### Requirement: registration"),
    "a scenario left out": DELTA.replace("#### Scenario: Number on the label", "#### Scenario: Number and weight"),
    "an addition that is there": DELTA.replace("Requirement: Signature", "Requirement: Parcel label"),
    "a removal that is done": DELTA.replace("### Requirement: Registration", "### Requirement: Long gone"),
    "modified by the old name": DELTA.replace("### Requirement: Parcel label\n", "### Requirement: Label\n", 1),
    "a rename without an end": DELTA.replace("- TO: `### Requirement: Parcel label`\n", ""),
    "removed and renamed": DELTA.replace("### Requirement: Registration", "### Requirement: Label"),
    "added twice": f"{DELTA}\n## ADDED Requirements\n\n### Requirement: Signature\n{MORE}",
    "two sections of one kind": f"{DELTA}\n## Added Requirements\n\n### Requirement: Seal\n{MORE}",
    "removed by a bullet": DELTA.replace("### Requirement: Registration", "- `### Requirement: Registration`"),
    "nothing": "## Notes\n\nNothing changes.\n",
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_gives_the_specification_that_openspec_archives_or_is_refused_as_there(
    name: str, tmp_path: Path
) -> None:
    spec = _project(tmp_path, BASE)
    change = tmp_path / "openspec" / "changes" / "one"
    delta = change / "specs" / "sample" / "spec.md"
    delta.parent.mkdir(parents=True)
    delta.write_text(CHANGES[name], "utf-8")
    (change / "proposal.md").write_text("## Why\n\nIt is asked for by those who use it.\n\n## What Changes\n\n- All.\n")
    done = _openspec(tmp_path, "archive", "one", "--yes", "--no-validate")
    applied = apply(read(BASE), read(CHANGES[name]))
    archived = spec.read_text("utf-8")
    assert (archived == BASE) == bool(applied.errors), done.stdout + done.stderr
    if not applied.errors:
        wanted = [(one.name, one.text, [below.name for below in one.scenarios]) for one in read(archived).requirements]
        found = [(one.name, one.text, [x.name for x in one.scenarios]) for one in applied.document.requirements]
        assert found == wanted
