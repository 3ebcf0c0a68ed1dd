"""Validations of a call's arguments with one fault each."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from specassay.reference import calls, orchestrator, validation
from specassay.reference.orchestrator import Orchestrator, ToolCallError
from specassay.reference.types import (
    AgentContext,
    ChatMessage,
    ChatResponse,
    ToolCall,
    ToolDefinition,
    ToolParameter,
)
from specassay.reference.validation import argument_problem, argument_problems, is_missing, json_type
from tests.impostors.impostor import impostor

_INHERITED = ("constructor", "toString", "hasOwnProperty", "__proto__")
_INHERITED_NAME = (
    "tool-argument-validation/robustness/a-required-argument-with-an-inherited-name-is-missing-where-it-is-not-given"
)
_OPTIONAL_ARGUMENT = (
    "tool-argument-validation/robustness/an-optional-argument-of-the-wrong-type-is-refused-or-converted"
)
_NO_OBJECT = "tool-argument-validation/robustness/arguments-that-are-no-object-never-reach-a-tool"


def _accept(patch: pytest.MonkeyPatch, excuse: Callable[[ToolParameter, Mapping[str, Any]], bool]) -> None:
    """Let through the arguments that have an excuse."""

    def problem(parameter: ToolParameter, args: Mapping[str, Any]) -> str | None:
        return None if excuse(parameter, args) else argument_problem(parameter, args)

    patch.setattr(validation, "argument_problem", problem)


def _refuse(patch: pytest.MonkeyPatch, is_refused: Callable[[ToolParameter, Mapping[str, Any]], bool]) -> None:
    """Refuse other arguments as missing too."""

    def problem(parameter: ToolParameter, args: Mapping[str, Any]) -> str | None:
        found = argument_problem(parameter, args)
        return f'Argument "{parameter.key}" is missing.' if not found and is_refused(parameter, args) else found

    patch.setattr(validation, "argument_problem", problem)


@impostor(
    "agent-session-shell/tool-argument-validation.1",
    elsewhere={"tool-argument-validation.2": "One of the values that it takes for a boolean is false."},
)
def takes_false_for_missing(patch: pytest.MonkeyPatch) -> None:
    """Take a required 0, false, "", [] or {} for missing."""
    _refuse(patch, lambda parameter, args: parameter.required and not args.get(parameter.key))


@impostor(
    "agent-session-shell/tool-argument-validation.1",
    elsewhere=dict.fromkeys(
        ("tool-argument-validation.3", "tool-argument-validation.4", _INHERITED_NAME),
        "Its bad call is one without a required argument.",
    ),
)
def misses_nothing(patch: pytest.MonkeyPatch) -> None:
    """Look only at the arguments that are there."""
    _accept(patch, lambda parameter, args: parameter.key not in args)


@impostor(
    "agent-session-shell/tool-argument-validation.1",
    elsewhere={"tool-registry-shell.2": "Its tool runs without an argument that is declared as optional."},
)
def requires_everything(patch: pytest.MonkeyPatch) -> None:
    """Require every declared argument once there is one."""
    _refuse(patch, lambda parameter, args: bool(args) and is_missing(args, parameter.key))


@impostor(
    "agent-session-shell/tool-argument-validation.1",
    elsewhere={"tool-argument-validation.4": "The second of two arguments is missing."},
)
def requires_the_first(patch: pytest.MonkeyPatch) -> None:
    """Miss the first argument alone."""

    def problems(parameters: Sequence[ToolParameter], args: Any) -> list[str]:
        given = [parameter for parameter in parameters[1:] if not is_missing(args, parameter.key)]
        return argument_problems([*parameters[:1], *given], args)

    patch.setattr(orchestrator, "argument_problems", problems)


@impostor(
    "agent-session-shell/tool-argument-validation.2",
    elsewhere={"tool-argument-validation.5": "Its malformed argument is a list where an object is declared."},
)
def knows_typeof_only(patch: pytest.MonkeyPatch) -> None:
    """Take a list for an object, as JavaScript's typeof does."""
    _accept(patch, lambda parameter, args: parameter.type == "object" and isinstance(args.get(parameter.key), list))


