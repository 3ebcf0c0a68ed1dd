"""What a change does to a specification, in OpenSpec's order, and what it cannot do."""

import pytest

from specassay.trace.deltas import Applied, apply
from specassay.trace.openspec import read
from tests.trace import samples

SCENARIO = "#### Scenario: {0}\n- **WHEN** x\n- **THEN** y\n"


def _requirement(name: str, text: str = "It SHALL be.", *scenarios: str) -> str:
    below = "\n".join(SCENARIO.format(scenario) for scenario in scenarios or ("One",))
    return f"### Requirement: {name}\n{text}\n{below}\n"


def _base(*requirements: str) -> str:
    return "## Purpose\nA thing.\n## Requirements\n" + "\n".join(requirements)


def _apply(change: str, *requirements: str) -> Applied:
    base = requirements or (_requirement("A"), _requirement("B"))
    return apply(read(_base(*base)), read(change))


def _names(applied: Applied) -> list[str]:
    return [one.name for one in applied.document.requirements]


def _errors(applied: Applied) -> list[tuple[int, str]]:
    return [(lint.line, lint.code) for lint in applied.errors]


def test_the_four_operations_are_applied_in_order_and_keep_the_places() -> None:
    applied = apply(read(samples.text("canonical")), read(samples.text("delta")))
    assert _names(applied) == ["Parcel label", "Signature"]
    assert applied.errors == applied.notes == ()
    label = applied.document.requirements[0]
    assert label.text == "The label SHALL show the parcel's number, and its weight."
    assert label.span.first == 18, "a part that comes from the change has the change's lines"
    assert applied.document.purpose is not None
    assert applied.document.purpose.text.startswith("Parcels are registered"), (
        "the change's purpose seeds new ones only"
    )


def test_a_change_to_nothing_makes_a_specification_with_the_changes_purpose() -> None:
    applied = apply(None, read("## Purpose\nNew.\n## ADDED Requirements\n" + _requirement("A")))
    assert (_names(applied), applied.errors) == (["A"], ())
    assert applied.document.purpose is not None
    assert (applied.document.purpose.text, applied.document.deltas) == ("New.", ())


def test_a_rename_frees_its_old_name_for_an_addition() -> None:
    rename = "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: C`\n"
    applied = _apply(rename + "## ADDED Requirements\n" + _requirement("A"))
    assert (_names(applied), applied.errors) == (["C", "B", "A"], ())


def test_a_removal_frees_its_name_for_a_variant() -> None:
    applied = _apply("## REMOVED Requirements\n- `### Requirement: A`\n## ADDED Requirements\n" + _requirement("a"))
    assert (_names(applied), applied.errors) == (["B", "a"], ())


def test_sections_of_one_kind_are_applied_together() -> None:
    applied = _apply(f"## ADDED Requirements\n{_requirement('C')}\n## Added requirements\n{_requirement('D')}")
    assert _names(applied) == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("## MODIFIED Requirements\n" + _requirement("C"), (2, "no-such-requirement")),
        ("## MODIFIED Requirements\n" + _requirement("a"), (2, "almost-the-same-name")),
        ("## MODIFIED Requirements\n" + _requirement("A", "It SHALL.", "Two"), (2, "scenario-left-out")),
        ("## ADDED Requirements\n" + _requirement("A", "It SHALL differ."), (2, "name-taken")),
        ("## ADDED Requirements\n" + _requirement("a"), (2, "almost-the-same-name")),
        ("## ADDED Requirements\n" + _requirement("C") + _requirement("C"), (8, "named-twice")),
        ("## REMOVED Requirements\n- `### Requirement: a`\n", (2, "almost-the-same-name")),
        (
            "## RENAMED Requirements\n- FROM: `### Requirement: C`\n- TO: `### Requirement: D`\n",
            (2, "no-such-requirement"),
        ),
        ("## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n", (2, "name-taken")),
        (
            "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: b`\n",
            (2, "almost-the-same-name"),
        ),
        ("## RENAMED Requirements\n- FROM: `### Requirement: A`\n", (2, "unpaired-rename")),
        ("## RENAMED Requirements\n- TO: `### Requirement: A`\n", (2, "unpaired-rename")),
        (
            "## REMOVED Requirements\n- `### Requirement: A`\n## MODIFIED Requirements\n" + _requirement("A"),
            (2, "contradiction"),
        ),
        (
            "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: C`\n"
            "## MODIFIED Requirements\n" + _requirement("A"),
            (5, "contradiction"),
        ),
        ("## Notes\nNothing.\n", (1, "no-operation")),
    ],
)
def test_what_does_not_apply_is_an_error_at_its_line(change: str, error: tuple[int, str]) -> None:
    assert error in _errors(_apply(change))


def test_what_was_applied_before_is_a_note() -> None:
    rename = "## RENAMED Requirements\n- FROM: `### Requirement: Z`\n- TO: `### Requirement: A`\n"
    removal = "## REMOVED Requirements\n- `### Requirement: Y`\n"
    applied = _apply(f"{rename}{removal}## ADDED Requirements\n{_requirement('B')}")
    assert applied.errors == ()
    assert [note.code for note in applied.notes] == ["already-renamed", "already-removed", "already-added"]
    assert _names(applied) == ["A", "B"]


def test_a_scenario_that_is_there_twice_cannot_be_left_out_once() -> None:
    twice = _requirement("A", "It SHALL.", "One", "One")
    assert "scenario-left-out" in [
        code for _, code in _errors(_apply("## MODIFIED Requirements\n" + _requirement("A"), twice))
    ]


def test_from_and_to_in_bold_or_in_small_letters_are_read_although_openspec_does_not() -> None:
    change = read("## RENAMED Requirements\n- **FROM:** `### Requirement: A`\n- to: `### Requirement: C`\n")
    assert _names(apply(read(_base(_requirement("A"))), change)) == ["C"]
    assert [(lint.line, lint.code) for lint in change.lints] == [(2, "rename-form"), (3, "rename-form")]


def test_removing_what_is_renamed_is_a_contradiction_however_its_case() -> None:
    rename = "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: C`\n"
    applied = _apply(f"{rename}## REMOVED Requirements\n- `### Requirement: a`\n")
    assert (2, "contradiction") in _errors(applied)


def test_a_heading_in_a_change_that_names_no_requirement_is_kept_and_reported() -> None:
    change = read("## ADDED Requirements\n### Group\nText.\n" + _requirement("A"))
    assert [section.heading.text for section in change.sections if section.heading] == ["Group"]
    assert [lint.code for lint in change.lints] == ["heading-in-change"]


def test_chinese_section_titles_are_operations_too() -> None:
    change = read("## 新增需求\n### 需求\uff1a甲\n系统必须。\n#### 场景\uff1a乙\n- **当** 丙\n")
    assert [(delta.operation, delta.requirements[0].name) for delta in change.deltas] == [("added", "甲")]
