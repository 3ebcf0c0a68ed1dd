"""Transcribing: what pytest-bdd collects is what the specification says, and what is there already stays."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pytest_bdd.feature import get_feature
from pytest_bdd.parser import ScenarioTemplate

from specassay import catalogue
from specassay.cli import transcribe as cli
from specassay.errors import UsageError
from specassay.trace import lock
from specassay.trace.fingerprint import fingerprint
from specassay.trace.model import Scenario
from specassay.trace.openspec import read
from specassay.trace.transcribe import name_of, transcribe

PROJECTS = Path(__file__).parent / "projects"
NAMES = sorted(folder.name for folder in PROJECTS.iterdir())

SPEC = """\
# Door Specification

## Purpose
How the door behaves.

## Requirements

### Requirement: Lock
The door SHALL lock itself.

#### Scenario: Left open
- **WHEN** a minute has passed
- **THEN** the door is locked

### Requirement: Bell
The bell SHALL ring. It MUST NOT ring at night.

#### Scenario: Day
- **WHEN** somebody rings at noon
- **THEN** the bell rings
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.command, [str(one) for one in arguments], standalone_mode=False)


@pytest.fixture
def door(tmp_path: Path) -> Path:
    """Give a project whose specification has been transcribed once."""
    (tmp_path / "door").mkdir()
    edit(tmp_path, "", "")
    assert run(tmp_path / "door" / "spec.md", "-o", tmp_path / "features").return_value == 0
    return tmp_path


def edit(project: Path, old: str, new: str) -> None:
    """Replace a text in the specification."""
    file = project / "door" / "spec.md"
    text = file.read_text("utf-8") if file.exists() else SPEC
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def again(project: Path, *options: str) -> Result:
    return run(project / "door" / "spec.md", "-o", project / "features", *options)


def feature(project: Path, name: str) -> Path:
    return project / "features" / "door" / f"{name}.feature"


def templates(features: Path) -> Iterator[ScenarioTemplate]:
    for file in sorted(features.rglob("*.feature")):
        yield from get_feature(str(file.parent), file.name).scenarios.values()


def said(scenario: Scenario) -> list[str]:
    """Give the words of a scenario, and nothing of how they are marked."""
    parts = [line.visible for one in (*scenario.steps, *scenario.notes) for line in one.claims()]
    return words("\n".join(parts))


def words(text: str) -> list[str]:
    keyword = r"^\s*(?:[-*>] )?(?:[*]{2})?(?:Given|When|Then|And|But|当|那么|并且)\b(?:[*]{2})?"
    return re.findall(r"[^\W_]+", re.sub(keyword, "", text, flags=re.IGNORECASE | re.MULTILINE))


def written(template: ScenarioTemplate) -> list[str]:
    parts = [template.description]
    for step in template.steps:
        parts.append(step.name)
        parts += [step.docstring or ""]
        parts += [cell.value for row in (step.datatable.rows if step.datatable else ()) for cell in row.cells]
    return words("\n".join(parts))


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_is_collected_with_all_its_words(name: str, tmp_path: Path) -> None:
    run(PROJECTS / name / "spec.md", "-o", tmp_path)
    expected = [one for one in read(PROJECTS / name / "spec.md").scenarios if not one.empty]
    collected = list(templates(tmp_path))
    assert len(collected) == len(expected) == len(list(catalogue.load(tmp_path).scenarios()))
    for scenario in expected:
        found = [one for one in collected if one.name.startswith(scenario.name or "Scenario")]
        languages = {block.marker for step in scenario.steps for block in step.blocks if block.kind == "code"}
        wanted = sorted(word for word in said(scenario) if word not in languages)
        assert wanted in [sorted(word for word in written(one) if word not in languages) for one in found], (
            scenario.name
        )


