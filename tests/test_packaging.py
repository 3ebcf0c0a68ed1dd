"""What installs: one import name, the four folders as parts of it, and nothing in anybody else's way."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("features", "fixtures", "reference", "steps")


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_content_folder_is_linked_into_the_package(folder: str) -> None:
    link = ROOT / "src" / "specassay" / folder
    assert link.is_symlink()
    assert Path(os.readlink(link)) == Path("..", "..", folder)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    target = tmp_path_factory.mktemp("dist")
    tree = target / "tree"  # a copy, since setuptools leaves its own folders in the tree that it builds
    ignored = shutil.ignore_patterns(".*", "build", "dist", "node_modules", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, tree, symlinks=True, ignore=ignored)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*build, str(target), str(tree)], check=True, cwd=target, timeout=120)
    return zipfile.ZipFile(next(target.glob("*.whl")))


def test_the_wheel_holds_all_content(wheel: zipfile.ZipFile) -> None:
    packed = set(wheel.namelist())
    content = [
        Path("specassay", folder, file.relative_to(ROOT / folder)).as_posix()
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".feature", ".lock", ".toml", ".json", ".py")
    ]
    kits = [
        file.relative_to(ROOT / "src").as_posix()
        for file in (ROOT / "src" / "specassay" / "drivers" / "kits").rglob("*")
        if file.suffix in (".py", ".mjs", ".json") and "node_modules" not in file.parts
    ]
    assert len(content) > 20
    assert [name for name in [*content, *kits] if name not in packed] == []


def test_the_wheel_brings_one_import_name(wheel: zipfile.ZipFile) -> None:
    assert {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" not in name} == {"specassay"}


def test_the_plugin_adds_nothing_to_a_session_that_gives_no_driver(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import sys\ndef test_it():\n    assert 'specassay.suite.running' not in sys.modules")
    result = pytester.runpytest_subprocess("-p", "no:randomly", "-p", "no:xdist")
    result.assert_outcomes(passed=1)
