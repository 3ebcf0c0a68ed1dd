"""The reports that are written to files: which there are, where they go, and that they can be written."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from specassay.errors import UsageError
from specassay.report import html, json, junit, markdown
from specassay.results.model import Results
from specassay.results.names import nearest

FORMATS: dict[str, Callable[[Results], str]] = {
    "json": json.render,
    "junit": junit.render,
    "markdown": markdown.render,
    "html": html.render,
}


@dataclass(frozen=True)
class Target:
    """One report to write."""

    format: str
    path: Path


def targets(
    options: Iterable[str], formats: Collection[str] = tuple(FORMATS), taken: Mapping[str, Path | None] | None = None
) -> tuple[Target, ...]:
    """Read `FORMAT=PATH` options, and make sure that each file can be written. Raises `UsageError`.

    `taken` are the files that other options write, by those options.
    """
    found: list[Target] = []
    for option in options:
        name, equals, path = option.partition("=")
        if not equals or not path:
            raise UsageError(f"--report {option!r}: write FORMAT=PATH, with {', '.join(formats)} as the format")
        if name not in formats:
            raise UsageError(
                f"--report {option!r}: unknown format {name!r}{nearest(name, formats)}; known: {', '.join(formats)}"
            )
        if path == "-":
            raise UsageError(f"--report {option!r}: name a file; standard output has the report for the terminal")
        target = Target(name, Path(path))
        if any(target.path.resolve() == other.path.resolve() for other in found):
            raise UsageError(f"--report {option!r}: two reports cannot go to one file")
        for other, file in (taken or {}).items():
            if file is not None and file.resolve() == target.path.resolve():
                raise UsageError(f"--report {option!r}: this file is that of {other}; give another one")
        check_writable(target.path, f"--report {option!r}")
        found.append(target)
    return tuple(found)


def check_writable(path: Path, option: str) -> None:
    """Make sure that a file can be written, and leave everything as it was. Raises `UsageError`, naming the option."""
    existed = path.exists()
    try:
        with path.open("a"):
            pass
    except OSError as error:
        raise UsageError(f"{option}: {path} cannot be written: {error.strerror}") from None
    if not existed:
        path.unlink()


def write(results: Results, chosen: Iterable[Target]) -> None:
    """Write the reports. Raises `UsageError` for one that can no longer be written."""
    for target in chosen:
        put(target, FORMATS[target.format](results))


def put(target: Target, text: str) -> None:
    """Write one report. Raises `UsageError` where that can no longer be done."""
    try:
        target.path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"the {target.format} report {target.path} cannot be written: {error.strerror}") from None
