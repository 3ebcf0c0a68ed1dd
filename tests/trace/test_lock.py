"""The locks: every sentence of a specification is accounted for, and every statement of its features has a sentence."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from specassay import catalogue, resources
from specassay.catalogue import Statement
from specassay.cli import explain
from specassay.errors import UsageError
from specassay.trace.fingerprint import fingerprint
from specassay.trace.inventory import scenario_names
from specassay.trace.lock import NAME, Kind, Lock, load, locks, text_of

CLAIMED = {Kind.DEMAND, Kind.SCENARIO, Kind.RESTATEMENT}
STATEMENTS = {entry.id: entry for entry in catalogue.load().statements()}

each_lock = pytest.mark.parametrize("lock", locks(), ids=lambda lock: lock.specification)


def claims(lock: Lock, *kinds: Kind) -> Iterator[tuple[str, list[Statement]]]:
    """Give each sentence of these kinds, with the statements that claim it."""
    for sentence in lock.sentences:
        if sentence.kind in kinds:
            yield sentence.text, [STATEMENTS[f"{lock.specification}/{name}"] for name in sentence.statements]


def test_there_is_a_lock_where_the_sources_were_read() -> None:
    assert {lock.specification for lock in locks()} >= {
        "agent-context-bridge",
        "agent-session-shell",
        "provider-tool-transcript",
    }


@each_lock
def test_a_fingerprint_is_that_of_its_text(lock: Lock) -> None:
    assert [one.text for one in lock.sentences if fingerprint(one.text) != one.fingerprint] == []


@each_lock
def test_the_sentences_follow_the_source(lock: Lock) -> None:
    assert all(first <= last for first, last in (one.lines for one in lock.sentences))
    # several sentences of one paragraph share its lines
    for one, other in pairwise(lock.sentences):
        assert one.lines == other.lines or one.lines[1] < other.lines[0], other.text


@each_lock
def test_a_sentence_is_claimed_or_has_a_reason(lock: Lock) -> None:
    for one in lock.sentences:
        assert bool(one.statements) is (one.kind in CLAIMED), one.text
        assert one.reason or one.kind in (Kind.DEMAND, Kind.SCENARIO, Kind.HEADING), one.text


@each_lock
def test_what_claims_a_sentence_is_in_the_features(lock: Lock) -> None:
    names = {name for one in lock.sentences for name in one.statements}
    assert {name for name in names if f"{lock.specification}/{name}" not in STATEMENTS} == set()


@each_lock
def test_every_statement_claims_a_sentence(lock: Lock) -> None:
    ours = [one for one in STATEMENTS.values() if one.id.startswith(f"{lock.specification}/")]
    assert [one.id for one in ours if one.level != "advice" and not lock.of(one.id)] == []


@each_lock
def test_a_restatement_is_what_statements_say_that_only_restate(lock: Lock) -> None:
    for text, statements in claims(lock, Kind.RESTATEMENT):
        assert all(one.restates for one in statements), text
    for text, statements in claims(lock, Kind.DEMAND):
        assert not all(one.restates for one in statements), text


@each_lock
def test_a_scenario_of_the_source_is_transcribed(lock: Lock) -> None:
    for text, statements in claims(lock, Kind.SCENARIO):
        title = catalogue.slug(text.splitlines()[0].removeprefix("Scenario:"))
        scenarios = [scenario for one in statements for scenario in one.scenarios if scenario.kind == "transcribed"]
        assert title in {catalogue.slug(scenario.title) for scenario in scenarios}, text


@each_lock
def test_a_lock_holds_every_rule_and_scenario_as_it_is(lock: Lock) -> None:
    ours = [one for one in STATEMENTS.values() if one.id.startswith(f"{lock.specification}/")]
    found = {one.id.partition("/")[2]: one for one in ours if not one.id.endswith("/robustness")}
    hint = f"specassay trace accept {lock.specification} --reason …, or one statement's id, where something moved"
    assert {one.statement: one.text for one in lock.rules} == {name: one.sentence for name, one in found.items()}, hint
    for rule in lock.rules:
        assert sorted(rule.scenarios) == sorted(scenario_names(found[rule.statement])), hint
        assert rule.fingerprint == fingerprint(rule.text)


@each_lock
def test_a_lock_is_written_as_specassay_writes_it(lock: Lock) -> None:
    assert (resources.FEATURES / lock.specification / NAME).read_text("utf-8") == text_of(lock)


HEAD = {"lock": 1, "specification": "mine", "source": "mine.md"}
SENTENCE = {
    "lines": [1, 1],
    "kind": "process",
    "reason": "a way of working",
    "text": "Work.",
    "fingerprint": fingerprint("Work."),
}


def written(folder: Path, *lines: object) -> Lock | None:
    (folder / "mine").mkdir()
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    (folder / "mine" / NAME).write_text(text, "utf-8")
    return load("mine", folder)


def test_a_lock_is_read(tmp_path: Path) -> None:
    lock = written(tmp_path, HEAD, SENTENCE | {"kind": "demand", "statements": ["one.1"]})
    assert lock is not None
    assert [one.text for one in lock.of("mine/one.1")] == ["Work."]
    assert lock.of("mine/one.2") == lock.of("other/one.1") == ()


def test_a_specification_without_a_lock_has_none(tmp_path: Path) -> None:
    assert load("mine", tmp_path) is None


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), ":1: the line: Input should be a valid dictionary"),
        (("{",), ":1: this is no JSON"),
        ((HEAD | {"lock": 2},), ":1: a lock of version 2; this specassay reads version 1"),
        ((HEAD, SENTENCE | {"kind": "wish"}), ":2: kind: Input should be 'demand'"),
        ((HEAD, SENTENCE, SENTENCE | {"lines": [0, 1]}), ":3: lines.0: Input should be greater than or equal to 1"),
        ((HEAD, SENTENCE | {"fingerprint": "x"}), ":2: fingerprint: String should match"),
    ],
    ids=["empty", "no JSON", "another version", "an unknown kind", "no line", "no fingerprint"],
)
def test_a_broken_lock_is_named_by_file_and_line(tmp_path: Path, lines: tuple[object, ...], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        written(tmp_path, *lines)
    assert str(raised.value).startswith(f"{tmp_path / 'mine' / NAME}{message}")


def explained(name: str) -> str:
    result = CliRunner().invoke(explain.command, [name])
    assert result.exit_code == 0, result.output
    return result.output


def test_explain_shows_the_sentence_of_a_statement() -> None:
    sentence = "Reject orphaned, mismatched, duplicate, or incomplete tool transcripts before network I/O."
    assert f"In plan.md, line 21:\n    {sentence}\n" in explained("provider-tool-transcript/scope.7")


def test_explain_shows_a_sentence_by_the_id_that_a_trace_gives_it() -> None:
    assert explained("agent-session-shell@feeb5a77") == (
        "In spec.md of agent-session-shell, line 66, restatement:\n"
        "    The loop MUST NOT exceed the max iteration guard.\n"
        "  Claimed by agent-session-shell/orchestrator-shell.12\n"
        "  says again what is tested under max-iteration-guard.1\n"
    )
    result = CliRunner().invoke(explain.command, ["agent-session-shell@00000000"])
    assert isinstance(result.exception, UsageError)


def test_explain_lists_what_is_process_and_what_is_said_again() -> None:
    output = explained("provider-tool-transcript")
    again, _, process = output.partition("About the work")
    assert (
        "line 19: Add structured assistant tool_calls to the internal ChatMessage model.\n    scope.1: says again"
        in again
    )
    assert "line 96: uv run pytest\n    a command to run\n" in process
    assert "75 sentences: 20 with a demand, 14 said again, 25 about the work" in output
