"""The reader of OpenSpec specifications: what it finds, where, and what it says about the form."""

from collections import Counter
from pathlib import Path

import pytest

from specassay.errors import UsageError
from specassay.trace.model import Document, Requirement, Scenario, Span
from specassay.trace.openspec import read
from tests.trace import samples


def _named(document: Document, name: str) -> Requirement:
    return next(one for one in document.requirements if one.name == name)


def _scenario(document: Document, name: str) -> Scenario:
    return next(one for one in document.scenarios if one.name == name)


def _codes(document: Document) -> list[tuple[int, str]]:
    return [(lint.line, lint.code) for lint in document.lints]


@pytest.mark.parametrize("name", samples.NAMES)
def test_every_line_of_a_sample_belongs_to_exactly_one_part(name: str) -> None:
    text = samples.text(name)
    document = read(text)
    claimed = Counter(line.number for line in document.claims())
    assert claimed == {at: 1 for at, line in enumerate(text.split("\n"), 1) if line.strip()}
    assert document.unclaimed == ()


def test_a_canonical_specification_gives_no_lint_and_is_canonical_throughout() -> None:
    document = read(samples.text("canonical"))
    assert document.title == "Parcel Specification"
    assert document.purpose is not None
    assert document.purpose.text.startswith("Parcels are registered")
    assert document.lints == ()
    assert [one.name for one in document.requirements] == ["Registration", "Label"]
    assert all(one.canonical for one in document.requirements)
    assert all(one.canonical for one in document.scenarios)


def test_every_part_has_the_lines_that_it_spans() -> None:
    document = read(samples.text("canonical"))
    registration = document.requirements[0]
    scenario = registration.scenarios[0]
    assert registration.span == Span(9, 24)
    assert registration.body[0].span == Span(11, 12)
    assert scenario.span == Span(14, 19)
    assert [step.span for step in scenario.steps] == [Span(line, line) for line in (16, 17, 18, 19)]


def test_a_step_has_its_keyword_its_kind_and_its_text() -> None:
    steps = _scenario(read(samples.text("canonical")), "A parcel with a sender").steps
    assert [(step.keyword, step.kind) for step in steps] == [
        ("GIVEN", "given"),
        ("WHEN", "when"),
        ("THEN", "then"),
        ("AND", "then"),
    ]
    assert steps[2].text == 'the register has one entry, with the sender "Ada"'


def test_a_wrapped_step_is_one_step_with_both_lines() -> None:
    step = _scenario(read(samples.text("unbold-keywords")), "First number").steps[3]
    assert step.text == "the display, which has two lines, shows it"
    assert step.span == Span(13, 14)


def test_keywords_without_bold_are_recovered_and_each_is_a_lint() -> None:
    document = read(samples.text("unbold-keywords"))
    assert _codes(document) == [(line, "step-not-bold") for line in (10, 11, 12, 13, 15, 17, 18)]
    assert not any(step.canonical for scenario in document.scenarios for step in scenario.steps)
    assert [block.text for block in document.scenarios[1].steps[1].details] == [
        "the number that is called",
        "the number of the desk",
    ]


@pytest.mark.parametrize(
    ("scenario", "steps"),
    [
        (
            "A valid badge",
            [
                ("Given", "a closed door"),
                ("When", "a valid badge is shown"),
                ("Then", "the door opens"),
                ("And", "it closes after ten seconds"),
            ],
        ),
        (
            "Colons and bold",
            [
                ("Given", "a closed door"),
                ("When", "a badge is shown that is no longer valid"),
                ("Then", "the door stays closed"),
            ],
        ),
        (
            "Bullets with colons",
            [("Given", "a closed door"), ("When", "nothing is shown"), ("Then", "the door stays closed")],
        ),
        (
            "Odd bullets",
            [
                ("GIVEN", "a closed door"),
                ("WHEN", "two badges are shown"),
                ("THEN", "the door opens once"),
                ("AND WHEN", "it is open"),
                ("THEN", "the guard sees both"),
            ],
        ),
    ],
)
def test_steps_are_read_in_the_other_forms_that_people_write(scenario: str, steps: list[tuple[str, str]]) -> None:
    found = _scenario(read(samples.text("plain-gherkin")), scenario)
    assert [(step.keyword, step.text) for step in found.steps] == steps
    assert found.notes == ()


