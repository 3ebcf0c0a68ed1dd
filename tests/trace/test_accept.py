"""Accepting: one thing at a time, with its reason, and nothing else of a lock changes."""

from datetime import date
from pathlib import Path

import pytest

from specassay import catalogue
from specassay.catalogue import Specification
from specassay.errors import UsageError
from specassay.trace.accept import Accepted, Wish, accept
from specassay.trace.drift import compare
from specassay.trace.lock import Kind, Lock, load, save, text_of
from specassay.trace.record import Link, State
from tests.trace import edits
from tests.trace.edits import EDITS

TODAY = date(2027, 1, 15)
FEATURE = """
Feature: Library
  @library.{n}
  Rule: A statement of the library, {n}

    @derived
    Scenario: It is so {n}
      Then it is so
"""


def features(folder: Path) -> Specification:
    """Write a feature with a Rule for each statement of the lock."""
    names = [name for one in edits.lock().sentences for name in one.statements]
    rules = [FEATURE.split("Feature: Library\n")[1].format(n=name.rpartition(".")[2]) for name in names]
    (folder / "library").mkdir()
    (folder / "library" / "library.feature").write_text("Feature: Library\n" + "".join(rules), "utf-8")
    return catalogue.load(folder).specifications[0]


@pytest.fixture
def library(tmp_path: Path) -> Specification:
    return features(tmp_path)


def open_links(lock: Lock, text: str) -> list[Link]:
    return [one for one in compare(lock, edits.entries(text)) if one.state is not State.OK or one.change]


def accepted(
    library: Specification, lock: Lock, text: str, id_: str, kind: Kind | None = None, *names: str
) -> Accepted:
    return accept(lock, library, edits.entries(text), Wish(id_, "it was decided", TODAY, kind, names))


@pytest.mark.parametrize("edit", [one for one in EDITS if one.expected], ids=lambda edit: edit.name)
def test_what_was_accepted_is_in_order_afterwards(library: Specification, edit: edits.Edit) -> None:
    lock, text = edits.lock(), edit.made()
    for _ in range(len(edit.expected)):
        links = [one for one in open_links(lock, text) if one.change != "lead"]
        if not links:
            break
        link = links[0]
        new = link.state is State.MISSING and link.shape != "heading"
        kind = Kind.INFORMATIVE if new and not link.demands else None
        lock = accepted(library, lock, text, link.id, kind, *(["library.7"] if new and link.demands else [])).lock
    assert open_links(lock, text) == []
    assert [one.text for one in lock.sentences] == [one.text for one in edits.entries(text)]
    assert [one.lines for one in lock.sentences] == [one.lines for one in edits.entries(text)]


def edited(name: str) -> str:
    return next(one for one in EDITS if one.name == name).made()


def test_the_reason_and_the_date_are_kept_and_nothing_else_changes(library: Specification) -> None:
    before, text = edits.lock(), edited("another number")
    (link,) = open_links(before, text)
    done = accepted(library, before, text, link.id)
    assert done.told == (f"{link.id}: reworded",)
    changed = [(old, new) for old, new in zip(before.sentences, done.lock.sentences, strict=True) if old != new]
    ((old, new),) = changed
    assert new.accepted is not None
    assert (new.accepted.on, new.accepted.reason) == (TODAY, "it was decided")
    assert (new.statements, new.kind) == (old.statements, old.kind)
    assert "28 days" in new.text


def test_only_what_is_named_is_accepted(library: Specification) -> None:
    text = edits.TEXT.replace("21 days, and", "28 days, and").replace("ten cents", "ten pence")
    first, second = open_links(edits.lock(), text)
    done = accepted(library, edits.lock(), text, first.id)
    assert [one.id for one in open_links(done.lock, text)] == [second.id]


def test_both_parts_of_a_split_keep_the_statements(library: Specification) -> None:
    text = edited("one sentence into two")
    (link,) = open_links(edits.lock(), text)
    done = accepted(library, edits.lock(), text, link.id)
    parts = [one for one in done.lock.sentences if one.text in link.now]
    assert len(parts) == 2
    assert {parts[0].statements, parts[1].statements} == {tuple(name.partition("/")[2] for name in link.statements)}


def test_a_merge_is_accepted_once_and_has_the_statements_of_all(library: Specification) -> None:
    text = edited("two sentences into one")
    one, other = open_links(edits.lock(), text)
    done = accepted(library, edits.lock(), text, other.id)
    (merged,) = [sentence for sentence in done.lock.sentences if sentence.text in one.now]
    assert {f"library/{name}" for name in merged.statements} == {*one.statements, *other.statements}
    assert open_links(done.lock, text) == []


