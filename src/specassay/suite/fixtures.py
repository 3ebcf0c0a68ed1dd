"""The fixtures that a step is given: the implementation, the check helper, and the doubles around it."""

import json
from collections.abc import Callable

import pytest

from specassay.port import Implementation
from specassay.provider.fake import FakeProvider
from specassay.suite.agent_tool import AgentTool
from specassay.suite.chat_route import ChatRoute
from specassay.suite.checks import Check, at
from specassay.suite.client import Client
from specassay.suite.control import Control
from specassay.suite.recorder import Recorder
from specassay.suite.stage import Stage
from specassay.suite.tools import Tools
from specassay.suite.values import Values

RECORDER = pytest.StashKey[Recorder]()
"""Where the config keeps the recorder of the scenario that is being played."""


@pytest.fixture
def iut(pytestconfig: pytest.Config) -> Implementation:
    """Give the implementation under test."""
    return pytestconfig.stash[RECORDER].stage


@pytest.fixture
def check(pytestconfig: pytest.Config) -> Check:
    """Give the helper that records what a `Then` compares."""
    return pytestconfig.stash[RECORDER].check


@pytest.fixture
def values(pytestconfig: pytest.Config) -> Values:
    """Give the values that this scenario draws."""
    return pytestconfig.stash[RECORDER].stage.values


@pytest.fixture
def tools(pytestconfig: pytest.Config) -> Tools:
    """Give the double of the tools."""
    return pytestconfig.stash[RECORDER].stage.tools


@pytest.fixture
def chat_route(pytestconfig: pytest.Config) -> ChatRoute:
    """Give the double of the chat route."""
    return pytestconfig.stash[RECORDER].stage.chat_route


@pytest.fixture
def provider(pytestconfig: pytest.Config) -> FakeProvider:
    """Give the fake provider, which also hears the egress and the trap."""
    return pytestconfig.stash[RECORDER].stage.provider


@pytest.fixture
def client(pytestconfig: pytest.Config) -> Client:
    """Give the client that speaks HTTP to the implementation's own server."""
    return pytestconfig.stash[RECORDER].stage.client


@pytest.fixture
def agent_tool(pytestconfig: pytest.Config) -> AgentTool:
    """Give the harness around the managed agent tool: its child, the relay and the attacks."""
    return pytestconfig.stash[RECORDER].stage.agent_tool


@pytest.fixture
def control(agent_tool: AgentTool) -> Control:
    """Give the double of the control service."""
    return agent_tool.control


@pytest.fixture
def said(pytestconfig: pytest.Config) -> Callable[[], dict[str, list[str]]]:
    """Give what reads all that the implementation has said so far, by what it is."""
    return lambda: said_by(pytestconfig.stash[RECORDER].stage)


def said_by(stage: Stage) -> dict[str, list[str]]:
    """Collect the log, the answers and the messages of a driver, but for the environments that it was asked for."""
    answers = [
        f"{exchange.answer.headers} {exchange.answer.body.decode('utf-8', 'replace')}"
        for exchange in stage.exchanges
        if exchange.answer is not None and exchange.server != "chat route"
    ]
    messages = [
        json.dumps(message, ensure_ascii=False)
        for _, sender, message in stage.messages
        if sender == "driver" and not isinstance(at(message, "result", "environment"), dict)
    ]
    return {
        "lines of the driver's log": stage.whole_log.splitlines(),
        "answers": answers,
        "messages of the driver": messages,
    }
