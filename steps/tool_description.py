"""The managed agent tool as its agent is shown it: name, description, schema and actions."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pytest_bdd import parsers, then

from specassay.port import Implementation
from specassay.suite.agent_tool import AgentTool
from specassay.suite.checks import A_TEXT, ABSENT, Check, Matcher, also, at, containing, items, other_than

JSON_TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}
_SWITCHES = ("worktree", "goal", "agent", "variant", "wait")
_MARKERS = ("title", "prompt", "message", "text", "name")

_A_TYPE = Matcher("of a JSON type", lambda actual: bool(_types(actual)))
_ONE_LINE = Matcher(
    "one line", lambda actual: isinstance(actual, str) and bool(actual.strip()) and "\n" not in actual.strip()
)


def describe(agent_tool: AgentTool, iut: Implementation) -> Any:
    """Ask what the agent is shown."""
    return iut.call("agent-tool.describe", environment=agent_tool.environment)


def tool_of(agent_tool: AgentTool, iut: Implementation) -> Any:
    """Give the one tool; nothing where there is none."""
    return at(describe(agent_tool, iut), "tools", 0)


def shared_object_of(agent_tool: AgentTool, iut: Implementation) -> Any:
    """Give the schema of the shared object of parameters: the input itself, or the one object beside the action."""
    schema = at(tool_of(agent_tool, iut), "inputSchema")
    beside = [one for name, one in _properties(schema).items() if name != "action"]
    return beside[0] if len(beside) == 1 and _properties(beside[0]) else schema


def properties_of(agent_tool: AgentTool, iut: Implementation) -> dict[str, Any]:
    """Give the parameters of the tool by name, with the action."""
    declared = _properties(at(tool_of(agent_tool, iut), "inputSchema"))
    action = {"action": declared["action"]} if "action" in declared else {}
    return action | _properties(shared_object_of(agent_tool, iut))


def _properties(schema: Any) -> dict[str, Any]:
    found = at(schema, "properties")
    return found if isinstance(found, dict) else {}


def sample(schema: Any, text: str) -> Any:
    """Make a value that a parameter's schema allows: false, a number, one of its choices, or `text`."""
    choices = items(at(schema, "enum"))
    kinds = _types(schema)
    if choices:
        return choices[-1]
    if "boolean" in kinds:
        return False
    if kinds & {"number", "integer"}:
        return at(schema, "minimum") if isinstance(at(schema, "minimum"), int) else 3
    if "array" in kinds:
        return [sample(at(schema, "items"), text)]
    return {} if "object" in kinds else text


def marker_of(agent_tool: AgentTool, iut: Implementation) -> str | None:
    """Name a parameter that takes any text; None where the tool has none."""
    free = [
        name
        for name, schema in properties_of(agent_tool, iut).items()
        if "string" in _types(schema) and not items(at(schema, "enum")) and at(schema, "format") is ABSENT
    ]
    return next((name for name in (*_MARKERS, *free) if name in free and name not in ("action", "directory")), None)


@then(parsers.re(r'the agent is shown one tool, "(?P<name>\w+)", with typed parameters'))
def one_tool(check: Check, agent_tool: AgentTool, iut: Implementation, name: str) -> None:
    shown = at(describe(agent_tool, iut), "tools")
    names = [at(tool, "name") for tool in shown] if isinstance(shown, list) else shown
    check("the names of the tools", [name], names)
    check("the type of its input", "object", at(shown, 0, "inputSchema", "type"))
    properties = at(shown, 0, "inputSchema", "properties")
    check("whether it has parameters", True, isinstance(properties, dict) and "action" in properties)


