"""Which lines a statement's scenarios ran, and which of them nothing else ran."""

from specassay.results.lines import classify
from specassay.trace.lines import at, of

LINES = classify(
    {"a.py": frozenset(range(1, 10)), "b.py": frozenset({1, 2})},
    {},
    {
        "s/r.1/one": {"a.py": frozenset({1, 2, 3})},
        "s/r.1/two": {"a.py": frozenset({3, 4}), "b.py": frozenset({1})},
        "s/r.2/three": {"a.py": frozenset({4, 5})},
    },
)


def test_lines_of_several_scenarios_are_exclusive_where_no_other_ran_them() -> None:
    assert [str(one) for one in of(LINES, ["s/r.1/one", "s/r.1/two"])] == [
        "a.py:1-4 (only here: 1-3)",
        "b.py:1 (only here: 1)",
    ]
    assert [str(one) for one in of(LINES, ["s/r.2/three"])] == ["a.py:4-5 (only here: 5)"]


def test_a_scenario_that_ran_nothing_has_no_lines() -> None:
    assert of(LINES, ["s/r.9/none"]) == ()


def test_a_line_has_the_scenarios_that_ran_it() -> None:
    assert at(LINES, "a.py", 3) == ("s/r.1/one", "s/r.1/two")
    assert at(LINES, "a.py", 9) == at(LINES, "c.py", 1) == ()
