"""What passes between an implementation and the protocol: JSON, and names in two cases."""

import dataclasses
import inspect
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any

Operations = dict[str, Callable[..., Any]]
"""The operations of one surface, by the protocol's name."""

Surfaces = Mapping[str, Operations]
"""What `begin` gives: the operations of each surface that the driver declares."""


def plain(value: Any) -> Any:
    """Turn what an implementation holds into JSON that shares nothing with it.

    Takes mappings, lists, tuples, sets, enumerations, pydantic models (dumped by alias) and dataclasses (their fields
    in camel case); raises TypeError for anything else, NaN too.
    """
    if value is None or type(value) in (str, int, bool) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, (dict, Mapping)):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return plain(value.value)
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(mode="json", by_alias=True))
    if dataclasses.is_dataclass(value):
        return {camel(field.name): plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"no JSON: {value!r:.100}. Give dicts, lists, dataclasses or pydantic models")


def pick(holder: Any, names: Sequence[str]) -> dict[str, Any]:
    """Read fields of a mapping or an object, named in camel or snake case; one that is not there is left out."""
    has, read = (operator.contains, operator.getitem) if isinstance(holder, Mapping) else (hasattr, getattr)
    return {name: read(holder, key) for name in names for key in {name, snake(name)} if has(holder, key)}


@cache
def snake(name: str) -> str:
    """Write a name of the protocol as Python does."""
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


@cache
def camel(name: str) -> str:
    """Write a name of Python as the protocol does."""
    return re.sub("_([a-z])", lambda letter: letter[1].upper(), name)


def text(error: BaseException) -> str:
    """Say what went wrong, by the name of the error where it says nothing itself."""
    return str(error) or type(error).__name__


async def settled(value: Any) -> Any:
    """Wait for a value that may be an awaitable."""
    return await value if inspect.isawaitable(value) else value


def public_methods(owner: Any) -> list[str]:
    """Name the public methods of an object or a class, as the protocol writes them."""
    return [camel(name) for name in dir(owner) if not name.startswith("_") and callable(getattr(owner, name))]
