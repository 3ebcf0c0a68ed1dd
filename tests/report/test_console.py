"""The report on the terminal."""

import re

import click
import pytest

from specassay import catalogue
from specassay.report import console
from specassay.results.collect import Terms, Told, implementation, suite_of
from specassay.results.drivers import Driver
from specassay.results.events import Diagnostic, Started, StartFailed
from specassay.results.expectations import KnownFailure
from specassay.results.model import (
    CheckRecord,
    ExchangeRecord,
    ImplementationRecord,
    MessageRecord,
    ScenarioRecord,
    StepRecord,
    Verdict,
)
from tests.results import made

PASSED, FAILED, INCONCLUSIVE = Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE
EVIL = "\x1b]0;pwn\x07\x1b[2J\r\u202e\u2028\x9b\x00\ud800"
FORBIDDEN = {*map(chr, range(9)), *map(chr, range(11, 32)), *map(chr, range(127, 160)), "\u202e", "\u2028", "\ud800"}


def shown(*records: ImplementationRecord, **settings: object) -> str:
    """Give the report as it stands where there are no colours."""
    return click.unstyle(console.render(made.results(*records, **settings)))  # type: ignore[arg-type]


def failing(**fields: object) -> ScenarioRecord:
    """Make the record of a scenario that failed, with evidence."""
    check = CheckRecord(claim="the state of the door", passed=False, expected='"open"', actual='"shut"')
    record = ScenarioRecord(
        id=made.FOR_ANN,
        verdict=FAILED,
        reason='the state of the door: expected "open", got "shut"',
        steps=(
            StepRecord(keyword="Given", text="a closed door", line=16, status="passed", seconds=0.0),
            StepRecord(keyword="Then", text="the door is open", line=18, status="failed", checks=(check,), seconds=0.0),
        ),
        messages=(
            MessageRecord(
                at=0.0, sender="harness", message={"id": 1, "method": "scenario.begin", "params": {"id": "x"}}
            ),
            MessageRecord(at=0.001, sender="driver", message={"id": 1, "result": {}}),
            MessageRecord(
                at=0.002, sender="harness", message={"id": 2, "method": "door.push", "params": {"hard": True}}
            ),
            MessageRecord(at=0.003, sender="driver", message={"id": 2, "result": {"state": "shut"}}),
        ),
        exchanges=(
            ExchangeRecord(
                at=0.004,
                server="the chat route",
                method="POST",
                target="/api/agent/chat",
                headers=(),
                body='{"messages":[]}',
                status=200,
                answer='{"content":"hi"}',
            ),
        ),
        log="a warning\nanother\n",
    )
    return record.model_copy(update=fields)


def test_a_failure_is_told_with_all_that_led_to_it() -> None:
    text = shown(made.record({**made.all_passed(), made.FOR_ANN: failing()}))
    assert (
        """\
FAILED  shell/door.1
  The door MUST open

  Scenario: It opens for a visitor [ann]  (transcribed, features/shell/door.feature:21)
    passed    Given a closed door
    FAILED    Then the door is open
                the state of the door
                  expected  "open"
                  actual    "shut"
  Messages (-> to the driver, <- from it, seconds from the start):
      0.002 -> #2 door.push {"hard": true}
      0.003 <- #2 {"state": "shut"}
  HTTP:
      0.004 the chat route: POST /api/agent/chat  200
              sent      {"messages":[]}
              answered  {"content":"hi"}
  The driver's log, its last lines:
    | a warning
    | another
  Reading 2, where the specification is open: who may knock
    anybody
  Run it again: specassay run --driver 'mine=node driver.mjs' --id 'shell/door.1/it-opens-for-a-visitor[ann]'
"""
        in text
    )


def test_many_requirements_that_are_not_declared_are_one_line() -> None:
    whole = catalogue.load()
    suite = suite_of(whole, frozenset(one.id for one in whole.scenarios()))
    told = Told(events=[Started(declared=made.declared(surfaces=("chat-store",)), scenarios=())])
    record = implementation(suite, made.DRIVER, told, Terms())
    text = click.unstyle(console.render(made.results(record).model_copy(update={"suite": suite})))
    section = text[text.index("\nagent-session-shell\n") :].split("\n\n")[0].splitlines()[2:]
    requirements = [one for one in whole.requirements() if one.id.startswith("agent-session-shell/")]
    kept, folded = section
    assert kept.startswith("  not-run        Chat Store ")
    assert re.match(rf"  inapplicable   {len(requirements) - 1} requirements \(agent-store, .* not declared\)$", folded)


