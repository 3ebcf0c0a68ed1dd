"""The managed agent tool: how the environment of a child is prepared, and what stands in it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation, ImplementationError
from specassay.suite.agent_tool import AgentTool, Preparation
from specassay.suite.checks import A_TEXT, ABSENT, Check, Matcher, also, at, items, one_of, other_than, without
from specassay.suite.values import Values

PATH = "/api/openchamber/agent-tool"
CONFIG = "OPENCODE_CONFIG_CONTENT"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")

_A_FILE_URL = Matcher("a file:// URL", lambda actual: isinstance(actual, str) and actual.startswith("file://"))

_ONE_BY_FILE = Matcher("a list with a file:// URL", lambda actual: any(_A_FILE_URL.test(one) for one in items(actual)))


@dataclass
class Given:
    """What the next preparation is given beside the harness's own: the agent's configuration, as text."""

    configuration: str | None = None
    port: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The variables."""
        return {} if self.configuration is None else {CONFIG: self.configuration}


@pytest.fixture
def server() -> Given:
    """Start without a configuration."""
    return Given()


@given(parsers.re(r"the listener is bound(?: to (?P<host>\S+))?"))
@when(parsers.re(r"the listener is bound(?: to (?P<host>\S+))?"))
def listener_is_bound(iut: Implementation, server: Given, host: str | None) -> None:
    origin = at(iut.call("agent-tool.listen", host=host or "127.0.0.1"), "origin")
    server.port = urlsplit(origin).port if isinstance(origin, str) else None


@when("the listener is stopped")
def listener_is_stopped(iut: Implementation) -> None:
    iut.call("agent-tool.stop")


@given("the configuration of the agent")
def configuration(server: Given, values: Values, docstring: str) -> None:
    server.configuration = values.fill(docstring)


@given("a managed child")
def managed_child(iut: Implementation, server: Given, agent_tool: AgentTool) -> None:
    listener_is_bound(iut, server, None)
    agent_tool.prepare(server.environment)


@given(parsers.re(r"a (?P<launch>managed|external-host|skip-start|vscode) child is prepared"))
@when(parsers.re(r"a (?P<launch>managed|external-host|skip-start|vscode) child is prepared"))
def child_is_prepared(server: Given, agent_tool: AgentTool, launch: str) -> None:
    agent_tool.prepare(server.environment, launch=launch)


@when(parsers.re(r"a managed child is prepared with the settings (?P<settings>\{.*\})"))
def child_is_prepared_with(server: Given, agent_tool: AgentTool, values: Values, settings: str) -> None:
    agent_tool.prepare(server.environment, settings=values.json(settings))


@when("a managed child is prepared in the environment of the last one")
def child_is_prepared_again(server: Given, agent_tool: AgentTool) -> None:
    last = agent_tool.preparations[-1].environment
    agent_tool.prepare(last if isinstance(last, dict) else server.environment)


@then("no callback URL is given before the listener is bound")
def no_url(check: Check, agent_tool: AgentTool, server: Given) -> None:
    try:
        made = agent_tool.prepare(server.environment)
        outcome = at(made.environment, str(at(made.answer, "callbackUrlVariable")))
    except ImplementationError as error:
        outcome = "refused" if error.code == -32000 else str(error)
    check("the callback URL before the listener is bound", one_of(ABSENT, "refused"), outcome)


@then("a managed child cannot be prepared, and nothing is written")
def cannot_be_prepared(check: Check, agent_tool: AgentTool, server: Given) -> None:
    outcome = "prepared"
    try:
        agent_tool.prepare(server.environment)
    except ImplementationError as error:
        outcome = "refused" if error.code == -32000 else str(error)
    check(f"a preparation with the configuration {server.configuration}", "refused", outcome)
    data = agent_tool.folder / "data"
    written = [str(file.relative_to(data)) for file in data.rglob("*") if file.is_file()]
    check("the files that were written", [], written)


@then("the tool is injected")
def is_injected(check: Check, agent_tool: AgentTool) -> None:
    last = agent_tool.preparations[-1]
    names = [at(last.answer, name) for name in ("tokenVariable", "callbackUrlVariable")]
    wanted = {str(name): A_TEXT for name in names}
    check("the environment of the child", also(wanted) if len(wanted) == 2 else "two variables", last.environment)
    check("its plugins", _ONE_BY_FILE, _plugins(last))