def test_a_compound_keyword_has_the_kind_of_its_second_word() -> None:
    assert _scenario(read(samples.text("plain-gherkin")), "Odd bullets").steps[3].kind == "when"


def test_tables_doc_strings_and_bullets_hang_on_their_step() -> None:
    given, when, then, nested, form, last = _scenario(
        read(samples.text("rich-steps")), "Everything that can hang on a step"
    ).steps
    assert given.tables == ((("name", "value"), ("a", "1")),)
    assert (when.text, when.doc_strings) == (
        "the report is made with these settings:",
        ("#### Scenario: not a heading\npage: 1",),
    )
    assert [detail.text for detail in then.details] == ["the sum of the column"]
    assert (nested.keyword, nested.canonical) == ("WHEN", False)
    assert form.doc_strings == ("# a\n- **WHEN** not a step",)
    assert last.text == "it goes on"


def test_text_around_the_steps_is_kept_and_reported() -> None:
    document = read(samples.text("rich-steps"))
    assert [note.text for note in _scenario(document, "Text around").notes] == [
        "Some words before.",
        "Text after a scenario SHALL NOT be lost.",
    ]
    assert {(55, "text-in-scenario"), (75, "text-in-scenario"), (59, "scenario-without-steps")} <= set(_codes(document))


def test_a_bullet_without_a_known_keyword_is_a_detail_and_a_lint() -> None:
    document = read(samples.text("rich-steps"))
    late = _scenario(document, "Text around").steps[0]
    assert [detail.text for detail in late.details] == ["**NOTE** this happens", "it happens on Mondays"]
    assert {(69, "unknown-keyword"), (70, "bullet-without-keyword"), (72, "second-act")} <= set(_codes(document))


def test_a_body_is_what_stands_above_the_first_scenario_in_blocks() -> None:
    body = _named(read(samples.text("rich-steps")), "Content of a report").body
    kinds = ["metadata", "metadata", "paragraph", "item", "item", "table", "code", "quote"]
    assert [block.kind for block in body] == kinds
    assert body[6].marker == "json"


def test_metadata_is_the_body_only_where_nothing_else_is() -> None:
    document = read(samples.text("metadata-only"))
    assert document.requirements[0].text.startswith("**Constraint**: The system MUST")
    assert "REP-1" not in read(samples.text("rich-steps")).requirements[0].text


@pytest.mark.parametrize(
    ("name", "line", "code"),
    [
        ("Too deep", 18, "scenario-level"),
        ("Too high", 23, "scenario-level"),
        ("Indented", 28, "indented-heading"),
        ("Without a space", 33, "heading-without-space"),
        ("Bold", 38, "bold-scenario"),
        ("Label in bold", 43, "bold-scenario"),
    ],
)
def test_a_scenario_whose_heading_is_not_canonical_is_found_and_is_a_lint(name: str, line: int, code: str) -> None:
    document = read(samples.text("levels"))
    scenario = _scenario(document, name)
    assert (scenario.canonical, scenario.span.first, len(scenario.steps)) == (False, line, 2)
    assert (line, code) in _codes(document)


def test_a_scenario_below_which_nothing_stands_is_kept_and_is_empty() -> None:
    document = read(samples.text("levels"))
    assert _scenario(document, "Nothing below").empty
    assert (48, "empty-scenario") in _codes(document)


