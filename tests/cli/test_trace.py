"""`specassay trace` on a small project: every seeded fault is found, and every report has the same numbers."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from specassay import resources
from specassay.cli import main
from specassay.results.drivers import EMBEDDED
from specassay.results.model import ScenarioRecord, Verdict
from specassay.trace import record as trace_record
from specassay.trace.record import Trace
from tests.results import made
from tests.trace.toy import Project

Traced = Callable[..., tuple[int, str]]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def trace(project: Project, capsys: pytest.CaptureFixture[str]) -> Traced:
    """Run the command on the project, and give the exit code and what it wrote."""

    def run(*arguments: object) -> tuple[int, str]:
        capsys.readouterr()
        code = main(["trace", *map(str, arguments), "--features", str(project.features)])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


def read(file: Path) -> Trace:
    return Trace.model_validate_json(file.read_text("utf-8"))


def silent(name: str, verdict: Verdict) -> ScenarioRecord:
    """Make the record of a scenario that ran to its end and compared nothing."""
    played = made.played(name, verdict)
    return played.model_copy(update={"steps": (played.steps[0].model_copy(update={"checks": ()}),)})


def test_a_full_run_against_the_accepted_text_is_in_order(project: Project, trace: Traced) -> None:
    results = project.results("all.json", made.record(made.all_passed()))
    code, told = trace(results, "--against", project.root, "--fail-on", "gap,suspect,lost,vacuous", "--min", "must=80")
    assert code == 0
    assert f"{project.spec}: of 13 sentences 13 ok" in told
    assert "1 of 1 in the specification are in the features; 8 in the features; mine: 8 of 8 collected, 8 of 8" in told
    assert "mine  4 of 5 MUST covered, 4 of 5 passed; 1 of 1 SHOULD covered, 1 of 1 passed" in told
    assert "not covered: 1 of 6 statements (1 by inspection)" in told


def test_without_results_the_links_and_what_no_scenario_tests_are_shown(project: Project, trace: Traced) -> None:
    code, told = trace()
    assert code == 0
    assert "of 13 sentences 13 ok; not compared with a text (--against PATH)" in told
    assert "no results were given; without them, not covered: 1 of 6 statements (1 by inspection)" in told


def test_the_whole_chain_of_a_statement_is_shown(project: Project, trace: Traced) -> None:
    results = project.results("all.json", made.record(made.all_passed()))
    _, told = trace(results, "--id", "door.2")
    lines = [line.strip() for line in told.splitlines()]
    for expected in (
        "shell/door.2  (must)  The door MUST lock",
        "ok  spec.md:11  The door MUST lock.",
        "mine: passed, covered",
        "It locks  (derived)  shell/door.feature:29",
        "mine: passed  1 step, 1 check",
        "Then the door is open  (passed)",
        "held   the door",
    ):
        assert expected in lines
    assert "door.1" not in told


def test_checking_never_writes(project: Project, trace: Traced) -> None:
    before = project.lock.read_bytes()
    project.edit("MUST lock", "SHOULD lock")
    trace("--against", project.spec)
    assert project.lock.read_bytes() == before


def test_a_verdict_against_old_text_is_shown_and_does_not_count(project: Project, trace: Traced) -> None:
    results = project.results("all.json", made.record(made.all_passed()))
    project.edit("The door MUST lock.", "The door SHOULD lock by itself.")
    code, told = trace(results, "--against", project.spec, "--report", f"json={project.root / 'trace.json'}", "--all")
    assert code == 0
    assert re.search(
        r"SUSPECT  shell@[0-9a-f]{8}  .*spec.md:11\n    MUST became SHOULD\n    Claimed by shell/door.2", told
    )
    assert "| The door [-MUST-]{+SHOULD+} lock{+ by itself+}." in told
    assert "mine: not-run (passed against old text, not counted)" in told
    assert "mine  3 of 5 MUST covered, 3 of 5 passed" in told
    found = read(project.root / "trace.json")
    (statement,) = [
        one for requirement in found.specifications[0].requirements for one in requirement.statements if one.suspect
    ]
    assert statement.id == "shell/door.2"
    assert (statement.coverage[0].covered, statement.coverage[0].gap) == (False, "suspect")
    assert trace(results, "--against", project.spec, "--fail-on", "suspect")[0] == 1
    assert trace(results, "--against", project.spec, "--min", "must=80")[0] == 1


def test_a_sentence_without_a_rule_fails_the_gate_for_gaps(project: Project, trace: Traced) -> None:
    project.edit("The lock MUST hold.", "The lock MUST hold. The key MUST turn twice.")
    assert trace("--against", project.spec)[0] == 0
    code, told = trace("--against", project.spec, "--fail-on", "gap")
    assert code == 1
    assert "--fail-on gap: new in the specification and without a Rule: 1" in told


@pytest.mark.parametrize("dropped", ["transcribed", "derived"])
def test_a_scenario_dropped_from_a_feature_is_lost(project: Project, trace: Traced, dropped: str) -> None:
    if dropped == "derived":
        assert trace("accept", "shell", "--reason", "first")[0] == 0
        project.feature(
            "    @derived\n    Scenario: It opens\n      Given a closed door\n      When it is pushed\n"
            "      Then the door is open\n",
            "",
        )
        lost = "shell/door.1/it-opens: accepted, and in no feature any more"
    else:
        project.feature("Scenario Outline: It opens for a visitor", "Scenario Outline: It opens for a visitor at night")
        lost = "shell: It opens for a visitor: in the specification, and in no feature"
    code, told = trace()
    assert code == 3
    assert f"LOST  {lost}" in told
    code, told = trace("--fail-on", "lost")
    assert code == 1
    assert "--fail-on lost: scenarios lost: 1" in told


def test_a_scenario_that_stands_under_another_rule_now_is_not_lost(project: Project, trace: Traced) -> None:
    trace("accept", "shell", "--reason", "first")
    scenario = (
        "    @derived @surface.lock\n    Scenario: It locks\n      Given a closed door\n      Then the door is locked\n"
    )
    project.feature(scenario, "")
    project.feature("  @door.4", f"{scenario}\n  @door.4")
    code, told = trace()
    assert code == 0
    assert "shell/door.2  (must)  The door MUST lock\n      NO SCENARIO" in told


def test_a_rule_that_is_not_in_the_specification_does_not_count(project: Project, trace: Traced) -> None:
    results = project.results("all.json", made.record(made.all_passed()))
    project.edit('"statements": ["door.2"]', '"statements": ["door.1"]', project.lock)
    _, told = trace(results, "--all")
    assert "ORPHANED  shell/door.2" in told
    assert "no sentence of the specification is behind this Rule" in told
    assert "mine  3 of 5 MUST covered" in told


def test_a_sentence_is_claimed_anew(project: Project, trace: Traced) -> None:
    trace("--report", f"json={project.root / 'trace.json'}")
    links = read(project.root / "trace.json").specifications[0].links
    (link,) = [one for one in links if one.statements == ("shell/door.2",)]
    code, told = trace("accept", link.id, "--against", project.spec, "--statement", "door.1", "--reason", "it is one")
    assert (code, told.splitlines()[0]) == (0, f"{link.id}: claimed anew")
    assert "ORPHANED  shell/door.2" in trace()[1]


def test_a_specification_without_features_is_all_missing(project: Project, trace: Traced) -> None:
    other = project.spec.parent.parent / "garden" / "spec.md"
    other.parent.mkdir()
    other.write_text("## Requirements\n\n### Requirement: Roses\n\nRoses MUST be red.\n", "utf-8")
    code, told = trace("--against", project.root, "--fail-on", "gap")
    assert code == 1
    assert re.search(r"garden\n  .*spec.md: of 3 sentences 0 ok, 3 missing", told)
    assert "--fail-on gap: new in the specification and without a Rule: 1" in told


def test_a_scenario_that_was_not_collected_is_lost(project: Project, trace: Traced) -> None:
    results = project.results("all.json", made.record(made.all_passed()))
    project.feature("  @door.3", "    @derived\n    Scenario: It locks twice\n      Then it is so\n\n  @door.3")
    code, told = trace(results)
    assert code == 3
    assert "LOST  shell/door.2/it-locks-twice: not in the results of mine" in told
    assert "mine: 8 of 9 collected" in told


def test_results_of_another_version_of_the_suite_do_not_count_where_the_text_is_another(
    project: Project, trace: Traced
) -> None:
    results = project.results("all.json", made.record(made.all_passed()))
    project.feature("Then the door is locked", "Then the door is locked at once")
    code, told = trace(results, "--fail-on", "suspect")
    assert code == 1
    assert "1 verdict against an older text, shown and not counted" in told
    assert "mine: not-run, suspect" in told
    assert "mine  3 of 5 MUST covered, 3 of 5 passed" in told


@pytest.mark.parametrize("verdict", [Verdict.INCONCLUSIVE, Verdict.PASSED])
def test_a_rule_whose_scenario_checks_nothing_is_vacuous(project: Project, trace: Traced, verdict: Verdict) -> None:
    stuffed: dict[str, Verdict | ScenarioRecord] = {**made.all_passed(), made.LOCKS: silent(made.LOCKS, verdict)}
    results = project.results("stuffed.json", made.record(stuffed))
    code, told = trace(results, "--fail-on", "vacuous")
    assert code == 1
    assert "--fail-on vacuous: statements whose scenarios check nothing: 1" in told
    assert ", vacuous" in told
    assert "3 of 5 MUST covered" in told


def test_a_changed_rule_is_suspect_and_accepted_by_its_statement(project: Project, trace: Traced) -> None:
    trace("accept", "shell", "--reason", "first")
    project.feature("Rule: The door MUST lock", "Rule: The door MUST lock by itself")
    code, told = trace("--fail-on", "suspect")
    assert code == 1
    assert "SUSPECT  shell/door.2" in told
    assert "| The door MUST lock{+ by itself+}" in told
    code, told = trace("accept", "shell/door.2", "--reason", "as it was meant")
    assert (code, told.splitlines()[0]) == (0, "shell/door.2: rule")
    assert trace("--fail-on", "suspect")[0] == 0
    assert '"reason": "as it was meant"' in project.lock.read_text("utf-8")


def test_an_edit_is_accepted_by_the_id_that_was_shown(project: Project, trace: Traced) -> None:
    project.edit("MUST lock", "SHOULD lock")
    _, told = trace("--against", project.spec)
    found = re.search(r"SUSPECT  (\S+)", told)
    assert found
    assert trace("accept", found[1], "--against", project.spec, "--reason", "agreed")[0] == 0
    assert "13 ok" in trace("--against", project.spec, "--fail-on", "suspect")[1]


CHANGE = """## MODIFIED Requirements

