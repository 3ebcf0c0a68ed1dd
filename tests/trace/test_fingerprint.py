"""What changes a fingerprint, and what does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specassay.trace.fingerprint import fingerprint, normalised
from specassay.trace.model import Scenario
from specassay.trace.openspec import read
from specassay.trace.statements import Sentence, of_requirement
from tests.trace import samples

SENTENCE = "The store MUST keep the `max_age` of a message, and MUST NOT lose 2 * 3 of them."


@pytest.mark.parametrize(
    "same",
    [
        "The store   MUST keep the `max_age` of a\nmessage, and MUST NOT lose 2 * 3 of them.",
        "The store **MUST** keep the `max_age` of a message, and __MUST NOT__ lose 2 * 3 of them.",
        "The *store* MUST keep the max_age of a message, and MUST NOT lose 2 * 3 of them.",
        "- The store MUST keep the `max_age` of a message, and MUST NOT lose 2 * 3 of them.",
        "2. The store MUST keep the ``max_age`` of a message, and MUST NOT lose 2 \\* 3 of them.",
        "  \u2022 The store MUST keep the max\\_age of a message,\u00a0and MUST NOT lose 2 * 3 of them.",
    ],
)
def test_formatting_does_not_change_a_fingerprint(same: str) -> None:
    assert fingerprint(same) == fingerprint(SENTENCE)


@pytest.mark.parametrize(
    "other",
    [
        SENTENCE.replace("MUST keep", "SHOULD keep"),
        SENTENCE.replace("MUST NOT", "MUST"),
        SENTENCE.replace("MUST keep", "must keep"),
        SENTENCE.replace("max_age", "maxage"),
        SENTENCE.replace("max_age", "max_ages"),
        SENTENCE.replace("2 * 3", "2 3"),
        SENTENCE.replace("message,", "message"),
        SENTENCE.replace("store", "stores"),
    ],
)
def test_a_word_or_a_verb_or_a_mark_that_means_something_changes_it(other: str) -> None:
    assert fingerprint(other) != fingerprint(SENTENCE)


@pytest.mark.parametrize(
    ("text", "other"),
    [("_private and other_name", "private and othername"), ("`*a*` x", "a x"), ("*.ts or .js", ".ts or .js")],
)
def test_marks_that_are_characters_count(text: str, other: str) -> None:
    assert fingerprint(text) != fingerprint(other)


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert fingerprint("caf\u00e9") == fingerprint("cafe\u0301")


def test_wrapped_chinese_is_the_same() -> None:
    assert fingerprint("系统必须\n保存订单。") == fingerprint("系统必须保存订单。")


def test_a_list_item_changes_with_the_verb_that_it_inherits() -> None:
    def item(lead: str) -> Sentence:
        return of_requirement(read(f"## Requirements\n### Requirement: A\n{lead}\n- keep it\n").requirements[0])[-1]

    assert fingerprint(item("It SHALL:")) == fingerprint(item("It **SHALL**:"))
    assert fingerprint(item("It SHALL:")) != fingerprint(item("It SHOULD:"))


def test_code_counts_by_its_words_alone() -> None:
    def code(text: str) -> Sentence:
        return of_requirement(read(f"## Requirements\n### Requirement: A\n{text}\n").requirements[0])[-1]

    assert fingerprint(code("```\n{\n  a: *b*\n}\n```")) == fingerprint(code("~~~js\n{ a: *b* }\n~~~"))
    assert fingerprint(code("```\na: *b*\n```")) != fingerprint(code("```\na: b\n```"))


def _scenario(text: str) -> Scenario:
    return read(f"## Requirements\n### Requirement: A\nX\n#### Scenario: S\n{text}\n").scenarios[0]


STEPS = "- **GIVEN** a `door`\n- **WHEN** it opens\n  - slowly\n- **THEN** it creaks"


@pytest.mark.parametrize(
    "same",
    [
        "- GIVEN a door\n- WHEN it\n  opens\n  * slowly\n- THEN it *creaks*",
        "Given a door\nWhen it opens\n  - slowly\nThen it creaks",
        "* Given: a door\n\n* When: it opens\n    1. slowly\n\n* Then: it creaks",
        "- **GIVEN** a door <!-- a comment -->\n- **WHEN** it opens\n  - slowly\n- **THEN** it creaks",
    ],
)
def test_the_form_of_steps_does_not_change_a_scenario(same: str) -> None:
    assert normalised(_scenario(same)) == normalised(_scenario(STEPS))


@pytest.mark.parametrize(
    "other",
    [
        STEPS.replace("THEN", "AND"),
        STEPS.replace("slowly", "fast"),
        STEPS.replace("  - slowly\n", ""),
        STEPS + "\n- **AND** it closes",
        STEPS.replace("it creaks", "it MUST creak"),
        STEPS + "\n```\ncode\n```",
        STEPS + "\n\nA note.",
    ],
)
def test_any_other_step_detail_or_note_changes_a_scenario(other: str) -> None:
    assert fingerprint(_scenario(other)) != fingerprint(_scenario(STEPS))


def test_a_scenario_keeps_its_fingerprint_under_another_title() -> None:
    text = samples.text("canonical")
    renamed = text.replace("#### Scenario: Number on the label", "#### Scenario: The number")
    assert fingerprint(read(renamed).scenarios[-1]) == fingerprint(read(text).scenarios[-1])


def test_table_padding_does_not_count_and_cells_do() -> None:
    table = "- **GIVEN** this:\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |"
    padded = "- **GIVEN** this:\n\n  |  a  |b|\n  | :-: |--|\n  |1|  2  |"
    assert fingerprint(_scenario(table)) == fingerprint(_scenario(padded))
    assert fingerprint(_scenario(table)) != fingerprint(_scenario(table.replace("2", "3")))


_WORDS = st.lists(
    st.sampled_from(("a", "snake_case", "MUST", "NOT", "1.5", "x*y", "end.", "é")), min_size=1, max_size=8
)
_GAPS = st.sampled_from((" ", "  ", "\n", "\n  ", "\t"))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(_WORDS, st.data())
def test_wrapping_and_marks_around_words_never_count(words: list[str], data: st.DataObject) -> None:
    marks = [data.draw(st.sampled_from(("{}", "**{}**", "`{}`"))) for _ in words]
    gaps = [data.draw(_GAPS) for _ in words]
    marked = "".join(gap + mark.format(word) for gap, mark, word in zip(gaps, marks, words, strict=True))
    assert normalised(marked) == normalised(" ".join(f"`{word}`" for word in words))