def test_requirements_in_a_group_and_in_a_second_section_are_found() -> None:
    document = read(samples.text("levels"))
    assert [one.name for one in document.requirements] == ["Levels", "In a group", "In the second section"]
    assert {(50, "group-of-requirements"), (52, "requirement-level"), (61, "second-requirements-section")} <= set(
        _codes(document)
    )


def test_names_lose_their_label_their_closing_marks_and_no_more() -> None:
    document = read(samples.text("variants"))
    assert [one.name for one in document.requirements] == ["Spaces and a closing run", "Without a label", "C#"]
    assert [one.name for one in document.scenarios] == ["Closed heading", "Edge case", "One", "Sharp"]


def test_a_heading_without_a_label_in_its_place_is_recovered() -> None:
    document = read(samples.text("variants"))
    assert not _named(document, "Without a label").canonical
    assert not _scenario(document, "Edge case").canonical
    assert {(33, "scenario-without-label"), (38, "requirement-without-label"), (12, "section-level")} <= set(
        _codes(document)
    )


def test_front_matter_and_other_sections_are_kept_apart() -> None:
    document = read(samples.text("variants"))
    assert document.sections[0].blocks[0].kind == "front-matter"
    assert [section.heading.text for section in document.sections if section.heading] == ["Requirements", "Notes"]


def test_what_stands_outside_of_its_place_is_read_and_reported() -> None:
    document = read(samples.text("outside"))
    assert [one.name for one in document.requirements] == ["Before the section", "Inside"]
    assert [one.name for one in document.stray] == ["In no requirement"]
    assert _codes(document) == [(7, "requirement-outside-section"), (18, "scenario-outside-requirement")]


def test_comments_are_no_text_and_hide_what_is_in_them() -> None:
    document = read(samples.text("comments"))
    assert [one.name for one in document.requirements] == ["Comments"]
    assert "MUST NOT" not in document.requirements[0].text
    steps = _scenario(document, "A comment between steps").steps
    assert [step.text for step in steps] == ["a comment stands here and ends", "`<!--` in code is none"]
    assert _codes(document) == [(15, "heading-in-comment"), (19, "heading-in-comment")]


def test_a_comment_that_is_never_closed_hides_nothing() -> None:
    document = read(samples.text("canonical").replace("The label SHALL", "<!-- The label SHALL"))
    assert [one.name for one in document.requirements] == ["Registration", "Label"]
    assert _codes(document) == [(28, "unclosed-comment")]


def test_a_code_block_that_is_never_closed_swallows_no_heading() -> None:
    document = read(samples.text("unclosed-code"))
    assert [one.name for one in document.scenarios] == ["After the code", "Later", "Inline code with three marks"]
    assert _codes(document) == [(13, "unclosed-code-block"), (33, "inline-code-fence")]


def test_a_heading_in_a_code_block_is_no_heading_and_is_reported() -> None:
    text = samples.text("canonical") + "\n```\n### Requirement: Shown\n```\n"
    document = read(text)
    assert len(document.requirements) == 2
    assert _codes(document) == [(36, "heading-in-code")]


def test_underlined_headings_are_found() -> None:
    document = read(samples.text("underlined"))
    assert document.title == "Underlined Specification"
    assert document.purpose is not None
    assert [one.name for one in document.requirements] == ["Underlines"]
    assert [lint.code for lint in document.lints] == ["underlined-heading"] * 3


def test_double_names_are_all_kept_and_reported() -> None:
    document = read(samples.text("duplicates"))
    assert len(document.scenarios) == 4
    assert _codes(document) == [(18, "duplicate-scenario"), (32, "duplicate-requirement")]


def test_chinese_headings_and_keywords_are_canonical_too() -> None:
    document = read(samples.text("chinese"))
    assert document.purpose is not None
    assert document.lints == ()
    requirement = document.requirements[0]
    assert (requirement.name, requirement.scenarios[0].name) == ("创建订单", "有效订单")
    assert [step.kind for step in requirement.scenarios[0].steps] == ["when", "then"]


