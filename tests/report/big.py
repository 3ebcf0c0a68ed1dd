"""Results of as many scenarios as one likes, with evidence of the size that real ones have."""

import json
import random
from datetime import UTC, datetime

from specassay.results.collect import Terms, Told, implementation
from specassay.results.events import Finished, Started
from specassay.results.model import (
    CheckRecord,
    ExchangeRecord,
    MessageRecord,
    Results,
    ScenarioRecord,
    Settings,
    StepRecord,
    Suite,
    SuiteRequirement,
    SuiteScenario,
    SuiteStatement,
    Verdict,
)
from tests.results import made

_WORDS = ("chat", "route", "store", "tool", "call", "answers", "keeps", "sends", "message", "context", "twice", "empty")
_PER_STATEMENT, _PER_REQUIREMENT = 3, 10


def results(count: int) -> Results:
    """Make results of `count` scenarios of one implementation, of which one in fifty failed."""
    source = random.Random(count)
    suite = _suite(count, source)
    scenarios = list(suite.scenarios())
    told = Told(
        events=[
            Started(declared=made.declared(), scenarios=tuple(one.id for one in scenarios)),
            *(Finished(record=_record(one.id, number, source)) for number, one in enumerate(scenarios)),
        ]
    )
    record = implementation(suite, made.DRIVER, told, Terms(today=made.TODAY))
    return Results(
        specassay="0.1.0",
        suite=suite,
        started_at=datetime(2027, 1, 15, 12, 0, tzinfo=UTC),
        seconds=60.0,
        settings=Settings(seed=0, shuffled=False, isolated=False, strict=False, selected=count, total=count),
        implementations=(record,),
        exit=record.exit,
    )


def _suite(count: int, source: random.Random) -> Suite:
    requirements: list[SuiteRequirement] = []
    left = count
    while left:
        name = f"spec-{len(requirements) // 40}/requirement-{len(requirements)}"
        statements = []
        for number in range(1, _PER_REQUIREMENT + 1):
            size = min(left, _PER_STATEMENT)
            left -= size
            if size:
                statements.append(_statement(f"{name}.{number}", name, size, source))
        requirements.append(SuiteRequirement(id=name, title=_text(source, 4), statements=tuple(statements)))
    return Suite(digest="d" * 64, fixtures="f" * 64, requirements=tuple(requirements), readings=())


def _statement(id_: str, requirement: str, size: int, source: random.Random) -> SuiteStatement:
    scenarios = []
    for number in range(size):
        title = f"{_text(source, 6)} {number}"
        scenarios.append(
            SuiteScenario(
                id=f"{id_}/{title.replace(' ', '-')}",
                title=title,
                case=None,
                kind=("transcribed", "derived", "derived")[number % 3],
                advice=False,
                selected=True,
                surfaces=("door",),
                operations=(),
                readings=(),
                file=f"{requirement}.feature",
                line=source.randrange(400),
                text="\n".join(f"{keyword} {_text(source, 9)}" for keyword in ("Given", "When", "Then", "And")),
            )
        )
    return SuiteStatement(
        id=id_,
        sentence=f"The system MUST {_text(source, 12)}",
        level="must",
        by_inspection=None,
        restates=(),
        scenarios=tuple(scenarios),
    )


def _record(id_: str, number: int, source: random.Random) -> ScenarioRecord:
    passed = number % 50 != 7
    value = f'"{source.getrandbits(64):x}"'
    check = CheckRecord(claim=_text(source, 4), passed=passed, expected=value, actual=value if passed else '"other"')
    steps = [
        StepRecord(keyword=keyword, text=_text(source, 9), line=n, status="passed", seconds=source.random())
        for n, keyword in enumerate(("Given", "When"))
    ]
    steps.append(
        StepRecord(
            keyword="Then",
            text=_text(source, 9),
            line=9,
            status="passed" if passed else "failed",
            checks=(check, check),
            seconds=source.random(),
        )
    )
    return ScenarioRecord(
        id=id_,
        verdict=Verdict.PASSED if passed else Verdict.FAILED,
        reason=None if passed else f"{check.claim}: expected {check.expected}, got {check.actual}",
        steps=tuple(steps),
        messages=tuple(_message(n, source) for n in range(10)),
        exchanges=tuple(_exchange(source) for _ in range(2)),
        seconds=0.01,
    )


def _message(number: int, source: random.Random) -> MessageRecord:
    payload = {"id": f"{source.getrandbits(64):x}", "content": _text(source, 12), "toolCalls": []}
    message = {"jsonrpc": "2.0", "id": number, "method": "chat-store.addMessage", "params": payload}
    return MessageRecord(at=source.random(), sender=("harness", "driver")[number % 2], message=message)


def _exchange(source: random.Random) -> ExchangeRecord:
    headers = (("content-type", "application/json"), ("authorization", "(removed)"), ("user-agent", "client/1.0"))
    body = json.dumps({"model": f"model-{source.getrandbits(32):x}", "messages": [{"content": _text(source, 20)}]})
    return ExchangeRecord(
        at=source.random(),
        server="provider",
        method="POST",
        target="/v1/chat/completions",
        headers=headers,
        body=body,
        status=200,
        answer=body + body,
    )


def _text(source: random.Random, words: int) -> str:
    return " ".join(source.choices(_WORDS, k=words))