def test_pytest_runs_what_was_transcribed_with_strict_markers_and_without_a_warning(pytester: pytest.Pytester) -> None:
    run(PROJECTS, "-o", pytester.path / "features")
    pytester.makepyfile("from pytest_bdd import scenarios\nscenarios('features')\n")
    options = ("--strict-markers", "-W", "error", "-p", "no:randomly", "-p", "no:cacheprovider")
    result = pytester.runpytest_subprocess("--collect-only", "-q", *options)
    total = sum(1 for _ in catalogue.load(pytester.path / "features").scenarios())
    result.stdout.fnmatch_lines([f"{total} tests collected*"])
    some = pytester.runpytest_subprocess("--collect-only", "-q", "-m", "stages.1", *options)
    some.stdout.fnmatch_lines([f"2/{total} tests collected*"])


def test_what_looks_like_a_placeholder_is_taken_literally(tmp_path: Path) -> None:
    run(PROJECTS / "assessments" / "spec.md", "-o", tmp_path)
    first, second = templates(tmp_path)
    assert first.name == "Create with default type of `<name>`"
    assert first.render({}).steps[0].name == "a client posts an assessment `<name>` without `type`"
    table, text = second.render({}).steps[0].datatable, second.render({}).steps[2].docstring
    assert table is not None
    assert table.raw()[1:] == [["<a>", "standard", "back\\slash"], ["b", "explore", ""]]
    assert text == '{"assessments": [{"name": "<a>"}], "total": 2}'


def test_a_leading_and_is_promoted_and_a_program_keeps_its_lines(tmp_path: Path) -> None:
    run(PROJECTS, "-o", tmp_path)
    found = {one.name: one for one in templates(tmp_path)}
    assert [(step.keyword, step.type) for step in found["Release on a tag"].steps] == [
        ("Given", "given"),
        ("When", "when"),
        ("Then", "then"),
        ("But", "then"),
    ]
    assert found["Quotes in a program"].steps[0].docstring == '"""one""" + """two"""'
    layout = found["Starting a notebook"].steps[1].docstring
    assert layout is not None
    assert layout.split("\n")[2:5] == ["│   └── soup.md", "", "└── index.md"]


def test_a_text_without_steps_is_a_step_that_nobody_has_defined(tmp_path: Path) -> None:
    run(PROJECTS / "shell" / "spec.md", "-o", tmp_path)
    found = next(one for one in templates(tmp_path) if one.name == "A text without steps")
    assert [(step.type, step.name) for step in found.steps] == [("then", "The command prints its usage, and ends.")]


def test_titles_are_unique_and_hold_the_original(tmp_path: Path) -> None:
    run(PROJECTS / "accounts" / "spec.md", "-o", tmp_path)
    assert sorted(one.name for one in templates(tmp_path)) == sorted(
        ["Success", "Success (2)", "Success (2) (2)", "Success!", "Success? (2)", "Asking"]
    )
    ids = [one.id for one in catalogue.load(tmp_path).scenarios()]
    assert len(set(ids)) == len(ids) == 6


def test_scenarios_stand_under_the_only_demand_or_under_the_requirement_as_a_whole(door: Path) -> None:
    rules = {one.id: (one.sentence, len(one.scenarios)) for one in catalogue.load(door / "features").statements()}
    assert rules == {
        "door/bell.1": ("The bell SHALL ring.", 0),
        "door/bell.2": ("It MUST NOT ring at night.", 0),
        "door/bell.3": ("Bell", 1),
        "door/lock.1": ("The door SHALL lock itself.", 1),
    }


