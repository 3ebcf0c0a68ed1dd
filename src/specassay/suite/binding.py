"""Binds the scenarios of the features to test functions, each found again by its place in the catalogue."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from pytest_bdd import scenario

from specassay import catalogue, resources
from specassay.catalogue import Scenario

_PLACE = "specassay_place"


class Binding:
    """Says whether the suite's own features are being bound, so that nobody else's tags are touched."""

    active = False


def bind() -> dict[str, Callable[..., Any]]:
    """Make a test function for each scenario, by the name of its statement and title.

    A scenario is marked with its kind, so that `-m robustness` selects; its other tags are no marks.
    """
    Binding.active = True
    try:
        bound: dict[str, Callable[..., Any]] = {}
        for entry in catalogue.load().scenarios():
            name = f"test_{catalogue.slug(entry.statement)}_{catalogue.slug(entry.title)}".replace("-", "_")
            if name not in bound:
                bound[name] = _bind(entry)
        return bound
    finally:
        Binding.active = False


def scenario_of(item: pytest.Item) -> Scenario | None:
    """Give the scenario that a test item plays; None for a test of somebody else."""
    place = getattr(getattr(item, "function", None), _PLACE, None)
    if place is None:
        return None
    example = getattr(getattr(item, "callspec", None), "params", {}).get("_pytest_bdd_example", {})
    return _places()[(*place, example.get("case"))]


def _bind(entry: Scenario) -> Callable[..., Any]:
    def play() -> None:
        """Nothing is left to do after the steps."""

    function: Callable[..., Any] = scenario(entry.path, entry.title, features_base_dir=str(resources.FEATURES))(play)
    setattr(function, _PLACE, (entry.path, entry.title))
    marked: Callable[..., Any] = getattr(pytest.mark, entry.kind)(function)
    return marked


@cache
def _places() -> dict[tuple[str, str, str | None], Scenario]:
    return {(entry.path, entry.title, entry.case): entry for entry in catalogue.load().scenarios()}
