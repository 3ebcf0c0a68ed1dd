"""What the suite holds, read from its feature files.

A folder is a specification, a file a requirement, a `Rule` one demand of it (a statement), a scenario its evidence.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gherkin.parser import Parser

from specassay import resources

KINDS = ("transcribed", "derived", "robustness")
ROBUSTNESS = "robustness"


@dataclass(frozen=True)
class Scenario:
    """One scenario, or one row of a scenario outline.

    `id` is `<specification>/<requirement>.<n>/<slug of the title>`, with `[case]` for a row; a robustness scenario has
    no number. `advice` says that a failure makes nobody nonconforming unless strict. `text` are its steps, with their
    tables and doc strings, and for a row the values that it puts in; indentation and comments are left out.
    """

    id: str
    statement: str
    title: str
    case: str | None
    kind: str
    advice: bool
    surfaces: tuple[str, ...]
    operations: tuple[str, ...]
    readings: tuple[int, ...]
    tags: frozenset[str]
    path: str
    line: int
    text: str


@dataclass(frozen=True)
class Statement:
    """One demand: a `Rule`.

    `level` is must, should, may or advice; `by_inspection` the reason why nothing outside can see it.
    """

    id: str
    sentence: str
    level: str
    by_inspection: str | None
    restates: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    line: int


@dataclass(frozen=True)
class Requirement:
    """One feature file."""

    id: str
    title: str
    path: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Specification:
    """One folder of feature files."""

    id: str
    requirements: tuple[Requirement, ...]


@dataclass(frozen=True)
class Reading:
    """How the suite reads a point that the specifications leave open."""

    id: int
    point: str
    reading: str


@dataclass(frozen=True)
class Catalogue:
    """The whole suite."""

    specifications: tuple[Specification, ...]
    readings: dict[int, Reading]

    def requirements(self) -> Iterator[Requirement]:
        """Give every requirement, in order."""
        for specification in self.specifications:
            yield from specification.requirements

    def statements(self) -> Iterator[Statement]:
        """Give every statement, in order."""
        for requirement in self.requirements():
            yield from requirement.statements

    def scenarios(self) -> Iterator[Scenario]:
        """Give every scenario, each row of an outline by itself, in order."""
        for statement in self.statements():
            yield from statement.scenarios


@cache
def load(features: Path = resources.FEATURES) -> Catalogue:
    """Read the feature files and the readings beside them."""
    folders = sorted(folder for folder in features.iterdir() if folder.is_dir())
    specifications = tuple(
        Specification(folder.name, tuple(_requirement(file, features) for file in sorted(folder.glob("*.feature"))))
        for folder in folders
    )
    return Catalogue(specifications, _readings(features / "readings.toml"))


def slug(title: str) -> str:
    """Write a title in lower case with dashes."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"['\u2019]", "", title.lower())).strip("-")


def _readings(file: Path) -> dict[int, Reading]:
    if not file.exists():
        return {}
    entries = tomllib.loads(file.read_text("utf-8"))["reading"]
    return {entry["id"]: Reading(entry["id"], entry["point"], entry["reading"]) for entry in entries}


def _requirement(file: Path, features: Path) -> Requirement:
    feature: Any = Parser().parse(file.read_text("utf-8"))["feature"]
    path = file.relative_to(features).as_posix()
    requirement = path.removesuffix(".feature")
    inherited = _tags(feature)
    rules = [child["rule"] for child in feature["children"] if "rule" in child]
    statements = tuple(_statement(rule, requirement, inherited, path) for rule in rules)
    return Requirement(requirement, feature["name"], path, statements)


def _statement(rule: dict[str, Any], requirement: str, inherited: frozenset[str], path: str) -> Statement:
    own = _tags(rule)
    name = requirement.split("/")[1]
    number = next((tag for tag in own if re.fullmatch(re.escape(name) + r"\.\d+", tag)), None)
    statement = f"{requirement.split('/')[0]}/{number}" if number else f"{requirement}/{ROBUSTNESS}"
    level = next((tag for tag in ("should", "may") if tag in own), "must" if number else "advice")
    scenarios = tuple(
        scenario
        for child in rule["children"]
        if "scenario" in child
        for scenario in _scenarios(child["scenario"], statement, level, inherited | own, path)
    )
    return Statement(
        id=statement,
        sentence=rule["name"],
        level=level,
        by_inspection=" ".join(rule["description"].split()) if "by-inspection" in own else None,
        restates=tuple(f"{requirement.split('/')[0]}/{t}" for t in _after("restates.", own)),
        scenarios=scenarios,
        line=rule["location"]["line"],
    )


def _scenarios(
    node: dict[str, Any], statement: str, level: str, inherited: frozenset[str], path: str
) -> Iterator[Scenario]:
    tags = inherited | _tags(node)
    steps = "\n".join(line for step in node["steps"] for line in _lines(step))
    for case, line, values in _cases(node):
        yield Scenario(
            id=f"{statement}/{slug(node['name'])}" + (f"[{case}]" if case is not None else ""),
            statement=statement,
            title=node["name"],
            case=case,
            kind=next(kind for kind in KINDS if kind in tags),
            advice=level != "must" or ROBUSTNESS in tags,
            surfaces=_after("surface.", tags),
            operations=_after("operation.", tags),
            readings=tuple(sorted(int(number) for number in _after("reading.", tags))),
            tags=tags,
            path=path,
            line=line,
            text="\n".join((steps, *values)),
        )


def _lines(step: dict[str, Any]) -> Iterator[str]:
    yield step["keyword"] + step["text"]
    if "docString" in step:
        mark = step["docString"]["delimiter"]
        yield from (mark, *step["docString"]["content"].split("\n"), mark)
    for row in step.get("dataTable", {}).get("rows", ()):
        yield _row([cell["value"] for cell in row["cells"]])


def _row(values: list[str]) -> str:
    return f"| {' | '.join(values)} |"


def _cases(node: dict[str, Any]) -> Iterator[tuple[str | None, int, tuple[str, ...]]]:
    """Give each row's case and line, and the lines that name its values."""
    if not node.get("examples"):
        yield None, node["location"]["line"], ()
    for examples in node.get("examples", ()):
        names = [cell["value"] for cell in examples["tableHeader"]["cells"]]
        for row in examples["tableBody"]:
            values = [cell["value"] for cell in row["cells"]]
            yield values[names.index("case")], row["location"]["line"], (_row(names), _row(values))


def _tags(node: dict[str, Any]) -> frozenset[str]:
    return frozenset(tag["name"].removeprefix("@") for tag in node["tags"])


def _after(prefix: str, tags: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(tag.removeprefix(prefix) for tag in tags if tag.startswith(prefix)))
