"""Finds the specifications and the changes of an OpenSpec project."""

import os
from dataclasses import dataclass
from pathlib import Path

from specassay.errors import UsageError


@dataclass(frozen=True, order=True)
class SpecFile:
    """A `spec.md`, and the id that its folder gives it, "area/capability"."""

    id: str
    path: Path


def discover(root: Path) -> tuple[SpecFile, ...]:
    """Find every `spec.md` below a folder of specifications, sorted by id.

    As OpenSpec does: the one directly in `root` has no id and is left out, hidden folders are passed over, and links to
    folders are not followed. Raises `UsageError` where a folder cannot be read.
    """

    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename}: cannot be read: {error.strerror}.") from error

    found = []
    for folder, folders, names in os.walk(root, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        path = Path(folder, "spec.md")
        if "spec.md" in names and Path(folder) != Path(root) and path.is_file():
            found.append(SpecFile(Path(folder).relative_to(root).as_posix(), path))
    return tuple(sorted(found))


def changes(project: Path) -> tuple[Path, ...]:
    """Give the folders of the changes that are not applied yet, below a project's `openspec` folder, sorted."""
    folder = project / "changes"
    names = os.listdir(folder) if folder.is_dir() else []
    found = (folder / name for name in names if name != "archive" and not name.startswith("."))
    return tuple(sorted(change for change in found if change.is_dir() and not change.is_symlink()))
