"""Adapters whose context is changed on its way out."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from specassay.reference.context import EditorContextAdapter


def gives(patch: pytest.MonkeyPatch, change: Callable[..., Any]) -> None:
    """Let the adapter give what `change` makes of the context's JSON and, where it takes that too, the adapter."""
    original = EditorContextAdapter.get_context
    takes_both = len(inspect.signature(change).parameters) > 1

    def get_context(self: EditorContextAdapter) -> Any:
        context = original(self).model_dump(mode="json", by_alias=True)
        return change(context, self) if takes_both else change(context)

    patch.setattr(EditorContextAdapter, "get_context", get_context)


def remembers(patch: pytest.MonkeyPatch, field: str) -> None:
    """Let the adapter give the value that a field had at its first call with an open project."""

    def change(context: dict[str, Any], adapter: EditorContextAdapter) -> dict[str, Any]:
        if context["projectId"] is None:
            return context
        return context | {field: vars(adapter).setdefault(f"_first_{field}", context[field])}

    gives(patch, change)
