"""From the events of a run to its record."""

from pathlib import Path

from specassay.errors import Exit
from specassay.results.collect import Terms, Told, implementation
from specassay.results.digest import digest
from specassay.results.events import EVENT, Diagnostic, Finished, StartFailed
from specassay.results.model import MessageRecord, Verdict
from tests.results import made

PASSED, FAILED, NOT_RUN = Verdict.PASSED, Verdict.FAILED, Verdict.NOT_RUN


def test_every_scenario_of_the_suite_is_accounted_for_in_its_order() -> None:
    found = made.record({made.LOCKS: PASSED}, selected=[made.LOCKS, made.OPENS])
    assert [one.id for one in found.scenarios] == list(made.ALL)


def test_what_a_filter_left_out_says_so() -> None:
    found = {one.id: one for one in made.record({made.OPENS: PASSED}, selected=[made.OPENS]).scenarios}
    assert (found[made.LOCKS].verdict, found[made.LOCKS].reason) == (NOT_RUN, "not selected")


def test_what_needs_an_undeclared_surface_is_inapplicable() -> None:
    found = {one.id: one for one in made.record({}, statement=made.declared(surfaces=("door",))).scenarios}
    assert (found[made.LOCKS].verdict, found[made.LOCKS].reason) == (Verdict.INAPPLICABLE, "not declared: lock")


def test_what_needs_an_undeclared_operation_is_inapplicable() -> None:
    found = {one.id: one for one in made.record({}, statement=made.declared(operations=())).scenarios}
    assert (found[made.PICKED].verdict, found[made.PICKED].reason) == (Verdict.INAPPLICABLE, "not declared: lock.pick")


def test_what_an_interrupted_run_did_not_reach_says_so() -> None:
    found = {one.id: one for one in made.record({made.OPENS: PASSED}, interrupted=True).scenarios}
    assert found[made.OPENS].verdict is PASSED
    assert (found[made.LOCKS].verdict, found[made.LOCKS].reason) == (NOT_RUN, "interrupted")


def test_a_driver_that_did_not_start_ran_nothing() -> None:
    told = Told(events=[StartFailed(message="no such program")])
    found = implementation(made.suite(), made.DRIVER, told, Terms(required=("door",)))
    assert found.failure == "no such program"
    assert {(one.verdict, one.reason) for one in found.scenarios} == {(NOT_RUN, "the driver did not start")}
    assert found.exit == Exit.NOT_STARTED
    assert found.conclusion == "mine was not tested: its driver did not start"


def test_a_run_that_broke_off_is_not_decided() -> None:
    told = Told(events=made.events({made.OPENS: PASSED}), broken="the test process broke")
    found = implementation(made.suite(), made.DRIVER, told, Terms())
    assert found.exit == Exit.INCONCLUSIVE
    assert found.conclusion == "mine was not decided: the test process broke"
    assert {one.reason for one in found.scenarios if one.verdict is NOT_RUN} == {"the run broke off"}


def test_a_run_that_broke_off_after_its_last_scenario_is_not_decided() -> None:
    told = Told(events=made.events(made.all_passed()), broken="the test process broke")
    assert implementation(made.suite(), made.DRIVER, told, Terms()).exit == Exit.INCONCLUSIVE


def test_a_later_verdict_takes_the_place_of_an_earlier_one() -> None:
    told = made.events(made.all_passed())
    again = made.played(made.OPENS, Verdict.INCONCLUSIVE, "it broke what came after")
    found = implementation(made.suite(), made.DRIVER, Told(events=[*told, Finished(record=again)]), Terms())
    assert next(one for one in found.scenarios if one.id == made.OPENS) == again


def test_a_diagnostic_is_kept_once() -> None:
    told = [*made.events({}), Diagnostic(text="a print?"), Diagnostic(text="a print?"), Diagnostic(text="another")]
    found = implementation(made.suite(), made.DRIVER, Told(events=told), Terms())
    assert found.diagnostics == ("a print?", "another")


def test_an_event_of_whatever_a_driver_says_survives_the_file() -> None:
    deep: object = []
    for _ in range(5000):
        deep = [deep]
    said = {"half": "\ud800<", "\udfff": 1, "deep": deep, "nan": float("nan"), "big": 10**400, "none": None}
    record = made.played(made.OPENS, FAILED, "got \ud83d").model_copy(
        update={"messages": (MessageRecord(at=0.1, sender="driver", message=said),), "log": "\x1b[31m\x00"}
    )
    line = Finished(record=record).model_dump_json(by_alias=True)
    read = EVENT.validate_json(line)
    assert isinstance(read, Finished)
    assert read.record.reason == "got \\ud83d"
    assert read.record.log == "\x1b[31m\x00"
    message = read.record.messages[0].message
    assert message["half"] == "\\ud800<"
    assert message["\\udfff"] == 1
    assert message["big"] == 10**400
    assert "nested too deep" in str(message["deep"])


def test_the_digest_is_of_names_and_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one" / "suite", tmp_path / "two" / "suite"
    for folder in (one, two):
        (folder / "inner").mkdir(parents=True)
        (folder / "inner" / "a.feature").write_text("a")
        (folder / "b.feature").write_text("b")
    assert digest(one) == digest(two)
    (two / "__pycache__").mkdir()
    (two / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert digest(one) == digest(two)
    (two / "b.feature").write_text("c")
    assert digest(one) != digest(two)
    (two / "b.feature").rename(two / "c.feature")
    (two / "c.feature").write_text("b")
    assert digest(one) != digest(two)


def test_the_suite_keeps_the_text_of_each_scenario() -> None:
    texts = {scenario.id: scenario.text for scenario in made.suite().scenarios()}
    assert texts[made.OPENS] == "Given a closed door\nWhen it is pushed\nThen the door is open"
    assert texts[made.FOR_BOB].endswith("Then the door is open\n| case | who |\n| bob | Bob |")
