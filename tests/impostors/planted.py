"""Sources with a fault in them: a copy of the reference's, which the driver then says are its own."""

import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from specassay.drivers import reference as driver
from specassay.drivers.reference.layout import AGENT, ROOT, layout

Json = dict[str, Any]


def plants(patch: pytest.MonkeyPatch, change: Callable[[Path], None], **fields: Any) -> None:
    """Let the driver show a copy of the reference that `change` was made to, with these fields of its layout."""
    root = Path(tempfile.mkdtemp())
    shutil.copytree(ROOT / AGENT, root / AGENT, ignore=shutil.ignore_patterns("__pycache__"))
    change(root / AGENT)

    def planted() -> Json:
        return layout() | {"root": str(root), **fields}

    weakref.finalize(planted, shutil.rmtree, root)
    patch.setattr(driver, "layout", planted)


def lays_out(patch: pytest.MonkeyPatch, **fields: Any) -> None:
    """Let the driver describe the reference's sources with other fields."""
    patch.setattr(driver, "layout", lambda: layout() | fields)


def adds(file: str, *lines: str) -> Callable[[Path], None]:
    """Give the change that appends lines to a file of the agent directory, which may be a new one."""

    def change(agent: Path) -> None:
        with (agent / file).open("a", encoding="utf-8") as source:
            source.writelines(f"{line}\n" for line in ("", *lines))

    return change


def renames(old: str, new: str) -> Callable[[Path], None]:
    """Give the change that moves a module, both named from the package's root, and all imports of it."""

    def change(agent: Path) -> None:
        root = agent.parent.parent
        for file in agent.rglob("*.py"):
            file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        shutil.move(_file(root, old), _file(root, new))

    return change


def _file(root: Path, module: str) -> Path:
    return root / f"{module.replace('.', '/')}.py"
