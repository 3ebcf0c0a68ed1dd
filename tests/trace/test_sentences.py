"""Where a sentence ends, and where it does not."""

import pytest

from specassay.trace.sentences import split


def _split(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["The store MUST keep it.", "It MUST be fast."],
        ["Is it open?", "Yes!", "It is."],
        ["It returns 502.", "When it fails, nothing is kept."],
        ["See e.g. Chrome.", "Use i.e. this."],
        ["It bumps 1.0.0 to 1.0.1.", "Version 2.1 stays."],
        ["No. 5 is alive.", "The answer is no.", "That is all."],
        ["Imports from apps/web/src/core/ are not allowed.", "Read types.ts and spec.md first."],
        ["Go to https://example.org/a.b?c=d.", "Then come back."],
        ["Run `a. B. C` twice.", "`D. E` once."],
        ['It says "Stop. Now." and goes.', "It ends."],
        ['One round is "call → feed back."', "If the cap is reached, it stops."],
        ['The text is "Invalid account.".', "The system lets the user try again."],
        ["“Stop. Now.” is said.", "Then “Go.”"],
        ["It works (see 1. And 2. Both.) well.", "(This is one. With two.)", "Done."],
        ["It has an open ( bracket.", "It ends."],
        ["It waits... And then it goes."],
        ["Call setError(e).", "clearMessages() comes next."],
        ["It is **bold.**", "It *ends.*"],
        ["系统必须保存订单。", "系统不得丢失订单!", "真的?"],
        ["It holds etc. and more."],
    ],
)  # fmt: skip
def test_a_text_is_split_into_its_sentences(sentences: list[str]) -> None:
    assert _split(" ".join(sentences)) == sentences


def test_chinese_sentences_need_no_space() -> None:
    assert _split("系统必须保存。系统说“好。”然后结束。") == ["系统必须保存。", "系统说“好。”", "然后结束。"]


def test_white_space_alone_is_no_sentence() -> None:
    assert _split("  ") == []
    assert _split("") == []


def test_a_quotation_mark_without_its_other_half_protects_nothing() -> None:
    assert _split('A 5" disk. It turns.') == ['A 5" disk.', "It turns."]
