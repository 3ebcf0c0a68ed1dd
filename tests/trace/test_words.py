"""The word diff, and how alike two texts are."""

from hypothesis import given
from hypothesis import strategies as st

from specassay.trace.words import difference, likeness, share, words

TEXTS = st.text(alphabet="ab cd.,\n系统", max_size=30)


@given(TEXTS, TEXTS)
def test_a_difference_holds_both_texts_and_nothing_else(old: str, new: str) -> None:
    found = difference(old, new)
    assert "".join(text for kind, text in found if kind != "new") == old
    assert "".join(text for kind, text in found if kind != "gone") == new


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert {kind for kind, _ in difference(text, text)} <= {"same"}
    assert likeness(words(text), words(text)) in ((1.0,) if words(text) else (0.0, 1.0))


def test_neighbouring_changes_are_one_phrase() -> None:
    assert difference("It MUST keep a hard cap.", "It SHOULD hold a hard cap.") == (
        ("same", "It "),
        ("gone", "MUST keep"),
        ("new", "SHOULD hold"),
        ("same", " a hard cap."),
    )


def test_likeness_ignores_case_and_marks_and_counts_words() -> None:
    assert likeness(words("It MUST be."), words("it must be")) == 1.0
    assert likeness(words("a b c d"), words("a b x y")) == 0.5
    assert likeness(words("a b c d e f g h"), words("a")) == 0.0
    assert words("系统 must") == ("系", "统", "must")


def test_a_share_is_of_the_part() -> None:
    assert share(["a", "b"], ["a", "c", "d"]) == 0.5
    assert share([], ["a"]) == 0.0
