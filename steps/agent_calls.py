"""The calls of the agent's tool: what the agent sends, what the control service is asked, and what comes back."""

import json
from pathlib import Path
from typing import Any

from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation, Inapplicable
from specassay.provider.fake import FakeProvider
from specassay.provider.journal import Answer, json_answer
from specassay.steps.agent_tool import PATH
from specassay.steps.attacks import ACTION
from specassay.steps.expected import rows
from specassay.steps.tool_description import marker_of, properties_of, sample
from specassay.suite.agent_tool import DIRECTORY, AgentTool
from specassay.suite.checks import (
    A_STRING,
    A_TEXT,
    ABSENT,
    Check,
    Matcher,
    also,
    at,
    containing,
    items,
    one_of,
    other_than,
)
from specassay.suite.control import Control
from specassay.suite.values import Values

A_FAILURE = also({"schemaVersion": 1, "ok": False, "action": A_STRING, "error": also({"message": A_TEXT})})
_NOT_TRUE = Matcher("anything but true", lambda actual: actual is not True)
DISPATCHES = ("session.create", "session.send", "session.fork")


@given(parsers.re(r"the control service answers (?P<data>.+)"))
def service_answers(control: Control, values: Values, data: str) -> None:
    control.data = values.json(data)


@given(parsers.re(r"the control service fails with (?P<error>\{.*\})"))
def service_fails(control: Control, values: Values, error: str) -> None:
    control.fails(values.json(error))


@given("the control service succeeds again")
def service_succeeds(control: Control) -> None:
    control.fails(None)


@given(parsers.re(r'the agent has called "(?P<action>[^"]+)" with (?P<parameters>\{.*\})'))
@when(parsers.re(r'the agent calls "(?P<action>[^"]+)" with (?P<parameters>\{.*\})'))
def agent_calls(agent_tool: AgentTool, values: Values, action: str, parameters: str) -> None:
    agent_tool.invoke(action, values.json(parameters))


@when(parsers.re(r'the agent calls "(?P<action>[^"]+)" while (?P<trouble>.+)'))
def agent_calls_while(agent_tool: AgentTool, iut: Implementation, action: str, trouble: str) -> None:
    agent_tool.invoke(action, {}, environment=_broken(agent_tool, iut.endpoints["refused"], trouble))


@then("each call of the control service was exactly")
def service_was_called(check: Check, control: Control, values: Values, datatable: list[list[str]]) -> None:
    """Compare action, input and, where a column says so, the session's directory of each call, in order."""
    wanted = [
        also(
            {"action": values.fill(row["action"]), "input": values.json(row["input"])}
            | ({"contextDirectory": values.fill(row["directory"])} if "directory" in row else {})
        )
        for row in rows(datatable)
    ]
    check("the calls of the control service", wanted, [call.shown for call in control.calls])


@then(parsers.re(r"the agent gets (?P<wanted>\{.*\}|a failure with (?P<error>\{.*\})|a failure)"))
def agent_gets(check: Check, agent_tool: AgentTool, values: Values, wanted: str, error: str | None) -> None:
    """Look at the latest call: its output, and that no error of the agent's own came of it."""
    last = agent_tool.invocations[-1]
    check("the error in the agent's own session", None, at(last.result, "nativeError"))
    if wanted.startswith("{"):
        check("what the agent gets", also(values.json(wanted)), output(last.result))
        return
    check("what the agent gets", A_FAILURE, output(last.result))
    check("the action in it", last.action, at(output(last.result), "action"))
    if error is not None:
        check("the error in it", also(values.json(error)), at(output(last.result), "error"))


@then("every completed call returned the envelope of its action")
def every_call_returned(check: Check, agent_tool: AgentTool) -> None:
    for made in agent_tool.invocations:
        check(f"the output of {made.action}", envelope(made.action), output(made.result))
    check("how many calls were made", other_than(0), len(agent_tool.invocations))


def envelope(action: Any) -> Matcher:
    """Give the results that keep the published schema, of this action."""

    def test(actual: Any) -> bool:
        if not isinstance(actual, dict) or at(actual, "action") != action:
            return False
        succeeded = actual.get("ok") is True and "data" in actual
        failed = actual.get("ok") is False and A_TEXT.test(at(actual, "error", "message"))
        return type(actual.get("schemaVersion")) is int and actual["schemaVersion"] == 1 and (succeeded or failed)

    return Matcher(f"a result envelope of {action}", test)