### Requirement: Door

The door MUST open, also for a visitor. The door MUST lock by itself. The door SHOULD be quiet. The door MUST be made of
oak. The door MUST NOT stay shut.

#### Scenario: It opens for a visitor

- GIVEN a closed door
- WHEN a visitor knocks
- THEN the door is open

## REMOVED Requirements

### Requirement: Lock
"""


def test_a_change_that_is_not_applied_shows_what_it_would_make_stale(project: Project, trace: Traced) -> None:
    change = project.root / "openspec" / "changes" / "locks-itself"
    (change / "specs" / "shell").mkdir(parents=True)
    (change / "specs" / "shell" / "spec.md").write_text(CHANGE, "utf-8")
    results = project.results("all.json", made.record(made.all_passed()))
    code, told = trace(results, "--change", change, "--fail-on", "suspect")
    assert code == 1
    assert re.search(r"SUSPECT .*\n    Claimed by shell/door.2\n    \| The door MUST lock\{\+ by itself\+\}\.", told)
    assert re.search(r"ORPHANED .*\n    Claimed by shell/lock.1\n    \| The lock MUST hold\.", told)
    assert "of 13 sentences 10 ok, 1 suspect, the text moved, 2 orphaned, the text is gone" in told
    assert "mine  2 of 5 MUST covered" in told
    assert "not in order without this change" not in told
    project.edit("It is about a door", "It is all about a door")
    assert "not in order without this change: shell@" in trace("--change", change)[1]


def numbers(project: Project, trace: Traced) -> tuple[str, dict[str, Any], dict[str, Any], str]:
    """Give the console's text, the JSON, the data of the page and the Markdown of one trace."""
    mine = made.record({**made.all_passed(opens=Verdict.FAILED), made.LOCKS: silent(made.LOCKS, Verdict.INCONCLUSIVE)})
    other = made.record(made.all_passed(holds=Verdict.NOT_RUN), driver=EMBEDDED)
    results = [project.results("mine.json", mine), project.results("other.json", other)]
    project.edit("The door SHOULD be quiet", "The door MUST be quiet")
    out = {form: project.root / f"out.{form}" for form in ("json", "html", "markdown")}
    reports = [part for form, file in out.items() for part in ("--report", f"{form}={file}")]
    _, told = trace(*results, "--against", project.spec, *reports)
    page = re.search(r'<script type="application/json" id="data">(.*?)</script>', out["html"].read_text("utf-8"), re.S)
    assert page
    texts = {form: file.read_text("utf-8") for form, file in out.items()}
    return told, json.loads(texts["json"]), json.loads(page[1]), texts["markdown"]


