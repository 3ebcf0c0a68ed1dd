"""The fixtures that a step is given: the implementation, the check helper, and the doubles around it."""

import pytest

from specassay.port import Implementation
from specassay.provider.fake import FakeProvider
from specassay.suite.chat_route import ChatRoute
from specassay.suite.checks import Check
from specassay.suite.client import Client
from specassay.suite.recorder import Recorder
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
