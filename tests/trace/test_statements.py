"""What a specification demands, sentence by sentence."""

import pytest

from specassay.trace.model import Requirement, Span
from specassay.trace.openspec import read
from specassay.trace.statements import Sentence, keywords, lints, of_prose, of_requirement
from tests.trace import samples


def _requirement(body: str) -> Requirement:
    return read(f"## Requirements\n### Requirement: A\n{body}\n").requirements[0]


def _demands(body: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.text, one.keywords) for one in of_requirement(_requirement(body)) if one.normative]


def _sentence(body: str) -> Sentence:
    (sentence,) = of_requirement(_requirement(body))
    return sentence


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It MUST go.", ("MUST",)),
        ("It MUST NOT go.", ("MUST NOT",)),
        ("It **MUST** go, and **MUST NOT** stay.", ("MUST", "MUST NOT")),
        ("It MUST **NOT** go.", ("MUST NOT",)),
        ("It _SHALL_ go.", ("SHALL",)),
        ("It SHALL NOT go, SHOULD NOT stay and MAY sleep.", ("SHALL NOT", "SHOULD NOT", "MAY")),
        ("It must go and shall stay.", ()),
        ("It says `MUST` and “SHALL NOT” and \"MAY\".", ()),
        ("It has a MUST, and the SHALL of a sentence.", ()),
        ("A MUST-HAVE of MY_MUST, SHALLOW as it is.", ()),
        ("Since MAY 2026 it runs.", ()),
        ("系统必须保存。", ("MUST",)),
        ("系统不得丢失。", ("MUST NOT",)),
        ("系统禁止删除。", ("MUST NOT",)),
        ("系统应返回编号, 响应应用 JSON。", ("SHALL",)),
        ("系统不应等待。", ("SHALL NOT",)),
        ("系统应当保存, 应该通知, 不应该等待, 可以重试。", ("SHALL", "SHOULD", "SHOULD NOT", "MAY")),
        ("系统 MUST 保存。", ("MUST",)),
    ],
)  # fmt: skip
def test_modal_verbs_are_found_where_they_are_said(text: str, found: tuple[str, ...]) -> None:
    assert keywords(text) == found


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("It SHALL NOT go.", "MUST"),
        ("It MAY go and SHOULD return.", "SHOULD"),
        ("It MAY go.", "MAY"),
        ("It goes.", None),
    ],
)
def test_a_sentence_has_the_level_of_its_strongest_verb(text: str, level: str | None) -> None:
    assert _sentence(text).level == level


def test_a_body_is_split_and_each_sentence_has_its_lines() -> None:
    body = "The store SHALL keep\nit. It MUST NOT\nlose it. It is\nfast."
    assert [(one.text, one.lines, one.keywords) for one in of_requirement(_requirement(body))] == [
        ("The store SHALL keep it.", Span(3, 4), ("SHALL",)),
        ("It MUST NOT lose it.", Span(4, 5), ("MUST NOT",)),
        ("It is fast.", Span(5, 6), ()),
    ]


def test_the_items_of_a_list_inherit_from_what_leads_it() -> None:
    body = "The system SHALL NOT:\n\n- log it. That is secret.\n- keep it;\n- it MAY ask"
    sentences = of_requirement(_requirement(body))
    assert [(one.text, one.keywords, one.inherited, one.kind) for one in sentences] == [
        ("The system SHALL NOT:", ("SHALL NOT",), False, "lead-in"),
        ("log it.", ("SHALL NOT",), True, "sentence"),
        ("That is secret.", (), False, "sentence"),
        ("keep it;", ("SHALL NOT",), True, "sentence"),
        ("it MAY ask", ("MAY",), False, "sentence"),
    ]
    assert [one.normative for one in sentences] == [False, True, False, True, True]
    assert sentences[1].lead == "The system SHALL NOT:"


