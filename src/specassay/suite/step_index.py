"""Finds the definition of a step at once.

pytest-bdd tries every definition in turn for every step, so a scenario is the slower the more sentences there are.
Here each sentence is looked up once and remembered, and each definition is wrapped so that a step can break without
ending its scenario.
"""

import dataclasses
import functools
import importlib
import types
from collections.abc import Callable
from typing import Any

from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

STEPS = "specassay.steps."

Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]


def install(wrap: Wrap) -> Callable[[], None]:
    """Wrap each step definition of the suite, and let pytest-bdd look them up here; what it gives back undoes both.

    Where pytest-bdd has no such look-up any more its own, slower one stays in place.
    """
    ours = [context for context in step_function_context_registry.values() if _is_ours(context)]
    module = importlib.import_module("pytest_bdd.scenario")
    original = getattr(module, "get_step_function", None)
    if original is None:
        return _wrap_in_place(ours, wrap)
    contexts = [dataclasses.replace(context, step_func=wrap(context.step_func)) for context in ours]

    @functools.cache
    def find(kind: str, sentence: str) -> StepFunctionContext | None:
        return next((c for c in contexts if c.type in (None, kind) and c.parser.is_matching(sentence)), None)

    def get_step_function(request: Any, step: Any) -> Any:
        return find(step.type, step.name) or original(request=request, step=step)

    _replace(module, get_step_function)
    return functools.partial(_replace, module, original)


def _replace(module: types.ModuleType, function: Callable[..., Any]) -> None:
    module.get_step_function = function  # type: ignore[attr-defined]


def _wrap_in_place(contexts: list[StepFunctionContext], wrap: Wrap) -> Callable[[], None]:
    functions = [context.step_func for context in contexts]
    for context in contexts:
        context.step_func = wrap(context.step_func)

    def undo() -> None:
        for context, function in zip(contexts, functions, strict=True):
            context.step_func = function

    return undo


def _is_ours(context: StepFunctionContext) -> bool:
    function = context.step_func
    return isinstance(function, types.FunctionType) and function.__module__.startswith(STEPS)
