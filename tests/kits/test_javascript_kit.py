"""The JavaScript kit, by the tests that it has in its own language."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = sorted((Path(__file__).parent / "javascript").glob("*.test.mjs"))


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the JavaScript kit is not tested")
    return node


@pytest.mark.parametrize("tests", TESTS, ids=lambda tests: tests.name.partition(".")[0])
def test_the_kit_passes_its_own_tests(tests: Path) -> None:
    """Every test of the file passes, and none is skipped."""
    outcome = subprocess.run(
        [_node(), "--test", "--test-reporter=tap", str(tests)], capture_output=True, text=True, timeout=120, check=False
    )
    counts = {name: int(count) for name, count in re.findall(r"^# (\w+) (\d+)", outcome.stdout, re.MULTILINE)}
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert counts["pass"] == counts["tests"] > 0
