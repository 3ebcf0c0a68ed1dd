"""The JUnit XML report."""

import xml.etree.ElementTree as ET

from specassay.report import junit
from specassay.results.collect import Terms, Told, implementation
from specassay.results.events import StartFailed
from specassay.results.expectations import KnownFailure
from specassay.results.model import ImplementationRecord, Verdict
from tests.results import made

PASSED, FAILED, INCONCLUSIVE = Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE


def written(*records: ImplementationRecord, strict: bool = False) -> ET.Element:
    """Give the report, parsed again."""
    return ET.fromstring(junit.render(made.results(*records, strict=strict)))


def case(root: ET.Element, id: str) -> ET.Element:  # noqa: A002
    """Give the test case of a scenario."""
    (found,) = [one for one in root.iter("testcase") if prop(one, "id") == id]
    return found


def prop(element: ET.Element, name: str) -> str | None:
    """Give a property of a test case or a test suite."""
    found = element.find(f"properties/property[@name='{name}']")
    return None if found is None else found.get("value")


def problem(root: ET.Element, id: str) -> tuple[str, str | None] | None:  # noqa: A002
    """Give what is said of a scenario: the tag and its message."""
    found = [(one.tag, one.get("message")) for one in case(root, id) if one.tag in ("failure", "error", "skipped")]
    return found[0] if found else None


def test_each_verdict_has_its_element() -> None:
    verdicts = {
        made.OPENS: PASSED,
        made.FOR_ANN: FAILED,
        made.FOR_BOB: INCONCLUSIVE,
        made.SQUEAK: FAILED,
        made.QUIET: INCONCLUSIVE,
    }
    root = written(made.record(verdicts, statement=made.declared(surfaces=("door",))))
    assert problem(root, made.OPENS) is None
    assert problem(root, made.FOR_ANN) == ("failure", "it failed")
    assert problem(root, made.FOR_BOB) == ("error", "it inconclusive")
    assert problem(root, made.SQUEAK) == ("skipped", "advice: failed: it failed")
    assert problem(root, made.QUIET) == ("skipped", "advice: inconclusive: it inconclusive")
    assert problem(root, made.HOLDS) == ("skipped", "inapplicable: not declared: lock")


def test_advice_fails_where_strict() -> None:
    record = made.record(made.all_passed(squeak=FAILED), terms=Terms(strict=True, today=made.TODAY))
    assert problem(written(record, strict=True), made.SQUEAK) == ("failure", "it failed")


def test_an_expected_failure_is_skipped_and_an_unexpected_pass_a_failure() -> None:
    known = (KnownFailure(id="shell/door.2", reason="r"), KnownFailure(id="shell/lock.1", reason="r"))
    root = written(made.record(made.all_passed(locks=FAILED), terms=Terms(known=known, today=made.TODAY)))
    assert problem(root, made.LOCKS) == ("skipped", "expected failure: failed: it failed")
    failures = [
        (one.get("name"), found.get("message")) for one in root.iter("testcase") for found in one.iter("failure")
    ]
    assert failures == [("expected failure of shell/lock.1", "passed unexpectedly: delete the entry")]


def test_a_suite_for_each_implementation_and_requirement_counts_what_it_holds() -> None:
    root = written(made.record(made.all_passed(for_ann=FAILED, locks=INCONCLUSIVE, squeak=FAILED)))
    suites = {one.get("name"): one for one in root.iter("testsuite")}
    assert list(suites) == ["mine: run", "mine: other/door", "mine: shell/door", "mine: shell/lock"]
    door = suites["mine: shell/door"]
    counts = {name: door.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "6", "failures": "1", "errors": "1", "skipped": "1"}
    assert len(door.findall("testcase")) == 6
    assert prop(door, "verdict") == "failed"
    assert prop(suites["mine: run"], "implementation") == "my-door 2.1 (javascript)"


def test_a_case_names_its_statement_and_where_it_stands() -> None:
    root = written(made.record(made.all_passed()))
    one = case(root, made.FOR_ANN)
    assert (one.get("name"), one.get("classname")) == ("It opens for a visitor [ann]", "mine.shell/door.1")
    assert prop(one, "statement") == "The door MUST open"
    assert prop(one, "file") == "features/shell/door.feature:21"


def test_a_failure_holds_its_checks() -> None:
    root = written(made.record(made.all_passed(opens=FAILED)))
    failure = case(root, made.OPENS).find("failure")
    assert failure is not None
    assert 'the door: expected "open", actual "shut"' in (failure.text or "")


def test_a_driver_that_did_not_start_is_an_error() -> None:
    told = Told(events=[StartFailed(message="no such program: \x1b[31m")])
    root = written(implementation(made.suite(), made.DRIVER, told, Terms()))
    (error,) = root.iter("error")
    assert error.get("message") == "no such program: \\x1b[31m"
    assert [one.get("errors") for one in root] == ["1"]


def test_a_required_surface_that_is_missing_is_a_failure() -> None:
    record = made.record({}, statement=made.declared(surfaces=("door",)), terms=Terms(required=("lock",)))
    (failure,) = written(record).iter("failure")
    assert failure.get("message") == "required, not declared: lock"


def test_whatever_a_driver_says_the_xml_can_be_read() -> None:
    evil = '<b>&"]]>\x00\x0b\x1b[31m\ufffe\ud800\u2028' + "x" * 100_000
    record = made.played(made.OPENS, FAILED, evil).model_copy(update={"log": f"{evil}\nsecond\r\n\x00"})
    root = written(made.record({**made.all_passed(), made.OPENS: record}))
    found = problem(root, made.OPENS)
    assert found is not None
    assert (found[1] or "").startswith('<b>&"]]>\\x00\\x0b\\x1b[31m\\ufffe\\ud800\\u2028xxx')
    log = case(root, made.OPENS).findtext("system-err")
    assert log is not None
    assert log.endswith("\nsecond\n\\x00")