def test_the_overview_says_what_was_kept_broken_and_not_declared() -> None:
    verdicts = {name: PASSED for name in made.ALL if name != made.OTHER} | {made.LOCKS: FAILED, made.QUIET: FAILED}
    text = shown(made.record(verdicts, statement=made.declared(surfaces=("door", "lock"))))
    assert text.endswith(
        """\
other
  inapplicable   Door  0 of 1 MUST statement passed, 1 inapplicable (gate not declared)

shell
  FAILED         Door  2 of 4 MUST statements passed, 1 failed, 1 by inspection
  passed         Lock  1 of 1 MUST statement passed

9 scenarios, 0.0 s: 7 decide (5 passed, 1 failed, 1 inapplicable); 2 advise (1 passed, 1 failed)

mine does not conform: 1 of 6 MUST statements failed (1 scenario)"""
    )


def test_the_overview_of_a_selection_counts_its_scenarios() -> None:
    chosen = [made.OPENS, made.FOR_ANN, made.SQUEAK]
    verdicts = {made.OPENS: PASSED, made.FOR_ANN: FAILED, made.SQUEAK: FAILED}
    text = shown(made.record(verdicts, selected=chosen), selected=chosen)
    assert "\n\nshell\n  FAILED         Door  2 scenarios selected: 1 passed, 1 failed\n\n" in text
    assert "\n3 of 9 scenarios, 0.0 s: 2 decide (1 passed, 1 failed); 1 advise (1 failed)\n" in text
    assert "Lock" not in text


def test_advice_is_told_apart_and_short() -> None:
    text = shown(made.record(made.all_passed(squeak=FAILED)))
    assert (
        "Advice: 1 of 2 recommended scenarios did not pass; this decides nothing.\n"
        f"  failed  {made.SQUEAK}\n    it failed\n" in text
    )
    assert "FAILED" not in text


def test_advice_is_told_in_full_where_it_counts() -> None:
    record = made.record(made.all_passed(squeak=FAILED), terms=Terms(strict=True, today=made.TODAY))
    text = shown(record, strict=True)
    assert "FAILED  shell/door/robustness" in text
    assert "--strict" in text
    assert "Advice" not in text


def test_what_is_inconclusive_says_why() -> None:
    record = made.played(made.LOCKS, INCONCLUSIVE, "the driver was killed by signal SIGKILL")
    text = shown(made.record({**made.all_passed(), made.LOCKS: record}))
    assert "INCONCLUSIVE  shell/door.2" in text
    assert "Why: the driver was killed by signal SIGKILL" in text


def test_a_driver_that_did_not_start_is_told_with_its_log() -> None:
    told = Told(events=[StartFailed(message="the driver did not start: it ended\nthe end of its log:\nboom\x1b[31m")])
    text = shown(implementation(made.suite(), made.DRIVER, told, Terms()))
    assert text == (
        "=== mine (node driver.mjs)\n  NOT STARTED  the driver did not start: it ended\n    | the end of its log:\n"
        "    | boom\\x1b[31m\n\nmine was not tested: its driver did not start"
    )


def test_a_run_that_broke_off_says_so_even_where_something_failed() -> None:
    told = Told(events=made.events({made.OPENS: FAILED}), broken="the test process broke; its log is /tmp/x")
    text = shown(implementation(made.suite(), made.DRIVER, told, Terms()))
    assert "BROKE OFF  the test process broke; its log is /tmp/x" in text
    assert text.endswith("; the run broke off before its end")


def test_expectations_are_told_with_their_reasons() -> None:
    known = (KnownFailure(id="shell/door.2", reason="ticket 17"), KnownFailure(id="shell/lock.1", reason="ticket 18"))
    text = shown(made.record(made.all_passed(locks=FAILED), terms=Terms(known=known, today=made.TODAY)))
    assert "failed as expected  shell/door.2  (ticket 17)" in text
    assert "PASSED UNEXPECTEDLY  shell/lock.1  (ticket 18)\n  delete the entry" in text
    assert "FAILED  shell/door.2\n  The door" not in text


