"""What is recorded of a suite that another project has written for pytest-bdd."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from specassay import resources
from specassay.results.foreign import UNCOUNTED, UNSEEN
from specassay.results.gaps import GapKind, gaps
from specassay.results.load import load
from specassay.results.model import ImplementationRecord, Results, ScenarioRecord

EVERY = """\
Feature: Every

  Scenario: Loose
    Then all is well

  @every.1
  Rule: It MUST work

    @transcribed
    Scenario: Passing
      Given a thing
      When it works
      Then all is well
      And all is well

    Scenario: Failing
      When it works
      Then all is bad
      And all is well

    Scenario: Undefined
      When nobody knows this
      Then all is well

    Scenario: Raising
      When it raises
      Then all is well

    Scenario: Silent
      When it works
      Then nothing is compared

    Scenario: Without a Then
      When it works

    Scenario: Without steps

    Scenario Outline: Rows
      Then <a> equals <b>

      Examples:
        | a | b |
        | 1 | 1 |
        | 1 | 2 |

  @every.2
  Rule: It MUST be skipped

    @skip
    Scenario: Marked
      Then all is well

    Scenario: Within
      Given a thing
      When it skips
      Then all is well

    @xfail
    Scenario: Expected
      Then all is bad

    Scenario: Broken setup
      Given a broken fixture
      Then all is well

  @every.3
  Rule: Nobody shows this
"""

STEPS = """\
import pytest
from pytest_bdd import given, parsers, scenarios, then, when

scenarios("features")

@given("a thing", target_fixture="thing")
def thing():
    return 1

@given("a broken fixture")
def uses(broken):
    pass

@pytest.fixture
def broken():
    raise OSError("no such thing")

@when("it works")
def works():
    pass

@when("it raises")
def raises():
    raise ValueError("wrong")

@when("it skips")
def skips():
    pytest.skip("not here")

@then("all is well")
def well():
    assert 1 + 1 == 2

@then("all is bad")
def bad():
    assert 1 + 1 == 3

@then("nothing is compared")
def silent():
    pass

@then(parsers.parse("{a} equals {b}"))
def equal(a, b):
    assert a == b
"""

COUNTED = ("-o", "enable_assertion_pass_hook=true")
PLUGINS = ("-p", "pytest_bdd.plugin", "-p", "specassay.suite.plugin", "-p", "no:cacheprovider")
WORKERS = ("-p", "xdist", "-n", "2")


@dataclass(frozen=True)
class Project:
    """A project with a suite in which everything happens."""

    path: Path

    def write(self, name: str, text: str) -> None:
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(text, "utf-8")

    def pytest(self, *options: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
        command = [sys.executable, "-m", "pytest", "-q", *PLUGINS, *options]
        return subprocess.run(
            command, cwd=self.path, env=environment, capture_output=True, text=True, timeout=100, check=False
        )

    def record(self, *options: str) -> Results:
        self.pytest("--specassay-record", "results.json", *options)
        return load(self.path / "results.json")


def made(folder: Path) -> Project:
    project = Project(folder)
    project.write("features/all/every.feature", EVERY)
    project.write("test_every.py", STEPS)
    project.write("pytest.ini", "[pytest]\nmarkers =\n  skip\n  xfail\n")
    return project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return made(tmp_path)


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Give what is recorded where assertions are counted."""
    return made(tmp_path_factory.mktemp("counted")).record(*COUNTED)


