"""The product's own control service, and its command line."""

from dataclasses import dataclass
from typing import Any

import pytest
from pytest_bdd import parsers, then, when

from specassay.port import Implementation, ImplementationError
from specassay.suite.checks import ABSENT, Check, at, containing
from specassay.suite.values import Values


@dataclass
class Asked:
    """The latest answer of the service, or of the command line; the error's text where it was one."""

    result: Any = ABSENT
    refusal: Any = ABSENT


@pytest.fixture
def asked() -> Asked:
    """Start with nothing asked."""
    return Asked()


@when(parsers.re(r'the service is asked for "(?P<action>[^"]+)" with (?P<given>\{.*\})'))
def service_is_asked(iut: Implementation, values: Values, asked: Asked, action: str, given: str) -> None:
    asked.result, asked.refusal = ABSENT, ABSENT
    try:
        asked.result = iut.call("control-service.execute", action=action, input=values.json(given))
    except ImplementationError as error:
        asked.refusal = error.message if error.code == -32000 else ABSENT


@then(parsers.re(r'it refuses, and its words name "(?P<one>\w+)" and "(?P<other>\w+)"'))
def it_refuses(check: Check, asked: Asked, one: str, other: str) -> None:
    check("the words with which the service refuses", containing(one, other), asked.refusal)


@then("it answers")
def it_answers(check: Check, asked: Asked) -> None:
    check("whether the service refuses", ABSENT.__repr__(), repr(asked.refusal))


@when(parsers.re(r"the command line is called with (?P<arguments>\[.*\])"))
def command_line(iut: Implementation, values: Values, asked: Asked, arguments: str) -> None:
    asked.result = iut.call("agent-tool.cli", arguments=values.json(arguments))


@then(parsers.re(r'the command line succeeds, and shows "(?P<text>.+)"'))
def command_line_succeeds(check: Check, values: Values, asked: Asked, text: str) -> None:
    check("the exit code of the command line", 0, at(asked.result, "exitCode"))
    check("what it shows", containing(values.fill(text)), at(asked.result, "output"))