@then("each parameter has a JSON type")
def each_has_a_type(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    found = properties_of(agent_tool, iut)
    for name, schema in found.items():
        check(f"the parameter {name}", _A_TYPE, schema)
    check("how many parameters there are", other_than(0), len(found))


@then("one object declares all parameters, and no branch of the schema declares any")
def one_object(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    schema = at(tool_of(agent_tool, iut), "inputSchema")
    declaring = [path for path, node in _nodes(schema) if isinstance(at(node, "properties"), dict)]
    places = [path for path in declaring if path == "/" or _is_branch(path)]
    check("the places at which parameters are declared", ["/"], places)


@then("the schema forbids other parameters")
def schema_is_closed(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    schema = shared_object_of(agent_tool, iut)
    check("additionalProperties of the shared object", False, at(schema, "additionalProperties"))


@then("the schema holds no examples")
def no_examples(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    schema = at(tool_of(agent_tool, iut), "inputSchema")
    check("the shared object of parameters", also({"properties": also({})}), schema)
    found = [f"{path}{key}" for path, node in _nodes(schema) for key in ("example", "examples") if key in node]
    check("the examples in it", [], [place for place in found if not place.endswith(("/properties/example",))])


@then("no parameter is described twice")
def none_twice(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    """Say in the claim what the tool costs of an agent's context, in characters."""
    tool = tool_of(agent_tool, iut)
    description, schema = str(at(tool, "description")), json.dumps(at(tool, "inputSchema"), default=str)
    declared = [name for _, node in _nodes(at(tool, "inputSchema")) for name in _keys(at(node, "properties"))]
    texts = [at(one, "description") for one in properties_of(agent_tool, iut).values()]
    twice = [name for name, count in Counter(declared).items() if count > 1]
    twice += [text for text, count in Counter(t for t in texts if isinstance(t, str)).items() if count > 1]
    figures = f"{len(description)} characters of description and {len(schema)} of schema"
    check(f"what is described twice, in {figures}, for {len(declared)} parameters", [], twice)
    check("how many parameters there are", other_than(0), len(declared))


@then("each action has a title of one line that is not its name")
def titles(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    for action, title, _ in _listed(check, agent_tool, iut):
        check(f"the title of {action}", _ONE_LINE, title)
        check(f"the title of {action}", other_than(action), title)


@then("each action has a description that is not its title")
def descriptions(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    for action, title, description in _listed(check, agent_tool, iut):
        check(f"the description of {action}", A_TEXT, description)
        check(f"the description of {action}", other_than(title), description)


@then("the schema shows the description of each action")
def schema_shows(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    texts = [node for _, node in _texts(at(tool_of(agent_tool, iut), "inputSchema"))]
    for action, _, description in _listed(check, agent_tool, iut):
        shown = any(isinstance(description, str) and description in text for text in texts)
        check(f"whether the schema shows the description of {action}", True, shown)


@then(parsers.re(r'"(?P<action>[^"]+)" is (?P<negated>not )?among the actions'))
def among_actions(check: Check, agent_tool: AgentTool, iut: Implementation, action: str, negated: str | None) -> None:
    listed = [name for name, _, _ in _listed(check, agent_tool, iut)]
    check(f"whether {action} is among the actions", not negated, action in listed)
    texts = [node for _, node in _texts(at(tool_of(agent_tool, iut), "inputSchema"))]
    check(f"whether the schema names {action}", not negated, any(action in re.split(r"[^\w.]", text) for text in texts))


@then(parsers.re(r'the parameter "(?P<name>\w+)" is a boolean'))
def is_boolean(check: Check, agent_tool: AgentTool, iut: Implementation, name: str) -> None:
    check(f"the type of {name}", {"boolean"} == _types(properties_of(agent_tool, iut).get(name)), True)


@then(parsers.re(r"the agent is told to set wait only when the user asks, or the next step needs the result"))
def wait_rule(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    tool = tool_of(agent_tool, iut)
    text = f"{at(tool, 'description')} {at(properties_of(agent_tool, iut), 'wait', 'description')}"
    rule = Matcher(
        '"wait" only when the user asks, or the next step requires it',
        lambda actual: bool(
            re.search(r"only (when|if) (the user|the next step)|only .{0,40}user (asks|request)", actual, re.I)
        ),
    )
    check("what is said of wait", rule, text)


@then("the switches are described, each with the rule that it is set only when the user asks")
def switches(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    rule = Matcher(
        "only when the user asks",
        lambda actual: isinstance(actual, str) and bool(re.search(r"only (when|if) the user", actual, re.I)),
    )
    found = properties_of(agent_tool, iut)
    for name in _SWITCHES:
        check(f"the description of {name}", rule, at(found, name, "description"))


@then("the switches are described")
def switches_are_described(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    found = properties_of(agent_tool, iut)
    for name in _SWITCHES:
        check(f"the description of {name}", A_TEXT, at(found, name, "description"))


@then(parsers.re(r"the description of the tool speaks of (?P<words>.+)"))
def description_speaks(check: Check, agent_tool: AgentTool, iut: Implementation, words: str) -> None:
    text = str(at(tool_of(agent_tool, iut), "description")).lower()
    check("the tool's description", containing(*json.loads(words)), text)


@then("the description of the tool says never to delegate a part of the agent's own task")
def never_delegate(check: Check, agent_tool: AgentTool, iut: Implementation) -> None:
    rule = Matcher(
        '"delegate" near "never" or "not"',
        lambda actual: (
            isinstance(actual, str)
            and bool(re.search(r"\b(never|not|n't)\b[^.]{0,80}delegat|delegat[^.]{0,40}\b(never|not)\b", actual, re.I))
        ),
    )
    check("the tool's description", rule, at(tool_of(agent_tool, iut), "description"))


def _listed(check: Check, agent_tool: AgentTool, iut: Implementation) -> list[tuple[Any, Any, Any]]:
    listed = items(at(describe(agent_tool, iut), "actions"))
    check("how many actions there are", other_than(0), len(listed))
    return [(at(one, "action"), at(one, "title"), at(one, "description")) for one in listed]


def _types(schema: Any) -> set[str]:
    """Give the JSON types that a parameter may have, those of its alternatives too."""
    kind = at(schema, "type")
    named = {kind} if isinstance(kind, str) else {one for one in items(kind) if isinstance(one, str)}
    if at(schema, "const") is not ABSENT or items(at(schema, "enum")):
        named |= {"string"}
    for branch in (*items(at(schema, "anyOf")), *items(at(schema, "oneOf"))):
        named |= _types(branch)
    return (named & JSON_TYPES) - {"null"}


def _nodes(schema: Any, path: str = "/") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            yield from _nodes(value, f"{path}{key}/")
    for number, value in enumerate(items(schema)):
        yield from _nodes(value, f"{path}{number}/")


def _is_branch(path: str) -> bool:
    """Say whether a place lies in an alternative; elsewhere a parameter may itself be an object."""
    return any(f"/{union}/" in path for union in ("anyOf", "oneOf", "allOf"))


def _texts(schema: Any) -> Iterator[tuple[str, str]]:
    for path, node in _nodes(schema):
        for value in node.values():
            yield from ((path, text) for text in (items(value) or [value]) if isinstance(text, str))


def _keys(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []
