"""Merging results: shards, implementations side by side, and verdicts against an older text."""

from collections.abc import Iterable
from datetime import timedelta

import pytest

from specassay.errors import UsageError
from specassay.results.collect import Terms
from specassay.results.drivers import EMBEDDED
from specassay.results.expectations import KnownFailure
from specassay.results.merge import Part, merge
from specassay.results.model import Results, Suite, Verdict
from tests.results import made

FIRST, SECOND = made.ALL[:4], made.ALL[4:]


def _shard(selected: Iterable[str], **but: Verdict) -> Results:
    ids = tuple(selected)
    verdicts = {id_: verdict for id_, verdict in made.all_passed(**but).items() if id_ in ids}
    return made.results(made.record(verdicts, selected=ids), selected=ids)


def _side_by_side(**but: Verdict) -> Results:
    return made.results(made.record(made.all_passed(**but), driver=EMBEDDED))


def _changed(results: Results, old: str, new: str) -> Results:
    """Make results of a newer suite, in which a text is another, a day later."""
    text = results.suite.model_dump_json().replace(old, new)
    suite = Suite.model_validate_json(text).model_copy(update={"digest": "0" * 64})
    assert suite != results.suite.model_copy(update={"digest": "0" * 64})
    return results.model_copy(update={"suite": suite, "started_at": results.started_at + timedelta(days=1)})


def test_shards_make_the_run_that_was_cut() -> None:
    merged = merge([Part("a", _shard(FIRST)), Part("b", _shard(SECOND))])
    whole = made.results(made.record(made.all_passed()))
    assert merged.results.implementations == whole.implementations
    assert merged.results.suite == whole.suite
    assert merged.results.settings == whole.settings
    assert merged.results.exit == 0
    assert merged.notes == ()


def test_the_order_of_shards_does_not_matter() -> None:
    parts = [Part("a", _shard(FIRST, opens=Verdict.FAILED)), Part("b", _shard(SECOND))]
    there, back = merge(parts), merge(parts[::-1])
    assert there.results == back.results
    assert there.results.exit == 1


def test_what_no_shard_ran_stays_open() -> None:
    merged = merge([Part("a", _shard(FIRST)), Part("b", _shard(SECOND[:-1]))])
    (record,) = merged.results.implementations
    assert {one.id: one.reason for one in record.scenarios if one.verdict is Verdict.NOT_RUN} == {
        SECOND[-1]: "not selected"
    }
    assert merged.results.settings.selected == len(made.ALL) - 1


def test_what_ran_twice_with_one_verdict_is_named() -> None:
    merged = merge([Part("a", _shard(made.ALL[:5])), Part("b", _shard(made.ALL[4:]))])
    (note,) = merged.notes
    assert note == f"mine: run more than once with the same verdict, the last one is kept: {made.ALL[4]}"


def test_contradicting_shards_are_refused_by_name() -> None:
    with pytest.raises(UsageError) as error:
        merge([Part("a.json", _shard(made.ALL, opens=Verdict.FAILED)), Part("b.json", _shard([made.OPENS]))])
    assert str(error.value) == (
        f"'mine' has contradicting verdicts: {made.OPENS} (failed in a.json, passed in b.json); "
        "run these again, or leave one file out"
    )


def test_shards_of_different_suites_are_refused() -> None:
    other = _changed(_shard(SECOND), "the door is open", "the door is ajar")
    with pytest.raises(UsageError, match=r"a and b hold 'mine', run with different suite \(\w{12} and 000000000000\)"):
        merge([Part("a", _shard(FIRST)), Part("b", other)])


def test_shards_of_different_versions_of_an_implementation_are_refused() -> None:
    newer = made.declared().model_copy(update={"version": "3.0"})
    verdicts = dict.fromkeys(SECOND, Verdict.PASSED)
    other = made.results(made.record(verdicts, statement=newer, selected=SECOND), selected=SECOND)
    with pytest.raises(UsageError, match=r"different conformance statements \(my-door 2\.1 and my-door 3\.0\)"):
        merge([Part("a", _shard(FIRST)), Part("b", other)])


