"""Runs the suite within a pytest session: one driver, a stage for each scenario, each verdict as a test's outcome."""

import asyncio
import importlib
import os
import random
import shlex
import sys
import time
from collections.abc import Callable, Generator
from functools import wraps
from inspect import signature
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from specassay import resources
from specassay.catalogue import Scenario
from specassay.drivers.connection import Refused, Sender
from specassay.drivers.conventions import departure
from specassay.drivers.inprocess import InProcess
from specassay.drivers.loop import turn
from specassay.drivers.namespace import Namespace
from specassay.drivers.process import ChildProcess
from specassay.drivers.protocol import Declaration
from specassay.drivers.session import Session, Transport
from specassay.errors import DriverStartError, Exit
from specassay.results import events
from specassay.results.events import Diagnostic, Event, Finished, GroupStarted, MessagesLost, Started, StartFailed
from specassay.results.model import Declared, ScenarioRecord, Verdict
from specassay.results.plan import Plan
from specassay.suite import step_index
from specassay.suite.binding import scenario_of
from specassay.suite.fixtures import RECORDER
from specassay.suite.messages import MessageFile
from specassay.suite.outside import Outside
from specassay.suite.recorder import Recorder
from specassay.suite.stage import Stage
from specassay.visible import visible, visible_lines

SCENARIO = pytest.StashKey[Scenario]()
RECORD = pytest.StashKey[ScenarioRecord]()

Make = Callable[[Callable[[str], None]], Transport]

EMBEDDED = shlex.join([sys.executable, "-P", "-m", "specassay.drivers.reference"])
_NOT_STARTED = "specassay-not-started"
"""Under this key a worker of pytest-xdist says why its driver did not start."""

FOREIGN_PEER = "agent-tool.foreign-peer"
"""A scenario with this tag is played with a driver in a network of its own."""


