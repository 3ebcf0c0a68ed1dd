"""Every implementation that comes with the product passes every scenario of what it declares."""

import sys
from pathlib import Path

import pytest

from specassay import catalogue, resources
from tests.node import install, node
from tests.suite.running import Run, run

HERE = Path(__file__).parent
KITS = resources.KITS
CLIENT = {"chat-store", "agent-store", "tool-registry", "orchestrator"}
EVERYTHING = {surface for scenario in catalogue.load().scenarios() for surface in scenario.surfaces}


def test_the_reference_over_stdio(tmp_path: Path) -> None:
    _conforms(run(tmp_path, driver=f"{sys.executable} -m specassay.drivers.reference"), EVERYTHING)


def test_the_independent_one_in_javascript(tmp_path: Path) -> None:
    install(HERE / "javascript")
    _conforms(run(tmp_path, driver="node driver.mjs", directory=str(HERE / "javascript")), EVERYTHING)


@pytest.mark.parametrize("example", ["factory", "module-stores"])
def test_the_examples_of_the_javascript_kit(tmp_path: Path, example: str) -> None:
    driver = KITS / "javascript" / "examples" / example / "driver.mjs"
    _conforms(run(tmp_path, driver=f"{node()} {driver}", scenarios=_of_the_client()), CLIENT)


@pytest.mark.parametrize("example", ["factory", "module_stores"])
def test_the_examples_of_the_python_kit(tmp_path: Path, example: str) -> None:
    module = f"specassay.drivers.kits.python.examples.{example}.driver"
    _conforms(run(tmp_path, driver=f"{sys.executable} -m {module}", scenarios=_of_the_client()), CLIENT)


def _of_the_client() -> list[str]:
    return [scenario.id for scenario in catalogue.load().scenarios() if set(scenario.surfaces) <= CLIENT]


def _conforms(played: Run, surfaces: set[str]) -> None:
    """Nothing failed, advice included; what was not played needs an optional operation, a parser or a network."""
    assert set(played.started.declared.surfaces) >= surfaces
    wrong = {name: record.reason for name, record in played.records.items() if record.verdict.value not in _FINE}
    assert wrong == {}
    assert played.records.keys() == set(played.started.scenarios)
    passed = [name for name, verdict in played.verdicts.items() if verdict == "passed"]
    assert len(passed) > 0.95 * len(played.verdicts)


_FINE = ("passed", "inapplicable", "not-run")
