"""The orchestrator: with what it is invoked, and when it is aborted."""

from dataclasses import dataclass
from typing import Any

import pytest
from pytest_bdd import given, when

from specassay.port import Implementation
from specassay.steps.chat_store import stored
from specassay.steps.messages import own
from specassay.suite.checks import items
from specassay.suite.tools import Tools
from specassay.suite.values import Values

_NOON = 1764500000000
"""The timestamp of the first message that a scenario makes, in Unix milliseconds."""


@dataclass
class Run:
    """The arguments of `orchestrator.run`, as the scenario has set them last."""

    messages: list[Any]
    context: Any


@pytest.fixture
def run(values: Values) -> Run:
    """Start with one question of the user, and the empty context."""
    question = {"id": values.text("m"), "role": "user", "content": values.text("question"), "timestamp": _NOON}
    return Run([question], {"projectId": None, "activeSceneId": None, "mediaAssets": [], "playbackTimeMs": 0})


@given("the messages")
def the_messages(iut: Implementation, values: Values, run: Run, docstring: str) -> None:
    """Give each message the `id` and `timestamp` that it does not have."""
    run.messages = [
        {"id": values.text(f"m{number}"), "timestamp": _NOON + number} | own(message, iut.conventions)
        for number, message in enumerate(values.json(docstring))
    ]


@given("the context")
def the_context(values: Values, run: Run, docstring: str) -> None:
    run.context = values.json(docstring)


@given("orchestrator.abort() is called while a tool runs")
def abort_while_a_tool_runs(tools: Tools) -> None:
    tools.read_while_running = ("orchestrator.abort",)


@given("orchestrator.run() is invoked again while a tool runs")
def run_again_while_a_tool_runs(iut: Implementation, run: Run, tools: Tools) -> None:
    tools.meanwhile = lambda: iut.request("orchestrator.run", messages=run.messages, context=run.context)


@when("orchestrator.run() is invoked")
def run_is_invoked(iut: Implementation, run: Run) -> None:
    iut.call("orchestrator.run", messages=run.messages, context=run.context)


@when("orchestrator.run() is invoked with the messages of chatStore")
def run_is_invoked_with_stored(iut: Implementation, run: Run) -> None:
    run.messages = items(stored(iut))
    iut.call("orchestrator.run", messages=run.messages, context=run.context)
