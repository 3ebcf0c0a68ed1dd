"""Measures what a report costs. Run it with `python tests/benchmarks/report_time.py`; it prints a table.

Results of 1,000, 3,000 and 10,000 scenarios, with evidence of the size that real ones have, are read from a file and
written as an HTML page, each in a process of its own; where Chromium is installed, the page is opened and filtered.
Each figure is the median of three runs.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))  # the tests are no part of the installed package

from specassay.report import html  # noqa: E402
from specassay.report import json as json_report  # noqa: E402
from specassay.results.load import load  # noqa: E402
from tests.report import big  # noqa: E402
from tests.report.browser import COMMAND, browser  # noqa: E402

SIZES = (1_000, 3_000, 10_000)
RUNS = 3

_FILTER = """
new Promise((done) => {
  const begun = performance.now();
  history.replaceState(null, "", "#q=twice+context");
  show();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
})
"""


def report(source: Path, target: Path) -> dict[str, float]:
    """Read results, write the page, and give seconds, megabytes of memory at most, and bytes of the page."""
    begun = time.perf_counter()
    results = load(source)
    read = time.perf_counter()
    page = html.render(results)
    target.write_text(page, "utf-8")
    return {
        "read": read - begun,
        "write": time.perf_counter() - read,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "bytes": len(page.encode()),
    }


def shown(file: Path) -> dict[str, float]:
    """Open a page in Chromium and search in it; give milliseconds."""
    if COMMAND is None:
        return {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, browser(Path(folder)) as page:
        page.open(file)
        opened = page.run("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
        return {"open": opened, "filter": page.run(_FILTER)}


def measure(count: int, folder: Path) -> dict[str, float]:
    """Give the medians for results of `count` scenarios."""
    source, target = folder / f"{count}.json", folder / f"{count}.html"
    source.write_text(json_report.render(big.results(count)), "utf-8")
    found = []
    for _ in range(RUNS):
        command = [sys.executable, __file__, str(source), str(target)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found.append({**json.loads(told), **shown(target)})
    return {name: statistics.median(one[name] for one in found) for name in found[0]} | {
        "json": source.stat().st_size,
    }


def main() -> None:
    """Print the table."""
    print("scenarios  JSON MB  read s  write s  memory MB  page MB  opens ms  filters ms")
    with tempfile.TemporaryDirectory() as folder:
        for count in SIZES:
            one = measure(count, Path(folder))
            seen = [f"{one[name]:.0f}" if name in one else "-" for name in ("open", "filter")]
            print(
                f"{count:>9}  {one['json'] / 1e6:>7.1f}  {one['read']:>6.2f}  {one['write']:>7.2f}  "
                f"{one['memory']:>9.0f}  {one['bytes'] / 1e6:>7.2f}  {seen[0]:>8}  {seen[1]:>10}"
            )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(report(Path(sys.argv[1]), Path(sys.argv[2]))))
    else:
        main()
