"""A driver without an implementation passes nothing, whatever it answers."""

import json
import shlex
import sys
from collections import Counter
from pathlib import Path

import pytest

from specassay.drivers.protocol import OPTIONAL_OPERATIONS, SURFACES
from specassay.errors import Exit
from specassay.results.plan import TimeLimits
from tests.suite.running import SCRIPTS, run

KINDS = ("null", "object", "list", "error", "echo", "constant", "initial", "again")
DECLARED = {
    "operations": [f"{name}.{operation}" for name, surface in SURFACES.items() for operation in surface.operations],
    "optional": sorted(OPTIONAL_OPERATIONS),
}


@pytest.mark.parametrize("kind", KINDS)
def test_it_passes_nothing(tmp_path: Path, kind: str) -> None:
    command = shlex.join([sys.executable, str(SCRIPTS / "null.py"), kind, json.dumps(DECLARED)])
    played = run(tmp_path, driver=command)
    assert played.verdicts.keys() == set(played.started.scenarios) != set()
    assert [name for name, verdict in played.verdicts.items() if verdict == "passed"] == []
    assert Counter(played.verdicts.values())["failed"] > 0
    assert played.code == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise SystemExit(0)", "the driver did not start: the driver ended with exit status 0"),
        (
            "import sys; sys.stdin.read()",
            "the driver did not start: no answer to initialize within 0.5 s; it was the driver's turn to speak; "
            "let it answer sooner, or give it longer with --start-timeout",
        ),
    ],
    ids=["exits at once", "silent"],
)
def test_one_that_never_shakes_hands_does_not_start(tmp_path: Path, body: str, message: str) -> None:
    played = run(tmp_path, driver=shlex.join([sys.executable, "-c", body]), limits=TimeLimits(start=0.5))
    assert played.failure == message
    assert played.records == {}
    assert played.code == Exit.NOT_STARTED
    assert message in played.output
