"""The surface of the context bridge, and what is no plain data in a context."""

import dataclasses
import json
import math
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any

from .values import Operations, camel, plain, public_methods, settled


def context_bridge(
    adapter: Any,
    *,
    set_editor: Callable[[dict[str, Any]], Any],
    editor_state: Callable[[dict[str, Any]], Any],
    build_context: Callable[[Any], Any],
    build_prompt: Callable[[Any], Any],
    get_context: Callable[[], Any] | None = None,
    editor_types: tuple[type, ...] = (),
) -> Operations:
    """Make the surface `context-bridge` of an adapter with `get_context()`, of the pure mapper and of the prompt.

    `set_editor` puts the product's editor into a state `{project, activeScene, assets, currentTimeMs}`; `editor_state`
    makes of it what the mapper `build_context` takes. `build_prompt` takes the context as JSON. All may be async.
    `editor_types` are the classes of the editor, no instance of which may be in a context.
    """

    async def read(editor_state: dict[str, Any]) -> dict[str, Any]:
        await settled(set_editor(editor_state))
        context = await settled((get_context or adapter.get_context)())
        copy, not_plain = inspect_context(context, editor_types)
        return {"context": copy if not_plain else plain(context), "json": serialise(context), "notPlain": not_plain}

    state_of = editor_state

    async def build(editor_state: dict[str, Any]) -> dict[str, Any]:
        given = await settled(state_of(editor_state))
        before = _snapshot(given)
        context = await settled(build_context(given))
        return {"context": context, "inputUnchanged": _snapshot(given) == before}

    async def prompt(context: Any) -> dict[str, Any]:
        return {"prompt": await settled(build_prompt(context))}

    return {
        "getContext": read,
        "buildContextFromEditorState": build,
        "buildSystemPrompt": prompt,
        "describe": lambda: {"methods": public_methods(adapter)},
    }


def serialise(context: Any) -> str:
    """Give the text that the ordinary serialiser makes of a context; "" where it cannot."""
    try:
        if hasattr(context, "model_dump_json"):
            return str(context.model_dump_json(by_alias=True))
        return json.dumps(context, default=plain)
    except (TypeError, ValueError, RecursionError):
        return ""


def inspect_context(value: Any, editor_types: tuple[type, ...] = ()) -> tuple[Any, list[str]]:
    """Copy a value, with null for what is no plain data, and list the JSON pointers to that.

    Plain are null, booleans, finite numbers, texts, enumerations of them, and mappings, lists, tuples, dataclasses and
    pydantic models of plain data. An object of the editor's types is not, whatever it is.
    """
    not_plain: list[str] = []

    def copy(value: Any, pointer: str, above: tuple[int, ...]) -> Any:
        if isinstance(value, Enum):
            value = value.value
        if value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value)):
            return value
        items = None if isinstance(value, editor_types) or id(value) in above else _items(value)
        if items is None:
            not_plain.append(pointer)
            return None
        inner = (*above, id(value))
        copied = {key: copy(item, f"{pointer}/{_escape(key)}", inner) for key, item in items}
        return list(copied.values()) if isinstance(value, (list, tuple)) else copied

    return copy(value, "", ()), not_plain


def _items(value: Any) -> Iterator[tuple[str, Any]] | None:
    """Give what a collection of data holds, by key; None for any other object."""
    if isinstance(value, Mapping):
        return ((str(key), item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ((str(number), item) for number, item in enumerate(value))
    if fields := getattr(type(value), "model_fields", None):  # pydantic; what it was given beside its fields comes too
        return ((getattr(fields.get(name), "alias", None) or name, item) for name, item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return ((camel(field.name), getattr(value, field.name)) for field in dataclasses.fields(value))
    return None


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _snapshot(value: Any) -> Any:
    """Copy the structure of anything, objects by what they hold, so that two moments can be compared."""
    seen: dict[int, int] = {}

    def copy(value: Any) -> Any:
        if value is None or isinstance(value, (str, bytes, bool, int, float, type)) or callable(value):
            return value
        if id(value) in seen:
            return ("seen", seen[id(value)])
        seen[id(value)] = len(seen)
        if isinstance(value, Mapping):
            return {key: copy(item) for key, item in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [copy(item) for item in value]
        slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
        held = {name: getattr(value, name) for name in slots if hasattr(value, name)} | getattr(value, "__dict__", {})
        return (id(value), {name: copy(item) for name, item in held.items()})

    return copy(value)