def test_strict_and_lenient_results_are_refused() -> None:
    strict = made.results(made.record(made.all_passed(), driver=EMBEDDED), strict=True)
    with pytest.raises(UsageError, match="b was run with --strict and a was not"):
        merge([Part("a", _shard(made.ALL)), Part("b", strict)])


def test_results_of_other_specifications_are_refused() -> None:
    foreign = _changed(_side_by_side(), '"shell/', '"castle/')
    foreign = _changed(foreign, '"other/', '"keep/')
    with pytest.raises(UsageError, match="a and b have no specification in common"):
        merge([Part("a", _shard(made.ALL)), Part("b", foreign)])


def test_implementations_stand_side_by_side() -> None:
    merged = merge([Part("a", _side_by_side()), Part("b", _shard(made.ALL, locks=Verdict.FAILED))])
    assert [(record.name, record.exit) for record in merged.results.implementations] == [("reference", 0), ("mine", 1)]
    assert merged.results.exit == 1


def test_a_verdict_against_an_older_text_is_kept_aside_and_does_not_count() -> None:
    newer = _changed(_side_by_side(), "it is pushed", "it is pulled")
    merged = merge([Part("old.json", _shard(made.ALL)), Part("new.json", newer)])
    mine, reference = merged.results.implementations
    opens = next(one for one in mine.scenarios if one.id == made.OPENS)
    assert (opens.verdict, opens.earlier) == (Verdict.NOT_RUN, Verdict.PASSED)
    assert opens.reason == "passed against an older text of the scenario"
    assert opens.steps
    assert [one.earlier for one in mine.scenarios].count(None) == len(made.ALL) - 1
    assert mine.verdicts["shell/door.1"] is Verdict.NOT_RUN
    assert (mine.suite, reference.suite) == (made.suite().digest, None)
    assert (mine.exit, reference.exit) == (3, 0)
    assert "1 verdict against an older text, shown and not counted" in merged.notes[0]


def test_a_reworded_statement_ages_every_scenario_under_it() -> None:
    newer = _changed(_side_by_side(), "The door MUST open", "The door MUST open wide")
    mine = merge([Part("a", _shard(made.ALL)), Part("b", newer)]).results.implementations[0]
    assert {one.id for one in mine.scenarios if one.earlier} == {made.OPENS, made.FOR_ANN, made.FOR_BOB}


def test_a_change_of_white_space_ages_nothing() -> None:
    newer = _changed(_side_by_side(), "The door MUST open", "The  door MUST open ")
    mine = merge([Part("a", _shard(made.ALL)), Part("b", newer)]).results.implementations[0]
    assert [one.earlier for one in mine.scenarios] == [None] * len(made.ALL)
    assert mine.exit == 0


def test_a_scenario_that_is_newer_than_the_results_is_not_run() -> None:
    newer = _changed(_side_by_side(), "shell/door.2/it-locks", "shell/door.2/it-locks-well")
    records = tuple(
        one.model_copy(update={"id": one.id.replace("it-locks", "it-locks-well")})
        for one in newer.implementations[0].scenarios
    )
    reference = newer.implementations[0].model_copy(update={"scenarios": records})
    newer = newer.model_copy(update={"implementations": (reference,)})
    mine = merge([Part("a", _shard(made.ALL)), Part("b", newer)]).results.implementations[0]
    fresh = next(one for one in mine.scenarios if one.id.endswith("it-locks-well"))
    assert (fresh.verdict, fresh.reason) == (Verdict.NOT_RUN, "the suite that it was run with does not have it")


def test_an_expected_failure_counts_wherever_its_shard_ran() -> None:
    terms = Terms(known=(KnownFailure(id=made.LOCKS, reason="ticket 7"),), today=made.TODAY)
    parts = []
    for name, selected in (("a", FIRST), ("b", SECOND)):
        verdicts = {id_: v for id_, v in made.all_passed(locks=Verdict.FAILED).items() if id_ in selected}
        record = made.record(verdicts, terms=terms, selected=selected)
        parts.append(Part(name, made.results(record, selected=selected)))
    merged = merge(parts).results
    assert [one.outcome for one in merged.implementations[0].expectations] == ["failed as expected"]
    assert merged.exit == 0
