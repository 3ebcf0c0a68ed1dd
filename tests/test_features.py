"""The feature files keep the rules of the house, and every scenario in them is collected."""

import re
from collections import Counter
from pathlib import Path

import pytest
from gherkin.parser import Parser
from pytest_bdd.steps import step_function_context_registry

from specassay import catalogue, resources
from specassay.catalogue import KINDS, Scenario
from specassay.drivers.protocol import OPTIONAL_OPERATIONS, SURFACES
from specassay.suite.binding import bind

FILES = sorted(resources.FEATURES.rglob("*.feature"))
SCENARIOS = list(catalogue.load().scenarios())
STATEMENTS = list(catalogue.load().statements())
OTHER_TAGS = {
    "by-inspection",
    "should",
    "may",
    "chat-route.refused",
    "chat-route.tools",
    "agent-tool.foreign-peer",
    "evidence",
    *KINDS,
}


def _titles(file: Path) -> list[str]:
    feature = Parser().parse(file.read_text("utf-8"))["feature"]
    assert feature is not None
    return re.findall(r"^\s*Scenario(?: Outline)?: (.*)$", file.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_titles_are_unique_in_a_file(file: Path) -> None:
    # pytest-bdd drops the first of two scenarios with one title, without a word
    assert [title for title, count in Counter(_titles(file)).items() if count > 1] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_scenario_of_a_file_is_in_the_catalogue(file: Path) -> None:
    path = file.relative_to(resources.FEATURES).as_posix()
    assert set(_titles(file)) == {entry.title for entry in SCENARIOS if entry.path == path}


def test_every_scenario_is_bound_to_a_test() -> None:
    assert len(bind()) == len({(entry.path, entry.title) for entry in SCENARIOS})


def test_ids_are_unique() -> None:
    for ids in ([entry.id for entry in SCENARIOS], [entry.id for entry in STATEMENTS]):
        assert [name for name, count in Counter(ids).items() if count > 1] == []


@pytest.mark.parametrize("entry", SCENARIOS, ids=lambda entry: entry.id)
def test_tags_are_known(entry: Scenario) -> None:
    specification, requirement = entry.path.removesuffix(".feature").split("/")
    assert sum(kind in entry.tags for kind in KINDS) == 1
    assert set(entry.surfaces) <= SURFACES.keys()
    assert entry.surfaces
    assert set(entry.operations) <= OPTIONAL_OPERATIONS
    assert set(entry.readings) <= catalogue.load().readings.keys()
    rest = [tag for tag in entry.tags if not re.match(r"(surface|operation|reading)\.", tag)]
    unknown = set(rest) - OTHER_TAGS - {specification}
    assert {tag for tag in unknown if not re.fullmatch(re.escape(requirement) + r"\.\d+", tag)} == set()


def test_a_statement_has_scenarios_or_says_why_not() -> None:
    bare = [entry.id for entry in STATEMENTS if not entry.scenarios and not entry.restates and not entry.by_inspection]
    assert bare == []


def test_what_a_statement_restates_is_there() -> None:
    known = {entry.id for entry in STATEMENTS}
    assert {target for entry in STATEMENTS for target in entry.restates} <= known


def test_a_requirement_numbers_its_statements_without_a_gap() -> None:
    for requirement in catalogue.load().requirements():
        numbers = [int(entry.id.rpartition(".")[2]) for entry in requirement.statements if entry.level != "advice"]
        assert numbers == sorted(set(numbers)), requirement.id


def test_every_sentence_of_a_feature_has_one_definition(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(
        "--pyargs", "specassay.suite", "--specassay-driver", "reference", "--collect-only", "-q", "-p", "no:randomly"
    )
    assert result.ret == 0
    for concept in sorted(resources.STEPS.glob("[a-z]*.py")):
        __import__(f"specassay.steps.{concept.stem}")
    contexts = [c for c in step_function_context_registry.values() if c.step_func.__module__.startswith("specassay.")]
    for entry in SCENARIOS:
        for kind, sentence in _sentences(entry):
            found = [c for c in contexts if c.type == kind and c.parser.is_matching(sentence)]
            assert len(found) == 1, f"{entry.path}: {kind} {sentence}: {len(found)} definitions"


def _sentences(entry: Scenario) -> list[tuple[str, str]]:
    from pytest_bdd.feature import get_feature

    template = get_feature(str(resources.FEATURES), entry.path).scenarios[entry.title]
    rows = [row for examples in template.examples for row in examples.as_contexts()] or [{}]
    return [(step.type, step.name) for row in rows for step in template.render(row).steps]


def test_a_fixture_of_the_steps_has_a_name_of_its_own() -> None:
    # of two fixtures with one name the one of the module that is loaded later takes the other's place
    found = Counter(
        name
        for file in sorted(resources.STEPS.glob("*.py"))
        for name in re.findall(r"^@pytest\.fixture[^\n]*\ndef (\w+)", file.read_text("utf-8"), re.MULTILINE)
    )
    assert found
    assert [name for name, count in found.items() if count > 1] == []
