"""Tools that are shown to the agent, or hand its input on, with one fault each."""

import copy
from dataclasses import replace
from typing import Any

import pytest

from specassay.reference.agent_tool import actions, callback, plugin, result, service
from specassay.reference.agent_tool.actions import Action
from specassay.reference.agent_tool.result import AgentToolResult, Failed, Succeeded
from tests.impostors.faults.managed_agent_tool_preparation import FLOW, SPECIFICATION, javascript
from tests.impostors.impostor import impostor

BUDGET = f"{SPECIFICATION}/agent-context-budget"
SEND = "body: JSON.stringify({ action, parameters, directory: context.directory }),"
CALL = "  const url = process.env[TOOL.urlVariable];"


def _acts(patch: pytest.MonkeyPatch, *changed: Action) -> None:
    for module in (actions, plugin):
        patch.setattr(module, "ACTIONS", changed)


def _describes(patch: pytest.MonkeyPatch, name: str, **schema: Any) -> None:
    patch.setitem(actions.PARAMETERS, name, schema)


def _shows(patch: pytest.MonkeyPatch, **further: Any) -> None:
    """Change the schema; a key that is None is left out."""
    changed = {**actions.input_schema(), **further}
    shown = {key: value for key, value in changed.items() if value is not None}
    patch.setattr(plugin, "input_schema", lambda: shown)


def _says(patch: pytest.MonkeyPatch, text: str) -> None:
    patch.setattr(plugin, "DESCRIPTION", text)


def serves(patch: pytest.MonkeyPatch, *further: str) -> None:
    """Serve further actions, which the agent is not shown."""
    patch.setattr(callback, "AGENT_ACTIONS", actions.AGENT_ACTIONS | set(further))


# the flow


@impostor(
    f"{FLOW}.9",
    elsewhere={"agent-context-budget.11": "False is one of the two values."},
)
def drops_what_is_false(patch: pytest.MonkeyPatch) -> None:
    """Leave out every parameter that is false."""
    kept = "Object.fromEntries(Object.entries(parameters).filter(([, value]) => value))"
    javascript(patch, SEND, SEND.replace("parameters,", f"parameters: {kept},"))


@impostor(
    f"{FLOW}.9",
    elsewhere={
        "agent-context-budget.16": "Its timeout is a number.",
        "agent-context-budget.11": "They are booleans.",
    },
)
def sends_texts(patch: pytest.MonkeyPatch) -> None:
    """Write every parameter as text."""
    written = "Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))"
    javascript(patch, SEND, SEND.replace("parameters,", f"parameters: {written},"))


@impostor(f"{FLOW}.10")
def believes_the_model(patch: pytest.MonkeyPatch) -> None:
    """Take the directory that the model names for the session's."""
    named = "directory: parameters.directory ?? context.directory"
    javascript(patch, SEND, SEND.replace("directory: context.directory", named))


@impostor(f"{FLOW}.11", elsewhere={"agent-context-budget.5": "It is one of those that send to a session."})
def forgets_an_action(patch: pytest.MonkeyPatch) -> None:
    """Show an action that the route does not serve."""
    patch.setattr(callback, "AGENT_ACTIONS", actions.AGENT_ACTIONS - {"session.fork"})


@impostor(f"{FLOW}.11")
def tidies_the_data(patch: pytest.MonkeyPatch) -> None:
    """Leave out of the data what is null."""

    def tidied(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: tidied(one) for key, one in value.items() if one is not None}
        return [tidied(one) for one in value if one is not None] if isinstance(value, list) else value

    original = result.to_json

    def write(made: AgentToolResult) -> dict[str, Any]:
        written = original(made)
        return {**written, "data": tidied(written["data"])} if isinstance(made, Succeeded) else written

    patch.setattr(callback, "to_json", write)


@impostor(f"{FLOW}.14")
def titles_by_name(patch: pytest.MonkeyPatch) -> None:
    """Have no title but the action's name."""
    _acts(patch, *(replace(action, title=action.name) for action in actions.ACTIONS))


@impostor(f"{FLOW}.14")
def titles_at_length(patch: pytest.MonkeyPatch) -> None:
    """Have titles of two lines."""
    _acts(patch, *(replace(action, title=f"{action.title}\nfor the agent") for action in actions.ACTIONS))


@impostor(f"{FLOW}.15")
def has_one_text_for_both(patch: pytest.MonkeyPatch) -> None:
    """Describe an action by its title."""
    _acts(patch, *(replace(action, description=action.title) for action in actions.ACTIONS))


@impostor(f"{FLOW}.16")
def shows_titles(patch: pytest.MonkeyPatch) -> None:
    """Show the agent the titles."""
    schema = copy.deepcopy(actions.input_schema())
    schema["properties"]["action"]["description"] = "\n".join(f"{a.name}: {a.title}" for a in actions.ACTIONS)
    _shows(patch, **schema)


@impostor(f"{FLOW}.17")
def has_one_title_for_all(patch: pytest.MonkeyPatch) -> None:
    """Give every call the title of the tool."""
    javascript(patch, "Object.hasOwn(TOOL.titles, action) ? TOOL.titles[action] : TOOL.name", "TOOL.name")


@impostor(f"{FLOW}.17")
def titles_only_what_succeeds(patch: pytest.MonkeyPatch) -> None:
    """Give a call that fails the title of the tool."""
    javascript(patch, "  return { title, output:", "  return { title: result.ok ? title : TOOL.name, output:")


# the budget


@impostor(
    f"{BUDGET}.1",
    elsewhere={
        "agent-context-budget/robustness/what-the-tool-costs-of-an-agents-context-nothing-of-it-twice": (
            "A union declares parameters again."
        )
    },
)
def hides_a_union(patch: pytest.MonkeyPatch) -> None:
    """Have an alternative for each action beside the shared object."""
    _shows(
        patch,
        anyOf=[
            {"properties": {"action": {"const": one.name}, "prompt": {"type": "string"}}} for one in actions.ACTIONS
        ],
    )