def output(result: Any) -> Any:
    """Read the output of a call as JSON; what is none stays as it is."""
    text = at(result, "output")
    try:
        return json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return f"no JSON: {text}"


@then(parsers.re(r"the titles of the calls are those of their actions"))
def titles_are(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    described = iut.call("agent-tool.describe", environment=agent_tool.environment)
    titles = {str(at(entry, "action")): at(entry, "title") for entry in items(at(described, "actions"))}
    for made in agent_tool.invocations:
        check(f"the title of the call of {made.action}", titles.get(made.action, A_TEXT), at(made.result, "title"))
    shown = [at(made.result, "title") for made in agent_tool.invocations]
    check(
        "how many titles there are",
        len(agent_tool.invocations) or A_TEXT,
        len({json.dumps(t) if t is not ABSENT else "" for t in shown}),
    )


@then(parsers.re(r"the relay saw one POST of the plugin, with the token of the child"))
def relay_saw(check: Check, agent_tool: AgentTool) -> None:
    seen = [
        {
            "method": one.request.method,
            "path": one.request.path,
            "token": one.request.header("authorization") == f"Bearer {agent_tool.children[-1].token}",
        }
        for one in agent_tool.relay.exchanges
    ]
    check("what the plugin sent", [{"method": "POST", "path": PATH, "token": True}], seen)


@when(parsers.re(r"the agent calls each of its actions"))
def agent_calls_each(agent_tool: AgentTool, iut: Implementation) -> None:
    for action in _actions(agent_tool, iut):
        agent_tool.invoke(action, {})


@when("the agent calls each action that sends to a session, and says nothing of waiting")
def agent_dispatches(agent_tool: AgentTool, iut: Implementation) -> None:
    for action in _actions(agent_tool, iut):
        if action in DISPATCHES:
            agent_tool.invoke(action, {})


@when(parsers.re(r'the agent calls "(?P<action>[^"]+)" with a value of the schema for each of'))
def agent_calls_with_samples(
    agent_tool: AgentTool, iut: Implementation, values: Values, action: str, datatable: list[list[str]]
) -> None:
    """Give a value to each parameter of the table that the schema has."""
    schema = properties_of(agent_tool, iut)
    names = [row["parameter"] for row in rows(datatable)]
    given = {name: sample(schema[name], values.text(name)) for name in names if name in schema}
    agent_tool.invoke(action, given)


@when(
    parsers.re(
        r'the agent of the session in "(?P<there>[^"]+)" calls "(?P<action>[^"]+)" with the directory "(?P<here>.+)"'
    )
)
def agent_calls_from(
    agent_tool: AgentTool, iut: Implementation, values: Values, there: str, action: str, here: str
) -> None:
    """Give the directory as a parameter too, where the schema has one of that name."""
    given = {"directory": values.fill(here)} if "directory" in properties_of(agent_tool, iut) else {}
    agent_tool.invoke(action, given, values.fill(there))


@then("the control service was asked for each of them once, as the agent asked, in the directory of the session")
def service_was_asked(check: Check, agent_tool: AgentTool, control: Control) -> None:
    wanted = [
        {"action": made.action, "input": made.parameters, "contextDirectory": DIRECTORY}
        for made in agent_tool.invocations
    ]
    check("the calls of the control service", wanted or "one call at least", [call.shown for call in control.calls])


@then(parsers.re(r'the control service was asked in "(?P<there>.+)", with "(?P<here>.+)" as a parameter if at all'))
def service_was_asked_in(check: Check, control: Control, values: Values, there: str, here: str) -> None:
    check("the session's directory", [values.fill(there)], [call.directory for call in control.calls])
    seen = [at(call.input, "directory") for call in control.calls]
    check("the directory among the parameters", [one_of(ABSENT, values.fill(here))], seen)


@then(parsers.re(r"the agent gets the data of the control service, each time"))
def agent_gets_data(check: Check, agent_tool: AgentTool, control: Control) -> None:
    for made in agent_tool.invocations:
        check(f"data of {made.action}", control.data, at(output(made.result), "data"))
    check("how many calls were made", other_than(0), len(agent_tool.invocations))


@then("none of them waits")
def none_waits(check: Check, control: Control, agent_tool: AgentTool) -> None:
    seen = [at(call.input, "wait") for call in control.calls]
    check("wait of each call", [_NOT_TRUE] * max(1, len(agent_tool.invocations)), seen)


_TEXTS = (
    "$(touch {file})",
    "`touch {file}`",
    "; touch {file} #",
    "| touch {file}",
    "--config={file}",
    "../../../../etc/passwd",
    "file:///etc/passwd",
    "{trap}/models",
    "<script>fetch('{trap}')</script>",
)


@when("the agent calls with texts that a shell, a file system or a client would act upon")
def agent_calls_with_texts(agent_tool: AgentTool, iut: Implementation) -> None:
    marker = marker_of(agent_tool, iut)
    if marker is None:
        raise Inapplicable("no parameter of the tool takes any text")
    for text in _TEXTS:
        written = text.format(file=_planted(agent_tool), trap=iut.endpoints["trap"])
        agent_tool.invoke(ACTION, {marker: written})


@then("each text arrived as it was, or not at all")
def texts_arrived(check: Check, agent_tool: AgentTool, control: Control) -> None:
    sent = [made.parameters for made in agent_tool.invocations]
    for call in control.calls:
        check("the input of a call", one_of(*sent), call.input)
    check("how many calls were made", len(_TEXTS) + 1, len(sent))
    check("how many arrived", other_than(0), len(control.calls))


@then("nothing was run, and nothing was fetched")
def nothing_was_run(check: Check, agent_tool: AgentTool, provider: FakeProvider) -> None:
    check("whether the file that a shell would have made exists", False, _planted(agent_tool).exists())
    fetched = [one.request.target for one in provider.exchanges]
    check("what the address in the texts was asked", [], fetched)


@then(parsers.re(r'the control service was never asked for "(?P<one>[^"]+)" or "(?P<other>[^"]+)"'))
def never_asked_for(check: Check, control: Control, one: str, other: str) -> None:
    asked = [call.action for call in control.calls]
    check(
        "the actions that the control service was asked for", [other_than_any(one, other)] * max(1, len(asked)), asked
    )


@then(parsers.re(r'the failure tells of "(?P<one>[^"]+)" and "(?P<other>[^"]+)"'))
def failure_tells(check: Check, agent_tool: AgentTool, values: Values, one: str, other: str) -> None:
    error = at(output(agent_tool.invocations[-1].result), "error")
    check("the error that the agent gets", containing(values.fill(one), values.fill(other)), error)


def other_than_any(*names: str) -> Matcher:
    """Give the texts that are none of `names`."""
    return Matcher("none of " + ", ".join(names), lambda actual: isinstance(actual, str) and actual not in names)


def _planted(agent_tool: AgentTool) -> Path:
    return agent_tool.folder / "home" / "planted"


def _actions(agent_tool: AgentTool, iut: Implementation) -> list[str]:
    described = iut.call("agent-tool.describe", environment=agent_tool.environment)
    listed = [at(entry, "action") for entry in items(at(described, "actions"))]
    return [action for action in listed if isinstance(action, str)]


def _broken(agent_tool: AgentTool, refused: str, trouble: str) -> dict[str, str]:
    """Give the environment in which the callback cannot work; the relay may answer in its place."""
    environment, child = agent_tool.environment, agent_tool.child
    if child is None:
        return environment
    match trouble:
        case "its environment has no callback URL":
            return {name: value for name, value in environment.items() if name != child.url_variable}
        case "its environment has no token":
            return {name: value for name, value in environment.items() if value != child.token}
        case "nobody listens at the callback URL":
            return environment | {child.url_variable: refused + PATH}
        case "the callback answers HTML with status 502":
            page = b"<!doctype html><p>Bad gateway</p>"
            agent_tool.relay.answer = Answer(502, page, (("content-type", "text/html"),))
        case "the callback answers JSON that is no envelope":
            agent_tool.relay.answer = json_answer({"message": "hello"})
        case "the callback answers nothing":
            agent_tool.relay.answer = Answer()
        case _:
            raise ValueError(f"no such trouble: {trouble}")
    return environment