@pytest.fixture(scope="module")
def uncounted(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Give what is recorded where nobody counts."""
    return made(tmp_path_factory.mktemp("uncounted")).record()


def only(results: Results) -> ImplementationRecord:
    (found,) = results.implementations
    return found


def by_title(results: Results) -> dict[str, ScenarioRecord]:
    return {one.id.rpartition("/")[2]: one for one in only(results).scenarios}


VERDICTS = {
    "loose": "passed",
    "passing": "passed",
    "failing": "failed",
    "undefined": "inconclusive",
    "raising": "failed",
    "silent": "inconclusive",
    "without-a-then": "inconclusive",
    "without-steps": "inconclusive",
    "rows[1-1]": "passed",
    "rows[1-2]": "failed",
    "marked": "not-run",
    "within": "not-run",
    "expected": "failed",
    "broken-setup": "failed",
}


def test_every_scenario_has_its_verdict(counted: Results) -> None:
    assert {name: one.verdict.value for name, one in by_title(counted).items()} == VERDICTS
    names = ["all/every/scenarios", *(f"all/every.{number}" for number in (1, 2, 3))]
    assert [one.id for one in counted.suite.statements()] == names
    assert only(counted).exit == 1


def test_two_workers_record_the_same(project: Project, counted: Results) -> None:
    def plain(results: Results) -> list[tuple[object, ...]]:
        found = only(results).scenarios
        return [
            (one.id, one.verdict, one.reason, one.evidence, [(s.text, s.status) for s in one.steps]) for one in found
        ]

    assert plain(project.record(*COUNTED, *WORKERS)) == plain(counted)


def test_a_reason_says_what_happened(counted: Results) -> None:
    reasons = {name: one.reason for name, one in by_title(counted).items()}
    assert {name: reason for name, reason in reasons.items() if reason is not None} == {
        "failing": "AssertionError: assert (1 + 1) == 3",
        "undefined": "the step has no definition: When nobody knows this",
        "raising": "ValueError: wrong",
        "silent": "no assertion was made in Then nothing is compared",
        "without-a-then": "it has no Then: nothing was compared",
        "without-steps": "it has no steps: a pass without evidence does not exist",
        "rows[1-2]": "AssertionError: assert '1' == '2'",
        "marked": "unconditional skip",
        "within": "not here",
        "expected": "AssertionError: assert (1 + 1) == 3",
        "broken-setup": "OSError: no such thing",
    }


def test_an_assertion_that_passes_in_a_step_is_its_check_and_one_of_pytest_bdd_is_none(counted: Results) -> None:
    found = by_title(counted)
    steps = [(step.keyword, step.text, step.line, step.status, len(step.checks)) for step in found["passing"].steps]
    assert steps == [
        ("Given", "a thing", 11, "passed", 0),
        ("When", "it works", 12, "passed", 0),
        ("Then", "all is well", 13, "passed", 1),
        ("Then", "all is well", 14, "passed", 1),
    ]
    check = found["passing"].steps[2].checks[0]
    assert (check.claim, check.passed, check.actual) == ("assert 1 + 1 == 2", True, "(1 + 1) == 2")
    check = found["failing"].steps[1].checks[0]
    assert (check.claim, check.passed, check.actual) == ("assert 1 + 1 == 3", False, "assert (1 + 1) == 3")


def test_a_step_that_was_not_come_to_is_skipped(counted: Results) -> None:
    found = by_title(counted)
    assert [step.status for step in found["failing"].steps] == ["passed", "failed", "skipped"]
    assert [step.status for step in found["within"].steps] == ["passed", "skipped", "skipped"]
    assert [step.status for step in found["undefined"].steps] == ["undecided", "skipped"]


def test_where_nobody_counts_the_evidence_is_unknown_and_never_vacuous(uncounted: Results) -> None:
    found = by_title(uncounted)
    assert (found["silent"].verdict, found["silent"].evidence) == ("passed", "unknown")
    assert (found["passing"].verdict, found["passing"].evidence) == ("passed", "unknown")
    assert found["failing"].verdict == "failed"
    assert only(uncounted).diagnostics == (UNCOUNTED,)
    assert GapKind.VACUOUS not in {gap.kind for gap in gaps(uncounted) if gap.statement == "all/every/scenarios"}
    assert GapKind.UNKNOWN in {gap.kind for gap in gaps(uncounted) if gap.statement == "all/every/scenarios"}


def test_assertions_that_were_compiled_before_the_hook_was_on_are_unknown(project: Project) -> None:
    project.record()
    results = project.record(*COUNTED)
    found = by_title(results)
    assert only(results).diagnostics == (UNSEEN,)
    assert (found["passing"].verdict, found["passing"].evidence) == ("passed", "unknown")


def test_assertions_in_a_module_that_pytest_does_not_rewrite_are_unknown(project: Project) -> None:
    project.write("shared.py", STEPS.replace('scenarios("features")\n', ""))
    project.write("test_every.py", "from pytest_bdd import scenarios\nfrom shared import *\nscenarios('features')\n")
    found = by_title(project.record(*COUNTED))
    assert (found["passing"].verdict, found["passing"].evidence) == ("passed", "unknown")


def test_an_expected_failure_is_an_expectation(counted: Results) -> None:
    found = only(counted)
    assert [(one.id, one.outcome) for one in found.expectations] == [("all/every.2/expected", "failed as expected")]


def test_rule_tags_and_file_are_in_the_suite(counted: Results) -> None:
    suite = counted.suite
    statement = next(one for one in suite.statements() if one.id == "all/every.1")
    assert statement.sentence == "It MUST work"
    scenario = statement.scenarios[0]
    assert (scenario.file, scenario.line, scenario.kind) == ("all/every.feature", 10, "transcribed")
    assert scenario.tags == ("every.1", "transcribed")
    assert scenario.text.splitlines()[0] == "Given a thing"


@pytest.mark.parametrize("workers", [(), WORKERS], ids=["alone", "two workers"])
def test_what_is_not_selected_or_not_run_is_not_run(project: Project, workers: tuple[str, ...]) -> None:
    results = project.record("-k", "passing or loose", *workers)
    found = by_title(results)
    assert {name for name, one in found.items() if one.verdict == "passed"} == {"passing", "loose"}
    assert {one.reason for one in found.values() if one.verdict == "not-run"} == {"not selected"}
    assert results.settings.selected == 2
    assert results.settings.total == len(VERDICTS)


def test_what_comes_after_the_first_failure_was_not_run(project: Project) -> None:
    found = by_title(project.record("-x"))
    assert found["failing"].verdict == "failed"
    assert (found["rows[1-1]"].verdict, found["rows[1-1]"].reason) == ("not-run", "was not run")


def test_a_scenario_that_pytest_bdd_loses_has_neither_verdict_nor_reason(project: Project) -> None:
    project.write("features/all/every.feature", EVERY.replace("Scenario: Marked", "Scenario: Passing"))
    project.write("features/all/other.feature", "Feature: O\n  Scenario: P\n    Then q\n")
    project.write("test_every.py", STEPS.replace('scenarios("features")', 'scenarios("features/all/every.feature")'))
    found = {one.id: one for one in only(project.record()).scenarios}
    lost = found["all/every.1/passing"]
    assert (lost.verdict, lost.reason) == ("not-run", None)
    other = found["all/other/scenarios/p"]
    assert (other.verdict, other.reason) == ("not-run", "no test was collected from its feature file")


def test_a_worker_that_crashes_leaves_its_scenario_undecided(project: Project) -> None:
    project.write("test_every.py", STEPS.replace('raise ValueError("wrong")', "import os; os._exit(3)"))
    found = by_title(project.record(*WORKERS))
    assert found["raising"].verdict == "inconclusive"
    assert "crashed while running" in (found["raising"].reason or "")
    assert {name: one.verdict for name, one in found.items() if name in ("passing", "failing", "marked")} == {
        "passing": "passed",
        "failing": "failed",
        "marked": "not-run",
    }


RERUN = """\
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    for _ in range(2):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = any(report.failed for report in reports)
        for report in reports:
            if failed and report.when == "call" and _ == 0:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not failed:
            break
    return True
"""


def test_the_last_of_several_attempts_counts(project: Project) -> None:
    project.write("conftest.py", RERUN)
    steps = STEPS.replace("    assert 1 + 1 == 3", "    seen.append(1)\n    assert len(seen) > 1") + "\nseen = []\n"
    project.write("test_every.py", steps)
    results = project.record(*COUNTED, "-k", "failing")
    found = by_title(results)
    assert (found["failing"].verdict, len(found["failing"].steps)) == ("passed", 3)
    assert only(results).diagnostics == ("all/every.1/failing was run again after a failure",)


def test_two_folders_of_one_name_are_told_apart(project: Project) -> None:
    project.write("more/all/every.feature", "Feature: E\n  Scenario: Loose\n    Then all is well\n")
    project.write("test_every.py", STEPS.replace('scenarios("features")', 'scenarios("features", "more")'))
    names = {one.specification for one in project.record().suite.requirements}
    assert names == {"features-all", "more-all"}


def test_the_implementation_has_the_name_of_the_folder_or_the_one_given(project: Project) -> None:
    assert only(project.record()).name == project.path.name
    named = only(project.record("--specassay-name", "door"))
    assert named.name == "door"
    assert named.command.startswith("pytest ")
    assert named.chosen_by == ()


def test_a_run_in_which_all_is_well_conforms(project: Project) -> None:
    text = "Feature: E\n\n  @every.1\n  Rule: It MUST\n\n    Scenario: S\n      Then all is well\n"
    project.write("features/all/every.feature", text)
    found = only(project.record(*COUNTED, "--specassay-name", "door"))
    assert (found.exit, found.conclusion) == (0, "door conforms: 1 of 1 MUST statement passed")


def test_a_session_without_scenarios_writes_nothing_and_keeps_nothing_old(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("results.json", "{}")
    project.write("test_it.py", "def test_it():\n    pass\n")
    output = project.pytest("--specassay-record", "results.json").stdout
    file = tmp_path / "results.json"
    assert "specassay: pytest-bdd has collected no scenario, so results.json is not written\n" in output
    assert not file.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("nowhere/results.json",), "nowhere/results.json: cannot be written: No such file or directory"),
        (("r.json", "--specassay-driver", "reference"), "is for other suites; ours is recorded by `specassay run`"),
    ],
    ids=["no folder", "our own suite"],
)
def test_what_cannot_be_recorded_is_said_before_anything_runs(
    project: Project, options: tuple[str, ...], message: str
) -> None:
    ended = project.pytest("--specassay-record", *options)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert ended.stderr.startswith("ERROR: --specassay-record ")
    assert ended.stderr.strip().endswith(message)


def test_the_record_keeps_the_published_schema(counted: Results) -> None:
    schema: Any = json.loads((resources.SCHEMAS / "results.schema.json").read_text("utf-8"))
    jsonschema.validate(json.loads(counted.model_dump_json(by_alias=True)), schema)


def test_the_plugin_loads_nothing_where_nothing_is_recorded(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("test_it.py", "import sys\ndef test_it():\n    assert 'specassay.suite.foreign' not in sys.modules\n")
    assert "1 passed" in project.pytest().stdout
    assert "1 passed" in project.pytest("-p", "no:pytest_bdd.plugin", "-p", "no:pytest-bdd").stdout


def test_the_junit_report_of_pytest_stays_as_it_is(project: Project) -> None:
    project.record(*COUNTED, "--junitxml", "junit.xml")
    assert "specassay" not in (project.path / "junit.xml").read_text("utf-8").replace("--specassay", "")
