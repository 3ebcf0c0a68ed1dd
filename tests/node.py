"""Node for the tests that need it: they are skipped, visibly, where it is absent."""

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest


def node() -> str:
    """Give the path of Node; skips the test where Node or npm is not installed."""
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        pytest.skip("Node and npm are not installed")
    return found


def install(folder: Path) -> None:
    """Install what a folder's package-lock.json names, once for all test processes; skips as `node` does."""
    node()
    lock = folder / "package-lock.json"
    done = folder / "node_modules" / ".package-lock.json"
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert ended.returncode == 0, ended.stderr
            done.touch()
