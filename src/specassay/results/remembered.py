"""What failed when the suite was last run in this folder, for `--last-failed`."""

import json
from collections.abc import Iterable
from pathlib import Path

from specassay.errors import UsageError
from specassay.results.model import ImplementationRecord, Verdict

FILE = Path(".specassay", "last-failed.json")

_OPEN = (Verdict.FAILED, Verdict.INCONCLUSIVE)
_DECIDED = (*_OPEN, Verdict.PASSED, Verdict.INAPPLICABLE)


def recall(names: Iterable[str], file: Path = FILE) -> frozenset[str]:
    """Give the ids of the scenarios that failed last for any of these implementations, or were inconclusive.

    Raises `UsageError` where there is none, and where the file is not one that `remember` wrote.
    """
    known = _read(file)
    found = frozenset(scenario for name in names for scenario in known.get(name, ()))
    if not found:
        raise UsageError(
            "nothing is remembered that failed for these drivers in this folder; run without --last-failed"
        )
    return found


def remember(records: Iterable[ImplementationRecord], file: Path = FILE) -> None:
    """Note what failed now; what was not run keeps its place. Raises `OSError` for a folder that is read-only."""
    try:
        known = _read(file)
    except UsageError:
        known = {}
    for record in records:
        decided = {one.id for one in record.scenarios if one.verdict in _DECIDED}
        kept = [one for one in known.get(record.name, ()) if one not in decided]
        known[record.name] = sorted({*kept, *(one.id for one in record.scenarios if one.verdict in _OPEN)})
    file.parent.mkdir(exist_ok=True)
    (file.parent / ".gitignore").write_text("*\n", "utf-8")
    file.write_text(json.dumps(known, indent=2) + "\n", "utf-8")


def _read(file: Path) -> dict[str, list[str]]:
    try:
        known = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot be read ({error}); delete it") from None
    fits = isinstance(known, dict) and all(
        isinstance(ids, list) and all(isinstance(one, str) for one in ids) for ids in known.values()
    )
    if not fits:
        raise UsageError(f"{file}: is not what specassay writes there; delete it")
    return {str(name): ids for name, ids in known.items()}
