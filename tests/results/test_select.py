"""The filters of a run."""

import pytest

from specassay.errors import UsageError
from specassay.results.select import Filters, select
from tests.results import made


def chosen(**filters: object) -> tuple[str, ...]:
    """Give the ids that these filters leave."""
    return select(made.TOY, Filters(**filters))  # type: ignore[arg-type]


def test_no_filter_takes_everything_in_order() -> None:
    assert chosen() == made.ALL


def test_a_specification_takes_its_scenarios() -> None:
    assert chosen(specifications=("other",)) == (made.OTHER,)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("shell/lock", {made.HOLDS, made.PICKED}),
        ("lock", {made.HOLDS, made.PICKED}),
        ("shell/door.1", {made.OPENS, made.FOR_ANN, made.FOR_BOB}),
        ("door.2", {made.LOCKS}),
        (made.FOR_ANN, {made.FOR_ANN}),
        ("door.1/it-opens-for-a-visitor[bob]", {made.FOR_BOB}),
        ("door.1/it-opens-for-a-visitor", {made.FOR_ANN, made.FOR_BOB}),
        ("shell/door/robustness", {made.SQUEAK}),
        ("door.5", {made.OPENS, made.FOR_ANN, made.FOR_BOB}),
    ],
)
def test_an_id_takes_what_it_names(name: str, found: set[str]) -> None:
    assert set(chosen(ids=(name,))) == found


def test_several_ids_are_added_up_and_kept_in_the_order_of_the_suite() -> None:
    assert chosen(ids=("lock.1/it-holds", "door.2")) == (made.LOCKS, made.HOLDS)


def test_a_kind_takes_its_scenarios() -> None:
    assert chosen(kinds=("robustness",)) == (made.SQUEAK,)


def test_a_surface_takes_what_needs_it_and_nothing_but_what_it_builds_on() -> None:
    assert set(chosen(surfaces=("door",))) == {made.OPENS, made.FOR_ANN, made.FOR_BOB, made.QUIET, made.SQUEAK}
    assert set(chosen(surfaces=("lock",))) == {made.LOCKS, made.HOLDS, made.PICKED}


def test_different_filters_are_all_to_be_met() -> None:
    assert chosen(ids=("shell/door.1",), kinds=("derived",)) == (made.OPENS,)
    assert chosen(ids=("shell/door.1",), only=frozenset({made.FOR_BOB, made.LOCKS})) == (made.FOR_BOB,)


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"specifications": ("shel",)}, "no specification is called 'shel'; did you mean shell?"),
        ({"surfaces": ("dor",)}, "no surface is called 'dor'; did you mean door?; known: door, gate, lock"),
        ({"ids": ("door.7",)}, "no requirement, statement or scenario is called 'door.7'; did you mean"),
        ({"ids": ("nonsense",)}, "`specassay list` shows all"),
        ({"ids": ("",)}, "no requirement, statement or scenario is called ''"),
        ({"ids": ("door.1",)}, "'door.1' is not clear: it may be other/door.1 or shell/door.1"),
        ({"ids": ("shell/door.4",)}, "has no scenario: it is by inspection, since Nobody sees the wood from outside."),
        ({"ids": ("lock",), "kinds": ("robustness",)}, "no scenario matches all of these filters"),
    ],
)
def test_a_filter_that_matches_nothing_is_wrong_usage(filters: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(UsageError) as error:
        chosen(**filters)
    assert message in str(error.value)