def test_what_is_gone_is_kept_as_removed_and_known_when_it_comes_back(library: Specification) -> None:
    text = edited("a sentence")
    (link,) = open_links(edits.lock(), text)
    done = accepted(library, edits.lock(), text, link.id)
    assert [(one.removed, one.on, one.reason) for one in done.lock.removed] == [
        (link.accepted, TODAY, "it was decided")
    ]
    (back,) = open_links(done.lock, edits.TEXT)
    assert back.note == "was removed on 2027-01-15: it was decided"


def test_a_statement_is_accepted_with_all_its_sentences(library: Specification) -> None:
    text = edited("MUST to SHOULD")
    (link,) = open_links(edits.lock(), text)
    done = accepted(library, edits.lock(), text, link.statements[0])
    assert open_links(done.lock, text) == []


def test_a_new_demand_needs_a_statement_and_a_remark_its_kind(library: Specification) -> None:
    for name, problem in (("a demand that is new", "with --statement"), ("a remark that is new", "with --as")):
        text = edited(name)
        (link,) = open_links(edits.lock(), text)
        with pytest.raises(UsageError, match=problem):
            accepted(library, edits.lock(), text, link.id)
    with pytest.raises(UsageError, match=r"--statement library.99: the features of library have no such statement"):
        accepted(library, edits.lock(), text, link.id, Kind.DEMAND, "library.99")


@pytest.mark.parametrize(
    ("id_", "problem"),
    [
        ("library@00000000", "no sentence has this id"),
        ("library/library.99", "neither the features nor the lock have a statement of this id"),
        ("library/library.7", "is in order, there is nothing to accept"),
        ("library@", "no sentence has this id"),
    ],
)
def test_what_is_not_there_or_in_order_is_refused(library: Specification, id_: str, problem: str) -> None:
    lock = accept(edits.lock(), library, None, Wish("library", "first", TODAY)).lock
    with pytest.raises(UsageError, match=problem):
        accepted(library, lock, edits.TEXT, id_)


def test_a_sentence_needs_the_text_to_compare_with(library: Specification) -> None:
    with pytest.raises(UsageError, match="give the specification's text with --against"):
        accept(edits.lock(), library, None, Wish("library@12345678", "so", TODAY))


def test_an_item_is_accepted_by_the_sentence_above_it(library: Specification) -> None:
    text = edited("the verb above a list")
    item = next(one for one in open_links(edits.lock(), text) if one.change == "lead")
    with pytest.raises(UsageError, match="accept the sentence that introduces the list"):
        accepted(library, edits.lock(), text, item.id)


def test_the_name_of_a_specification_takes_in_what_is_new_and_changes_nothing(library: Specification) -> None:
    done = accept(edits.lock(), library, None, Wish("library", "first", TODAY))
    assert [one.statement for one in done.lock.rules] == [
        name for one in edits.lock().sentences for name in one.statements
    ]
    assert done.lock.rules[0].scenarios == ("it-is-so-7",)
    assert done.lock.sentences == edits.lock().sentences
    with pytest.raises(UsageError, match="nothing to accept"):
        accept(done.lock, library, None, Wish("library", "again", TODAY))


def test_a_rule_and_its_scenarios_are_accepted_by_the_statement(library: Specification, tmp_path: Path) -> None:
    first = accept(edits.lock(), library, None, Wish("library", "first", TODAY)).lock
    file = tmp_path / "library" / "library.feature"
    text = file.read_text("utf-8").replace("A statement of the library, 7", "Another one")
    file.write_text(text.replace("Scenario: It is so 7", "Scenario: It is otherwise"), "utf-8")
    catalogue.load.cache_clear()
    now = catalogue.load(tmp_path).specifications[0]
    done = accept(first, now, None, Wish("library/library.7", "it is better", TODAY))
    assert done.told == (
        "library/library.7: rule",
        "library/library.7/it-is-otherwise: new",
        "library/library.7/it-is-so-7: removed",
    )
    rule = done.lock.rules[0]
    assert (rule.text, rule.scenarios, rule.accepted and rule.accepted.reason) == (
        "Another one",
        ("it-is-otherwise",),
        "it is better",
    )
    assert done.lock.rules[1:] == first.rules[1:]


def test_a_lock_is_written_as_it_is_read(library: Specification, tmp_path: Path) -> None:
    text = edited("a sentence")
    lock = accept(edits.lock(), library, None, Wish("library", "first", TODAY)).lock
    done = accepted(library, lock, text, open_links(lock, text)[0].id).lock
    odd = done.model_copy(update={"sentences": (done.sentences[0].model_copy(update={"text": "a\u2028b — “c”"}),)})
    for one in (done, odd):
        file = save(one, tmp_path)
        assert load("library", tmp_path) == one
        assert file.read_text("utf-8") == text_of(one)
        assert [path.name for path in file.parent.iterdir() if path.name.startswith(".")] == []
