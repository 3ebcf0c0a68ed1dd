"""Whatever stands in a file, the readers neither crash nor lose a line of it."""

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specassay.trace import deltas, statements
from specassay.trace.fingerprint import fingerprint
from specassay.trace.markdown import ITEM, lex
from specassay.trace.openspec import read

_PIECES = (
    *("# Title", "## Purpose", "## Requirements", "### Requirements", "## Notes", "#### Note", "##### Deep", "Purpose"),
    *("### Requirement: A", "### Requirement: B ##", "###Requirement: C", "#### Requirement: D", "### 需求\uff1a甲"),
    *("### Requirement:", "### Group", "#### Scenario: S", "##### Scenario: T", "### Scenario: U", "#### 场景: 乙"),
    *("**Scenario: V**", "- **Scenario:** W", " #### Scenario: X", "#### Edge", "Requirement: Y", "---", "===", "-"),
    *("## ADDED Requirements", "## modified requirements", "## REMOVED Requirements", "## RENAMED Requirements"),
    *("- FROM: `### Requirement: A`", "- TO: `### Requirement: B`", "- `### Requirement: A`", "**FROM:** A"),
    *("- **GIVEN** g", "- WHEN w", "Then t", "  - **AND** a", "And more", "- **AND WHEN** b", "* Given: c", "当 用户"),
    *(
        "- item:",
        "  - nested",
        "• bullet",
        "1. one",
        "2024. It",
        "  continued",
        "    far",
        "\ttab",
        "| a | b |",
        "|--|",
    ),
    *(
        "```",
        "```json",
        "~~~~",
        "  ```",
        "- ```",
        "```x``` y",
        "<!--",
        "-->",
        "a <!-- b --> c",
        "`<!--`",
        "a --> b <!--",
    ),
    *(
        "The system SHALL:",
        "It MUST NOT (e.g. x. Y). Next.",
        "**ID**: 1",
        "> quoted",
        "",
        "",
        "   ",
        "\u3000",
        "\u2028",
    ),
    *(
        'He said "Stop. Now." And went.',
        "系统必须保存。系统不得丢失。",
        "a (b [c {d",
        ") ] }",
        "`a",
        "``b` c",
        '"x',
        "\\",
    ),
)
_LINES = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=12)), max_size=30)
_TEXTS = st.builds(lambda lines, end: end.join(lines), _LINES, st.sampled_from(("\n", "\r\n", "\r")))
_QUICK = settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def _lines(text: str) -> dict[int, str]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return {at: line for at, line in enumerate(lines, 1) if line.strip()}


@_QUICK
@given(_TEXTS)
def test_every_line_is_claimed_once_with_its_own_text(text: str) -> None:
    document = read(text)
    claimed = list(document.claims())
    assert document.unclaimed == ()
    assert {line.number: line.text for line in claimed} == _lines(text)
    assert max(Counter(line.number for line in claimed).values(), default=1) == 1


@_QUICK
@given(_TEXTS)
def test_every_word_of_a_body_is_in_one_of_its_sentences(text: str) -> None:
    for requirement in read(text).requirements:
        said = [block.text for block in requirement.body if block.kind in ("paragraph", "item", "quote", "metadata")]
        kinds = ("sentence", "lead-in", "metadata")
        found = [sentence.text for sentence in statements.of_requirement(requirement) if sentence.kind in kinds]
        assert "".join("".join(said).split()) == "".join("".join(found).split())
        for scenario in requirement.scenarios:
            assert len(fingerprint(scenario)) == 16


@_QUICK
@given(_TEXTS)
def test_every_line_of_a_prose_document_that_says_something_is_in_a_sentence(text: str) -> None:
    lines, _ = lex(text)
    said = {one.number for one in lines if one.mask not in ("comment", "front-matter") and _says(one.visible)}
    spans = [sentence.lines for sentence in statements.of_prose(text).sentences]
    assert said <= {number for span in spans for number in range(span.first, span.last + 1)}


def _says(text: str) -> bool:
    return any(letter.isalnum() for letter in ITEM.sub(r"\4", text))


@_QUICK
@given(_TEXTS, _TEXTS)
def test_any_text_can_be_applied_to_any_other(base: str, change: str) -> None:
    applied = deltas.apply(read(base), read(change))
    names = [one.name for one in applied.document.requirements]
    if not applied.errors:
        added = [one.name for delta in read(change).deltas if delta.operation == "added" for one in delta.requirements]
        assert set(added) <= set(names)
