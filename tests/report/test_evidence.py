"""The evidence of passed scenarios that are tagged so."""

from specassay.report.evidence import TAG, evidence
from specassay.results.model import CheckRecord, ScenarioRecord, StepRecord, SuiteScenario, SuiteStatement, Verdict


def _scenario(name: str, *tags: str) -> SuiteScenario:
    return SuiteScenario(
        id=f"s/r.1/{name}",
        title=name,
        case=None,
        kind="derived",
        advice=False,
        selected=True,
        surfaces=(),
        operations=(),
        readings=(),
        file="s/r.feature",
        line=1,
        text="",
        tags=tags,
    )


def _record(name: str, verdict: Verdict) -> ScenarioRecord:
    check = CheckRecord(claim=f"the answer to {name}", passed=True, expected="403", actual='{"body": "\x1b[31mno"}')
    step = StepRecord(keyword="Then", text="it is refused", line=2, status="passed", checks=(check,), seconds=0)
    return ScenarioRecord(id=f"s/r.1/{name}", verdict=verdict, steps=(step,))


def test_the_checks_of_a_passed_scenario_are_listed_where_it_is_tagged() -> None:
    tagged, plain, failed = _scenario("attack", TAG), _scenario("plain"), _scenario("broken", TAG)
    statement = SuiteStatement.model_construct(
        id="s/r.1", sentence="It SHALL refuse", scenarios=(tagged, plain, failed)
    )
    lines = list(
        evidence(
            [
                (statement, tagged, _record("attack", Verdict.PASSED)),
                (statement, plain, _record("plain", Verdict.PASSED)),
                (statement, failed, _record("broken", Verdict.FAILED)),
            ]
        )
    )
    text = "\n".join(lines)
    assert "s/r.1\n  It SHALL refuse" in text
    assert "passed  attack\n    the answer to attack\n" in text
    assert "plain" not in text
    assert "broken" not in text
    assert "\x1b[31m" not in text
