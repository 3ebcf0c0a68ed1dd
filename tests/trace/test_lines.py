"""Which lines a scenario ran, and which of them nothing else ran."""

from specassay.results.lines import classify, merged, spelled
from specassay.trace.lines import at, by_scenario
from specassay.trace.record import RanLines

LINES = classify(
    {"a.py": frozenset(range(1, 10)), "b.py": frozenset({1, 2})},
    {},
    {
        "s/r.1/one": {"a.py": frozenset({1, 2, 3})},
        "s/r.1/two": {"a.py": frozenset({3, 4}), "b.py": frozenset({1})},
        "s/r.2/three": {"a.py": frozenset({4, 6, 7})},
    },
)


def test_a_scenario_has_its_lines_and_those_that_nothing_else_ran() -> None:
    assert by_scenario(LINES) == {
        "s/r.1/one": (RanLines(file="a.py", exclusive=((1, 2),), shared=((3, 3),)),),
        "s/r.1/two": (
            RanLines(file="a.py", exclusive=(), shared=((3, 4),)),
            RanLines(file="b.py", exclusive=((1, 1),), shared=()),
        ),
        "s/r.2/three": (RanLines(file="a.py", exclusive=((6, 7),), shared=((4, 4),)),),
    }


def test_a_line_has_the_scenarios_that_ran_it() -> None:
    assert at(LINES, "a.py", 3) == ("s/r.1/one", "s/r.1/two")
    assert at(LINES, "a.py", 9) == at(LINES, "c.py", 1) == ()


def test_spans_are_spelled_and_merged() -> None:
    assert spelled(((1, 2), (9, 9))) == "1-2, 9"
    assert merged(((1, 2),), ((3, 3), (5, 5))) == ((1, 3), (5, 5))
