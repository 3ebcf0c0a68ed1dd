"""What a check makes of values that no sane implementation gives."""

from typing import Any

from specassay.suite.checks import containing, record


def nested(levels: int) -> Any:
    value: Any = "inmost"
    for _ in range(levels):
        value = {"of": [value]}
    return value


def test_a_value_that_is_nested_beyond_reading_is_a_failed_check_and_no_fault() -> None:
    for expected in ("plain", containing("inmost"), {"of": [{"of": ["inmost"]}]}):
        made = record("the answer", expected, nested(2000))
        assert not made.passed
        assert made.actual.startswith('{"of": [{"of": [')
        assert "…" in made.actual


def test_a_value_of_common_depth_is_shown_whole() -> None:
    made = record("the answer", containing("inmost"), nested(20))
    assert made.passed
    assert (made.actual.count("["), "…" in made.actual) == (20, False)
