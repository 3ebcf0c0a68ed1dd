"""An impostor: the reference with exactly one fault, which the suite must notice under the demand that it breaks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

Patch = Callable[[pytest.MonkeyPatch], None]

ALL: list["Impostor"] = []
PLAYED = "SPECASSAY_IMPOSTOR"
"""The variable that names the one that is played to a process that is started meanwhile."""


@dataclass(frozen=True)
class Impostor:
    """One wrong implementation.

    `demand` is what it breaks: the id of a statement or, where the specification is silent, of a robustness scenario.
    `patch` puts its fault into the reference. `elsewhere` names what it fails beside its demand, as ids of statements
    or scenarios within the same specification, each with the reason why that cannot be otherwise.
    """

    demand: str
    name: str
    fault: str
    patch: Patch
    elsewhere: Mapping[str, str]

    @property
    def id(self) -> str:
        """What it is called in the list of tests."""
        return f"{self.demand}-{self.name}"

    def owns(self, scenario: str) -> bool:
        """Say whether a scenario is evidence of the demand that it breaks."""
        return within(scenario, self.demand)

    def reasons(self, scenario: str) -> list[str]:
        """Give the places of `elsewhere` that explain why a scenario fails."""
        specification = self.demand.partition("/")[0]
        return [place for place in self.elsewhere if within(scenario, f"{specification}/{place}")]

    def idle(self, scenarios: set[str]) -> list[str]:
        """Give the places of `elsewhere` that explain none of these scenarios."""
        used = {place for scenario in scenarios for place in self.reasons(scenario)}
        return [place for place in self.elsewhere if place not in used]


def impostor(demand: str, *, elsewhere: Mapping[str, str] | None = None) -> Callable[[Patch], Patch]:
    """Make an impostor of a function that patches the reference; its docstring says what is wrong with it."""

    def add(patch: Patch) -> Patch:
        name, fault = getattr(patch, "__name__", ""), " ".join((patch.__doc__ or "").split())

        def commit(reference: pytest.MonkeyPatch) -> None:
            reference.setenv(PLAYED, f"{demand}-{name}")
            patch(reference)

        ALL.append(Impostor(demand, name, fault, commit, elsewhere or {}))
        return patch

    return add


def within(scenario: str, place: str) -> bool:
    """Say whether a scenario is the one of this id, a row of it, or evidence of the statement of this id."""
    return scenario == place or scenario.startswith((f"{place}/", f"{place}["))
