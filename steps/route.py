"""The implementation's own route: how it is started, what is posted to it, and what comes back."""

import re
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation, ImplementationError
from specassay.provider.journal import parse_json
from specassay.steps.configuration import Configuration
from specassay.steps.expected import rows
from specassay.steps.orchestrator import Run
from specassay.suite.checks import ABSENT, Check, at, other_than, show, without
from specassay.suite.client import Client
from specassay.suite.values import Values


class Route:
    """The route, which is started when it is needed, and anew when its configuration has changed."""

    def __init__(self, iut: Implementation, configuration: Configuration) -> None:
        self._iut = iut
        self._configuration = configuration
        self._running: dict[str, Any] | None = None
        self._origin = ""
        self.tools: list[dict[str, Any]] = []

    @property
    def origin(self) -> str:
        """Where it listens, with the configuration as it is now."""
        wanted: dict[str, Any] = {"environment": self._configuration.environment}
        if self.tools:
            wanted["tools"] = self.tools
        if self._running != wanted:
            if self._running is not None:
                self._iut.call("chat-route.stop")
            self._origin = _origin(self._iut.call("chat-route.start", **wanted))
            self._running = wanted
        return self._origin


def _origin(result: Any) -> str:
    origin = at(result, "origin")
    if not isinstance(origin, str) or not re.fullmatch(r"https?://[^/\s]+/?", origin):
        raise ImplementationError("chat-route.start", 0, f"{show(origin)} is no origin, as http://127.0.0.1:8080 is")
    return origin.rstrip("/")


@pytest.fixture
def route(iut: Implementation, configuration: Configuration) -> Route:
    return Route(iut, configuration)


@given("the route's registry also holds the tools")
def registry_also_holds(values: Values, route: Route, datatable: list[list[str]]) -> None:
    """Start the route with the tool of each row beside those that the product ships."""
    route.tools = [
        {
            "name": values.fill(row["name"]),
            "description": values.fill(row.get("description", f"The tool {row['name']}.")),
            "parameters": values.json(row.get("parameters", "[]")),
        }
        for row in rows(datatable)
    ]


@given("the orchestrator speaks to the implementation's own route")
def orchestrator_speaks_to_it(iut: Implementation, route: Route) -> None:
    iut.forward_chat_route(route.origin)


@when(parsers.re(r"POST (?P<path>/\S+) is called(?P<bare> without a context)?"))
def post_is_called(client: Client, route: Route, run: Run, answers: list[Any], path: str, bare: str | None) -> None:
    """Post the messages and the context of the scenario."""
    body = {"messages": run.messages} | ({} if bare else {"context": run.context})
    _post(client, route, answers, path, body)


@when(parsers.re(r"POST (?P<path>/\S+) is called with the body '(?P<body>.*)'"))
def post_is_called_with(client: Client, route: Route, values: Values, answers: list[Any], path: str, body: str) -> None:
    _post(client, route, answers, path, values.fill(body).encode())


def _post(client: Client, route: Route, answers: list[Any], path: str, body: Any) -> None:
    answer = client.post(route.origin + path, body).answer
    answers.append(None if answer is None else _json(answer.body))


def _json(body: bytes) -> Any:
    try:
        return parse_json(body)
    except ValueError:
        return None


@then(parsers.re(r"the route answers (?P<other>anything but )?(?P<status>\d+)"))
def route_answers(check: Check, client: Client, other: str | None, status: str) -> None:
    answer = client.last.answer if client.last is not None else None
    wanted = other_than(int(status)) if other else int(status)
    check("the status of the answer", wanted, ABSENT if answer is None else answer.status)


@then(parsers.re(r"no answer of the route shows (?P<text>.+)"))
def no_answer_shows(check: Check, client: Client, values: Values, text: str) -> None:
    """Look through status line, headers and body of every answer so far."""
    shown = [
        one.answer and [one.answer.headers, one.answer.body.decode("utf-8", "replace")] for one in client.exchanges
    ]
    check("headers and bodies of all answers", [without(values.json(text))] * max(1, len(shown)), shown)