def test_console_json_and_html_have_the_same_numbers(project: Project, trace: Traced) -> None:
    told, found, page, markdown = numbers(project, trace)
    assert [one["name"] for one in found["implementations"]] == ["mine", "reference"]
    for one, shown, verdicts in zip(
        found["implementations"], page["trace"]["implementations"], page["implementations"], strict=True
    ):
        for level in one["levels"]:
            covered = f"{level['covered']} of {level['of']} {level['level'].upper()} covered"
            passed = f"{level['passed']} of {level['of']}"
            words = f"{covered}, {passed} passed"
            assert words in told
            assert any(line.startswith(words) for line in shown["levels"])
            assert f"{passed} {level['level'].upper()}" in verdicts["levels"]
            assert words in markdown.replace("\\", "")
        gaps = ", ".join(f"{count} {name}" for name, count in one["gaps"].items())
        total = f"{sum(one['gaps'].values())} of {found['statements']} statements ({gaps})"
        assert f"not covered: {total}" in told
        assert shown["gaps"] == total
    assert {kind["name"]: len(kind["statements"]) for kind in page["gaps"]["kinds"]} == found["gaps"]
    assert page["gaps"]["of"] == found["statements"]
    states = found["specifications"][0]["states"]
    assert states == {"ok": 12, "suspect": 1, "orphaned": 0, "missing": 0}
    assert "of 13 sentences 12 ok, 1 suspect" in told
    assert "of 13 sentences 12 ok, 1 suspect" in page["trace"]["specifications"][0]["states"]
    assert [link["state"] for link in page["trace"]["specifications"][0]["links"]] == ["suspect"]
    assert page["trace"]["open"] == 1


