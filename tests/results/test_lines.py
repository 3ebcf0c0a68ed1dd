"""Every line that can run is in one of four lists, and the lists add up."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from specassay.results.lines import classify, numbers, spans, spoken
from specassay.results.model import Lines

FILES = ("a.py", "b.py")
some_lines = st.frozensets(st.integers(1, 30))
by_file = st.fixed_dictionaries(dict.fromkeys(FILES, some_lines))


def sample() -> Lines:
    return classify(
        {"a.py": frozenset({1, 2, 3, 4, 5, 9}), "b.py": frozenset({1})},
        {"a.py": frozenset({1, 2, 3, 99})},
        {"one": {"a.py": frozenset({3, 4})}, "two": {"a.py": frozenset({4, 5})}},
    )


def test_a_line_is_exclusive_shared_imported_or_untouched() -> None:
    first, second = sample().files
    assert (first.exclusive, first.shared, first.imported, first.untouched) == (
        ((3, 3), (5, 5)),
        ((4, 4),),
        ((1, 2),),
        ((9, 9),),
    )
    assert (second.file, second.untouched) == ("b.py", ((1, 1),))


def test_a_scenario_has_its_lines_by_file() -> None:
    assert {one.id: one.files for one in sample().scenarios} == {"one": {"a.py": ((3, 4),)}, "two": {"a.py": ((4, 5),)}}


def test_the_counts_are_said_with_their_denominator() -> None:
    assert spoken(sample()) == (
        "3 of 7 lines ran in scenarios, 2 of them in one alone; 2 only outside of any scenario, 2 never"
    )


@given(some_lines)
def test_spans_hold_the_same_numbers(lines: frozenset[int]) -> None:
    found = spans(lines)
    assert numbers(found) == lines
    assert all(one[1] + 1 < other[0] for one, other in pairwise(found))


@given(by_file, by_file, st.dictionaries(st.text("xyz", min_size=1), by_file))
def test_the_four_lists_are_all_lines_and_each_once(
    statements: dict[str, frozenset[int]],
    outside: dict[str, frozenset[int]],
    ran: dict[str, dict[str, frozenset[int]]],
) -> None:
    for file in classify(statements, outside, ran).files:
        lists = [numbers(one) for one in (file.exclusive, file.shared, file.imported, file.untouched)]
        assert frozenset().union(*lists) == statements[file.file]
        assert sum(map(len, lists)) == len(statements[file.file])