def test_several_implementations_stand_side_by_side() -> None:
    yours = made.record(made.all_passed(locks=FAILED), driver=Driver("yours", "x", ("--driver", "yours=x")))
    text = shown(made.record(made.all_passed()), yours)
    assert """\
Side by side  mine           yours
other/door    passed         passed
shell/door    passed         FAILED
shell/lock    passed         passed
""" in "\n".join(line.rstrip() for line in text.splitlines())
    assert text.splitlines()[-2].startswith("mine conforms")
    assert text.splitlines()[-1].startswith("yours does not conform")


def test_notes_on_the_driver_are_told() -> None:
    told = Told(events=[*made.events(made.all_passed()), Diagnostic(text="a print to standard output?")])
    assert "Notes on the driver:\n  a print to standard output?" in shown(
        implementation(made.suite(), made.DRIVER, told, Terms())
    )


def test_what_was_not_run_is_counted_by_reason() -> None:
    assert "not-run  6 scenarios: interrupted" in shown(made.record({made.OPENS: PASSED}, interrupted=True))


def test_nothing_of_a_driver_reaches_the_terminal_as_it_is() -> None:
    evil = failing(
        reason=EVIL,
        log=EVIL + "\n" + EVIL,
        steps=(
            StepRecord(
                keyword="Then",
                text=EVIL,
                line=1,
                status="failed",
                reason=EVIL,
                checks=(CheckRecord(claim=EVIL, passed=False, expected=EVIL, actual=EVIL * 500),),
                seconds=0.0,
            ),
            StepRecord(keyword="Then", text="x", line=1, status="undecided", reason=EVIL, seconds=0.0),
        ),
        messages=(
            MessageRecord(at=0.0, sender="driver", message=EVIL),
            MessageRecord(at=0.0, sender="driver", message={"id": EVIL, "method": EVIL, "params": EVIL}),
            MessageRecord(at=0.0, sender="driver", message={"id": EVIL, "error": {EVIL: EVIL}}),
        ),
        exchanges=(
            ExchangeRecord(
                at=0.0,
                server="provider",
                method=EVIL,
                target=EVIL,
                headers=(),
                body=EVIL,
                status=None,
                answer=EVIL,
                fault=None,
                note=EVIL,
            ),
        ),
    )
    statement = made.declared().model_copy(update={"name": EVIL, "version": EVIL, "language": EVIL})
    told = Told(
        events=[
            *made.events({made.FOR_ANN: evil, made.SQUEAK: made.played(made.SQUEAK, FAILED, EVIL)}, statement),
            Diagnostic(text=EVIL),
        ],
        broken=EVIL,
    )
    driver = Driver(EVIL, EVIL, ("--driver", EVIL))
    known = (KnownFailure(id="shell/door.1", reason=EVIL, message="other"),)
    record = implementation(made.suite(), driver, told, Terms(known=known, today=made.TODAY))
    failed = implementation(made.suite(), driver, Told(events=[StartFailed(message=EVIL + "\n" + EVIL)]), Terms())
    text = shown(record, failed)
    assert "pwn" in text
    assert not FORBIDDEN & set(text)


@pytest.mark.parametrize("count", [1, 12, 13, 400])
def test_of_many_messages_the_last_are_told(count: int) -> None:
    messages = tuple(
        MessageRecord(at=0.0, sender="harness", message={"id": n, "method": "door.push", "params": {}})
        for n in range(count)
    )
    text = shown(made.record({**made.all_passed(), made.FOR_ANN: failing(messages=messages)}))
    assert text.count("door.push") == min(count, 12)
    assert f"#{count - 1} door.push" in text
    assert (f"the last 12 of {count}" in text) == (count > 12)


def test_a_huge_value_is_cut_with_its_length_from_where_it_differs() -> None:
    long = "a" * 100_000
    check = CheckRecord(claim="text", passed=False, expected=f'"{long}b"', actual=f'"{long}c{long}"')
    step = StepRecord(keyword="Then", text="it is", line=1, status="failed", checks=(check,), seconds=0.0)
    text = shown(made.record({**made.all_passed(), made.FOR_ANN: failing(steps=(step,))}))
    assert f'expected  …{"a" * 60}b"\n' in text
    assert f"actual    …{'a' * 60}c{'a' * 339}… (200003 characters)\n" in text


def test_no_mark_is_made_by_colour_alone() -> None:
    record = made.record(made.all_passed(opens=FAILED, locks=INCONCLUSIVE))
    styled = console.render(made.results(record))
    assert "\x1b[" in styled
    words = {"FAILED", "INCONCLUSIVE", "passed"}
    assert words <= set(click.unstyle(styled).split())
