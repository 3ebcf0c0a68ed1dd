"""Plays the suite's scenarios against variants of the reference, in this process, collected only once."""

import gc
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest
from _pytest.config import _prepareconfig
from _pytest.main import Session
from _pytest.runner import runtestprotocol

from specassay.catalogue import Scenario
from specassay.drivers.inprocess import InProcess
from specassay.drivers.namespace import unavailable
from specassay.drivers.reference import driver
from specassay.results.model import ScenarioRecord
from specassay.results.plan import Plan
from specassay.suite.running import FOREIGN_PEER, RECORD, SCENARIO, Runner
from tests.impostors.impostor import within

_ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
_ARGUMENTS = (
    "--pyargs",
    "specassay.suite",
    "--config-file=/dev/null",
    "--rootdir=/",
    *("-p", "pytest_bdd.plugin"),
    *("-p", "specassay.suite.plugin"),
    *("-p", "no:cacheprovider"),
    *("-p", "no:logging"),
    *("-p", "no:terminal"),
    "--capture=no",
)


_SERVED = (sys.executable, "-m", "tests.impostors.served")


class _Lead:
    """Registers the runner, on a reference that is driven in this process."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        plan = Plan(driver="reference", environment={"PYTHONPATH": str(Path(__file__).parents[2])})
        runner = Runner(config, plan, lambda _: InProcess(driver()), shlex.join(_SERVED))
        config.pluginmanager.register(runner, "specassay-runner")


class Arena:
    """The suite, collected; scenarios of it are played against the reference as it is patched at the time."""

    def __init__(self, session: Session) -> None:
        items = {item.stash[SCENARIO].id: item for item in session.items}
        self._items = {name: item for name, item in items.items() if _can_be_played(item.stash[SCENARIO])}

    @property
    def scenarios(self) -> list[str]:
        """The ids of all scenarios that can be played."""
        return list(self._items)

    def reach(self, demand: str) -> list[str]:
        """Give the scenarios, of the same specification, in which a fault under a demand can show.

        They are those that need all surfaces which every scenario of the demand's requirement needs.
        """
        specification, requirement = demand.split("/")[:2]
        path = f"{specification}/{requirement.rpartition('.')[0] or requirement}.feature"
        scenarios = [item.stash[SCENARIO] for item in self._items.values()]
        needed = [set(entry.surfaces) for entry in scenarios if entry.path == path]
        core = set.intersection(*needed) if needed else set()
        return [
            entry.id
            for entry in scenarios
            if entry.id.startswith(f"{specification}/")
            and core <= set(entry.surfaces)
            # a process of its own takes a second each time
            and (FOREIGN_PEER not in entry.tags or within(entry.id, demand))
        ]

    def play(self, scenario: str) -> ScenarioRecord:
        """Play one scenario."""
        item = self._items[scenario]
        if RECORD in item.stash:
            del item.stash[RECORD]
        item._initrequest()  # type: ignore[attr-defined]
        runtestprotocol(item, log=False, nextitem=None)
        return item.stash[RECORD]


def _can_be_played(scenario: Scenario) -> bool:
    return FOREIGN_PEER not in scenario.tags or unavailable() is None


@contextmanager
def open_arena() -> Iterator[Arena]:
    """Collect the suite in a pytest session of its own, inside the one that is running."""
    with mock.patch.dict(os.environ, _ALONE):
        config = _prepareconfig(list(_ARGUMENTS), plugins=[_Lead()])
    try:
        config._do_configure()
        session = Session.from_config(config)
        config.hook.pytest_sessionstart(session=session)
        session.perform_collect()
        gc.freeze()  # else the collected suite is searched for garbage again and again: a quarter of the time
        yield Arena(session)
    finally:
        gc.unfreeze()
        config._ensure_unconfigure()
