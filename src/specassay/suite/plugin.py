"""The pytest plugin: it adds options, and does nothing else unless a driver is given.

Every pytest session of an environment loads it, so it imports nothing heavy.
"""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from specassay.results.plan import Plan

KINDS = {
    "transcribed": "a scenario of the specification itself",
    "derived": "a scenario written from a statement of the specification",
    "robustness": "advice where the specification is silent",
    "should": "a statement that a specification advises",
    "may": "a statement that a specification allows",
}
_NUMBER = re.compile(r"[\w-]+\.\d+")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the suite's options."""
    group = parser.getgroup("specassay", "conformance of agent session shells")
    group.addoption(
        "--specassay-driver",
        metavar="COMMAND",
        help="Run the suite of specassay against the implementation that this command's driver exposes; "
        "'reference' is the embedded one.",
    )
    group.addoption(
        "--specassay-record",
        metavar="FILE",
        help="Record the pytest-bdd scenarios of this session, whatever they test, as results for `specassay trace`; "
        "with -o enable_assertion_pass_hook=true the assertions that pass are counted, too.",
    )
    group.addoption(
        "--specassay-name", metavar="NAME", help="Call what is tested so in the record; the project's folder, if not."
    )
    group.addoption("--specassay-plan", metavar="FILE", help="Run the suite as this file says (made by specassay run).")


def pytest_configure(config: pytest.Config) -> None:
    """Register what runs the suite, where a driver is given."""
    for kind, meaning in KINDS.items():
        config.addinivalue_line("markers", f"{kind}: {meaning} (specassay)")
    plan, record = _plan(config), config.getoption("--specassay-record")
    if record is not None:
        if plan is not None:
            raise pytest.UsageError("--specassay-record is for other suites; ours is recorded by `specassay run`")
        from specassay.suite.foreign import ForeignRecorder

        name = config.getoption("--specassay-name")
        config.pluginmanager.register(ForeignRecorder(config, Path(record), name), "specassay-recorder")
    if plan is None:
        return
    if plan.lines:
        from specassay.suite.lines import LineRecorder

        config.pluginmanager.register(LineRecorder(plan), "specassay-lines")
    from specassay.suite.running import Runner

    config.pluginmanager.register(Runner(config, plan), "specassay-runner")


def pytest_bdd_apply_tag(tag: str, function: object) -> bool | None:
    """Keep the tags of the suite's own features from becoming marks; make the number of any statement a known one."""
    binding = sys.modules.get("specassay.suite.binding")
    if binding is not None and binding.Binding.active:
        return True
    if _NUMBER.fullmatch(tag):
        config = sys.modules["pytest_bdd.utils"].CONFIG_STACK[-1]
        config.addinivalue_line("markers", f"{tag}: a statement of a specification (specassay)")
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Say what is missing where the suite is collected without a driver."""
    if config.pluginmanager.has_plugin("specassay-runner"):
        return
    if any(item.nodeid.rpartition("/")[2].startswith("test_features.py::") and _is_suite(item) for item in items):
        raise pytest.UsageError("the suite of specassay needs --specassay-driver COMMAND (or 'reference')")


def _is_suite(item: pytest.Item) -> bool:
    return getattr(getattr(item, "module", None), "__name__", "") == "specassay.suite.test_features"


def _plan(config: pytest.Config) -> "Plan | None":
    file, driver = config.getoption("--specassay-plan"), config.getoption("--specassay-driver")
    if file is None and driver is None:
        return None
    from specassay.results.plan import Plan

    if file is not None:
        return Plan.model_validate_json(Path(file).read_bytes())
    return Plan(driver=driver)
