"""Who may import whom: data flows one way, and the imports follow."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "specassay"

LEAVES = {
    "specassay",
    "specassay.errors",
    "specassay.resources",
    "specassay.port",
    "specassay.catalogue",
    "specassay.visible",
}

# A part, by the prefix of its modules, and what it may import of the project besides itself.
ALLOWED: dict[str, set[str]] = {
    "specassay.reference": set(),
    "specassay.port": set(),
    "specassay.errors": set(),
    "specassay.visible": set(),
    "specassay.resources": set(),
    "specassay.catalogue": {"specassay.resources", "specassay.errors"},
    "specassay.steps": {
        "specassay.port",
        "specassay.suite.checks",
        "specassay.suite.values",
        "specassay.suite.tools",
        "specassay.suite.chat_route",
        "specassay.suite.client",
        "specassay.suite.agent_tool",
        "specassay.suite.control",
        "specassay.suite.peer",
        "specassay.suite.secret_search",
        "specassay.provider",
        "specassay.source",
    },
    "specassay.drivers.reference": {"specassay", "specassay.reference", "specassay.drivers"},
    "specassay.drivers": {"specassay", "specassay.port", "specassay.errors", "specassay.resources"},
    "specassay.provider": {"specassay", "specassay.errors", "specassay.resources"},
    "specassay.source": {"specassay.errors"},
    "specassay.results": LEAVES,
    "specassay.report": LEAVES | {"specassay.results", "specassay.trace"},
    "specassay.trace": LEAVES | {"specassay.results"},
    "specassay.suite": LEAVES | {"specassay.drivers", "specassay.provider", "specassay.results"},
    "specassay.cli": LEAVES
    | {"specassay.results", "specassay.report", "specassay.trace", "specassay.drivers", "specassay.provider"},
}

COPIED = "specassay.drivers.kits.python.specassay_kit"
"""What users copy under another name: it imports itself relatively, and nothing else of the project."""


def _python_files() -> Iterator[Path]:
    for folder, _, names in os.walk(PACKAGE, followlinks=True):
        yield from (Path(folder, name) for name in names if name.endswith(".py"))


def _modules() -> Iterator[tuple[str, Path]]:
    for file in sorted(_python_files()):
        parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
        if {"examples", "skeleton", "preload"} & set(parts):
            continue
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


def _imports(name: str, file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 1 and _within(name, COPIED):
            continue
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(f"{prefix}.")


def _part(name: str) -> str | None:
    return max((part for part in ALLOWED if _within(name, part)), key=len, default=None)


MODULES = dict(_modules())


@pytest.mark.parametrize("name", [name for name in MODULES if name != "specassay"])
def test_a_module_imports_only_what_its_part_may(name: str) -> None:
    part = _part(name)
    assert part is not None, f"{name} belongs to no part of the table"
    wrong = [
        imported
        for imported in _imports(name, MODULES[name])
        if _within(imported, "specassay") and not _may(part, imported)
    ]
    assert not wrong, f"{name} is of {part}, which may not import {wrong}"


def test_every_part_of_the_table_has_modules() -> None:
    assert [part for part in ALLOWED if not any(_within(name, part) for name in MODULES)] == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_at_most_about_400_lines(name: str) -> None:
    assert len(MODULES[name].read_text("utf-8").splitlines()) <= 420


def _may(part: str, imported: str) -> bool:
    if _within(imported, part):
        return True
    for prefix in ALLOWED[part]:
        if prefix == "specassay":
            if imported in ("specassay.__version__", "specassay.catalogue", "specassay.resources"):
                return True
        elif _within(imported, prefix):
            return True
    return False
