"""Turns a scenario of another project, as pytest-bdd plays it, into its record.

A plain `assert` that passes in a step counts as its check, where pytest tells of it (`enable_assertion_pass_hook`).
Where it does not, or where an assertion may stand in code that it cannot see, the evidence is unknown.
"""

import inspect
import time
import traceback
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from specassay.results.model import CheckRecord, ScenarioRecord, StepRecord, Verdict

LONGEST = 2000
"""How many characters of a text are kept."""
MOST = 100
"""How many checks of a step are kept."""

_REWRITTEN = "@pytest_ar"
_TOLD = "_check_if_assertion_pass_impl"

Status = Literal["passed", "failed", "undecided", "skipped"]


@dataclass
class Played:
    """One scenario while it is played. `told` says whether pytest tells of assertions that pass."""

    told: bool
    planned: Sequence[Any] = ()
    steps: list[StepRecord] = field(default_factory=list)
    seen: bool = True
    undefined: bool = False
    verdict: Verdict | None = None
    _current: Any = None
    _called: bool = False
    _checks: list[CheckRecord] = field(default_factory=list)
    _begun: float = 0.0

    def begin(self, step: Any) -> None:
        """Begin a step."""
        self._current, self._checks, self._begun = step, [], time.perf_counter()
        self._called = False

    def called(self) -> None:
        """Count from here on: what pytest-bdd asserts before it calls a step's definition is no evidence."""
        self._called = True

    def check(self, statement: str, explanation: str) -> None:
        """Count an assertion that passed."""
        if self._called and len(self._checks) < MOST:
            self._checks.append(_check(statement, explanation, passed=True))

    def passed(self, function: Callable[..., object]) -> None:
        """End a step; `function` is its definition."""
        if self._current.type == "then" and not self._checks and not _is_seen(function):
            self.seen = False
        self._close("passed")

    def failed(self, error: BaseException) -> None:
        """End a step that raised."""
        if isinstance(error, AssertionError):
            place = traceback.extract_tb(error.__traceback__)[-1].line or ""
            self._checks.append(_check(place.rpartition("assert ")[2], str(error), passed=False))
        self._close("failed", _said(error))

    def has_no_definition(self, step: Any, error: BaseException) -> None:
        """Take a step that nobody has defined."""
        self.begin(step)
        self.undefined = True
        self._close("undecided", f"the step has no definition: {step.keyword} {step.name}")

    def end(self) -> None:
        """End the scenario: a step that has begun was left by a skip, and those after it were not come to."""
        if self._current is not None:
            self._close("skipped")
        for step in self.planned[len(self.steps) :]:
            self.begin(step)
            self._close("skipped")

    def record(self, name: str, report: pytest.TestReport) -> ScenarioRecord:
        """Give the record, as pytest's own report of the test's last phase says."""
        verdict, reason = self._judge(report)
        self.verdict = verdict
        ran = verdict in (Verdict.PASSED, Verdict.INCONCLUSIVE)
        return ScenarioRecord(
            id=name,
            verdict=verdict,
            reason=_cut(reason) if reason is not None else None,
            evidence="unknown" if ran and self.steps and not (self.told and self.seen) else "counted",
            steps=tuple(self.steps),
            seconds=round(report.duration, 6),
        )

    def _judge(self, report: pytest.TestReport) -> tuple[Verdict, str | None]:
        reason = next((step.reason for step in self.steps if step.reason is not None), None) or _why(report)
        expected = report.outcome == "skipped" and hasattr(report, "wasxfail")
        if report.when != "call":
            left_out = report.outcome == "skipped"
            return (
                Verdict.NOT_RUN if left_out else Verdict.INCONCLUSIVE,
                reason if left_out else f"{report.when}: {reason}",
            )
        if self.undefined:
            return Verdict.INCONCLUSIVE, reason
        if report.outcome == "skipped" and not expected:
            return Verdict.NOT_RUN, reason
        if expected or (report.outcome == "failed" and not passed_unexpectedly(report)):
            return Verdict.FAILED, reason
        return self._evidence()

    def _evidence(self) -> tuple[Verdict, str | None]:
        """Judge a scenario that went to its end: a pass takes a check in each Then, where they were counted."""
        if not self.steps:
            return Verdict.INCONCLUSIVE, "it has no steps: a pass without evidence does not exist"
        if not (self.told and self.seen):
            return Verdict.PASSED, None
        claims = [step for step in self.steps if step.keyword == "Then"]
        silent = next((step for step in claims if not step.checks), None)
        if silent is not None:
            return Verdict.INCONCLUSIVE, f"no assertion was made in Then {silent.text}"
        return (Verdict.PASSED, None) if claims else (Verdict.INCONCLUSIVE, "it has no Then: nothing was compared")

    def _close(self, status: Status, reason: str | None = None) -> None:
        step = self._current
        self.steps.append(
            StepRecord(
                keyword=step.type.capitalize(),
                text=_cut(step.name),
                line=step.line_number,
                status=status,
                reason=_cut(reason) if reason is not None else None,
                checks=tuple(self._checks),
                seconds=round(time.perf_counter() - self._begun, 6),
            )
        )
        self._current, self._checks, self._called = None, [], False


def passed_unexpectedly(report: pytest.TestReport) -> bool:
    """Say whether a test failed for nothing but that it was expected to."""
    return report.outcome == "failed" and isinstance(report.longrepr, str) and report.longrepr.startswith("[XPASS")


def _is_seen(function: Callable[..., object]) -> bool:
    """Say whether pytest tells of every assertion in the module of a step's function.

    It rewrites test modules, conftest files and plugins alone; and what it rewrote before the hook was switched on
    stays so in `__pycache__`.
    """
    names = getattr(inspect.unwrap(function), "__globals__", {})
    if _REWRITTEN not in names:
        return False
    codes = [one.__code__ for one in map(inspect.unwrap, _functions(names)) if isinstance(one, types.FunctionType)]
    return all(_TOLD in code.co_names for code in codes if _REWRITTEN in code.co_names)


def _functions(names: dict[str, Any]) -> list[types.FunctionType]:
    return [
        one for one in names.values() if isinstance(one, types.FunctionType) and one.__module__ == names["__name__"]
    ]


def _check(statement: str, explanation: str, *, passed: bool) -> CheckRecord:
    return CheckRecord(
        claim=_cut(f"assert {' '.join(statement.split())}"), passed=passed, expected="true", actual=_cut(explanation)
    )


def _why(report: pytest.TestReport) -> str | None:
    """Give the reason in a line: that of a skip, or the last line of an error."""
    found = report.longrepr
    if report.outcome == "skipped" and hasattr(report, "wasxfail"):
        return str(report.wasxfail).removeprefix("reason: ") or "expected to fail"
    if isinstance(found, tuple):
        return found[2].removeprefix("Skipped: ")
    crash = getattr(found, "reprcrash", None)
    text = crash.message if crash is not None else str(found or "")
    lines = [line for line in text.splitlines() if line.strip()]
    return (lines[0] if crash is not None else lines[-1]).strip() if lines else None


def _said(error: BaseException) -> str:
    first = next((line for line in str(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {first}".removesuffix(": ")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"
