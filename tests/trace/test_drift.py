"""What an edit of a specification does to its links: each of forty has the state that it should have, and no other."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specassay.trace.drift import compare
from specassay.trace.record import Link, State
from tests.trace import edits, samples
from tests.trace.edits import EDITS, Edit


def changed(text: str) -> list[Link]:
    """Give the links that are not plainly ok."""
    return [one for one in compare(edits.lock(), edits.entries(text)) if one.state is not State.OK or one.change]


def first_line(link: Link) -> str:
    return (link.accepted or link.now[0]).partition("\n")[0]


def test_there_are_forty_edits_of_every_sort() -> None:
    assert len(EDITS) >= 40
    assert {state for one in EDITS for _, state, _ in one.expected} == {"ok", "suspect", "orphaned", "missing"}
    assert {"strength", "split", "merged", "renamed", "lead"} <= {
        change for one in EDITS for _, _, change in one.expected
    }


def test_the_text_as_it_was_accepted_is_in_order() -> None:
    assert changed(edits.TEXT) == []
    assert len(compare(edits.lock(), edits.entries())) == len(edits.entries())


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_has_the_states_that_it_should_have_and_no_others(edit: Edit) -> None:
    found = changed(edit.made())
    told = [(first_line(link), link.state.value, link.change) for link in found]
    assert len(found) == len(edit.expected), told
    for (text, state, change), link in zip(edit.expected, found, strict=True):
        assert (first_line(link)[: len(text)], link.state.value, link.change) == (text, state, change)


@pytest.mark.parametrize(
    "edit",
    [one for one in EDITS if any(state == "suspect" for _, state, _ in one.expected)],
    ids=lambda edit: edit.name,
)
def test_a_suspect_shows_both_texts_word_by_word(edit: Edit) -> None:
    for link in changed(edit.made()):
        if link.change in ("lead", "moved"):
            assert link.note
            continue
        old = "".join(text for kind, text in link.difference if kind != "new")
        new = "".join(text for kind, text in link.difference if kind != "gone")
        assert link.accepted is not None
        assert link.accepted in old
        assert [word for text in link.now for word in text.split()] == new.split()
        assert {kind for kind, _ in link.difference} & {"gone", "new"}


def of(name: str) -> list[Link]:
    return changed(next(one for one in EDITS if one.name == name).made())


def test_the_strength_is_named() -> None:
    assert of("MUST to SHOULD")[0].note == "2 MUST became SHOULD, MUST"
    assert of("negated")[0].note == "MUST became MUST NOT"
    assert of("MUST to must")[0].note == "MUST became no modal verb"


def test_a_rename_says_what_it_is_called_now() -> None:
    assert of("a requirement")[0].note == "called “Late books” now"
    assert of("a scenario")[0].note == "called “Too late” now"
    assert of("a scenario, with other steps")[0].note == "perhaps renamed: “A late book”"


def test_a_split_has_all_its_parts_and_a_merge_all_that_it_was() -> None:
    assert len(of("one sentence into three")[0].now) == 3
    one, other = of("two sentences into one")
    assert one.also == (other.id,)
    assert other.also == (one.id,)
    assert one.now == other.now


def test_a_new_sentence_that_demands_nothing_says_so() -> None:
    assert [link.demands for link in of("a remark that is new")] == [False]
    assert [link.demands for link in of("a demand that is new")] == [True]
    assert [link.demands for link in of("a scenario that is new")] == [True]


def test_a_text_that_was_rewritten_beyond_likeness_is_proposed() -> None:
    text = edits.TEXT.replace("The library MUST tell the reader.", "Every fine MUST be told to the one who owes it.")
    states = {link.state for link in changed(text)}
    assert states <= {State.SUSPECT, State.ORPHANED, State.MISSING}
    assert states


def test_the_same_sentence_twice_is_two_links() -> None:
    twice = edits.TEXT.replace("The library MUST tell the reader.", "It MUST tell. It MUST tell.")
    lock = edits.lock(twice)
    ids = [one.id for one in compare(lock, edits.entries(twice))]
    assert len(set(ids)) == len(ids)
    once = compare(lock, edits.entries(twice.replace("It MUST tell. It MUST tell.", "It MUST tell.")))
    assert [one.state for one in once if one.state is not State.OK] == [State.ORPHANED]


SENTENCES = st.lists(
    st.sampled_from(["A MUST be b.", "C SHOULD be d.", "E is f and g.", "H MUST NOT be i or j or k."]), max_size=6
)


@given(SENTENCES, SENTENCES)
@settings(max_examples=60, deadline=None)
def test_every_sentence_of_both_sides_is_in_exactly_one_link(old: list[str], new: list[str]) -> None:
    def text(sentences: list[str]) -> str:
        return f"## Requirements\n### Requirement: It\n{' '.join(sentences)}\n#### Scenario: S\n- THEN x\n"

    lock, entries = edits.lock(text(old)), edits.entries(text(new))
    links = compare(lock, entries)
    assert [one.accepted for one in links if one.accepted] == [one.text for one in lock.sentences]
    now = [words for one in links for words in (one.now if one.change != "merged" else ())]
    now += {words for one in links for words in one.now if one.change == "merged"}
    merged = sum(1 for one in links if one.change == "merged")
    assert merged or sorted(now) == sorted(one.text for one in entries)


@pytest.mark.parametrize("name", samples.NAMES)
def test_a_text_of_any_form_is_in_order_with_itself_and_misses_just_what_is_dropped(name: str) -> None:
    entries = edits.entries(samples.text(name))
    lock = edits.lock(samples.text(name))
    assert [one for one in compare(lock, entries) if one.state is not State.OK or one.change] == []
    for at, entry in enumerate(entries):
        if entry.shape == "heading":
            continue
        rest = [replace(one, lead=None) for one in (*entries[:at], *entries[at + 1 :])]
        found = [link for link in compare(lock, rest) if link.state is not State.OK]
        assert [link.state for link in found] == [State.ORPHANED], entry.text
        assert found[0].accepted == entry.text
