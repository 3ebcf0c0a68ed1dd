"""Records the pytest-bdd scenarios of another project, whatever they test, as results like those of our own suite.

With pytest-xdist each worker tells of its scenarios in its reports, and the controlling process puts them together.
"""

import json
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd.scenario import scenario_wrapper_template_registry

from specassay.errors import UsageError
from specassay.results.foreign import Place, Run, results
from specassay.results.model import ScenarioRecord, Verdict
from specassay.suite.foreign_scenario import Played, passed_unexpectedly

PLACE: pytest.StashKey[Place] = pytest.StashKey()
PLAYED: pytest.StashKey[Played] = pytest.StashKey()

_TOLD = "specassay_record"
_COLLECTED = "specassay_collected"


class ForeignRecorder:
    """The pytest plugin that records one session into a file."""

    def __init__(self, config: pytest.Config, file: Path, name: str | None) -> None:
        """Clear the file, which is of another run. Raises `pytest.UsageError` where it cannot be written."""
        self._config = config
        self._shown = file
        self._file = file if file.is_absolute() else config.invocation_params.dir / file
        self._worker = hasattr(config, "workerinput")
        self._told = bool(config.getini("enable_assertion_pass_hook"))
        self._summary: list[str] = []
        command = " ".join(["pytest", *map(str, config.invocation_params.args)])
        self._run = Run(name or config.rootpath.name, command, self._told, datetime.now(UTC))
        self._begun = time.monotonic()
        if not self._worker:
            self._clear()

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Find the feature file and the line of a scenario."""
        template = _template(item)
        if template is not None:
            row = getattr(getattr(item, "callspec", None), "indices", {}).get("_pytest_bdd_example", 0)
            item.stash[PLACE] = Place(template.feature.filename, template.line_number, row)
            self._run.collected[item.nodeid] = item.stash[PLACE]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Remember what is to be run."""
        self._run.chosen |= {item.nodeid for item in session.items if PLACE in item.stash}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember what could not be collected."""
        if report.failed:
            self._run.notes.append(f"{report.nodeid or 'the tests'} could not be collected")

    # one scenario

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Forget what was played before, where a test is run again."""
        item.stash[PLAYED] = Played(self._told)

    def pytest_bdd_before_scenario(self, request: pytest.FixtureRequest, scenario: Any) -> None:
        """Begin a scenario."""
        request.node.stash[PLAYED] = Played(self._told, scenario.steps)

    def pytest_bdd_before_step(self, request: pytest.FixtureRequest, step: Any) -> None:
        """Begin a step."""
        request.node.stash[PLAYED].begin(step)

    def pytest_bdd_before_step_call(self, request: pytest.FixtureRequest) -> None:
        """Count assertions from here on."""
        request.node.stash[PLAYED].called()

    def pytest_bdd_after_step(self, request: pytest.FixtureRequest, step_func: Any) -> None:
        """End a step."""
        request.node.stash[PLAYED].passed(step_func)

    def pytest_bdd_step_error(self, request: pytest.FixtureRequest, exception: BaseException) -> None:
        """End a step that raised."""
        request.node.stash[PLAYED].failed(exception)

    def pytest_bdd_step_func_lookup_error(
        self, request: pytest.FixtureRequest, step: Any, exception: BaseException
    ) -> None:
        """Remember a step that nobody has defined."""
        request.node.stash[PLAYED].has_no_definition(step, exception)

    def pytest_bdd_after_scenario(self, request: pytest.FixtureRequest) -> None:
        """End a scenario."""
        request.node.stash[PLAYED].end()

    def pytest_assertion_pass(self, item: pytest.Item, orig: str, expl: str) -> None:
        """Count an assertion that passed; pytest tells of it where `enable_assertion_pass_hook` is on."""
        if PLAYED in item.stash:
            item.stash[PLAYED].check(orig, expl)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, None]:
        """Put the record on the report of the phase that decides it."""
        outcome = yield
        report: pytest.TestReport = outcome.get_result()
        if PLACE not in item.stash or (report.when != "call" and report.outcome == "passed"):
            return
        played, place = item.stash[PLAYED], item.stash[PLACE]
        if played.verdict is Verdict.FAILED:  # and its end has failed, too
            return
        record = played.record(item.nodeid, report)
        told = {"place": [place.file, place.heading, place.row], "record": record.model_dump_json(by_alias=True)}
        if hasattr(report, "wasxfail") or passed_unexpectedly(report):
            told["xfail"] = str(getattr(report, "wasxfail", "") or report.longrepr).removeprefix("reason: ")
        setattr(report, _TOLD, json.dumps(told))

    # the session

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the record of a scenario; a later one takes the place of an earlier one."""
        told = getattr(report, _TOLD, None)
        if told is not None:
            found = json.loads(told)
            self._run.collected.setdefault(report.nodeid, Place(*found["place"]))
            self._run.chosen.add(report.nodeid)
            self._run.records[report.nodeid] = ScenarioRecord.model_validate_json(found["record"])
            self._run.expected[report.nodeid] = found.get("xfail")
            self._run.again[report.nodeid] = self._run.again.get(report.nodeid, 0) + (str(report.outcome) == "rerun")
        elif report.failed and report.when not in ("setup", "call", "teardown"):
            self._run.crashed[report.nodeid] = str(report.longrepr)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take from a worker of pytest-xdist what it has collected."""
        for nodeid, place, chosen in getattr(node, "workeroutput", {}).get(_COLLECTED, ()):
            self._run.collected.setdefault(nodeid, Place(*place))
            self._run.chosen |= {nodeid} if chosen else set()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the results, or hand over what a worker has collected."""
        if self._worker:
            chosen = self._run.chosen
            told = [(nodeid, list(place), nodeid in chosen) for nodeid, place in self._run.collected.items()]
            session.config.workeroutput[_COLLECTED] = told  # type: ignore[attr-defined]
        elif not session.config.option.collectonly:
            self._run.seconds = round(time.monotonic() - self._begun, 3)
            self._run.interrupted = exitstatus == pytest.ExitCode.INTERRUPTED
            self._write(session)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was recorded."""
        for line in self._summary:
            terminalreporter.write_line(f"specassay: {line}")

    def _write(self, session: pytest.Session) -> None:
        if not self._run.collected:
            self._summary.append(f"pytest-bdd has collected no scenario, so {self._shown} is not written")
            return
        try:
            found = results(self._run, session.config.rootpath)
            self._file.write_text(found.model_dump_json(by_alias=True, indent=2) + "\n", "utf-8")
        except (UsageError, OSError) as error:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
            self._summary.append(f"nothing was recorded: {error}")
            return
        record = found.implementations[0]
        self._summary += [*record.diagnostics, f"{record.conclusion}; recorded in {self._shown}"]

    def _clear(self) -> None:
        try:
            self._file.write_bytes(b"")
            self._file.unlink()
        except OSError as error:
            raise pytest.UsageError(f"--specassay-record {self._shown}: cannot be written: {error.strerror}") from None


def _template(item: pytest.Item) -> Any:
    """Give what pytest-bdd made a test from; None for any other test."""
    function = getattr(item, "function", None)
    try:
        return scenario_wrapper_template_registry.get(function)  # type: ignore[arg-type]
    except TypeError:  # a callable that cannot be referred to weakly
        return None
