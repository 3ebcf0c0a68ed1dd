"""Known failures: the file, and how they come out."""

from datetime import date
from pathlib import Path

import pytest

from specassay.errors import Exit, UsageError
from specassay.results.collect import Terms
from specassay.results.expectations import KnownFailure, load
from specassay.results.model import Expectation, ImplementationRecord, Verdict
from tests.results import made

FAILED, PASSED, INCONCLUSIVE = Verdict.FAILED, Verdict.PASSED, Verdict.INCONCLUSIVE

WRONG = {
    "syntax": ('[[expect]]\nid = "shell/door.1\n', "is not TOML: "),
    "unknown id": (
        '[[expect]]\nid = "shell/dor.1"\nreason = "r"\n',
        "entry 1 (shell/dor.1): no statement or scenario has this id; did you mean shell/door.1",
    ),
    "unclear id": (
        '[[expect]]\nid = "door.1"\nreason = "r"\n',
        "entry 1 (door.1): this id is not clear: it may be other/door.1 or shell/door.1",
    ),
    "requirement": ('[[expect]]\nid = "shell/door"\nreason = "r"\n', "no statement or scenario has this id"),
    "duplicate": (
        '[[expect]]\nid = "shell/door.1"\nreason = "r"\n[[expect]]\nid = "shell/door.1"\nreason = "s"\n',
        "entry 2 (shell/door.1): is a duplicate of entry 1; keep one of them",
    ),
    "duplicate for one implementation": (
        '[[expect]]\nid = "shell/door.1"\nreason = "r"\n'
        '[[expect]]\nid = "shell/door.1"\nreason = "s"\nimplementation = "mine"\n',
        "entry 2 (shell/door.1): is a duplicate of entry 1",
    ),
    "no reason": ('[[expect]]\nid = "shell/door.1"\n', "entry 1 (shell/door.1): reason is missing"),
    "empty reason": ('[[expect]]\nid = "shell/door.1"\nreason = " "\n', "entry 1 (shell/door.1): reason is empty"),
    "no id": ('[[expect]]\nreason = "r"\n', "entry 1: id is missing"),
    "unknown key": (
        '[[expect]]\nid = "shell/door.1"\nresaon = "r"\nreason = "r"\n',
        "entry 1 (shell/door.1): unknown key 'resaon'; did you mean reason?",
    ),
    "unknown table": ('[[expected]]\nid = "x"\n', "unknown key 'expected'; known failures are [[expect]] tables"),
    "no list": ('expect = "shell/door.1"\n', "expect is not a list of tables"),
    "wrong type": ('[[expect]]\nid = 7\nreason = "r"\n', "entry 1: id: input should be a valid string"),
    "no date": (
        '[[expect]]\nid = "shell/door.1"\nreason = "r"\nexpires = "soon"\n',
        "entry 1 (shell/door.1): expires: input should be a valid date",
    ),
    "unknown implementation": (
        '[[expect]]\nid = "shell/door.1"\nreason = "r"\nimplementation = "mime"\n',
        "no implementation of this run is called 'mime'; did you mean mine?",
    ),
    "by inspection": ('[[expect]]\nid = "shell/door.4"\nreason = "r"\n', "this statement has no scenario of its own"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_file_is_told_with_its_name_and_entry(tmp_path: Path, fault: str) -> None:
    content, message = WRONG[fault]
    file = tmp_path / "known.toml"
    file.write_text(content)
    with pytest.raises(UsageError) as error:
        load(file, made.TOY, ["mine"])
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)


def test_a_syntax_error_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text('[[expect]]\nid = "a"\nreason = \n')
    with pytest.raises(UsageError, match="line 3"):
        load(file, made.TOY, ["mine"])


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "known.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match=r"known\.toml: (cannot be read: No such file|is not UTF-8 text)"):
        load(file, made.TOY, ["mine"])


def test_a_whole_entry_is_read(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text(
        f'[[expect]]\nid = "{made.OPENS}"\nreason = "ticket 17"\nimplementation = "mine"\n'
        'expires = 2027-03-01\nmessage = "shut"\n[[expect]]\nid = "shell/door.2"\nreason = "r"\n'
    )
    first, second = load(file, made.TOY, ["mine"])
    assert first == KnownFailure(
        id=made.OPENS, reason="ticket 17", implementation="mine", expires=date(2027, 3, 1), message="shut"
    )
    assert second == KnownFailure(id="shell/door.2", reason="r")


def test_an_id_may_stand_without_its_specification(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text('[[expect]]\nid = "door.2"\nreason = "r"\n')
    assert load(file, made.TOY, []) == (KnownFailure(id="shell/door.2", reason="r"),)


def test_one_id_may_be_expected_of_two_implementations(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    entry = '[[expect]]\nid = "shell/door.1"\nreason = "r"\nimplementation = "{}"\n'
    file.write_text(entry.format("mine") + entry.format("yours"))
    assert len(load(file, made.TOY, ["mine", "yours"])) == 2


def run(known: KnownFailure, **but: Verdict) -> ImplementationRecord:
    """Give the record of a run in which everything passed but what is named."""
    return made.record(made.all_passed(**but), terms=Terms(known=(known,), today=made.TODAY))


def outcome(found: ImplementationRecord) -> Expectation:
    """Give the one expectation of a record."""
    (one,) = found.expectations
    return one


def known(id: str = "shell/door.2", **fields: object) -> KnownFailure:  # noqa: A002
    """Make a known failure."""
    return KnownFailure.model_validate({"id": id, "reason": "ticket 17", **fields})


@pytest.mark.parametrize("name", ["shell/door.2", made.LOCKS])
def test_an_expected_failure_does_not_fail_the_run(name: str) -> None:
    found = run(known(name), locks=FAILED)
    assert outcome(found).outcome == "failed as expected"
    assert found.exit == Exit.CONFORMS


def test_a_failure_that_is_not_expected_still_fails_the_run() -> None:
    assert run(known(), locks=FAILED, opens=FAILED).exit == Exit.NONCONFORMING


def test_an_unexpected_pass_fails_the_run() -> None:
    found = run(known())
    assert outcome(found).outcome == "passed unexpectedly"
    assert found.exit == Exit.NONCONFORMING
    assert found.conclusion == "mine does not conform: 1 expectation did not come out as written"


def test_one_failure_below_a_statement_is_enough_for_it() -> None:
    assert outcome(run(known("shell/door.1"), for_bob=FAILED)).outcome == "failed as expected"


def test_a_changed_message_fails_the_run() -> None:
    assert outcome(run(known(message="it failed"), locks=FAILED)).outcome == "failed as expected"
    found = run(known(message="it exploded"), locks=FAILED)
    assert outcome(found).outcome == "failed otherwise"
    assert outcome(found).detail == "it failed; it should contain: it exploded"
    assert found.exit == Exit.NONCONFORMING


@pytest.mark.parametrize(("day", "expired"), [(date(2027, 1, 16), False), (made.TODAY, True)])
def test_an_entry_expires_on_its_day(day: date, expired: bool) -> None:
    found = run(known(expires=day), locks=FAILED)
    assert outcome(found).outcome == ("expired" if expired else "failed as expected")
    assert found.exit == (Exit.NONCONFORMING if expired else Exit.CONFORMS)


def test_inconclusive_cannot_be_expected() -> None:
    found = run(known(), locks=INCONCLUSIVE)
    assert outcome(found).outcome == "not compared"
    assert found.exit == Exit.INCONCLUSIVE


def test_what_is_not_selected_is_not_compared() -> None:
    found = made.record(
        {made.OPENS: PASSED}, selected=[made.OPENS], terms=Terms(known=(known(expires=made.TODAY),), today=made.TODAY)
    )
    assert (outcome(found).outcome, outcome(found).detail) == ("not compared", "not selected")
    assert found.exit == Exit.CONFORMS


def test_what_is_not_applicable_is_not_compared() -> None:
    verdicts = {made.OPENS: PASSED, made.FOR_ANN: PASSED, made.FOR_BOB: PASSED}
    found = made.record(
        verdicts, statement=made.declared(surfaces=("door",)), terms=Terms(known=(known(),), today=made.TODAY)
    )
    assert outcome(found).outcome == "not compared"
    assert outcome(found).detail == "inapplicable: not declared: lock"


def test_an_expectation_of_another_implementation_is_left_out() -> None:
    assert run(known(implementation="yours"), locks=FAILED).expectations == ()
