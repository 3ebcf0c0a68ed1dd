"""The surfaces of the client: the two stores, the registry and the orchestrator.

Any operation can be given by its name in snake case; it is called with the parameters by position.
"""

import asyncio
import copy
import inspect
import logging
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .driver import Scenario
from .values import Operations, pick, plain, settled, snake, text

_log = logging.getLogger("specassay_kit")


def chat_store(scenario: Scenario, store: Any = None, **given: Callable[..., Any]) -> Operations:
    """Make the surface `chat-store` of an observable store: an object, a module, or functions by keyword.

    It takes `add_message`, `set_loading`, `set_error`, `clear_messages`, and `subscribe`, which is given a function to
    call after every change. The state is what `get_state()` gives or, without one, `messages`, `loading` and `error`.
    """
    actions = ("addMessage", "setLoading", "setError", "clearMessages")
    operations = _store("chat-store", scenario, store, given, actions, ("messages", "loading", "error"))
    return operations | {"reload": scenario.reload, "getStorage": lambda: {"storage": scenario.storage}}


def agent_store(scenario: Scenario, store: Any = None, **given: Callable[..., Any]) -> Operations:
    """Make the surface `agent-store`, as `chat_store` does.

    It takes `set_status`, `set_active_tool`, `set_context`, `reset`, `subscribe`, and `get_state` or `status`,
    `active_tool` and `context`.
    """
    actions = ("setStatus", "setActiveTool", "setContext", "reset")
    return _store("agent-store", scenario, store, given, actions, ("status", "activeTool", "context"))


def _store(
    surface: str, scenario: Scenario, store: Any, given: Operations, actions: Sequence[str], fields: Sequence[str]
) -> Operations:
    get_state = given.pop("get_state", getattr(store, "get_state", lambda: store))
    methods = _methods(surface, store, given, (*actions, "subscribe"))
    history = scenario._histories.setdefault(surface, [])

    def state() -> dict[str, Any]:
        return pick(get_state(), fields)

    def record(*_: Any) -> None:
        history.append({"at": time.time() * 1000, "state": plain(state())})

    record()
    methods.pop("subscribe")(record)
    operations = {name: _action(method) for name, method in methods.items()}
    return operations | {"getState": state, "getHistory": lambda: {"entries": history}}


def tool_registry(
    scenario: Scenario,
    registry: Any = None,
    *,
    define: Callable[[dict[str, Any], Callable[..., Any]], Any] = lambda fields, execute: fields | {"execute": execute},
    **given: Callable[..., Any],
) -> Operations:
    """Make the surface `tool-registry` of one with `register`, `get`, `has`, `get_all`, `to_tool_schemas`.

    `define` makes what `register` takes from `{name, description, parameters}` and `execute(args, context)`, which is
    `Scenario.execute_tool` and so serves async and blocking callers; by default a dict. Where a name can be registered
    once only, replace the operation `stub`, which registers a changed copy of what `get` gives.
    """
    methods = _methods("tool-registry", registry, given, ("register", "get", "has", "getAll", "toToolSchemas"))
    register, get = methods["register"], methods["get"]

    def describe(tool: Any) -> dict[str, Any] | None:
        if tool is None:
            return None
        fields = pick(tool, ("name", "description", "parameters", "execute"))
        return fields | {"executable": callable(fields.pop("execute", None))}

    def add(definition: dict[str, Any]) -> object:
        return register(define(definition, partial(scenario.execute_tool, definition["name"])))

    def stub(name: str) -> object:
        tool, execute = copy.copy(get(name)), partial(scenario.execute_tool, name)
        if isinstance(tool, dict):
            tool["execute"] = execute
        else:
            object.__setattr__(tool, "execute", execute)  # also where its class is frozen
        return register(tool)

    return {
        "register": _action(add),
        "stub": _action(stub),
        "get": lambda name: {"definition": describe(get(name))},
        "has": lambda name: {"result": methods["has"](name)},
        "getAll": lambda: {"definitions": [describe(tool) for tool in methods["getAll"]()]},
        "toToolSchemas": lambda: {"schemas": methods["toToolSchemas"]()},
    }


def orchestrator(run: Callable[[Any, Any], Any], abort: Callable[[], object] | None = None) -> Operations:
    """Make the surface `orchestrator` of `run(messages, context)` and, where it is offered, `abort()`.

    A `run` that is no coroutine function runs in a thread, and may block. What it raises is reported as its rejection.
    """

    async def reported(messages: Any, context: Any) -> dict[str, Any]:
        try:
            is_async = inspect.iscoroutinefunction(run)
            await settled(await (run(messages, context) if is_async else asyncio.to_thread(run, messages, context)))
        except (Exception, asyncio.CancelledError) as error:
            _log.warning("the run was rejected", exc_info=error)
            return {"rejected": {"message": text(error)}}
        return {"rejected": None}

    return {"run": reported} | ({"abort": _action(abort)} if abort else {})


def _methods(surface: str, owner: Any, given: Operations, names: Sequence[str]) -> Operations:
    """For each operation what was given, or the owner's method of that name in snake case."""
    methods: dict[str, Any] = {name: given.pop(snake(name), getattr(owner, snake(name), None)) for name in names}
    if missing := [snake(name) for name in names if not callable(methods[name])]:
        raise TypeError(f"{surface}: {', '.join(missing)}: neither given nor a method of {type(owner).__name__}")
    if given:
        raise TypeError(f"{surface} has no {', '.join(given)}")
    return methods


def _action(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make an operation that calls the method with the parameters by position, and whose result nobody reads."""

    async def act(**params: Any) -> None:
        await settled(method(*params.values()))

    return act
