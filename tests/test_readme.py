"""The README's example on another project prints what the README says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "tests" / "example"


def shown() -> str:
    """Give what the README shows of a terminal."""
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.search(r"<!-- tests/example -->\n```console\n(.*?)```\n", text, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_on_another_project_runs_as_written(tmp_path: Path) -> None:
    project = tmp_path / "example"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    printed = ""
    for command in re.findall(r"^\$ (.*)$", shown(), re.MULTILINE):
        printed += f"$ {command}\n{run(command, project)}"
    assert plain(printed) == plain(shown())


def run(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTEST_ADDOPTS": "-p no:randomly", "COLUMNS": "80"}
    ended = subprocess.run(
        shlex.split(command), cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert ended.stderr == ""
    return ended.stdout


def plain(text: str) -> str:
    """Leave out how long it took."""
    return re.sub(r"\d+\.\d+s", "0.00s", text)
