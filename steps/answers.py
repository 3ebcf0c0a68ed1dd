"""What the chat route, or a provider adapter, answered: content and tool calls."""

from typing import Any

import pytest
from pytest_bdd import parsers, then

from specassay.steps.expected import expected, rows
from specassay.suite.checks import A_TEXT, Check, also, at, containing, items, show
from specassay.suite.values import Values

_KEYS = ("content", "toolCalls")


@pytest.fixture
def answers() -> list[Any]:
    """Give the JSON of every answer so far."""
    return []


@then(parsers.re(r"the answer's (?P<field>content|error|toolCalls) is (?P<value>.+)"))
def answer_field(check: Check, values: Values, answers: list[Any], field: str, value: str) -> None:
    check(f"{field} of the answer", expected(values, value), at(answers, -1, field))


@then(parsers.re(r"the answer's (?P<field>content|error) contains (?P<text>.+)"))
def answer_field_contains(check: Check, values: Values, answers: list[Any], field: str, text: str) -> None:
    check(f"{field} of the answer", containing(values.json(text)), at(answers, -1, field))


@then("the answer's toolCalls are exactly")
def answer_calls(check: Check, values: Values, answers: list[Any], datatable: list[list[str]]) -> None:
    """Compare name, args and, where a column says so, the id of each call, in order."""
    wanted = [
        also(
            {
                "id": expected(values, row.get("id", A_TEXT.words)),
                "name": values.fill(row["name"]),
                "args": expected(values, row["args"]),
            }
        )
        for row in rows(datatable)
    ]
    check("toolCalls of the answer", wanted, at(answers, -1, "toolCalls"))


@then("every call of every answer has an id of its own")
def ids_are_unique(check: Check, answers: list[Any]) -> None:
    ids = [at(call, "id") for answer in answers for call in items(at(answer, "toolCalls"))]
    check("the ids of all calls", [A_TEXT] * max(1, len(ids)), ids)
    shown = [show(id_) for id_ in ids]
    check("the ids that stand twice", [], sorted({id_ for id_ in shown if shown.count(id_) > 1}))


@then("no answer holds anything but content and toolCalls")
def answers_hold_no_more(check: Check, answers: list[Any]) -> None:
    further = [key for answer in answers for key in (answer if isinstance(answer, dict) else ["(no object)"])]
    check("the other keys of the answers", [], sorted(set(further) - set(_KEYS)))


@then("the answers are equal but for the ids of the calls")
def answers_are_equal(check: Check, answers: list[Any]) -> None:
    first, *others = [_without_ids(answer) for answer in answers]
    check("the answers after the first, without ids", [first] * max(1, len(others)), others)


def _without_ids(answer: Any) -> Any:
    calls = [{"name": at(call, "name"), "args": at(call, "args")} for call in items(at(answer, "toolCalls"))]
    return {"content": at(answer, "content"), "toolCalls": calls}
