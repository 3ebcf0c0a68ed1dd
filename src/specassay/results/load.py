"""Reads results from the file that a JSON report is."""

import gc
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from specassay.errors import Exit, UsageError
from specassay.results.model import SCHEMA_VERSION, Results


def load(file: Path) -> Results:
    """Read a results file. Raises `UsageError`, which names the file and the place in it, for whatever is wrong."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    try:
        with _no_collection():
            results = Results.model_validate_json(content)
    except ValidationError as error:
        raise UsageError(f"{file}: {_no_json(content) or _no_results(content, file) or _problem(error)}") from None
    if results.schema_version != SCHEMA_VERSION:
        raise UsageError(f"{file}: {_no_results(content, file)}")
    for place, problem in _faults(results):
        raise UsageError(f"{file}: {place}: {problem}")
    return results


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector out: of what is read nothing is garbage, and looking for it takes most of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _no_json(content: bytes) -> str | None:
    try:
        json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        return "is not UTF-8 text"
    except json.JSONDecodeError as error:
        return f"line {error.lineno}, column {error.colno}: is not JSON: {error.msg}"
    except ValueError as error:
        return f"holds a number that cannot be read: {error}"
    except RecursionError:
        return "is nested too deep to be read"
    return None


def _no_results(content: bytes, file: Path) -> str | None:
    """Say that JSON is not the results of a run at all, or of another version of them."""
    found: Any = json.loads(content)
    version = found.get("schemaVersion") if isinstance(found, dict) else None
    if not isinstance(version, str):
        return f"is not a results file; write one with `specassay run --report json={file.name}`"
    if version != SCHEMA_VERSION:
        return (
            f"schemaVersion is {version!r}, and this specassay reads {SCHEMA_VERSION!r}; "
            "run the suite again with this one"
        )
    return None


def _problem(error: ValidationError) -> str:
    """Say what is wrong first, with its place as a path: "implementations[0].exit: input should be an integer"."""
    problem = error.errors(include_url=False)[0]
    place = ""
    for part in problem["loc"]:
        place += f"[{part}]" if isinstance(part, int) else f".{part}"
    message = {"missing": "is missing", "extra_forbidden": "is a name that this specassay does not know"}
    said = message.get(problem["type"], problem["msg"][:1].lower() + problem["msg"][1:])
    return f"{place.removeprefix('.')[:300]}: {said}"


def _faults(results: Results) -> Iterable[tuple[str, str]]:
    """Find what the schema cannot say: ids and names that do not fit together."""
    scenarios = [one.id for one in results.suite.scenarios()]
    above = [one.id for one in results.suite.requirements] + [one.id for one in results.suite.statements()]
    for ids, kind in ((scenarios, "scenario"), (above, "requirement or statement")):
        if twice := _twice(ids):
            yield "suite", f"two of one id, {kind} {twice!r}"
    if not results.implementations:
        yield "implementations", "there is none"
    if twice := _twice([one.name for one in results.implementations]):
        yield "implementations", f"two are named {twice!r}"
    known = {*above, *(one.specification for one in results.suite.requirements)}
    for number, record in enumerate(results.implementations):
        place = f"implementations[{number}]"
        if [one.id for one in record.scenarios] != scenarios:
            yield f"{place}.scenarios", "are not those of the suite, in its order"
        if unknown := next((one for one in record.verdicts if one not in known), None):
            yield f"{place}.verdicts", f"{unknown!r} is nothing of the suite"
        if record.exit not in set(Exit):
            yield f"{place}.exit", f"{record.exit} is no exit code"


def _twice(names: list[str]) -> str | None:
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]
