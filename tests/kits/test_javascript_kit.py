"""The JavaScript kit, by the tests that it has in its own language."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).parent / "javascript" / "kit.test.mjs"


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the JavaScript kit is not tested")
    return node


def test_the_kit_passes_its_own_tests() -> None:
    """Every test of kit.test.mjs passes, and none is skipped."""
    outcome = subprocess.run(
        [_node(), "--test", "--test-reporter=tap", str(TESTS)], capture_output=True, text=True, timeout=120, check=False
    )
    counts = {name: int(count) for name, count in re.findall(r"^# (\w+) (\d+)", outcome.stdout, re.MULTILINE)}
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert counts["pass"] == counts["tests"] > 0
