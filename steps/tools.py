"""The tools of a scenario: what they are, what they do, and how they were run."""

import json
from typing import Any

from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation
from specassay.steps.expected import rows
from specassay.steps.orchestrator import Run
from specassay.suite.checks import Check, Matcher, one_of
from specassay.suite.tools import Tools
from specassay.suite.values import Values

_AN_OBJECT = Matcher("an object", lambda actual: isinstance(actual, dict))


def behaves(tools: Tools, values: Values, name: str, outcome: str) -> None:
    """Let a tool do what `returns <JSON>` or `throws <JSON text>` says."""
    verb, value = outcome.split(" ", 1)
    {"returns": tools.returns, "throws": tools.throws}[verb](name, values.json(value))


@given("these tools are registered")
@when("these tools are registered")
def tools_are_registered(iut: Implementation, values: Values, tools: Tools, datatable: list[list[str]]) -> None:
    """Register the tool of each row: `name`, and where given `description`, `parameters` and `outcome`."""
    for row in rows(datatable):
        name = values.fill(row["name"])
        behaves(tools, values, name, row.get("outcome", 'returns "done"'))
        definition = {
            "name": name,
            "description": values.fill(row.get("description", f"The tool {name}.")),
            "parameters": values.json(row.get("parameters", "[]")),
        }
        iut.call("tool-registry.register", definition=definition)


@given(parsers.re(r"the shipped tool (?P<name>\w+) (?P<outcome>(returns|throws) .+)"))
def shipped_tool(iut: Implementation, values: Values, tools: Tools, name: str, outcome: str) -> None:
    behaves(tools, values, name, outcome)
    iut.call("tool-registry.stub", name=name)


@then("the tools ran exactly so")
def tools_ran(check: Check, values: Values, tools: Tools, datatable: list[list[str]]) -> None:
    """Compare all runs, in any order, with `tool` and `args` of each row."""
    wanted = [{"tool": values.fill(row["tool"]), "args": values.json(row["args"])} for row in rows(datatable)]
    runs = [{"tool": run.name, "args": run.args} for run in tools.runs]
    check("the runs of all tools", sorted(wanted, key=_text), sorted(runs, key=_text))


@then("no tool ran")
def no_tool_ran(check: Check, tools: Tools) -> None:
    check("the runs of all tools", [], [{"tool": run.name, "args": run.args} for run in tools.runs])


@then(parsers.re(r"(?P<tool>\w+) ran with (?P<args>\{.*\}), or not at all"))
def tool_ran_or_not(check: Check, values: Values, tools: Tools, tool: str, args: str) -> None:
    seen = [run.args for run in tools.runs_of(tool)]
    check(f"the arguments of each run of {tool}", one_of([], [values.json(args)]), seen)


@then("every tool was given the context of the run")
def tools_were_given_context(check: Check, tools: Tools, run: Run) -> None:
    seen = [other.context for other in tools.runs]
    check("the context of each tool's run", [run.context] * max(1, len(seen)), seen)


@then(parsers.re(r"(?P<tool>\w+) was given the context of the run"))
def tool_was_given_context(check: Check, tools: Tools, run: Run, tool: str) -> None:
    seen = [other.context for other in tools.runs_of(tool)]
    check(f"the context of each run of {tool}", [run.context] * max(1, len(seen)), seen)


@then("no tool was given anything but an object")
def tools_were_given_objects(check: Check, tools: Tools) -> None:
    seen = [other.args for other in tools.runs]
    check("the arguments of each tool's run", [_AN_OBJECT] * len(seen), seen)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