@impostor("agent-session-shell/tool-argument-validation.2")
def takes_true_for_a_number(patch: pytest.MonkeyPatch) -> None:
    """Take true for a number, as Python's isinstance does."""
    _accept(patch, lambda parameter, args: parameter.type == "number" and args.get(parameter.key) is True)


@impostor("agent-session-shell/tool-argument-validation.2")
def takes_true_for_a_text(patch: pytest.MonkeyPatch) -> None:
    """Take true for a text, since it can be written as one."""
    _accept(patch, lambda parameter, args: parameter.type == "string" and args.get(parameter.key) is True)


@impostor("agent-session-shell/tool-argument-validation.2")
def takes_numbers_for_truth(patch: pytest.MonkeyPatch) -> None:
    """Take a number for a boolean."""
    _accept(
        patch, lambda parameter, args: parameter.type == "boolean" and json_type(args.get(parameter.key)) == "number"
    )


@impostor(
    "agent-session-shell/tool-argument-validation.2",
    elsewhere=dict.fromkeys(
        ("tool-argument-validation.5", _OPTIONAL_ARGUMENT),
        "Its malformed argument is a text that reads like another type.",
    ),
)
def reads_texts(patch: pytest.MonkeyPatch) -> None:
    """Take a text for what it reads like."""

    def reads_like(parameter: ToolParameter, args: Mapping[str, Any]) -> bool:
        value = args.get(parameter.key)
        try:
            return isinstance(value, str) and json_type(json.loads(value)) == parameter.type
        except ValueError:
            return False

    _accept(patch, reads_like)


@impostor(
    "agent-session-shell/tool-argument-validation.2",
    elsewhere=dict.fromkeys(
        ("tool-argument-validation.3", "tool-argument-validation.5", _OPTIONAL_ARGUMENT),
        "It has a call with an argument of the wrong type.",
    ),
)
def checks_no_types(patch: pytest.MonkeyPatch) -> None:
    """Check that an argument is there, and not of what type it is."""
    _accept(patch, lambda parameter, args: not is_missing(args, parameter.key))


@impostor(
    "agent-session-shell/tool-argument-validation.3",
    elsewhere=dict.fromkeys(
        (
            "tool-argument-validation.1",
            "tool-argument-validation.2",
            "tool-argument-validation.5",
            "tool-argument-validation/robustness",
            "provider-adapter-interface/robustness",
        ),
        "It tells by the runs of a tool what was taken for valid.",
    ),
)
def validates_too_late(patch: pytest.MonkeyPatch) -> None:
    """Run the tool, and throw its result away where its arguments turn out to be bad."""
    original = Orchestrator._execute

    async def execute(self: Orchestrator, call: ToolCall, context: AgentContext) -> Any:
        with pytest.MonkeyPatch.context() as late:
            late.setattr(Orchestrator, "_validate", lambda self, tool, call: None)
            result = await original(self, call, context)
        self._validate(self._find_tool(call.name), call)
        return result

    patch.setattr(Orchestrator, "_execute", execute)


