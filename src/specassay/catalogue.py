"""What a suite holds, read from its feature files: ours, or anybody's.

A folder is a specification, a file a requirement, a `Rule` one demand of it (a statement), a scenario its evidence.
In features of another project Rules may have no number and scenarios no Rule; nothing of them is lost.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from gherkin.errors import CompositeParserException
from gherkin.parser import Parser

from specassay import resources
from specassay.errors import UsageError

KINDS = ("transcribed", "derived", "robustness")
ROBUSTNESS = "robustness"
DERIVED = "derived"


@dataclass(frozen=True)
class Scenario:
    """One scenario, or one row of a scenario outline.

    `id` is `<specification>/<requirement>.<n>/<slug of the title>`, with `[case]` for a row; a robustness scenario has
    no number. `case` is the value of the column `case`, or all values of the row where there is none. `advice` says
    that a failure makes nobody nonconforming unless strict. `line` is that of the row, `heading` that of the title.
    `text` are its steps, with their tables and doc strings, and for a row the values that it puts in; indentation and
    comments are left out.
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
    heading: int
    text: str


@dataclass(frozen=True)
class Statement:
    """One demand: a `Rule`. One without a number is named by its title; scenarios without a Rule are one, too.

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
    specifications = tuple(specification(folder, folder.name) for folder in folders)
    return Catalogue(specifications, _readings(features / "readings.toml"))


def specification(folder: Path, name: str) -> Specification:
    """Read the feature files of one folder. Raises `UsageError`, which names file and line, for one that is broken."""
    files = sorted(folder.glob("*.feature"))
    return Specification(name, tuple(requirement(text_of(file), file, name) for file in files))


def requirement(text: str, file: Path, specification: str) -> Requirement:
    """Read one feature file from its text. Raises `UsageError`, which names file and line, where it is broken."""
    feature = parsed(text, file)
    name = file.name.removesuffix(".feature")
    id = f"{specification}/{name}"  # noqa: A001 - it is what it is
    path = f"{specification}/{file.name}"
    inherited = _tags(feature)
    rules = [child["rule"] for child in feature["children"] if "rule" in child]
    if bare := [child for child in feature["children"] if "scenario" in child]:
        rules = [feature | {"children": bare, "tags": []}, *rules]
    statements = _distinct(tuple(_statement(rule, id, inherited, path) for rule in rules))
    _require_one_rule_a_number(file, rules, name)
    return Requirement(id, feature["name"], path, statements)


def text_of(file: Path) -> str:
    """Read a feature file's text, its line ends as they are. Raises `UsageError` where that cannot be."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None


def parsed(text: str, file: Path) -> dict[str, Any]:
    """Parse the text of a feature file, and give its Feature as Gherkin's parser does. Raises `UsageError`."""
    try:
        feature: Any = Parser().parse(text).get("feature")
    except CompositeParserException as error:
        first = error.errors[0]
        place = f"{file}:{first.location['line']}"
        raise UsageError(f"{place}: this is no Gherkin: {str(first).partition(': ')[2]}") from None
    if feature is None:
        raise UsageError(f"{file}: holds no Feature")
    found: dict[str, Any] = feature
    return found


def number_of(rule: dict[str, Any], name: str) -> str | None:
    """Give the tag of a Rule that is its statement's number, in the file of this name."""
    return next((tag for tag in sorted(_tags(rule)) if re.fullmatch(re.escape(name) + r"\.\d+", tag)), None)


def slug(title: str) -> str:
    """Write a title in lower case with dashes; letters of every alphabet stay."""
    return re.sub(r"[\W_]+", "-", re.sub(r"['\u2019]", "", title.lower())).strip("-")


def _readings(file: Path) -> dict[int, Reading]:
    if not file.exists():
        return {}
    entries = tomllib.loads(file.read_text("utf-8"))["reading"]
    return {entry["id"]: Reading(entry["id"], entry["point"], entry["reading"]) for entry in entries}


def _require_one_rule_a_number(file: Path, rules: Iterable[dict[str, Any]], name: str) -> None:
    lines: dict[str, int] = {}
    for rule in rules:
        number, line = number_of(rule, name), rule["location"]["line"]
        if number is not None and number in lines:
            raise UsageError(f"{file}:{line}: the Rule on line {lines[number]} has the number @{number}, too")
        if number is not None:
            lines[number] = line


def _statement(rule: dict[str, Any], requirement: str, inherited: frozenset[str], path: str) -> Statement:
    own = _tags(rule)
    specification, _, name = requirement.partition("/")
    number = number_of(rule, name)
    advice = number is None and ROBUSTNESS in own
    title = ROBUSTNESS if advice else slug(rule["name"]) if rule["keyword"] == "Rule" else "scenarios"
    statement = f"{specification}/{number}" if number else f"{requirement}/{title or 'rule'}"
    level = next((tag for tag in ("should", "may") if tag in own), "advice" if advice else "must")
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
        restates=tuple(f"{specification}/{t}" for t in _after("restates.", own)),
        scenarios=scenarios,
        line=rule["location"]["line"],
    )


def _distinct(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Give an id of its own to each of several Rules without a number, and scenarios, that have the same title."""
    taken: Counter[str] = Counter()

    def own(name: str) -> str:
        taken[name] += 1
        return name if taken[name] == 1 else f"{name}-{taken[name]}"

    found = []
    for statement in statements:
        id = own(statement.id)  # noqa: A001 - it is what it is
        scenarios = (
            replace(one, id=own(id + one.id.removeprefix(statement.id)), statement=id) for one in statement.scenarios
        )
        found.append(replace(statement, id=id, scenarios=tuple(scenarios)))
    return tuple(found)


def _scenarios(
    node: dict[str, Any], statement: str, level: str, inherited: frozenset[str], path: str
) -> Iterator[Scenario]:
    tags = inherited | _tags(node)
    steps = "\n".join(line for step in node["steps"] for line in _lines(step))
    for case, line, values in _cases(node):
        yield Scenario(
            id=f"{statement}/{slug(node['name']) or 'scenario'}" + (f"[{case}]" if case is not None else ""),
            statement=statement,
            title=node["name"],
            case=case,
            kind=next((kind for kind in KINDS if kind in tags), DERIVED),
            advice=level != "must" or ROBUSTNESS in tags,
            surfaces=_after("surface.", tags),
            operations=_after("operation.", tags),
            readings=tuple(sorted(int(number) for number in _after("reading.", tags) if number.isdigit())),
            tags=tags,
            path=path,
            line=line,
            heading=node["location"]["line"],
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
    """Give each row's case and line, and the lines that name its values; one that is no row where there is none."""
    tables = [examples for examples in node.get("examples", ()) if examples.get("tableBody")]
    if not tables:
        yield None, node["location"]["line"], ()
    for table in tables:
        names = [cell["value"] for cell in table["tableHeader"]["cells"]]
        for row in table["tableBody"]:
            values = [cell["value"] for cell in row["cells"]]
            case = values[names.index("case")] if "case" in names else "-".join(values)
            yield case, row["location"]["line"], (_row(names), _row(values))


def _tags(node: dict[str, Any]) -> frozenset[str]:
    return frozenset(tag["name"].removeprefix("@") for tag in node["tags"])


def _after(prefix: str, tags: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(tag.removeprefix(prefix) for tag in tags if tag.startswith(prefix)))
