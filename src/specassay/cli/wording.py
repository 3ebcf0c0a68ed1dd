"""The wording of a scenario, as it stands in its feature file."""

import textwrap
from pathlib import Path
from typing import Any

from gherkin.parser import Parser

from specassay import resources
from specassay.catalogue import Scenario


def wording(scenario: Scenario, features: Path = resources.FEATURES) -> str:
    """Give the lines of a scenario's steps, with its tables, doc strings and examples, without the heading."""
    text = (features / scenario.path).read_text("utf-8")
    feature: Any = Parser().parse(text)["feature"]
    rules = [child["rule"] for child in feature["children"] if "rule" in child]
    blocks = [block for rule in rules for block in (rule, *(child["scenario"] for child in _scenarios(rule)))]
    starts = sorted(min(block["location"]["line"], *_tag_lines(block)) for block in blocks)
    heading = next(b["location"]["line"] for b in blocks if b["keyword"] != "Rule" and b["name"] == scenario.title)
    end = next((start for start in starts if start > heading), len(text.splitlines()) + 1)
    kept = [line for line in text.splitlines()[heading : end - 1] if not line.lstrip().startswith("#")]
    return textwrap.dedent("\n".join(kept)).strip("\n")


def _scenarios(rule: dict[str, Any]) -> list[dict[str, Any]]:
    return [child for child in rule["children"] if "scenario" in child]


def _tag_lines(block: dict[str, Any]) -> list[int]:
    return [tag["location"]["line"] for tag in block["tags"]] or [block["location"]["line"]]
