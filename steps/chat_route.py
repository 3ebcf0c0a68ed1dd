"""The chat route: what it answers, and what was posted to it."""

import json
from collections.abc import Iterator
from itertools import count, pairwise
from typing import Any

import pytest
from pytest_bdd import given, parsers, then

from specassay.port import Implementation
from specassay.provider.journal import Answer, Exchange, json_answer
from specassay.provider.server import Fault
from specassay.steps.chat_store import stored
from specassay.steps.expected import expected, rows
from specassay.steps.messages import answers, is_result, mentions, open_calls, results_of
from specassay.steps.orchestrator import Run
from specassay.suite.chat_route import ChatRoute
from specassay.suite.checks import A_NUMBER, A_STRING, Check, Matcher, also, at, containing, items, without
from specassay.suite.tools import Tools
from specassay.suite.values import Values

_FAILURES = {
    "a reset connection": Answer(fault=Fault.RESET),
    "a body that is cut short": Answer(body=b'{"content": "cut sh', fault=Fault.CUT_SHORT),
    "HTML": Answer(body=b"<!doctype html><p>Bad gateway</p>", headers=(("content-type", "text/html"),)),
    "an empty body": Answer(),
}
_ITERATIONS = r"iterations? (?P<first>\d+)(?: to (?P<last>\d+))? returns? "


@pytest.fixture
def iterations() -> Iterator[int]:
    """Count the answers that the scenario has scripted."""
    return count(1)


def _script(
    route: ChatRoute, iterations: Iterator[int], values: Values, span: tuple[str, str | None], text: str
) -> None:
    """Answer the iterations of a span; `#` in the text stands for the number of each."""
    first = int(span[0])
    for number in range(first, int(span[1] or first) + 1):
        if next(iterations) != number:
            raise ValueError(f"iteration {number} is scripted out of turn")
        route.script.then(json_answer(values.json(text.replace("#", str(number)))))


@given(parsers.re(_ITERATIONS + r"(?P<answer>\{.*\})"))
def iteration_returns(
    chat_route: ChatRoute, iterations: Iterator[int], values: Values, first: str, last: str | None, answer: str
) -> None:
    _script(chat_route, iterations, values, (first, last), answer)


@given(parsers.re(_ITERATIONS + "the tool calls"))
def iteration_returns_calls(
    chat_route: ChatRoute,
    iterations: Iterator[int],
    values: Values,
    first: str,
    last: str | None,
    datatable: list[list[str]],
) -> None:
    calls = [f'{{"id": "{row["id"]}", "name": "{row["tool"]}", "args": {row["args"]}}}' for row in rows(datatable)]
    _script(chat_route, iterations, values, (first, last), f'{{"content": "", "toolCalls": [{", ".join(calls)}]}}')


@given(parsers.re(r"every further iteration fails with (status (?P<status>\d+)|(?P<failure>.+))"))
def iterations_fail(chat_route: ChatRoute, status: str | None, failure: str | None) -> None:
    error = {"error": "LLM provider error"}
    chat_route.script.always(json_answer(error, int(status)) if status else _FAILURES[str(failure)])


@then(parsers.re(r"the chat route was called (?P<times>\d+) times?"))
def route_was_called(check: Check, chat_route: ChatRoute, times: str) -> None:
    check("how often POST /api/agent/chat was called", int(times), len(chat_route.posts))


@then("the chat route was called")
def route_was_called_at_all(check: Check, chat_route: ChatRoute) -> None:
    check("whether POST /api/agent/chat was called", True, chat_route.posts != [])


@then("nothing else came to the chat origin")
def nothing_else_came(check: Check, chat_route: ChatRoute) -> None:
    calls = [id(post) for post in chat_route.posts]
    others = [f"{one.request.method} {one.request.target}" for one in chat_route.exchanges if id(one) not in calls]
    check("what else came to the chat origin", [], others)


@then(parsers.parse("POST {number:d} carries exactly the messages of the run"))
def post_carries_messages(check: Check, chat_route: ChatRoute, run: Run, number: int) -> None:
    check(f"the messages of POST {number}", run.messages, at(chat_route.posted(number), "messages"))


@then("every POST carries the context of the run")
def posts_carry_context(check: Check, chat_route: ChatRoute, run: Run) -> None:
    seen = [at(post.request.json, "context") for post in chat_route.posts]
    check("the context of each POST", [run.context] * max(1, len(seen)), seen)


