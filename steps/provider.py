"""The provider: what it answers, and what it was asked."""

import json
from typing import Any

from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation
from specassay.provider.answers import Call, Failure, Play, Reply, Turn
from specassay.provider.fake import EGRESS, TRAP, FakeProvider
from specassay.provider.families import family_of
from specassay.provider.journal import Exchange, Request
from specassay.steps import wire
from specassay.steps.expected import rows
from specassay.steps.tool_registry import by_name, declared
from specassay.suite.checks import (
    ABSENT,
    ABSENT_OR_NULL,
    NO_CALLS,
    Check,
    Matcher,
    also,
    at,
    containing,
    items,
    without,
)
from specassay.suite.values import Values

_NOTHING = Exchange("provider", Request("", "/", (), b""))
"""Stands for a call that was not made, so that a check of it fails."""

_AT_ALL = Matcher("at least once", lambda actual: bool(actual > 0))


def _call(provider: FakeProvider, number: str) -> Exchange:
    posts = provider.posts
    return posts[int(number) - 1] if int(number) <= len(posts) else _NOTHING


def _script(provider: FakeProvider, always: str | None, turn: Turn) -> None:
    provider.script.always(turn) if always else provider.script.then(turn)


@given(parsers.re(r"the provider (?P<always>always )?answers (?P<reply>\{.*\})"))
@when(parsers.re(r"the provider (?P<always>always )?answers (?P<reply>\{.*\})"))
def provider_answers(provider: FakeProvider, values: Values, always: str | None, reply: str) -> None:
    """Answer with `content`, `calls` as `{name, args, id?}`, and `signature`, in the family's own shape."""
    said = values.json(reply)
    calls = tuple(Call(**call) for call in said.get("calls", ()))
    _script(provider, always, Reply(said.get("content"), calls, said.get("signature")))


@given(parsers.re(r"the provider (?P<always>always )?plays (?P<exchange>[\w/-]+)"))
def provider_plays(provider: FakeProvider, always: str | None, exchange: str) -> None:
    _script(provider, always, Play(exchange))


@given(parsers.re(r'the provider (?P<always>always )?fails with status (?P<status>\d+) and "(?P<message>.+)"'))
def provider_fails(provider: FakeProvider, values: Values, always: str | None, status: str, message: str) -> None:
    _script(provider, always, Failure(int(status), values.fill(message)))


@given("the provider refuses what the real one refuses")
def provider_is_strict(provider: FakeProvider) -> None:
    provider.strict = True


@then(parsers.re(r"the provider was called( (?P<times>\d+) times?)?"))
def provider_was_called(check: Check, provider: FakeProvider, times: str | None) -> None:
    wanted = _AT_ALL if times is None else int(times)
    check("how often the provider was called", wanted, len(provider.posts))


@then("nothing was sent to a provider")
def nothing_was_sent(check: Check, provider: FakeProvider) -> None:
    """Count whatever came to the provider and the trap; of what was meant for other hosts, the calls of a model."""
    sent = [one.url for one in provider.exchanges if one.server != EGRESS or family_of(one.url) is not None]
    check("what was sent to a provider", [], sent)


@then("the trap heard nothing")
def trap_heard_nothing(check: Check, provider: FakeProvider) -> None:
    check("what came to the trap", [], [one.url for one in provider.came_to(TRAP)])


@then("the provider accepted every call")
def provider_accepted(check: Check, provider: FakeProvider) -> None:
    refusals = [one.answer.body.decode() for one in provider.posts if one.answer and one.answer.status >= 400]
    check("the calls that the provider refused", [], refusals)
    check("how often the provider was called", _AT_ALL, len(provider.posts))


@then(parsers.re(r"call (?P<number>\d+) is a (?P<operation>chat completion|generateContent)"))
def call_is(check: Check, provider: FakeProvider, number: str, operation: str) -> None:
    check(f"what call {number} of the provider is", operation, wire.family(_call(provider, number)))


@then(parsers.re(r'call (?P<number>\d+) came to "(?P<path>/.+)"'))
def call_came_to(check: Check, provider: FakeProvider, values: Values, number: str, path: str) -> None:
    check(f"the path of call {number} of the provider", values.fill(path), _call(provider, number).request.path)


@then(parsers.re(r'call (?P<number>\d+) was meant for (the host "(?P<host>.+)"|another machine)'))
def call_was_meant_for(check: Check, provider: FakeProvider, number: str, host: str | None) -> None:
    call = _call(provider, number)
    check(f"where call {number} of the provider arrived", EGRESS, call.server)
    if host is not None:
        check(f"the host that call {number} of the provider was meant for", host, wire.host(call))


