"""Which files are specifications."""

from pathlib import Path

import pytest

from specassay.errors import UsageError
from specassay.trace.discovery import SpecFile, changes, discover


def _file(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("", "utf-8")
    return path


def test_every_spec_below_the_root_is_found_and_named_by_its_folder(tmp_path: Path) -> None:
    nested = _file(tmp_path / "area" / "billing" / "spec.md")
    flat = _file(tmp_path / "area-two" / "spec.md")
    above = _file(tmp_path / "area" / "spec.md")
    _file(tmp_path / "spec.md")
    _file(tmp_path / ".hidden" / "spec.md")
    _file(tmp_path / "area" / "design.md")
    (tmp_path / "link").symlink_to(tmp_path / "area", target_is_directory=True)
    assert discover(tmp_path) == (
        SpecFile("area", above),
        SpecFile("area-two", flat),
        SpecFile("area/billing", nested),
    )


def test_a_folder_that_is_not_there_is_one_clear_message(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: cannot be read: No such file or directory"):
        discover(tmp_path / "none")


def test_changes_are_those_that_are_not_archived(tmp_path: Path) -> None:
    for name in ("b", "a", "archive/2026-01-01-c"):
        (tmp_path / "changes" / name).mkdir(parents=True)
    assert [change.name for change in changes(tmp_path)] == ["a", "b"]
    assert changes(tmp_path / "none") == ()
