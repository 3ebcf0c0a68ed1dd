"""The agent store."""

from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation
from specassay.steps.expected import expected
from specassay.suite.chat_route import ChatRoute
from specassay.suite.checks import Check, at, items, other_than
from specassay.suite.tools import Tools
from specassay.suite.values import Values

_PARAMETERS = {"setStatus": "status", "setActiveTool": "activeTool"}
_READ = "agent-store.getState"


@given(parsers.re(r"(?P<action>setStatus|setActiveTool|reset)\((?P<value>.*)\) was called"))
@when(parsers.re(r"(?P<action>setStatus|setActiveTool|reset)\((?P<value>.*)\) is called"))
def agent_store_action(iut: Implementation, values: Values, action: str, value: str) -> None:
    iut.call(f"agent-store.{action}", **({_PARAMETERS[action]: values.json(value)} if value else {}))


@given("setContext was called with")
@when("setContext is called with")
def set_context(iut: Implementation, values: Values, docstring: str) -> None:
    iut.call("agent-store.setContext", context=values.json(docstring))


@given("agentStore is read while calls are open")
def agent_store_is_read(chat_route: ChatRoute, tools: Tools) -> None:
    """Read it while each answer of the chat route is held back, and while each tool runs."""
    chat_route.read_while_held = tools.read_while_running = (_READ,)


@given(parsers.re(r"agentStore\.(?P<field>status|activeTool) is (?P<value>.+)"))
@then(parsers.re(r"agentStore\.(?P<field>status|activeTool) is (?P<value>.+)"))
def agent_store_field(iut: Implementation, check: Check, values: Values, field: str, value: str) -> None:
    check(f"agentStore.{field}", expected(values, value), at(iut.call(_READ), field))


@then("agentStore.context is")
def agent_store_context(iut: Implementation, check: Check, values: Values, docstring: str) -> None:
    check("agentStore.context", values.json(docstring), at(iut.call(_READ), "context"))


@then(parsers.re(r"while POST (?P<number>\d+) was held, agentStore\.(?P<field>\w+) was (?P<value>.+)"))
def agent_store_at_post(
    check: Check, values: Values, chat_route: ChatRoute, number: str, field: str, value: str
) -> None:
    seen = [post.seen.get(_READ) for post in chat_route.posts]
    check(f"agentStore.{field} while POST {number} was held", values.json(value), at(seen, int(number) - 1, field))


@then(parsers.re(r"while (?P<tool>\w+) ran, agentStore\.(?P<field>\w+) was (?P<value>.+)"))
def agent_store_at_tool(check: Check, values: Values, tools: Tools, tool: str, field: str, value: str) -> None:
    seen = [at(run.seen.get(_READ), field) for run in tools.runs_of(tool)]
    check(f"agentStore.{field} while {tool} ran", [values.json(value)] * max(1, len(seen)), seen)


@then(parsers.re(r"agentStore\.(?P<field>\w+) was never (?P<value>.+)"))
def agent_store_never(iut: Implementation, check: Check, values: Values, field: str, value: str) -> None:
    entries = items(at(iut.call("agent-store.getHistory"), "entries"))
    seen = [at(entry, "state", field) for entry in entries]
    check(f"agentStore.{field} in its whole history", [other_than(values.json(value))] * max(1, len(seen)), seen)