def test_the_json_report_keeps_the_published_schema(project: Project, trace: Traced) -> None:
    _, found, _, _ = numbers(project, trace)
    published = json.loads((resources.SCHEMAS / "trace.schema.json").read_text("utf-8"))
    assert published == trace_record.schema()
    Draft202012Validator.check_schema(published)
    Draft202012Validator(published).validate(found)


def test_a_failure_is_covered_and_not_passed(project: Project, trace: Traced) -> None:
    results = project.results("all.json", made.record(made.all_passed(locks=Verdict.FAILED)))
    code, told = trace(results, "--min", "must=80")
    assert "4 of 5 MUST covered, 3 of 5 passed" in told
    assert (code, told.splitlines()[-1]) == (1, "--min must=80: mine passed 3 of 5 MUST statements that apply")


def test_none_of_none_is_not_enough(project: Project, trace: Traced) -> None:
    results = project.results("all.json", made.record(made.all_passed()))
    code, told = trace(results, "--min", "may=1")
    assert (code, told.splitlines()[-1]) == (1, "--min may=1: mine passed 0 of 0 MAY statements that apply")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--fail-on", "gaps"], "--fail-on: no gate is called 'gaps'; did you mean gap?"),
        (["--min", "must"], "--min 'must': write LEVEL=PERCENT"),
        (["--min", "must=101"], "--min 'must=101': write LEVEL=PERCENT"),
        (["--min", "must=90"], "give a results file too"),
        (["--report", "html=x.html"], "give a results file too"),
        (["--report", "junit=x.xml"], "unknown format 'junit'; known: json, html, markdown"),
        (["--against", "nowhere"], "--against nowhere: there is no such file or folder"),
        (["--change", "."], "--change .: there is no specs/<name>/spec.md in this folder"),
        (["--id", "door.9"], "no requirement, statement or scenario is called 'door.9'"),
        (["nowhere.json"], "nowhere.json: cannot be read"),
        (["accept", "door.1", "--reason", "x"], "no specification with a lock is called 'door.1'"),
        (["accept", "shell/door.1"], "Missing option '--reason'"),
        (["accept", "shell/door.1", "--reason", " "], "--reason: say why"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_said_in_one_message(
    trace: Traced, arguments: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, told = trace(*arguments)
    assert code == 2
    assert problem in told
    assert "Traceback" not in told


def test_a_broken_lock_or_feature_is_named(project: Project, trace: Traced) -> None:
    project.edit('{"lock": 1', '{"lock": 7', project.lock)
    code, told = trace()
    assert (code, "a lock of version 7; this specassay reads version 1" in told) == (2, True)
    project.edit('{"lock": 7', '{"lock": 1', project.lock)
    project.feature("Feature: Door", "Featur: Door")
    code, told = trace()
    assert code == 2
    assert "Traceback" not in told


def test_what_a_specification_says_reaches_the_terminal_as_plain_characters(project: Project, trace: Traced) -> None:
    project.edit("The lock MUST hold.", "The lock MUST hold.\x1b[31m It MUST \u202egnirts.")
    _, told = trace("--against", project.spec)
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "\\x1b[31m It MUST \\u202egnirts" in told