def test_an_item_may_lead_a_list_of_its_own_and_details_inherit_nothing() -> None:
    items = "1. show:\n   - a\n   - b\n2. hide\n   - as a detail\n\n   Still hiding.\n3. end"
    assert [text for text, _ in _demands(f"It SHALL:\n{items}\n\nAfter.\n- not led")] == ["a", "b", "hide", "end"]


def test_a_lead_without_a_verb_gives_none() -> None:
    assert _demands("These are:\n- one\n- two that MUST be") == [("two that MUST be", ("MUST",))]


def test_a_colon_before_anything_but_a_list_demands_by_itself() -> None:
    body = "It SHALL show:\n\n| a | b |\n|---|---|\n| c | MUST be d |\n\n```\nMUST\n```"
    assert [(one.text, one.kind, one.normative) for one in of_requirement(_requirement(body))] == [
        ("It SHALL show:", "sentence", True),
        ("a | b", "row", False),
        ("c | MUST be d", "row", True),
        ("MUST", "code", False),
    ]


def test_comments_demand_nothing_and_metadata_only_where_it_has_a_verb() -> None:
    body = "<!-- It MUST. -->\n**ID**: 7\n**Constraint**: It MUST be."
    assert [(one.text, one.kind, one.normative) for one in of_requirement(_requirement(body))] == [
        ("**ID**: 7", "metadata", False),
        ("**Constraint**: It MUST be.", "sentence", True),
    ]


def test_more_sentences_than_scenarios_are_a_lint_at_the_requirement() -> None:
    document = read(samples.text("canonical").replace("The label SHALL show", "The label MUST stick. It SHALL show"))
    assert [(lint.code, lint.line) for lint in lints(document)] == [("more-statements-than-scenarios", 26)]
    assert "2 normative sentences, 1 scenario:" in lints(document)[0].message
    assert lints(read(samples.text("canonical"))) == ()


def test_a_requirement_that_demands_nothing_is_a_lint() -> None:
    document = read(samples.text("canonical").replace("The label SHALL show", "The label shows"))
    assert [lint.code for lint in lints(document)] == ["requirement-without-demand"]


PROSE = """\
Plan of the Tool

Status: done

Scope

• Add calls. Serialize
  replies.
• Reject before sending:
  • orphans;
  • duplicates.

Security

1. The token is never logged, e.g. in `a. B`.
2. It is kept.

Every call returns JSON:

```json
{"ok": true}
```

## Limits

Hosts are not served; they are refused.
"""


def test_prose_is_read_sentence_by_sentence_with_lines_and_headings() -> None:
    prose = of_prose(PROSE)
    assert prose.title == "Plan of the Tool"
    assert [(one.kind, one.lines.first, one.lines.last, one.section, one.text) for one in prose.sentences] == [
        ("heading", 1, 1, "Plan of the Tool", "Plan of the Tool"),
        ("sentence", 3, 3, "Plan of the Tool", "Status: done"),
        ("heading", 5, 5, "Scope", "Scope"),
        ("sentence", 7, 7, "Scope", "Add calls."),
        ("sentence", 7, 8, "Scope", "Serialize replies."),
        ("lead-in", 9, 9, "Scope", "Reject before sending:"),
        ("sentence", 10, 10, "Scope", "orphans;"),
        ("sentence", 11, 11, "Scope", "duplicates."),
        ("heading", 13, 13, "Security", "Security"),
        ("sentence", 15, 15, "Security", "The token is never logged, e.g. in `a. B`."),
        ("sentence", 16, 16, "Security", "It is kept."),
        ("sentence", 18, 18, "Security", "Every call returns JSON:"),
        ("code", 20, 22, "Security", '{"ok": true}'),
        ("heading", 24, 24, "Limits", "Limits"),
        ("sentence", 26, 26, "Limits", "Hosts are not served; they are refused."),
    ]


def test_an_item_in_prose_keeps_the_text_that_leads_it() -> None:
    leads = {one.text: one.lead for one in of_prose(PROSE).sentences}
    assert (leads["orphans;"], leads["Add calls."]) == ("Reject before sending:", "")
