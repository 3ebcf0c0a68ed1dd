"""Provider tool transcripts: what is refused before the wire, and what arrives.

A transcript in one line lists its messages: `user, calls $a $b, reply $b, reply $a, assistant`. `calls` is an
assistant message without a text that calls the tool "probe" once under each id, `reply` the tool message for an id.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation, ImplementationError
from specassay.provider.answers import Call, Reply
from specassay.provider.fake import FakeProvider
from specassay.provider.journal import Exchange, Request
from specassay.suite.checks import (
    ABSENT,
    ABSENT_OR_NULL,
    Check,
    Matcher,
    also,
    at,
    containing,
    items,
    one_of,
    without,
)
from specassay.suite.values import Values

_REJECTED = -32000
_FORCED = Matcher(
    "a choice that forces a call",
    lambda actual: actual == "required" or isinstance(at(actual, "function", "name"), str),
)


@dataclass
class Dialogue:
    """What is offered to the model, and the last attempt to use the surface: its messages, and what came of it.

    `outcome` is "accepted", "rejected", or another error; `sent` holds all that came to the fake provider meanwhile,
    to the egress and to the trap.
    """

    tools: list[Any] | None = None
    choice: Any = None
    operation: str = ""
    messages: list[Any] = field(default_factory=list)
    outcome: str = "no attempt"
    error: str = ""
    result: Any = ABSENT
    sent: list[Exchange] = field(default_factory=list)

    @property
    def offer(self) -> dict[str, Any]:
        """The optional parameters that the scenario gives."""
        given = {"tools": self.tools, "toolChoice": self.choice}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def wire(self) -> list[Any]:
        """The messages on the wire, without a system message that the product puts in front of its own."""
        arrived = items(at(self.sent[0].request.json, "messages")) if self.sent else []
        return arrived[-len(self.messages) :] if self.operation == "chatAgent.respond" else arrived


@pytest.fixture
def dialogue() -> Dialogue:
    return Dialogue()


@pytest.fixture
def attempt(iut: Implementation, provider: FakeProvider, dialogue: Dialogue, answers: list[Any]) -> Callable[..., None]:
    """Give the function that calls an operation about messages, and keeps what comes of it."""

    def make(operation: str, messages: list[Any], /, **params: Any) -> None:
        before = len(provider.exchanges)
        dialogue.operation, dialogue.messages, dialogue.result, dialogue.error = operation, messages, ABSENT, ""
        try:
            dialogue.result = iut.call(f"transcript.{operation}", **params)
            dialogue.outcome = "accepted"
        except ImplementationError as error:
            dialogue.outcome = "rejected" if error.code == _REJECTED else str(error)
            dialogue.error = error.message
        dialogue.sent = provider.exchanges[before:]
        answers.append(dialogue.result)

    return make


def transcript(values: Values, line: str) -> list[dict[str, Any]]:
    """Read a transcript that is written in one line. Raises `ValueError`."""
    return [_message(values, position, *turn.split()) for position, turn in enumerate(line.split(","))]


def _message(values: Values, position: int, kind: str, *ids: str) -> dict[str, Any]:
    match kind:
        case "user" | "assistant" | "system":
            return {"role": kind, "content": values.text(f"{kind}{position}")}
        case "calls":
            calls = [_call(values.fill(id_), {"q": values.text(f"q{position}_{n}")}) for n, id_ in enumerate(ids)]
            return {"role": "assistant", "content": "", "toolCalls": calls}
        case "reply":
            content = values.text(f"reply{position}")
            return {"role": "tool", "content": content, "toolCallId": values.fill(ids[0])}
    raise ValueError(f"a transcript holds no {kind!r}")


def _call(id_: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"id": id_, "name": "probe", "arguments": arguments, "rawArguments": json.dumps(arguments)}


def _calls(message: Any) -> list[Any]:
    return items(at(message, "toolCalls"))


# What is offered, and how the model behaves


@given(parsers.re(r"the tools (?P<names>\[.*\])"))
def the_tools(dialogue: Dialogue, values: Values, names: str) -> None:
    """Offer a tool of each name, with one argument."""
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    listed = values.json(names)
    dialogue.tools = [{"name": name, "description": f"The tool {name}.", "parameters": schema} for name in listed]


@given(parsers.re(r"the tool choice (?P<choice>.+)"))
def the_tool_choice(dialogue: Dialogue, values: Values, choice: str) -> None:
    dialogue.choice = values.json(choice)


@given(parsers.re(r"the provider makes the call that it is forced to make, and else answers (?P<content>\".+\")"))
def provider_obeys(provider: FakeProvider, values: Values, content: str) -> None:
    """Call the tool that is forced with its own name and a drawn text as arguments."""

    def obey(request: Request) -> Reply:
        choice = at(request.json, "tool_choice")
        any_tool = at(request.json, "tools", 0, "function", "name") if choice == "required" else ABSENT
        name = at(choice, "function", "name") if any_tool is ABSENT else any_tool
        if name is ABSENT:
            return Reply(values.json(content))
        return Reply(calls=(Call(str(name), {"tool": name, "q": values.text("q")}),))

    provider.script.always(obey)


# What is attempted


@when(parsers.re(r"(?P<sender>the transcript is sent|the ChatAgent responds to): (?P<turns>.+)"))
def transcript_is_sent(
    dialogue: Dialogue, values: Values, attempt: Callable[..., None], sender: str, turns: str
) -> None:
    messages = transcript(values, turns)
    operation = "send" if sender == "the transcript is sent" else "chatAgent.respond"
    attempt(operation, messages, messages=messages, **dialogue.offer)


@when("the transcript is sent")
def transcript_is_sent_as_written(
    dialogue: Dialogue, values: Values, attempt: Callable[..., None], docstring: str
) -> None:
    messages = values.json(docstring)
    attempt("send", messages, messages=messages, **dialogue.offer)


@when(parsers.re(r"the EventAgent generates the arguments of (?P<selected>\".+\")"))
def event_agent_generates(dialogue: Dialogue, values: Values, attempt: Callable[..., None], selected: str) -> None:
    messages = transcript(values, "user")
    params = {"tools": dialogue.tools or [], "selected": values.json(selected)}
    attempt("eventAgent.generateArguments", messages, messages=messages, **params)


@when("the Runtime responds to a user")
def runtime_responds(dialogue: Dialogue, values: Values, attempt: Callable[..., None]) -> None:
    messages = transcript(values, "user")
    attempt("runtime.respond", messages, text=messages[0]["content"], tools=dialogue.tools or [])


@when("the message is validated")
def message_is_validated(values: Values, attempt: Callable[..., None], docstring: str) -> None:
    message = values.json(docstring)
    attempt("validateMessage", [message], message=message)


@when("the message is sent, with a reply to each of its calls")
def message_is_sent(dialogue: Dialogue, values: Values, attempt: Callable[..., None]) -> None:
    message = dialogue.messages[0]
    replies = [{"role": "tool", "content": values.text("reply"), "toolCallId": call["id"]} for call in _calls(message)]
    attempt("send", [message, *replies], messages=[message, *replies])


@when(parsers.re(r"a public request brings: (?P<turns>.+)"))
def public_request(values: Values, attempt: Callable[..., None], turns: str) -> None:
    messages = transcript(values, turns)
    attempt("acceptPublicRequest", messages, request={"messages": messages})


@when("the history is projected")
def history_is_projected(values: Values, attempt: Callable[..., None], docstring: str) -> None:
    messages = values.json(docstring)
    attempt("projectHistory", messages, messages=messages)


# What came of it


@then(parsers.re(r"it is rejected(?P<unsent>, and nothing was sent)?"))
def it_is_rejected(check: Check, dialogue: Dialogue, unsent: str | None) -> None:
    check("what becomes of it", "rejected", dialogue.outcome)
    if unsent:
        check("what was sent", [], _places(dialogue))


@then("it arrives")
def it_arrives(check: Check, dialogue: Dialogue) -> None:
    """Find one request, and in it a message for each that was given."""
    check("what becomes of it", "accepted", dialogue.outcome)
    check("what was sent", ["provider"], _places(dialogue))
    wanted = [message["role"] for message in dialogue.messages]
    check("the roles of the messages on the wire", wanted, [at(message, "role") for message in dialogue.wire])


@then("it is valid")
def it_is_valid(check: Check, dialogue: Dialogue) -> None:
    """Look at what tells one message from another: its role, whose call it answers, and how many it makes."""
    given, dumped = dialogue.messages[0], at(dialogue.result, "message")
    check("what becomes of the message", "accepted", dialogue.outcome)
    check("the role of the message", given["role"], at(dumped, "role"))
    wanted = given["toolCallId"] if given["role"] == "tool" else ABSENT_OR_NULL
    check("toolCallId of the message", wanted, at(dumped, "toolCallId"))
    check("how many calls the message makes", len(_calls(given)), len(_calls(dumped)))


@then(parsers.re(r"it keeps the (?P<field>id|name|arguments|rawArguments) of each of its calls"))
def it_keeps(check: Check, dialogue: Dialogue, field: str) -> None:
    dumped = _calls(at(dialogue.result, "message"))
    wanted = [call[field] for call in _calls(dialogue.messages[0])]
    check(f"{field} of the calls", wanted, [at(call, field) for call in dumped])


@then(parsers.re(r"its (?P<what>call ids|raw arguments|reply ids|contents) arrive as they are"))
def arrive_as_they_are(check: Check, dialogue: Dialogue, what: str) -> None:
    wanted, found = _ON_THE_WIRE[what]
    check(
        f"the {what} on the wire, by message",
        [wanted(message) for message in dialogue.messages],
        [found(message) for message in dialogue.wire],
    )


@then("each message without calls says so by leaving tool_calls out")
def no_empty_calls(check: Check, dialogue: Dialogue) -> None:
    wanted = [at(message, "tool_calls") if _calls(given) else ABSENT_OR_NULL for given, message in _pairs(dialogue)]
    check("tool_calls on the wire", wanted, [at(message, "tool_calls") for _, message in _pairs(dialogue)])


@then("it is rejected, or each of its calls arrives under an id of its own")
def rejected_or_unique(check: Check, dialogue: Dialogue) -> None:
    ids = [at(call, "id") for message in dialogue.wire for call in items(at(message, "tool_calls"))]
    how = "rejected" if dialogue.outcome == "rejected" and not dialogue.sent else f"sent with the ids {ids}"
    unique = dialogue.outcome == "accepted" and len(ids) == len(set(map(str, ids))) > 1
    check("what becomes of it", one_of("rejected", how if unique else "sent with ids of their own"), how)


@then(parsers.re(r"the error names (?P<text>\".+\")"))
def error_names(check: Check, dialogue: Dialogue, values: Values, text: str) -> None:
    check("the message of the error", containing(values.json(text)), dialogue.error)


@then(parsers.re(r"call (?P<number>\d+) carries (no forced tool_choice|the tool_choice (?P<choice>.+))"))
def call_carries_choice(check: Check, provider: FakeProvider, values: Values, number: str, choice: str | None) -> None:
    body = provider.posted(int(number))
    wanted = values.json(choice) if choice else one_of(ABSENT_OR_NULL, "auto")
    check(f"whether call {number} of the provider was made", True, body is not None)
    check(f"tool_choice of call {number} of the provider", wanted, at(body, "tool_choice"))


@then("no call offers a tool without forcing one, and one offers none and carries no tool_choice")
def chat_agent_has_no_tools(check: Check, provider: FakeProvider) -> None:
    offering: list[Any] = []
    plain: list[Any] = []
    for post in provider.posts:
        offers = items(at(post.request.json, "tools")) != []
        (offering if offers else plain).append(at(post.request.json, "tool_choice"))
    check("tool_choice of the calls that offer tools", [_FORCED] * len(offering), offering)
    check("tool_choice of the calls that offer none", [ABSENT_OR_NULL] * max(1, len(plain)), plain)


@then(parsers.re(r"the arguments are (?P<arguments>\{.*\})"))
def arguments_are(check: Check, dialogue: Dialogue, values: Values, arguments: str) -> None:
    check("what becomes of it", "accepted", dialogue.outcome)
    check("the arguments that were generated", values.json(arguments), at(dialogue.result, "arguments"))


@then("no call and no reply is taken from it")
def nothing_is_taken(check: Check, dialogue: Dialogue) -> None:
    taken = [
        message
        for message in items(at(dialogue.result, "messages"))
        if at(message, "role") == "tool" or _calls(message) or at(message, "toolCallId") not in (ABSENT, None)
    ]
    check("the calls and replies that were taken from the request", [], taken)


@then("what comes of it is what was said")
def what_was_said(check: Check, dialogue: Dialogue) -> None:
    """Compare role and content with those of the user's and the assistant's messages that have a text."""
    said = [given for given in dialogue.messages if given["role"] in ("user", "assistant") and given["content"]]
    wanted = [also({"role": given["role"], "content": given["content"]}) for given in said]
    check("the messages", wanted, at(dialogue.result, "messages"))


@then(parsers.re(r"what comes of it shows nothing of (?P<texts>\[.+\])"))
def shows_nothing_of(check: Check, dialogue: Dialogue, values: Values, texts: str) -> None:
    check("the messages", without(*values.json(texts)), at(dialogue.result, "messages"))


def _places(dialogue: Dialogue) -> list[str]:
    return [exchange.server for exchange in dialogue.sent]


def _pairs(dialogue: Dialogue) -> list[tuple[Any, Any]]:
    return list(zip(dialogue.messages, dialogue.wire, strict=False))


def _text_of(content: str) -> Any:
    """Give what a content may be on the wire: where it is empty, nothing; and any text also as parts."""
    if content == "":
        return one_of(ABSENT_OR_NULL, "", [])
    return one_of(content, [also({"type": "text", "text": content})])


_ON_THE_WIRE: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "call ids": (
        lambda given: [call["id"] for call in _calls(given)],
        lambda wire: [at(call, "id") for call in items(at(wire, "tool_calls"))],
    ),
    "raw arguments": (
        lambda given: [call["rawArguments"] for call in _calls(given)],
        lambda wire: [at(call, "function", "arguments") for call in items(at(wire, "tool_calls"))],
    ),
    "reply ids": (lambda given: given.get("toolCallId", ABSENT_OR_NULL), lambda wire: at(wire, "tool_call_id")),
    "contents": (lambda given: _text_of(given["content"]), lambda wire: at(wire, "content")),
}
"""What a field of a message is as it was given, and as it stands on the wire."""