@pytest.mark.parametrize("line", ["当前用户提交订单", "当时没有订单"])
def test_a_chinese_word_that_begins_like_a_keyword_begins_no_step(line: str) -> None:
    text = samples.text("chinese-labels") + f"- {line}\n"
    steps = read(text).scenarios[-1].steps
    assert [step.text for step in steps][-1] == "系统拒绝订单"
    assert [detail.text for detail in steps[-1].details] == [line]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
@pytest.mark.parametrize("name", samples.NAMES)
def test_line_ends_and_a_byte_order_mark_change_nothing(name: str, end: str) -> None:
    text = samples.text(name)
    assert read("\ufeff" + text.replace("\n", end)) == read(text)


def test_a_file_is_read_and_named(tmp_path: Path) -> None:
    file = tmp_path / "spec.md"
    file.write_text(samples.text("canonical"), "utf-8")
    assert read(file).path == str(file)


def test_a_file_that_is_not_there_or_not_utf8_is_one_clear_message(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.md: cannot be read: No such file"):
        read(tmp_path / "none.md")
    (tmp_path / "spec.md").write_bytes(b"## Purpose\n\xff")
    with pytest.raises(UsageError, match=r"spec\.md: not UTF-8 at byte 11\. Save"):
        read(tmp_path / "spec.md")


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "#", "# ", "```", "<!--", "---\n", "- ", "|"])
def test_a_text_of_almost_nothing_is_read(text: str) -> None:
    document = read(text)
    assert document.requirements == ()
    assert document.unclaimed == ()
    assert {lint.code for lint in document.lints} >= {"no-purpose", "no-requirements"}


def test_a_step_below_a_wrapped_one_in_plain_text_belongs_to_it() -> None:
    text = "## Requirements\n### Requirement: A\nX\n#### Scenario: B\n- **WHEN** a user waits\n  And then leaves\n"
    steps = read(text).scenarios[0].steps
    assert [step.text for step in steps] == ["a user waits And then leaves"]


def test_bullets_with_keywords_below_a_colon_are_details() -> None:
    text = "## Requirements\n### Requirement: A\nX\n#### Scenario: B\n- **WHEN** steps are:\n  - **GIVEN** first\n"
    (step,) = read(text).scenarios[0].steps
    assert [detail.text for detail in step.details] == ["**GIVEN** first"]


def test_a_first_step_that_inherits_is_a_given_and_a_lint() -> None:
    text = "## Requirements\n### Requirement: A\nX\n#### Scenario: B\n- **AND** it is open\n- **WHEN** it is closed\n"
    document = read(text)
    assert document.scenarios[0].steps[0].kind == "given"
    assert (5, "first-step-inherits") in _codes(document)


def test_a_longer_fence_holds_a_shorter_one() -> None:
    text = samples.text("canonical") + "\n````\n```\n````\n\n### Requirement: After\n"
    assert [one.name for one in read(text).requirements] == ["Registration", "Label", "After"]


def test_a_title_with_a_label_is_a_title() -> None:
    document = read(samples.text("canonical").replace("# Parcel Specification", "# Scenario: parcels"))
    assert (document.title, document.lints, document.stray) == ("Scenario: parcels", (), ())


def test_a_deeper_heading_in_a_body_is_a_scenario_of_its_own_requirement() -> None:
    text = samples.text("canonical") + "\n### Requirement: After\n\nIt SHALL.\n\n##### Edge\n\n- **WHEN** x\n"
    assert [one.name for one in read(text).requirements[-1].scenarios] == ["Edge"]


def test_a_requirement_with_an_empty_scenario_has_none() -> None:
    text = samples.text("canonical") + "\n### Requirement: After\n\nIt SHALL.\n\n#### Scenario: Nothing\n"
    assert _codes(read(text)) == [(35, "requirement-without-scenario"), (39, "empty-scenario")]