class Runner:
    """The pytest plugin of one run. `make` gives another transport than the plan's driver command.

    `command` is what starts the driver where it must be a process, also if it is embedded otherwise.
    """

    def __init__(self, config: pytest.Config, plan: Plan, make: Make | None = None, command: str | None = None) -> None:
        self.plan = plan
        self._command = command or (EMBEDDED if plan.driver == "reference" else plan.driver)
        self._apart: tuple[Session, Namespace] | None = None
        self._config = config
        self._parent = os.getppid()
        self._loop = asyncio.new_event_loop()
        self._stage: Stage | None = None
        self._step: tuple[str, str, int] = ("", "", 0)
        self._last: ScenarioRecord | None = None
        self._fresh = False
        self._blamed: list[str] = []
        self._not_started: str | None = None
        self._departed = False
        self._messages = MessageFile(plan.messages, self._lose) if plan.messages else None
        self._session = Session(
            lambda: (make or self._make)(self._diagnose),
            self._serve,
            self._observe,
            start_seconds=plan.limits.start,
            isolate=plan.isolate,
        )
        self._outside = Outside(plan, plan.route, self._began) if plan.route is not None else None
        self._declaration: Declaration | None = None
        concepts = [step_index.STEPS + file.stem for file in sorted(resources.STEPS.glob("[a-z]*.py"))]
        for name in [
            *concepts,
            "specassay.suite.fixtures",
        ]:  # import_plugin warns of imported ones
            config.pluginmanager.register(importlib.import_module(name), name)
        self._uninstall = step_index.install(self._guard)

    # collection

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Select and order the scenarios of the plan; other tests stay as they are."""
        ours = [(item, scenario) for item in items if (scenario := scenario_of(item)) is not None]
        for item, scenario in ours:
            item.stash[SCENARIO] = scenario
        chosen = None if self.plan.scenarios is None else set(self.plan.scenarios)
        dropped = [item for item, scenario in ours if chosen is not None and scenario.id not in chosen]
        config.hook.pytest_deselected(items=dropped)
        kept = [item for item in items if item not in set(dropped)]
        if self.plan.shuffle is not None:
            random.Random(self.plan.shuffle).shuffle(kept)  # noqa: S311 - an order, no secret
        items[:] = kept

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Start the driver, once it is known what will be run."""
        scenarios = [item.stash[SCENARIO] for item in session.items if SCENARIO in item.stash]
        if not scenarios or session.config.option.collectonly or _controls_workers(session.config):
            return
        try:
            if self._outside is not None:
                turn(self._loop, self._outside.start())
            self._declaration = turn(self._loop, self._session.start())
        except DriverStartError as error:
            self._tell(StartFailed(message=str(error)))
            if hasattr(session.config, "workeroutput"):  # pytest-xdist takes an exit of its worker for a fault
                self._not_started = session.config.workeroutput[_NOT_STARTED] = str(error)
                return
            pytest.exit(f"specassay: {visible_lines(str(error))}", returncode=Exit.NOT_STARTED)
        declared = _declared(self._declaration)
        self._tell(Started(declared=declared, scenarios=tuple(scenario.id for scenario in scenarios)))

    # one scenario

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Play a scenario; one in which the driver crashed is played once more alone, in a fresh process."""
        if SCENARIO not in item.stash:
            return None
        if self.plan.events is not None and os.getppid() != self._parent:
            pytest.exit("specassay: nobody waits for this run any more", returncode=Exit.INTERRUPTED)
        if self._not_started is not None:  # a worker of pytest-xdist; see pytest_collection_finish
            item.session.shouldstop = "the driver did not start"
            return True
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if self._crashed_in_company():
            suspect, crash = self._last, item.stash[RECORD].reason
            self._fresh = True
            item._initrequest()  # type: ignore[attr-defined]
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
            self._fresh = False
            self._blame(suspect, item.stash[RECORD], crash)
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if RECORD in item.stash:
            self._last = item.stash[RECORD]
        return True

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Leave out a scenario of a surface that is not declared."""
        scenario = item.stash.get(SCENARIO, None)
        if scenario is None or self._declaration is None:
            return
        missing = _undeclared(scenario, self._declaration)
        if missing:
            reason = f"not declared: {', '.join(missing)}"
            item.stash[RECORD] = ScenarioRecord(id=scenario.id, verdict=Verdict.INAPPLICABLE, reason=reason)
            pytest.skip(reason)

    def pytest_bdd_before_scenario(self, request: pytest.FixtureRequest) -> None:
        """Begin a scenario on a stage of its own."""
        scenario = request.node.stash.get(SCENARIO, None)
        if scenario is None:
            return
        if FOREIGN_PEER in scenario.tags:
            self._apart = self._isolate()
        session, network = self._apart or (self._session, None)
        self._stage = Stage(scenario, session, self._loop, self.plan.limits, self.plan.seed, network, self._outside)
        recorder = Recorder(self._stage)
        self._config.stash[RECORDER] = recorder
        recorder.begin(fresh=self._fresh)

    def pytest_bdd_before_step_call(self, step: Any) -> None:
        """Remember which step comes."""
        self._step = (step.type.capitalize(), step.name, step.line_number)

    def pytest_bdd_after_scenario(self, request: pytest.FixtureRequest) -> None:
        """End the scenario, and keep its record."""
        if self._stage is None or SCENARIO not in request.node.stash:
            return
        self._stage.end()
        self._look_at_conventions(self._stage)
        if self._apart is not None:
            session, network = self._apart
            turn(self._loop, session.close())
            network.close()
            self._apart = None
        request.node.stash[RECORD] = self._config.stash[RECORDER].finish()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
        """Give the test the outcome that its scenario's verdict has."""
        outcome = yield
        report: pytest.TestReport = outcome.get_result()
        record = item.stash.get(RECORD, None)
        if record is None or (report.when != "call" and record.verdict is not Verdict.INAPPLICABLE):
            return
        if report.when == "teardown":
            return
        if self.plan.events is not None:  # it comes back in the log of reports, from a worker of pytest-xdist too
            report.user_properties.append(("specassay", record.model_dump_json(by_alias=True)))
        if record.verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE):
            _as_failure(report, item.stash[SCENARIO], record)
        elif record.verdict is not Verdict.PASSED and report.when == "call":
            report.outcome = "skipped"
            report.longrepr = (str(item.path), item.stash[SCENARIO].line, f"Skipped: {record.reason}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell of a scenario that has its verdict."""
        for name, value in report.user_properties:
            if name == "specassay":
                self._tell(Finished(record=ScenarioRecord.model_validate_json(str(value))))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Learn why a worker of pytest-xdist had no driver."""
        self._not_started = getattr(node, "workeroutput", {}).get(_NOT_STARTED, self._not_started)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the session where a test that had passed lost its verdict later, or a worker had no driver."""
        if self._not_started is not None and _controls_workers(session.config):
            session.exitstatus = Exit.NOT_STARTED
        if self._blamed and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say which test that was, and why there was no driver."""
        if self._not_started is not None:
            terminalreporter.write_line(f"specassay: {visible_lines(self._not_started)}")
        for line in self._blamed:
            terminalreporter.write_line(visible(f"specassay: {line}"))

    def pytest_unconfigure(self) -> None:
        """End the driver, whatever happened."""
        self._uninstall()
        turn(self._loop, self._session.close())
        if self._outside is not None:
            turn(self._loop, self._outside.close())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()
        if self._messages is not None:
            self._messages.close()

    # what the session and the steps call

    def _guard(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def step(*args: Any, **kwargs: Any) -> None:
            self._config.stash[RECORDER].step(*self._step, lambda: function(*args, **kwargs))

        step.__signature__ = signature(function)  # type: ignore[attr-defined] # it is asked for at every step
        return step

    def _make(self, diagnose: Callable[[str], None]) -> Transport:
        if self._outside is not None:
            return self._outside.server()
        if self.plan.driver == "reference":
            from specassay.drivers.reference import driver

            return InProcess(driver())
        return ChildProcess(self.plan.driver, self.plan.directory, self.plan.environment, diagnose, self._began)

    def _isolate(self) -> tuple[Session, Namespace]:
        """Make a session whose driver runs in a network of its own; one that cannot be had stops the scenario."""
        network = Namespace()

        def make() -> Transport:
            command = network.command(self._command)
            return ChildProcess(command, self.plan.directory, self.plan.environment, self._diagnose, self._began)

        session = Session(make, self._serve, self._observe, start_seconds=self.plan.limits.start, isolate=False)
        return session, network

    def _look_at_conventions(self, stage: Stage) -> None:
        """Tell, once, of tool results that are written otherwise than is declared: many scenarios fail by that."""
        if self._departed or self._declaration is None:
            return
        for number, post in enumerate(stage.chat_route.posts, 1):
            said = departure(post.request.json, self._declaration.conventions)
            if said is not None:
                self._departed = True
                self._diagnose(f"in POST {number} of {stage.scenario.id}, {said}")
                return

    async def _serve(self, method: str, params: dict[str, Any]) -> Any:
        if self._stage is None:
            raise Refused("no scenario is being played")
        return await self._stage.serve(method, params)

    def _observe(self, sender: Sender, message: Any, of_scenario: bool) -> None:
        stage = self._stage if of_scenario else None
        if stage is not None:
            stage.messages.append((time.time(), sender, message))
        if self._messages is not None:
            entry = {
                "at": time.time(),
                "implementation": self.plan.name or self.plan.driver,
                "scenario": stage.scenario.id if stage is not None else None,
                "sender": sender,
                "message": message,
            }
            self._messages.write(entry)

    def _lose(self, reason: str) -> None:
        self._tell(MessagesLost(reason=reason))

    def _began(self, group: int) -> None:
        self._tell(GroupStarted(group=group))

    def _diagnose(self, text: str) -> None:
        self._tell(Diagnostic(text=text))

    def _tell(self, event: Event) -> None:
        events.append(self.plan.events, event)

    def _crashed_in_company(self) -> bool:
        """Say whether the driver crashed in a process that had played another scenario before."""
        return self._stage is not None and self._stage.crashed and self._stage.in_company

    def _blame(self, suspect: ScenarioRecord | None, alone: ScenarioRecord, crash: str | None) -> None:
        """Where a scenario passes alone, put its crash down to the one before it."""
        if suspect is None or alone.verdict is Verdict.INCONCLUSIVE or suspect.verdict is not Verdict.PASSED:
            return
        reason = f"after it, in {alone.id}, which alone is {alone.verdict}: {crash}"
        blamed = suspect.model_copy(update={"verdict": Verdict.INCONCLUSIVE, "reason": reason})
        self._tell(Finished(record=blamed))
        self._blamed.append(f"{suspect.id} is inconclusive: {reason}")


def _undeclared(scenario: Scenario, declaration: Declaration) -> list[str]:
    surfaces = [surface for surface in scenario.surfaces if surface not in declaration.surfaces]
    return surfaces + [operation for operation in scenario.operations if operation not in declaration.operations]


def _declared(declaration: Declaration) -> Declared:
    return Declared(
        name=declaration.implementation.name,
        version=declaration.implementation.version,
        language=declaration.implementation.language,
        surfaces=declaration.surfaces,
        operations=declaration.operations,
        conventions=declaration.conventions.model_dump(by_alias=True),
        isolation=declaration.isolation,
    )


def _controls_workers(config: pytest.Config) -> bool:
    """Say whether this process only hands scenarios to pytest-xdist's workers."""
    return getattr(config.option, "dist", "no") != "no" and not hasattr(config, "workerinput")


def _as_failure(report: pytest.TestReport, scenario: Scenario, record: ScenarioRecord) -> None:
    if scenario.advice and record.verdict is Verdict.FAILED:
        report.outcome = "skipped"
        report.wasxfail = f"advice: {visible(record.reason or '')}"
        return
    report.outcome = "failed"
    report.longrepr = visible_lines("\n".join([f"{record.verdict}: {scenario.id}", *_story(record)]))


def _story(record: ScenarioRecord) -> Generator[str, None, None]:
    for step in record.steps:
        yield f"  {step.status:<9} {step.keyword} {step.text}"
        if step.reason is not None:
            yield f"            {step.reason}"
        for check in step.checks:
            if not check.passed:
                yield f"            {check.claim}: expected {check.expected}, got {check.actual}"
    if record.log:
        yield f"  the end of the driver's log:\n{record.log}"