@impostor(
    "agent-session-shell/tool-argument-validation.3",
    elsewhere=dict.fromkeys(
        ("tool-argument-validation.1", "tool-argument-validation.2", _INHERITED_NAME),
        "Its answer holds a good call beside the bad one.",
    ),
)
def drops_the_whole_answer(patch: pytest.MonkeyPatch) -> None:
    """Refuse the good calls of an answer that holds a bad one."""
    original, validate = Orchestrator._take_turn, Orchestrator._validate

    async def take_turn(
        self: Orchestrator, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> tuple[ChatMessage, ...]:
        tools = [(self._registry.get(call.name), call.args) for call in calls]
        if not any(tool and argument_problems(tool.parameters, args) for tool, args in tools):
            return await original(self, answer, calls, context)

        def refuse(self: Orchestrator, tool: ToolDefinition, call: ToolCall) -> None:
            validate(self, tool, call)
            raise ToolCallError("Another call of the answer has bad arguments.")

        with pytest.MonkeyPatch.context() as whole:
            whole.setattr(Orchestrator, "_validate", refuse)
            return await original(self, answer, calls, context)

    patch.setattr(Orchestrator, "_take_turn", take_turn)


@impostor(
    "agent-session-shell/tool-argument-validation.4",
    elsewhere={_INHERITED_NAME: "It tells by the name that the argument was found missing."},
)
def does_not_name_the_missing(patch: pytest.MonkeyPatch) -> None:
    """Say "Invalid arguments" where one is missing."""
    _reword(patch, "missing")


@impostor("agent-session-shell/tool-argument-validation.4")
def names_the_first_as_missing(patch: pytest.MonkeyPatch) -> None:
    """Name the first argument, whichever is missing."""

    def problems(parameters: Sequence[ToolParameter], args: Any) -> list[str]:
        found = argument_problems(parameters, args)
        return [f'Argument "{parameters[0].key}" is missing.' if "missing" in problem else problem for problem in found]

    patch.setattr(orchestrator, "argument_problems", problems)


@impostor("agent-session-shell/tool-argument-validation.5")
def does_not_name_the_malformed(patch: pytest.MonkeyPatch) -> None:
    """Say "Invalid arguments" where one is of another type."""
    _reword(patch, "got")


def _reword(patch: pytest.MonkeyPatch, fault: str) -> None:
    def problem(parameter: ToolParameter, args: Mapping[str, Any]) -> str | None:
        found = argument_problem(parameter, args)
        return "Invalid arguments." if found and fault in found else found

    patch.setattr(validation, "argument_problem", problem)


@impostor(
    "agent-session-shell/tool-argument-validation.6",
    elsewhere={
        "orchestrator-shell.6": "The specification's own scenario calls transcribe_video with {}.",
        "orchestrator-shell.17": "The specification's own scenario calls transcribe_video with {}.",
        "provider-adapter-interface/robustness": "Arguments that mean {} are played from end to end.",
    },
)
def refuses_empty_arguments(patch: pytest.MonkeyPatch) -> None:
    """Refuse empty arguments where the tool declares optional ones."""
    original = Orchestrator._validate

    def validate(self: Orchestrator, tool: ToolDefinition, call: ToolCall) -> None:
        if tool.parameters and not call.args and not any(parameter.required for parameter in tool.parameters):
            raise ToolCallError("The arguments are empty.")
        original(self, tool, call)

    patch.setattr(Orchestrator, "_validate", validate)


@impostor(f"agent-session-shell/{_INHERITED_NAME}")
def finds_inherited_names(patch: pytest.MonkeyPatch) -> None:
    """Find an argument that every object inherits."""
    _accept(patch, lambda parameter, args: parameter.key not in args and parameter.key in _INHERITED)


@impostor(f"agent-session-shell/{_OPTIONAL_ARGUMENT}")
def checks_required_arguments_only(patch: pytest.MonkeyPatch) -> None:
    """Check the required arguments alone."""
    _accept(patch, lambda parameter, args: not parameter.required)


@impostor(
    f"agent-session-shell/{_NO_OBJECT}",
    elsewhere={"provider-adapter-interface/robustness": "The same arguments come from end to end."},
)
def hands_anything_on(patch: pytest.MonkeyPatch) -> None:
    """Hand arguments that are no object to the tool as they came."""

    def problems(parameters: Iterable[ToolParameter], args: Any) -> list[str]:
        return argument_problems(parameters, args) if isinstance(args, dict) else []

    def read(raw: Any) -> tuple[ToolCall, ...]:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(calls, "read_arguments", lambda raw: raw)
            return calls.read_calls(raw)

    patch.setattr(orchestrator, "read_calls", read)
    patch.setattr(orchestrator, "argument_problems", problems)
