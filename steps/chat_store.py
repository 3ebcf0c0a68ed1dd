"""The chat store."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation
from specassay.steps.expected import expected
from specassay.steps.messages import own
from specassay.suite.checks import A_NUMBER, A_STRING, Check, also, at, containing, items
from specassay.suite.values import Values

_PARAMETERS = {"addMessage": "message", "setLoading": "loading", "setError": "error"}


@dataclass
class BeforeReload:
    """The messages that the chat store held before the client was reloaded."""

    messages: Any = field(default_factory=list)


@pytest.fixture
def before_reload() -> BeforeReload:
    return BeforeReload()


def stored(iut: Implementation) -> Any:
    """Give the messages that the chat store holds."""
    return at(iut.call("chat-store.getState"), "messages")


@given(parsers.re(r"(?P<action>addMessage|setLoading|setError|clearMessages)\((?P<value>.*)\) was called"))
@when(parsers.re(r"(?P<action>addMessage|setLoading|setError|clearMessages)\((?P<value>.*)\) is called"))
def chat_store_action(iut: Implementation, values: Values, action: str, value: str) -> None:
    params = {_PARAMETERS[action]: values.json(value)} if value else {}
    if action == "addMessage":
        params = {"message": own(params["message"], iut.conventions)}
    iut.call(f"chat-store.{action}", **params)


@when("the client is reloaded")
def reload_client(iut: Implementation, before_reload: BeforeReload) -> None:
    before_reload.messages = stored(iut)
    iut.reload()


@given(parsers.re(r"chatStore\.(?P<field>messages|loading|error) is (?P<value>.+)"))
@then(parsers.re(r"chatStore\.(?P<field>messages|loading|error) is (?P<value>.+)"))
def chat_store_field(iut: Implementation, check: Check, values: Values, field: str, value: str) -> None:
    check(f"chatStore.{field}", expected(values, value), at(iut.call("chat-store.getState"), field))


@then("chatStore.messages holds exactly")
def chat_store_messages(iut: Implementation, check: Check, values: Values, docstring: str) -> None:
    """Compare the fields that are written; the store supplies `id` and `timestamp`."""
    wanted = [own(message, iut.conventions) for message in values.json(docstring)]
    supplied = {"id": A_STRING, "timestamp": A_NUMBER}
    check("chatStore.messages", [also(supplied | message) for message in wanted], stored(iut))


@then("chatStore.messages has survived the reload unchanged")
def chat_store_unchanged(iut: Implementation, check: Check, before_reload: BeforeReload) -> None:
    check("chatStore.messages after the reload", before_reload.messages, stored(iut))


@then(parsers.parse("the last message of chatStore is an assistant message with {text}"))
def chat_store_last(iut: Implementation, check: Check, values: Values, text: str) -> None:
    wanted = also({"role": "assistant", "content": containing(values.json(text))})
    check("the last message of chatStore", wanted, at(stored(iut), -1))


@then(parsers.re(r"(?P<count>\d+) messages? of chatStore contains? (?P<text>.+)"))
def chat_store_containing(iut: Implementation, check: Check, values: Values, count: str, text: str) -> None:
    matcher = containing(values.json(text))
    found = [message for message in items(stored(iut)) if matcher.test(message)]
    check(f"how many messages of chatStore are {matcher.words}", int(count), len(found))


@then("chatStore.messages holds no assistant message")
def chat_store_silent(iut: Implementation, check: Check) -> None:
    found = [message for message in items(stored(iut)) if at(message, "role") == "assistant"]
    check("the assistant messages of chatStore", [], found)


@then(parsers.re(r"chatStore\.(?P<field>loading|error) was always (?P<value>.+)"))
def chat_store_always(iut: Implementation, check: Check, values: Values, field: str, value: str) -> None:
    entries = items(at(iut.call("chat-store.getHistory"), "entries"))
    seen = [at(entry, "state", field) for entry in entries]
    check(f"chatStore.{field} in its whole history", [values.json(value)] * max(1, len(seen)), seen)