def test_the_lock_holds_every_sentence_with_what_claims_it(door: Path) -> None:
    found = lock.load("door", door / "features")
    assert found is not None
    assert [(one.kind, one.statements) for one in found.sentences if one.statements] == [
        ("demand", ("lock.1",)),
        ("scenario", ("lock.1",)),
        ("demand", ("bell.1",)),
        ("demand", ("bell.2",)),
        ("scenario", ("bell.3",)),
    ]
    assert [one.text for one in found.sentences if fingerprint(one.text) != one.fingerprint] == []
    assert {one.statement: one.scenarios for one in found.rules} == {
        "lock.1": ("left-open",),
        "bell.1": (),
        "bell.2": (),
        "bell.3": ("day",),
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_second_time_changes_nothing(name: str, tmp_path: Path) -> None:
    run(PROJECTS / name / "spec.md", "-o", tmp_path)
    before = {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()}
    assert run(PROJECTS / name / "spec.md", "-o", tmp_path, "--check").return_value == 0
    run(PROJECTS / name / "spec.md", "-o", tmp_path)
    assert {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()} == before


def test_check_writes_nothing_and_says_what_would_change(door: Path) -> None:
    edit(door, "The door SHALL lock itself.", "The door SHALL lock itself. It MAY beep.")
    before = {file: file.read_bytes() for file in (door / "features" / "door").iterdir()}
    result = again(door, "--check")
    assert result.return_value == 1
    assert f"{feature(door, 'lock')} would be changed: 1 new Rule\n" in result.output
    assert {file: file.read_bytes() for file in (door / "features" / "door").iterdir()} == before


BY_HAND = """\
# about the bell
@slow
Feature: Bell

  Background:
    Given a bell

  # numbers have gaps
  @bell.1 @mine
  Rule: The bell SHALL ring.

    @derived
    Scenario: By hand
      Then nothing is lost

  @bell.2
  Rule: It MUST NOT ring at night.

  @bell.3
  Rule: Bell

    @transcribed @slow
    Scenario: Day
      When somebody rings at noon
      Then the bell rings

  # the last word
  @robustness
  Rule: Where the specification is silent

    Scenario: Rust
      Then it rings
"""


def test_what_is_new_is_added_and_every_line_that_was_there_stays(door: Path) -> None:
    feature(door, "bell").write_text(BY_HAND, "utf-8")
    edit(door, "at night.", "at night. It SHOULD be of brass.")
    edit(
        door,
        "#### Scenario: Day",
        "#### Scenario: Evening\n- **WHEN** it is dark\n- **THEN** it rings\n\n#### Scenario: Day",
    )
    again(door)
    new = feature(door, "bell").read_text("utf-8")
    assert "  @bell.4 @should\n  Rule: It SHOULD be of brass.\n" in new
    assert "      Then the bell rings\n\n    @transcribed\n    Scenario: Evening\n" in new
    left = iter(new.split("\n"))
    assert all(line in left for line in BY_HAND.split("\n"))
    assert new.endswith("\n  # the last word\n" + BY_HAND.partition("  # the last word\n")[2])


def test_a_number_is_never_used_again(door: Path) -> None:
    edit(door, " It MUST NOT ring at night.", "")
    assert "no longer says “It MUST NOT ring at night.”; door/bell.2 is left as it is" in again(door).output
    text = feature(door, "bell").read_text("utf-8")
    feature(door, "bell").write_text(text.replace("  @bell.3\n  Rule: Bell\n", "").replace("  @bell.2\n", ""), "utf-8")
    edit(door, "The bell SHALL ring.", "The bell SHALL ring. Its button MUST glow in blue and red.")
    again(door)
    assert "  @bell.4\n  Rule: Its button MUST glow in blue and red.\n" in feature(door, "bell").read_text("utf-8")


def test_a_reworded_sentence_keeps_its_number_and_its_accepted_text(door: Path) -> None:
    edit(door, "The door SHALL lock itself.", "The front door SHALL lock itself.")
    result = again(door)
    assert ":9: door/lock.1 is about an older text: “The door SHALL lock itself.”" in result.output
    assert "Rule: The door SHALL lock itself.\n" in feature(door, "lock").read_text("utf-8")
    found = lock.load("door", door / "features")
    assert found is not None
    assert next(one.text for one in found.of("door/lock.1")) == "The door SHALL lock itself."


def test_a_reworded_scenario_gets_its_new_steps_where_nobody_edited_the_old_ones(door: Path) -> None:
    edit(door, "a minute has passed", "two minutes have passed")
    again(door)
    assert "      When two minutes have passed\n" in feature(door, "lock").read_text("utf-8")
    feature(door, "lock").write_text(feature(door, "lock").read_text("utf-8").replace("two", "some"), "utf-8")
    edit(door, "two minutes", "three minutes")
    result = again(door)
    place = f"{feature(door, 'lock')}:7 is left as it is"
    assert f"the scenario “Left open” has other steps now; {place}" in result.output
    assert "      When some minutes have passed\n" in feature(door, "lock").read_text("utf-8")


def test_what_is_gone_is_named_and_not_deleted(door: Path) -> None:
    text = (door / "door" / "spec.md").read_text("utf-8")
    (door / "door" / "spec.md").write_text(text.partition("### Requirement: Bell")[0], "utf-8")
    before = feature(door, "bell").read_bytes()
    output = again(door).output
    assert "no longer says “The bell SHALL ring.”; door/bell.1 is left as it is" in output
    assert "no longer says “Scenario: Day" in output
    assert feature(door, "bell").read_bytes() == before


def test_a_moved_scenario_stays_where_its_author_put_it(door: Path) -> None:
    file = feature(door, "bell")
    text = file.read_text("utf-8")
    scenario = text.partition("Rule: Bell\n")[2]
    file.write_text(
        text.replace(f"\n  @bell.3\n  Rule: Bell\n{scenario}", "").replace("ring.\n", f"ring.\n{scenario}"), "utf-8"
    )
    before = file.read_bytes()
    assert run(door / "door" / "spec.md", "-o", door / "features").return_value == 0
    assert file.read_bytes() == before


def test_a_renamed_requirement_keeps_its_file(door: Path) -> None:
    edit(door, "Requirement: Lock", "Requirement: Locking of the door")
    again(door)
    assert sorted(file.name for file in (door / "features" / "door").glob("*.feature")) == [
        "bell.feature",
        "lock.feature",
    ]


def test_features_without_a_lock_are_taken_as_they_are(door: Path) -> None:
    (door / "features" / "door" / lock.NAME).unlink()
    before = {file: file.read_bytes() for file in (door / "features" / "door").glob("*.feature")}
    again(door)
    assert {file: file.read_bytes() for file in (door / "features" / "door").glob("*.feature")} == before
    found = lock.load("door", door / "features")
    assert found is not None
    assert [one.statements for one in found.sentences if one.kind == "demand"] == [
        ("lock.1",),
        ("bell.1",),
        ("bell.2",),
    ]


def test_a_file_with_the_line_ends_of_windows_keeps_them(door: Path) -> None:
    file = feature(door, "bell")
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    edit(door, "at night.", "at night. It SHOULD be of brass.")
    again(door)
    text = file.read_bytes()
    assert b"Rule: It SHOULD be of brass.\r\n" in text
    assert text.count(b"\n") == text.count(b"\r\n")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("openspec/specs/auth/spec.md", "auth"),
        ("openspec/specs/platform/user auth/spec.md", "platform-user-auth"),
        ("docs/Payments.spec.md", "payments"),
        ("specs/spec.md", "specs"),
    ],
)
def test_a_specification_is_called_after_its_folders(path: str, name: str) -> None:
    assert name_of(Path("/project") / path) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("## ADDED Requirements\n\n### Requirement: A\nIt MUST.\n", ": is a change, and no specification"),
        ("# Plan\n\nDo it.\n", ": has no `### Requirement: …`"),
    ],
    ids=["change", "prose"],
)
def test_what_is_no_specification_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "spec.md").write_text(text, "utf-8")
    with pytest.raises(UsageError) as raised:
        transcribe(tmp_path / "spec.md", "it", tmp_path)
    assert str(raised.value).startswith(f"{tmp_path / 'spec.md'}{message}")


def test_a_feature_that_is_no_gherkin_is_named_with_its_line(door: Path) -> None:
    feature(door, "bell").write_text("Feature: Bell\n  Scenario: A\n    Given b\n    nonsense\n", "utf-8")
    result = again(door)
    assert isinstance(result.exception, UsageError)
    assert str(result.exception).startswith(f"{feature(door, 'bell')}:4: this is no Gherkin")


def test_two_specifications_of_one_name_are_refused(tmp_path: Path) -> None:
    for place in ("a", "b"):
        (tmp_path / place / "door").mkdir(parents=True)
        (tmp_path / place / "door" / "spec.md").write_text(SPEC, "utf-8")
    result = run(tmp_path / "a" / "door" / "spec.md", tmp_path / "b", "-o", tmp_path)
    assert "are both called door; transcribe them into two folders" in str(result.exception)
