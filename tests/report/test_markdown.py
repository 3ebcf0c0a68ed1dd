"""The Markdown report."""

import re

import click

from specassay.report import console, markdown
from specassay.results.collect import Terms, Told, implementation
from specassay.results.drivers import EMBEDDED
from specassay.results.events import StartFailed
from specassay.results.model import Results, Verdict
from tests.report import big, hostile
from tests.results import made


def _text(rendered: str) -> str:
    """Take the escapes away, as a reader of Markdown does."""
    return re.sub(r"\\([\\`*_{}\[\]()#+\-.!|~>$:])", r"\1", rendered).replace("&lt;", "<").replace("&amp;", "&")


def _two(**but: Verdict) -> Results:
    return made.results(made.record(made.all_passed(), driver=EMBEDDED), made.record(made.all_passed(**but)))


def test_the_outcome_comes_first_and_is_the_console_s() -> None:
    results = _two(opens=Verdict.FAILED, squeak=Verdict.FAILED)
    told = _text(markdown.render(results))
    printed = click.unstyle(console.render(results))
    assert told.startswith(f"### ✅ {results.implementations[0].conclusion}\n")
    assert f"### ❌ {results.implementations[1].conclusion}\n" in told
    totals = re.findall(r"^\d+ scenarios, .*$", printed, re.MULTILINE)
    assert len(totals) == 2
    assert all(line in told for line in totals)


def test_the_table_has_a_row_for_each_requirement_that_did_not_pass_everywhere() -> None:
    told = _text(markdown.render(_two(opens=Verdict.FAILED)))
    rows = [line for line in told.splitlines() if line.startswith("|")]
    assert rows == [
        "| Requirement | `reference` | `mine` |",
        "| --- | --- | --- |",
        "| Door `shell/door` | ✅ passed<br>3 of 4 MUST statements passed, 1 by inspection "
        "| ❌ failed<br>1 of 4 MUST statements passed, 2 failed, 1 by inspection |",
    ]
    assert "2 of 3 requirements passed by every implementation." in told


def test_a_failure_is_folded_with_what_was_expected_and_how_to_run_it_again() -> None:
    told = markdown.render(_two(opens=Verdict.FAILED))
    (details,) = re.findall(r"<details>.*?</details>", told, re.DOTALL)
    assert details.startswith("<details><summary>❌ mine: It opens</summary>")
    assert 'expected  "open"\nactual    "shut"' in details
    assert "specassay run --driver 'mine=node driver.mjs' --id shell/door.1/it-opens" in details


def test_advice_is_short() -> None:
    told = markdown.render(_two(squeak=Verdict.FAILED))
    assert "Advice for mine: 1 of 2 recommended scenarios did not pass; this decides nothing" in told
    assert told.count("<details>") == 1


def test_a_driver_that_did_not_start_is_told() -> None:
    record = implementation(made.suite(), made.DRIVER, Told(events=[StartFailed(message="no such `file`")]), Terms())
    told = markdown.render(made.results(record))
    assert "The driver did not start:\n\n```text\nno such `file`\n```" in told


def test_gaps_are_counted() -> None:
    assert "Not covered, of 7 statements: 1 by inspection." in markdown.render(_two())


def test_hostile_text_stays_text() -> None:
    told = markdown.render(hostile.results())
    outside = re.sub(r"(`{3,})text\n.*?\n\1(?=\n|$)", "", told, flags=re.DOTALL)
    outside = re.sub(r"\\.", "", outside)
    outside = re.sub(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", outside)
    assert set(re.findall(r"</?(\w+)", outside)) <= {"details", "summary", "sub", "br"}
    assert "<!--" not in outside
    assert "@everyone" not in outside
    assert "](" not in outside
    assert not set("\u202e\x1b\x00") & set(told)
    rows = [line for line in told.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3}


def test_a_fence_is_longer_than_any_in_its_text() -> None:
    played = made.played(made.OPENS, Verdict.INCONCLUSIVE, "```\n<script>\n````")
    told = markdown.render(made.results(made.record({**made.all_passed(), made.OPENS: played})))
    assert "`````text\n```\\n<script>\\n````\n`````" in told


def test_a_comment_fits_and_counts_what_it_leaves_out() -> None:
    told = markdown.render(big.results(5000))
    assert len(told) < 65_536
    left = re.search(r"And (\d+) more, which the JSON and HTML reports tell", told)
    assert left is not None
    assert told.count("<details>") + int(left[1]) == 100
    assert told.rstrip().endswith("</sub>")