@impostor(f"{BUDGET}.3", elsewhere={"purpose.1": "Its parameters are typed too."})
def types_in_prose(patch: pytest.MonkeyPatch) -> None:
    """Tell the type of a parameter in its description only."""
    _describes(patch, "session", description="A text.")


@impostor(f"{BUDGET}.5", elsewhere={"runtime-flow.11": "The input of each action is compared."})
def waits_for_what_it_forks(patch: pytest.MonkeyPatch) -> None:
    """Let a fork wait where nothing is said of it."""
    javascript(patch, CALL, '  if (action === "session.fork") parameters.wait ??= true;\n' + CALL)


@impostor(
    f"{BUDGET}.6",
    elsewhere={"agent-context-budget.15": "Wait is one of the five switches."},
)
def recommends_to_wait(patch: pytest.MonkeyPatch) -> None:
    """Recommend to wait for every dispatch."""
    _describes(patch, "wait", type="boolean", description="Default: false. Recommended for every dispatch.")


@impostor(f"{BUDGET}.8")
def serves_the_scheduler_status(patch: pytest.MonkeyPatch) -> None:
    """Serve schedule.status without showing it."""
    serves(patch, "schedule.status")


@impostor(f"{BUDGET}.8", elsewhere={"runtime-flow.11": "It is shown, and not served."})
def shows_the_scheduler_status(patch: pytest.MonkeyPatch) -> None:
    """Show schedule.status without serving it."""
    _acts(patch, *actions.ACTIONS, Action("schedule.status", "Scheduler status", "Whether it runs."))


@impostor(f"{BUDGET}.10")
def keeps_the_old_names(patch: pytest.MonkeyPatch) -> None:
    """Serve schedule.enable and schedule.disable as they were."""
    serves(patch, "schedule.enable", "schedule.disable")


@impostor(f"{BUDGET}.11", elsewhere={"runtime-flow.9": "False is a value that arrives."})
def loses_an_enabling(patch: pytest.MonkeyPatch) -> None:
    """Send `disabled` only where it is true."""
    javascript(patch, CALL, "  if (!parameters.disabled) delete parameters.disabled;\n" + CALL)


@impostor(f"{BUDGET}.12")
def lists_its_features(patch: pytest.MonkeyPatch) -> None:
    """Describe the tool by a list of what it can."""
    _says(patch, "Lists projects and models, and more. Never delegate a part of your own task.")


@impostor(f"{BUDGET}.13")
def offers_to_delegate(patch: pytest.MonkeyPatch) -> None:
    """Describe the tool as a way to run other agents."""
    _says(patch, "Starts sessions and scheduled tasks for the user. Use it to delegate parts of your task.")


@impostor(f"{BUDGET}.14", elsewhere={"agent-context-budget.15": "What is not described has no rule."})
def says_nothing_of_a_switch(patch: pytest.MonkeyPatch) -> None:
    """Leave a switch without a description."""
    _describes(patch, "goal", type="boolean")


@impostor(f"{BUDGET}.15")
def has_four_of_five_rules(patch: pytest.MonkeyPatch) -> None:
    """Leave the rule out at one switch."""
    _describes(patch, "goal", type="boolean", description="Default: false. Works towards a goal.")


@impostor(f"{BUDGET}.16", elsewhere={"runtime-flow.9": "Its call has a timeout, and does not wait."})
def refuses_a_combination_itself(patch: pytest.MonkeyPatch) -> None:
    """Refuse a timeout without waiting in the plugin."""
    refusal = '  if (parameters.timeout && !parameters.wait) return failure(action, "timeout needs wait");\n'
    javascript(patch, CALL, refusal + CALL)


@impostor(
    f"{BUDGET}.16",
    elsewhere={
        "runtime-flow.11": "It calls each action without any parameter.",
    },
)
def asks_for_the_task_itself(patch: pytest.MonkeyPatch) -> None:
    """Refuse a toggle without `disabled` in the plugin."""
    refusal = (
        '  if (action === "schedule.toggle" && !("disabled" in parameters)) return failure(action, "Add disabled.");\n'
    )
    javascript(patch, CALL, refusal + CALL)


@impostor(
    f"{BUDGET}.17",
    elsewhere={
        "result-contract/robustness/what-was-done-before-a-failure-is-told": "It looks for the service's words too.",
    },
)
def hides_the_usage_error(patch: pytest.MonkeyPatch) -> None:
    """Tell of every failure in general words."""
    original = result.to_json

    def write(made: AgentToolResult) -> dict[str, Any]:
        written = original(made)
        if isinstance(made, Failed):
            written["error"]["message"] = "The request failed."
        return written

    patch.setattr(callback, "to_json", write)


@impostor(f"{BUDGET}.18")
def gives_examples(patch: pytest.MonkeyPatch) -> None:
    """Show a call of each action."""
    _shows(patch, examples=[{"action": action.name} for action in actions.ACTIONS])


@impostor(f"{BUDGET}/robustness/what-the-tool-costs-of-an-agents-context-nothing-of-it-twice")
def repeats_a_description(patch: pytest.MonkeyPatch) -> None:
    """Describe two parameters by the same sentence."""
    for name in ("session", "task"):
        _describes(patch, name, type="string", description="The id, as the list gives it.")


@impostor(f"{BUDGET}/robustness/the-products-own-service-says-what-to-change-in-a-wrong-combination")
def takes_any_combination(patch: pytest.MonkeyPatch) -> None:
    """Have no rules of combination."""
    patch.setattr(service, "DEPENDENT", {})
