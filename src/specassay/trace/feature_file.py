"""A feature file that is added to: what is in it stays as it is, to the character."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from specassay import catalogue

ROBUSTNESS = catalogue.ROBUSTNESS
TRANSCRIBED = "@transcribed"
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Titled:
    """A scenario of the file: its title, its tags, the lines of its heading and of its end, counted from 1."""

    title: str
    tags: frozenset[str]
    heading: int
    last: int


@dataclass
class Rule:
    """A Rule of the file: `number` is its statement's, None for one without; new ones have no lines yet.

    `added` are the scenarios that it is to get, each as lines without indentation.
    """

    number: int | None
    title: str
    scenarios: tuple[Titled, ...] = ()
    first: int = 0
    last: int = 0
    robust: bool = False
    tags: tuple[str, ...] = ()
    added: list[list[str]] = field(default_factory=list)


class FeatureFile:
    """The file of one requirement. Raises `UsageError` where the one that is there is no Gherkin."""

    def __init__(self, path: Path, title: str) -> None:
        """Read the file, or begin a new one with this title."""
        self.path = path
        self.name = path.name.removesuffix(".feature")
        self.new = not path.exists()
        self.original = "" if self.new else catalogue.text_of(path)
        self._end = "\r\n" if "\r\n" in self.original else "\n"
        text = self.original or f"Feature: {title}\n"
        self._lines = text.removesuffix("\n").replace("\r\n", "\n").split("\n")
        self._changed: list[tuple[Titled, list[str]]] = []
        feature = catalogue.parsed(text, path)
        self.title: str = feature["name"]
        blocks = [child["rule"] for child in feature["children"] if "rule" in child]
        self.loose = tuple(self._titled(child["scenario"]) for child in feature["children"] if "scenario" in child)
        self.rules = [self._rule(one) for one in blocks]
        ends = [rule.first for rule in self.rules[1:]] + [len(self._lines) + 1]
        for rule, end in zip(self.rules, ends, strict=False):
            rule.last = self._last_before(end)

    def scenarios(self) -> Iterator[tuple[Rule | None, Titled]]:
        """Give every scenario that is in the file, with its Rule."""
        yield from ((None, one) for one in self.loose)
        yield from ((rule, one) for rule in self.rules for one in rule.scenarios)

    def rule(self, number: int) -> Rule | None:
        """Give the Rule of a statement's number."""
        return next((rule for rule in self.rules if rule.number == number), None)

    def add_rule(self, number: int, title: str, tags: Sequence[str]) -> Rule:
        """Add a Rule after all others, but before the advice of the last one."""
        rule = Rule(number, title, tags=tuple(tags))
        self.rules.append(rule)
        return rule

    def replace(self, scenario: Titled, lines: list[str]) -> None:
        """Give a scenario other steps; its title and tags stay."""
        self._changed.append((scenario, lines[1:]))

    def words(self, scenario: Titled) -> list[str]:
        """Give the words of a scenario's steps and of what hangs on them."""
        return words(self._lines[scenario.heading : scenario.last])

    def text(self) -> str:
        """Write the file as it shall be."""
        inserted: dict[int, list[str]] = {}
        for rule in self.rules:
            if rule.first:
                inserted.setdefault(rule.last, []).extend(_scenarios(rule.added))
        inserted.setdefault(self._place(), []).extend(
            line for rule in self.rules if not rule.first for line in self._rule_lines(rule)
        )
        edits = [(line, line, lines) for line, lines in inserted.items()]
        edits += [(one.heading, one.last, _indented(lines, 4)) for one, lines in self._changed]
        kept = list(self._lines)
        for first, last, lines in sorted(edits, key=lambda edit: edit[0], reverse=True):
            kept[first:last] = lines
        return self._end.join(kept) + self._end if self.new or edits_something(edits) else self.original

    def _place(self) -> int:
        """Give the line after which new Rules stand."""
        robust = next((rule for rule in self.rules if rule.robust and rule.first), None)
        return self._last_before(robust.first if robust else len(self._lines) + 1)

    def _last_before(self, line: int) -> int:
        """Give the last line before one that is neither blank nor a comment."""
        while line > 1 and (not self._lines[line - 2].strip() or self._lines[line - 2].lstrip().startswith("#")):
            line -= 1
        return line - 1

    def _rule(self, node: dict[str, Any]) -> Rule:
        tags = frozenset(tag["name"] for tag in node["tags"])
        number = catalogue.number_of(node, self.name)
        return Rule(
            number=int(number.rpartition(".")[2]) if number else None,
            title=node["name"],
            scenarios=tuple(self._titled(child["scenario"]) for child in node["children"] if "scenario" in child),
            first=_first(node),
            robust=number is None and f"@{ROBUSTNESS}" in tags,
        )

    def _titled(self, node: dict[str, Any]) -> Titled:
        heading = node["location"]["line"]
        tags = frozenset(tag["name"] for tag in node["tags"])
        return Titled(node["name"], tags, heading, max([heading, *_lines_of(node)]))

    def _rule_lines(self, rule: Rule) -> list[str]:
        tags = " ".join((f"@{self.name}.{rule.number}", *rule.tags))
        return ["", f"  {tags}", f"  Rule: {rule.title}", *_scenarios(rule.added)]


def words(lines: Sequence[str]) -> list[str]:
    """Give the words of lines of Gherkin; how they are marked and broken does not count."""
    return _WORD.findall("\n".join(lines))


def edits_something(edits: Sequence[tuple[int, int, list[str]]]) -> bool:
    """Say whether any of these edits adds or takes away a line."""
    return any(lines or first != last for first, last, lines in edits)


def _scenarios(added: Sequence[list[str]]) -> list[str]:
    return [line for lines in added for line in ("", *_indented([TRANSCRIBED, *lines], 4))]


def _indented(lines: Sequence[str], by: int) -> list[str]:
    return [" " * by + line if line else "" for line in lines]


def _first(node: dict[str, Any]) -> int:
    lines: list[int] = [tag["location"]["line"] for tag in node["tags"]]
    return min([*lines, int(node["location"]["line"])])


def _lines_of(node: dict[str, Any]) -> Iterator[int]:
    """Give the last lines of a scenario's description, steps, and what hangs on these."""
    if node["description"]:
        yield int(node["location"]["line"]) + len(node["description"].split("\n"))
    for step in node["steps"]:
        yield step["location"]["line"]
        if "docString" in step:
            yield step["docString"]["location"]["line"] + len(step["docString"]["content"].split("\n")) + 1
        yield from (row["location"]["line"] for row in step.get("dataTable", {}).get("rows", ()))
    for table in node["examples"]:
        yield table["location"]["line"]
        yield from (row["location"]["line"] for row in table.get("tableBody", ()))
