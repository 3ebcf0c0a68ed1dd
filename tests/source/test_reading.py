"""Which languages can be read, and what is said of one that cannot."""

import sys
from pathlib import Path

import pytest

from specassay.source import SourceError, cannot_read, read
from tests.source.planted import plant


@pytest.mark.parametrize("language", ["python", "javascript", "typescript"])
def test_three_languages_can_be_read(language: str) -> None:
    assert cannot_read(language) is None


def test_a_language_without_a_parser_is_named_and_so_are_the_others() -> None:
    reason = cannot_read("ruby")

    assert reason == "There is no parser for 'ruby'; there are parsers for python, javascript, typescript."


def test_a_parser_that_is_not_installed_is_named_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_javascript", None)
    plant(tmp_path, {"m.js": ""})

    assert cannot_read("python") is None
    with pytest.raises(SourceError, match=r"pip install 'specassay\[source\]'"):
        read(tmp_path / "m.js", "javascript")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"absent\.py: cannot be read: No such file"):
        read(tmp_path / "absent.py", "python")
