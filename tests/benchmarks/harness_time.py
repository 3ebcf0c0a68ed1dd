"""Measures what the harness costs. Run it with `python tests/benchmarks/harness_time.py`; it prints a table.

Each figure is the median of three runs. A scenario's time is the wall time of its whole pytest protocol, beside as many
empty parametrised tests in the same run.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
RUNS = 3
STORES = {"chat-store", "agent-store", "tool-registry"}
STDIO = f"{sys.executable} -m specassay.drivers.reference"
NODE = f"node {ROOT / 'tests' / 'implementations' / 'javascript' / 'driver.mjs'}"

_PLUGIN = """
import json, os, time
import pytest
times = {}
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    begun = time.perf_counter()
    yield
    from specassay.suite.running import SCENARIO
    scenario = item.stash.get(SCENARIO, None)
    kind = "empty" if scenario is None else ",".join(scenario.surfaces)
    times.setdefault(kind, []).append(time.perf_counter() - begun)
def pytest_sessionfinish(session):
    with open(os.environ["BENCHMARK_TIMES"], "w") as file:
        json.dump(times, file)
"""
_EMPTY = """
import pytest
@pytest.mark.parametrize("number", range(100))
def test_nothing(number):
    pass
"""
_SENTENCES = """
from pytest_bdd import given
for number in range(300):
    @given(f"something that no feature says, number {number}")
    def _() -> None:
        pass
"""


def scenario_times(driver: str, *, more_sentences: bool = False) -> dict[str, float]:
    """Give the milliseconds of an empty test, a store scenario and an HTTP scenario in one pytest run."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "timing.py").write_text(_PLUGIN)
        (place / "test_empty.py").write_text(_EMPTY)
        (place / "sentences.py").write_text(_SENTENCES)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "timing", "-p", "no:randomly", "-p", "no:xdist"]
        command += ["-p", "sentences"] if more_sentences else []
        command += ["test_empty.py", "--pyargs", "specassay.suite", "--specassay-driver", driver]
        environment = {"BENCHMARK_TIMES": str(place / "times.json"), "PYTHONPATH": folder}
        subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, check=False)
        times: dict[str, list[float]] = json.loads((place / "times.json").read_text())
    stores = [t for kind, found in times.items() if kind != "empty" and set(kind.split(",")) <= STORES for t in found]
    http = [t for kind, found in times.items() if "orchestrator" in kind.split(",") for t in found]
    return {
        name: statistics.mean(found) * 1000
        for name, found in (("empty", times["empty"]), ("store", stores), ("http", http))
    }


def command_seconds(*command: str) -> float:
    """Give the seconds that a command takes."""
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begun


def round_trip_ms(driver: str, calls: int = 2000) -> float:
    """Give the milliseconds of one call to a driver over stdio, of the harness's own connection."""
    program = (
        "import asyncio, sys, time\n"
        "from specassay.drivers.process import ChildProcess\n"
        "from specassay.drivers.session import Session\n"
        "async def main():\n"
        "    async def serve(method, params): return None\n"
        "    session = Session(lambda: ChildProcess(sys.argv[1], None, {}, print), serve,\n"
        "        lambda *seen: None, start_seconds=10, isolate=False)\n"
        "    await session.start()\n"
        "    running = await session.acquire()\n"
        "    where = {name: 'http://127.0.0.1:9' for name in\n"
        "        ('provider', 'chatOrigin', 'egress', 'trap', 'refused')}\n"
        "    begin = {'id': 'benchmark', 'endpoints': where, 'environment': {}, 'seed': 1}\n"
        "    await running.connection.call('scenario.begin', begin, 10)\n"
        "    begun = time.perf_counter()\n"
        "    for _ in range(int(sys.argv[2])):\n"
        "        await running.connection.call('agent-store.getState', {}, 10)\n"
        "    print((time.perf_counter() - begun) / int(sys.argv[2]) * 1000)\n"
        "    await session.close()\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, driver, str(calls)], capture_output=True, check=True, text=True
    )
    return float(done.stdout.splitlines()[-1])


def main() -> None:
    """Print the table."""
    for name, driver, more in (
        ("in process", "reference", False),
        ("in process, 300 more sentences", "reference", True),
        ("over stdio", STDIO, False),
    ):
        runs = [scenario_times(driver, more_sentences=more) for _ in range(RUNS)]
        middle = {kind: statistics.median(run[kind] for run in runs) for kind in runs[0]}
        print(
            f"{name:<32} store scenario {middle['store']:5.2f} ms, empty test {middle['empty']:5.2f} ms, "
            f"difference {middle['store'] - middle['empty']:5.2f} ms; HTTP scenario {middle['http']:5.2f} ms"
        )
    version = [command_seconds(str(Path(sys.executable).with_name("specassay")), "--version") for _ in range(RUNS)]
    print(f"{'specassay --version':<32} {statistics.median(version):.2f} s")
    print(
        f"{'round trip, Python over stdio':<32} {statistics.median(round_trip_ms(STDIO) for _ in range(RUNS)):.3f} ms"
    )
    if shutil.which("node"):
        print(
            f"{'round trip, Node over stdio':<32} {statistics.median(round_trip_ms(NODE) for _ in range(RUNS)):.3f} ms"
        )


if __name__ == "__main__":
    main()
