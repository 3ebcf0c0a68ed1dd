"""Records which lines of the embedded reference each scenario runs, by coverage's dynamic contexts."""

import importlib
from pathlib import Path
from typing import Any

import coverage
import pytest

from specassay import resources
from specassay.results import events
from specassay.results.events import LinesRan
from specassay.results.lines import classify
from specassay.results.plan import Plan
from specassay.suite.binding import scenario_of

_PACKAGE = "specassay.reference"


class LineRecorder:
    """The pytest plugin that records them; it is registered before anything imports the reference."""

    def __init__(self, plan: Plan) -> None:
        """Begin to record, and import the reference: what that runs belongs to no scenario."""
        self._plan = plan
        self._root = resources.REFERENCE.resolve()
        self._coverage = coverage.Coverage(
            data_file=None, config_file=False, include=[f"{self._root}/*"], messages=False
        )
        self._coverage.set_option("run:core", "ctrace")  # the one that knows dynamic contexts everywhere
        self._coverage.start()
        for file in self._files():
            parts = file.relative_to(self._root).with_suffix("").parts
            importlib.import_module(".".join((_PACKAGE, *(part for part in parts if part != "__init__"))))

    @pytest.hookimpl(tryfirst=True)
    def pytest_bdd_before_scenario(self, request: pytest.FixtureRequest) -> None:
        """Put what runs from here on down to a scenario."""
        scenario = scenario_of(request.node)
        if scenario is not None:
            self._coverage.switch_context(scenario.id)

    @pytest.hookimpl(trylast=True)
    def pytest_bdd_after_scenario(self) -> None:
        """Put what runs from here on down to none."""
        self._coverage.switch_context("")

    def pytest_sessionfinish(self) -> None:
        """Tell of the lines."""
        self._coverage.stop()
        data = self._coverage.get_data()
        statements, outside = {}, {}
        ran: dict[str, dict[str, frozenset[int]]] = {}
        for file in self._files():
            name = f"{resources.REFERENCE.name}/{file.relative_to(self._root).as_posix()}"
            statements[name] = frozenset(self._coverage.analysis2(str(file))[1])
            found: dict[str, Any] = {}
            for line, contexts in data.contexts_by_lineno(str(file)).items():
                for context in contexts:
                    found.setdefault(context, set()).add(line)
            outside[name] = frozenset(found.pop("", ()))
            for scenario, lines in found.items():
                ran.setdefault(scenario, {})[name] = frozenset(lines)
        events.append(self._plan.events, LinesRan(lines=classify(statements, outside, dict(sorted(ran.items())))))

    def _files(self) -> list[Path]:
        return sorted(file for file in self._root.rglob("*.py") if "__pycache__" not in file.parts)