@then(parsers.re(r'call (?P<number>\d+) carries the (?P<what>model|key) "(?P<text>.+)"'))
def call_carries(check: Check, provider: FakeProvider, values: Values, number: str, what: str, text: str) -> None:
    read = {"model": wire.model, "key": wire.key}[what]
    check(f"the {what} of call {number} of the provider", values.fill(text), read(_call(provider, number)))


@then(
    parsers.re(
        r"the (?P<what>system text|conversation) of call (?P<number>\d+) "
        r"(?P<verb>is|contains|does not contain) (?P<text>\".*\")"
    )
)
def call_says(
    check: Check, provider: FakeProvider, values: Values, what: str, number: str, verb: str, text: str
) -> None:
    call, wanted = _call(provider, number), values.json(text)
    said = wire.system_text(call) if what == "system text" else wire.conversation(call) or ABSENT
    matcher = {"is": wanted, "contains": containing(wanted), "does not contain": without(wanted)}[verb]
    check(f"the {what} of call {number} of the provider", matcher, said)


@then(parsers.re(r"call (?P<number>\d+) holds the conversation"))
def call_holds(check: Check, provider: FakeProvider, values: Values, number: str, datatable: list[list[str]]) -> None:
    """Compare what was said, called and answered, with `from`, `text`, `tool`, `args` and `signature` of each row.

    A result contains its text, and stands under the call with its tool and args.
    """
    wanted = wire.with_sorted_results([_said(values, row) for row in rows(datatable)])
    said = wire.conversation(_call(provider, number))
    check(f"the conversation of call {number} of the provider", [also(entry) for entry in wanted], said)


@then(parsers.re(r"call (?P<number>\d+) offers exactly"))
def call_offers(check: Check, provider: FakeProvider, values: Values, number: str, datatable: list[list[str]]) -> None:
    """Compare the tools, in any order and read back into the internal format, by what each row says of them.

    The parameters stand in the order of their keys.
    """
    wanted = by_name([declared(values, row) for row in rows(datatable)])
    offered = by_name(wire.offered(_call(provider, number)))
    check(f"the tools that call {number} of the provider offers", [also(tool) for tool in wanted], offered)


@then(parsers.re(r"call (?P<number>\d+) offers what toToolSchemas\(\) returns"))
def call_offers_the_registry(iut: Implementation, check: Check, provider: FakeProvider, number: str) -> None:
    schemas = items(at(iut.call("tool-registry.toToolSchemas"), "schemas"))
    wanted = [
        {key: at(schema, key) for key in ("name", "description")} | {"parameters": _internal(at(schema, "parameters"))}
        for schema in schemas
    ]
    check("whether toToolSchemas() returns a tool", True, wanted != [])
    offered = by_name(wire.offered(_call(provider, number)))
    check(f"the tools that call {number} of the provider offers", by_name(wanted), offered)


@then(parsers.re(r"call (?P<number>\d+) offers no tools"))
def call_offers_none(check: Check, provider: FakeProvider, number: str) -> None:
    body = _call(provider, number).request.json
    check(f"whether call {number} of the provider was made", True, body is not None)
    check(f"the tools of call {number} of the provider", NO_CALLS, at(body, "tools"))


@then(parsers.re(r'call (?P<number>\d+) declares "(?P<tool>\w+)" without parameters'))
def call_declares_without(check: Check, provider: FakeProvider, number: str, tool: str) -> None:
    found = [one for one in wire.declarations(_call(provider, number)) if at(one, "name") == tool]
    check(f"how often call {number} of the provider declares {tool}", 1, len(found))
    check(f"the parameters of {tool} in call {number} of the provider", ABSENT_OR_NULL, at(found, 0, "parameters"))


@then(parsers.re(r"no URL of a call holds (?P<text>\".+\")"))
def no_url_holds(check: Check, provider: FakeProvider, values: Values, text: str) -> None:
    urls = [one.url for one in provider.posts]
    check("the URLs of all calls", [without(values.json(text))] * max(1, len(urls)), urls)


def _said(values: Values, row: dict[str, str]) -> dict[str, Any]:
    """Read a row: an empty cell says nothing, a quoted one is JSON, and `none` says that there is no signature."""
    entry = {key: values.json(cell) if cell.startswith('"') else values.fill(cell) for key, cell in row.items() if cell}
    if "args" in entry:
        entry["args"] = json.loads(entry["args"])
    if row["from"] == "tool" and "text" in entry:
        entry["text"] = containing(entry["text"])
    if entry.get("signature") == "none":
        entry["signature"] = ABSENT
    return entry


def _internal(parameters: Any) -> list[dict[str, Any]]:
    fields = ("key", "type", "required")
    listed = [{field: at(parameter, field) for field in fields} for parameter in items(parameters)]
    return sorted(listed, key=lambda parameter: str(parameter["key"]))
