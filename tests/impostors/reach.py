"""Which scenarios a fault can show in: those that run what it replaces.

Each scenario is played once against the reference itself, with a spy on everything that any impostor replaces. Where
none of an impostor's spies was called, the impostor would do what the reference does.
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.impostors.arena import Arena
from tests.impostors.impostor import Impostor

Place = tuple[int, str]
"""An object, by its identity, and the name of its attribute."""


class Reach:
    """The scenarios that run what each impostor replaces.

    Those of its own requirement, and those that it says it fails; with `whole`, those of its whole specification.
    """

    def __init__(self, arena: Arena, impostors: Iterable[Impostor], *, whole: bool) -> None:
        self._arena = arena
        self._whole = whole
        self._called: set[Place] = set()
        self._unseen: set[Place] = set()
        self._places = {impostor.id: _replaced(impostor) for impostor in impostors}
        with pytest.MonkeyPatch.context() as patch:
            self._spy(patch)
            self._runs = {scenario: self._play(scenario) for scenario in arena.scenarios}

    def of(self, impostor: Impostor) -> list[str]:
        """Give the scenarios in which an impostor is to be played."""
        reached = self._reached(impostor)
        if self._whole:
            return reached
        home = _requirement(impostor.demand)
        return [name for name in reached if _requirement(name) == home or impostor.reasons(name)]

    def _reached(self, impostor: Impostor) -> list[str]:
        """Give the scenarios of its specification that run what an impostor replaces.

        Where no spy can tell, because it is no function, they are all that need the surfaces of its requirement.
        """
        places = self._places[impostor.id]
        if places is None or not self._unseen.isdisjoint(places):
            return self._arena.reach(impostor.demand)
        specification = impostor.demand.partition("/")[0]
        reached = [name for name, called in self._runs.items() if not called.isdisjoint(places)]
        # what runs in another process is seen by no spy
        apart = [name for name in self._arena.reach(impostor.demand) if impostor.owns(name) and name not in reached]
        return [name for name in reached if name.startswith(f"{specification}/")] + apart

    def _play(self, scenario: str) -> frozenset[Place]:
        self._called.clear()
        self._arena.play(scenario)
        return frozenset(self._called)

    def _spy(self, patch: pytest.MonkeyPatch) -> None:
        targets = {place: target for places in self._places.values() for place, target in (places or {}).items()}
        for place, target in targets.items():
            there = inspect.getattr_static(target, place[1], None)
            spy = _spied(there, functools.partial(self._called.add, place))
            if spy is None:
                self._unseen.add(place)
            else:
                patch.setattr(target, place[1], spy)


def _requirement(name: str) -> str:
    """Give the requirement of a statement or a scenario, with its specification."""
    return "/".join(name.split("/")[:2]).partition(".")[0]


def _replaced(impostor: Impostor) -> dict[Place, Any] | None:
    """Give what an impostor replaces, each with the object that has it; None if that is more than attributes."""
    with pytest.MonkeyPatch.context() as patch:
        impostor.patch(patch)
        others = [holder for holder, *_ in patch._setitem if holder is not os.environ]
        return None if others else {(id(target), name): target for target, name, _ in patch._setattr}


def _spied(there: Any, call: Callable[[], None]) -> Any:
    """Make what does the same, and tells when it is called; None for what is no function."""
    if isinstance(there, (staticmethod, classmethod)):
        return type(there)(_spied(there.__func__, call))
    if isinstance(there, property) and there.fget is not None:
        return property(_spied(there.fget, call), there.fset, there.fdel)
    if not inspect.isfunction(there):
        return None

    @functools.wraps(there)
    def spy(*args: Any, **options: Any) -> Any:
        call()
        return there(*args, **options)

    return spy
