"""What was run, as a hash: two runs with the same ones ran the same suite."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

_IGNORED = {"__pycache__"}


def digest(*folders: Path) -> str:
    """Hash the files of some folders, SHA-256 over sorted relative paths and bytes, as hexadecimal text."""
    total = hashlib.sha256()
    for folder in folders:
        for name, file in sorted(_files(folder)):
            content = file.read_bytes()
            total.update(f"{folder.name}/{name}\0{len(content)}\0".encode())
            total.update(content)
    return total.hexdigest()


def _files(folder: Path) -> Iterable[tuple[str, Path]]:
    for file in folder.rglob("*"):
        path = file.relative_to(folder)
        if file.is_file() and not _IGNORED & set(path.parts):
            yield path.as_posix(), file