@then("the tool is not injected")
def is_not_injected(check: Check, agent_tool: AgentTool) -> None:
    last = agent_tool.preparations[-1]
    check("the environment of the child", one_of(None, last.given), last.environment)


@then("the plugin is a file in agent-tool, in the data directory")
def plugin_file(check: Check, agent_tool: AgentTool) -> None:
    file = plugin_of(agent_tool)
    folder = (agent_tool.folder / "data" / "agent-tool").resolve()
    check("whether its plugin exists", True, file is not None and file.is_file())
    check("its folder", True, file is not None and folder in file.resolve().parents)


@then("nobody but its owner may read or write the plugin")
def plugin_mode(check: Check, agent_tool: AgentTool) -> None:
    file = plugin_of(agent_tool)
    mode = oct(file.stat().st_mode & 0o777) if file is not None and file.is_file() else ABSENT
    check("the mode of the plugin's file", "0o600", mode)


@then("the configuration of the child is that of the agent, with the plugin as its last entry")
def configuration_is_kept(check: Check, agent_tool: AgentTool, server: Given) -> None:
    kept = _configuration(agent_tool.preparations[-1])
    wanted = json.loads(server.configuration or "{}")
    check("the configuration of the child", wanted | {"plugin": [*items(wanted.get("plugin")), _A_FILE_URL]}, kept)


@then(parsers.re(r"the configuration of the child is (?P<wanted>\{.*\}), with the plugin as its last entry"))
def configuration_is(check: Check, agent_tool: AgentTool, values: Values, wanted: str) -> None:
    kept, whole = _configuration(agent_tool.preparations[-1]), values.json(wanted)
    check("the configuration of the child", whole | {"plugin": [*items(whole.get("plugin")), _A_FILE_URL]}, kept)


@then("no plugin is in it twice")
def no_plugin_twice(check: Check, agent_tool: AgentTool) -> None:
    plugins = [json.dumps(entry) for entry in items(_plugins(agent_tool.preparations[-1]))]
    check("the plugins that stand in it twice", [], sorted({entry for entry in plugins if plugins.count(entry) > 1}))
    check("how many plugins it has", other_than(0), len(plugins))


@then(parsers.parse("the {count:d} tokens are all different, and long enough"))
def tokens_differ(check: Check, agent_tool: AgentTool, count: int) -> None:
    tokens = [child.token for child in agent_tool.children]
    check("how many different tokens there are", count, len(set(tokens)))
    check("how many have at least 22 characters", count, len([token for token in tokens if len(token) >= 22]))
    first = {token[:8] for token in tokens} | {token[-8:] for token in tokens}
    check("how many different beginnings and ends they have", 2 * count, len(first))


@then("the callback URL is the listener's, on loopback")
def url_is_the_listeners(check: Check, agent_tool: AgentTool, server: Given) -> None:
    url = urlsplit(agent_tool.child.url if agent_tool.child is not None else "")
    check("host of the callback URL", one_of(*_LOOPBACK), url.hostname)
    check("its port", server.port if server.port else "the listener's", url.port)
    check("its path", PATH, url.path)


@then("the server's own environment is what it was, without token and callback URL")
def server_environment(check: Check, agent_tool: AgentTool) -> None:
    last, child = agent_tool.preparations[-1], agent_tool.child
    check("the server's environment afterwards", last.given, at(last.answer, "serverEnvironment"))
    secret = (child.token, child.url) if child is not None else ("no child was prepared",)
    check("token and URL in it", without(*secret), at(last.answer, "serverEnvironment"))
    check("whether a child has both", True, child is not None)


def plugin_of(agent_tool: AgentTool) -> Path | None:
    """Give the file of the plugin that was injected last; None where there is none."""
    url = at(_plugins(agent_tool.preparations[-1]), -1)
    return Path(unquote(urlsplit(url).path)) if isinstance(url, str) and url.startswith("file://") else None


def _configuration(made: Preparation) -> Any:
    try:
        return json.loads(str(at(made.environment, CONFIG)))
    except ValueError:
        return ABSENT


def _plugins(made: Preparation) -> Any:
    return at(_configuration(made), "plugin")