@then(parsers.parse("POST {number:d} carries the context of the run"))
def post_carries_context(check: Check, chat_route: ChatRoute, run: Run, number: int) -> None:
    check(f"the context of POST {number}", run.context, at(chat_route.posted(number), "context"))


@then("every message of every POST, and of chatStore, is a ChatMessage")
def messages_are_chat_messages(iut: Implementation, check: Check, chat_route: ChatRoute) -> None:
    posted = [message for post in chat_route.posts for message in items(at(post.request.json, "messages"))]
    shape = also({"id": A_STRING, "role": A_STRING, "content": A_STRING, "timestamp": A_NUMBER})
    for place, seen in (("every POST", posted), ("chatStore", items(stored(iut)))):
        check(f"the messages of {place}", [shape] * max(1, len(seen)), seen)


@then("the messages of each POST begin with those of the POST before")
def posts_grow(check: Check, chat_route: ChatRoute) -> None:
    posted = [items(at(post.request.json, "messages")) for post in chat_route.posts]
    for number, (before, after) in enumerate(pairwise(posted), start=2):
        check(f"how the messages of POST {number} begin", before, after[: len(before)])


@then("the last POST answers every call once, right after the assistant message that made it")
def last_post_answers(check: Check, chat_route: ChatRoute) -> None:
    messages = at(chat_route.posted(len(chat_route.posts)), "messages")
    for call in (call for post in chat_route.posts[:-1] for call in _calls(post)):
        wanted = {"call": call["id"], "results": 1, "right after its assistant message": True}
        check(f"the results of call {call['id']} in the last POST", wanted, answers(messages, call))


@then(parsers.re(r"(POST (?P<number>\d+)|chatStore) answers the calls"))
def calls_are_answered(
    iut: Implementation,
    check: Check,
    values: Values,
    chat_route: ChatRoute,
    number: str | None,
    datatable: list[list[str]],
) -> None:
    """Find one result of the call with the `id` of each row, `with` and `without` what the row says."""
    messages = at(chat_route.posted(int(number)), "messages") if number else stored(iut)
    place = f"POST {number}" if number else "chatStore"
    for row in rows(datatable):
        call = values.fill(row["id"])
        results = results_of(messages, call)
        check(f"how many results of call {call} are in {place}", 1, len(results))
        claim = f"the result of call {call} in {place}"
        if row.get("with"):
            check(claim, _wanted(values, row["with"]), at(results, 0))
        if row.get("without"):
            check(claim, without(values.fill(row["without"])), at(results, 0))


@then(parsers.parse("POST {number:d} answers the calls in the order {ids}"))
def post_answers_in_order(check: Check, values: Values, chat_route: ChatRoute, number: int, ids: str) -> None:
    wanted = values.json(ids)
    results = [message for message in items(at(chat_route.posted(number), "messages")) if is_result(message)]
    seen = [id_ for message in results for id_ in wanted if mentions(message, id_)]
    check(f"the order of the results in POST {number}", wanted, seen)


@then(parsers.parse("POST {number:d} contains {text}"))
def post_contains(check: Check, values: Values, chat_route: ChatRoute, number: int, text: str) -> None:
    check(f"POST {number}", containing(values.json(text)), at(chat_route.posted(number), "messages"))


@then("no POST holds a call without its result")
def posts_hold_no_open_call(check: Check, chat_route: ChatRoute) -> None:
    seen = [open_calls(at(post.request.json, "messages")) for post in chat_route.posts]
    check("the calls without a result, by POST", [[]] * max(1, len(seen)), seen)


def _calls(post: Exchange) -> list[Any]:
    answer = json.loads(post.answer.body) if post.answer is not None and post.answer.body else None
    return items(at(answer, "toolCalls"))


def _wanted(values: Values, cell: str) -> Matcher:
    """Read a cell: `an error`, or the text that must be contained."""
    return expected(values, cell) if cell == "an error" else containing(values.fill(cell))


@then(parsers.parse("while {tool:w} ran, nothing was posted"))
def nothing_posted_meanwhile(check: Check, chat_route: ChatRoute, tools: Tools, tool: str) -> None:
    runs = [(run.at, run.until or run.at) for run in tools.runs_of(tool)]
    posted = [number for number, post in enumerate(chat_route.posts, 1) for at, until in runs if at <= post.at <= until]
    check(f"whether {tool} ran", True, bool(runs))
    check(f"the POSTs while {tool} ran", [], posted)
