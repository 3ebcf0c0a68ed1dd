"""Measures the reading of specifications: `python tests/benchmarks/specification_time.py` prints a table.

It makes 700 specification files, in the forms that real ones have and with as many requirements and scenarios, reads
them and splits them into sentences in a process of its own, and has `openspec validate` look at the same files, where
it is installed (`npm ci --prefix tests/trace/openspec`). Each time is the median of five runs.
"""

import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
OPENSPEC = ROOT / "tests" / "trace" / "openspec" / "node_modules" / "@fission-ai" / "openspec" / "bin" / "openspec.js"
FILES = 700
RUNS = 5
TEXT = "the client a server request token answer store keeps sends a message with `id` and status when it fails"
WORDS = TEXT.split()

_READ = """
import resource, sys, time
from pathlib import Path
from specassay.trace import statements
from specassay.trace.discovery import discover
from specassay.trace.fingerprint import fingerprint
from specassay.trace.openspec import read
idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begun = time.perf_counter()
documents = [read(file.path) for file in discover(Path(sys.argv[1]))]
was_read = time.perf_counter()
requirements = [one for document in documents for one in document.requirements]
sentences = [sentence for one in requirements for sentence in statements.of_requirement(one)]
was_split = time.perf_counter()
scenarios = [one for document in documents for one in document.scenarios]
marks = [fingerprint(one) for one in (*sentences, *scenarios)]
ended = time.perf_counter()
unclaimed = sum(len(document.unclaimed) for document in documents)
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(was_read - begun, was_split - was_read, ended - was_split, most / 1024, (most - idle) / 1024)
normative = sum(one.normative for one in sentences)
print(len(documents), len(requirements), len(scenarios), len(sentences), normative, unclaimed)
"""


def made(place: random.Random, name: str) -> str:
    """Make the text of a specification: 5 requirements and 11 scenarios on average."""
    parts = [f"# {name} Specification\n\n## Purpose\n\n{_sentence(place, 30)}\n\n## Requirements\n"]
    form = place.choices(("- **{}** {}", "- {} {}", "{} {}"), (92, 6, 2))[0]
    for number in range(place.randint(2, 8)):
        parts.append(f"\n### Requirement: {name} {number}\n\n{_body(place)}\n")
        parts += [_scenario(place, form, scenario) for scenario in range(place.choice((1, 2, 2, 2, 3, 3)))]
    return "".join(parts)


def _body(place: random.Random) -> str:
    body = f"The system {place.choice(('SHALL', 'SHALL', 'MUST', 'MUST NOT', 'SHOULD'))} {_sentence(place, 18)}"
    kind = place.random()
    if kind < 0.3:
        body += f" It MUST {_sentence(place, 9)}"
    elif kind < 0.4:
        body += "\n\nThe system SHALL:\n\n" + "\n".join(f"- {_sentence(place, 8)}" for _ in range(3))
    elif kind < 0.45:
        body += "\n\n```json\n" + '{\n  "a": 1\n}\n' * 4 + "```"
    elif kind < 0.5:
        body += "\n\n| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 5
    return body


def _scenario(place: random.Random, form: str, number: int) -> str:
    words = place.choice((("WHEN", "THEN"), ("WHEN", "THEN", "AND"), ("GIVEN", "WHEN", "THEN", "AND")))
    steps = [form.format(word, _sentence(place, 14)) for word in words]
    if place.random() < 0.1:
        steps.append(f"  - {_sentence(place, 6)}")
    return f"\n#### Scenario: {_sentence(place, 4).rstrip('.')} {number}\n\n" + "\n".join(steps) + "\n"


def _sentence(place: random.Random, length: int) -> str:
    words = " ".join(place.choice(WORDS) for _ in range(length))
    return f"{words}." if length < 15 else f"{words[: len(words) // 2]}\n{words[len(words) // 2 :]}."


def main() -> None:
    """Print the table."""
    place = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        specs = Path(folder, "openspec", "specs")
        for number in range(FILES):
            file = specs / f"area-{number % 20}" / f"capability-{number}" / "spec.md"
            file.parent.mkdir(parents=True)
            file.write_text(made(place, f"Capability {number}"), "utf-8")
        size = sum(file.stat().st_size for file in specs.rglob("spec.md"))
        runs = [_specassay(specs) for _ in range(RUNS)]
        whole = statistics.median(run[2] for run in runs)
        read, split, marked, most, grown = (statistics.median(run[0][at] for run in runs) for at in range(5))
        files, requirements, scenarios, sentences, normative, unclaimed = runs[0][1]
        print(f"{files} files, {size / 1e6:.1f} MB, {requirements} requirements, {scenarios} scenarios")
        print(f"{sentences} sentences, {normative} of them normative; {unclaimed} unclaimed lines")
        print(f"read          {read:6.2f} s")
        print(f"split         {split:6.2f} s")
        print(f"fingerprints  {marked:6.2f} s")
        print(f"whole process {whole:6.2f} s, the start of Python included")
        print(f"memory        {most:6.0f} MB, {grown:.0f} MB of them for the documents")
        _print_openspec(Path(folder))


def _specassay(specs: Path) -> tuple[list[float], list[int], float]:
    """Give the times and the memory, the counts, and the seconds of the whole process."""
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", _READ, str(specs)], capture_output=True, check=True, text=True)
    times, counts = done.stdout.splitlines()
    return [float(word) for word in times.split()], [int(word) for word in counts.split()], time.perf_counter() - begun


def _print_openspec(project: Path) -> None:
    node = shutil.which("node")
    if node is None or not OPENSPEC.exists():
        print("openspec      not installed")
        return
    environment = {**os.environ, "OPENSPEC_TELEMETRY": "0", "DO_NOT_TRACK": "1", "HOME": str(project)}
    command = [node, str(OPENSPEC), "validate", "--specs", "--json"]
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, check=False)
        times.append(time.perf_counter() - begun)
    files = json.loads(done.stdout)["summary"]["totals"]["items"]
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    seconds = statistics.median(times)
    print(f"openspec      {seconds:6.2f} s for the whole of `validate --specs`, {files} files, {most:.0f} MB")


if __name__ == "__main__":
    main()
