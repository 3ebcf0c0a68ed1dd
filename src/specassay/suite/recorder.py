"""Turns a scenario as it is played into its record: what each step did, what was checked, and the verdict."""

import json
import time
import traceback
from collections.abc import Callable
from typing import Any

from specassay.port import ImplementationError, Inapplicable, NotRunnable, Undecided
from specassay.provider.journal import Exchange
from specassay.results.model import (
    CheckRecord,
    ExchangeRecord,
    MessageRecord,
    ScenarioRecord,
    StepRecord,
    Verdict,
)
from specassay.suite.checks import record
from specassay.suite.stage import Stage

LONGEST = 20_000
"""How many characters of one message or body are kept."""


class Recorder:
    """The record of one scenario while it is made."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._steps: list[StepRecord] = []
        self._checks: list[CheckRecord] = []
        self._undecided: str | None = None
        self._set_aside: tuple[Verdict, str] | None = None
        self._ended = False
        self._begun = time.perf_counter()

    def check(self, claim: str, expected: Any, actual: Any) -> bool:
        """Record a comparison; see `specassay.suite.checks.Check`."""
        made = record(claim, expected, actual)
        self._checks.append(
            CheckRecord(claim=claim, passed=made.passed, expected=_cut(made.expected), actual=_cut(made.actual))
        )
        return made.passed

    def begin(self, *, fresh: bool) -> None:
        """Begin the scenario; a driver that cannot leaves it undecided, or failed."""
        self._do("Given", "the scenario begins", self.stage.scenario.line, lambda: self.stage.begin(fresh=fresh))
        if not self._ended and self._undecided is None:
            self._steps.clear()  # it is no step of the scenario, and is told of only where it breaks

    def step(self, keyword: str, text: str, line: int, work: Callable[[], Any]) -> None:
        """Carry one step out. What breaks is recorded, and never raised.

        After a crash or a timeout only a `Then` is tried, which may need the harness alone; after an error of the
        implementation, or of the harness, none is.
        """
        if self._ended or (self._undecided is not None and keyword != "Then"):
            self._steps.append(StepRecord(keyword=keyword, text=text, line=line, status="skipped", seconds=0))
            return
        self._do(keyword, text, line, work)

    def finish(self) -> ScenarioRecord:
        """Give the record, with its verdict; the stage has ended."""
        self._undecided = self._undecided or self.stage.lost
        verdict, reason = self._judge()
        stage = self.stage
        passed = verdict is Verdict.PASSED
        return ScenarioRecord(
            id=stage.scenario.id,
            verdict=verdict,
            reason=reason,
            steps=tuple(self._steps),
            messages=tuple(
                MessageRecord(at=round(at - stage.started, 6), sender=sender, message=_kept(message))
                for at, sender, message in stage.messages
            ),
            exchanges=tuple(_exchange(exchange, stage.started) for exchange in stage.exchanges),
            log="" if passed else stage.log,
            seconds=round(time.perf_counter() - self._begun, 6),
        )

    def _do(self, keyword: str, text: str, line: int, work: Callable[[], Any]) -> None:
        self._checks = []
        begun = time.perf_counter()
        status, reason = self._attempt(work)
        if status == "passed" and not all(check.passed for check in self._checks):
            status = "failed"
        self._steps.append(
            StepRecord.model_validate(
                {
                    "keyword": keyword,
                    "text": text,
                    "line": line,
                    "status": status,
                    "reason": reason,
                    "checks": tuple(self._checks),
                    "seconds": round(time.perf_counter() - begun, 6),
                }
            )
        )

    def _attempt(self, work: Callable[[], Any]) -> tuple[str, str | None]:
        try:
            work()
            if self.stage.fault is not None:
                raise self.stage.fault
        except (Inapplicable, NotRunnable) as reason:
            self._ended = True
            verdict = Verdict.INAPPLICABLE if isinstance(reason, Inapplicable) else Verdict.NOT_RUN
            self._set_aside = verdict, str(reason)
            return "skipped", str(reason)
        except Undecided as reason:
            self._undecided = self._undecided or str(reason)
            return "undecided", str(reason)
        except ImplementationError as error:
            self._ended = True
            self.check(
                f"{error.operation} is answered with a result", "a result", f"error {error.code}: {error.message}"
            )
            return "failed", str(error)
        except Exception as error:  # whatever it is, it is a fault of the harness and no verdict
            self._ended = True
            place = traceback.extract_tb(error.__traceback__)[-1]
            self._undecided = (
                f"a fault of specassay: {type(error).__name__}: {error} ({place.name}, line {place.lineno})"
            )
            return "undecided", self._undecided
        return "passed", None

    def _judge(self) -> tuple[Verdict, str | None]:
        broken = [check for step in self._steps for check in step.checks if not check.passed]
        if broken:
            first = broken[0]
            return Verdict.FAILED, f"{first.claim}: expected {first.expected}, got {first.actual}"
        if self._set_aside is not None:
            return self._set_aside
        if self._undecided is not None:
            return Verdict.INCONCLUSIVE, self._undecided
        claims = [step for step in self._steps if step.keyword == "Then"]
        if not claims or not all(step.checks for step in claims):
            return Verdict.INCONCLUSIVE, "a Then made no check: a pass without evidence does not exist"
        return Verdict.PASSED, None


def _exchange(exchange: Exchange, started: float) -> ExchangeRecord:
    request, answer = exchange.request, exchange.answer
    return ExchangeRecord(
        at=round(exchange.at / 1000 - started, 6),
        server=exchange.server,
        method=request.method,
        target=request.target,
        headers=request.headers,
        body=_cut(request.body.decode("utf-8", "replace")),
        status=answer.status if answer is not None and answer.fault is None else None,
        answer=_cut(answer.body.decode("utf-8", "replace")) if answer is not None else None,
        fault=answer.fault if answer is not None else None,
        note=exchange.note,
    )


def _kept(message: Any) -> Any:
    text = json.dumps(message, ensure_ascii=False)
    return message if len(text) <= LONGEST else _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"
