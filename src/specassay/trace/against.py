"""Finds the texts that a trace compares the locks with: files, folders, and changes that are not applied yet."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from specassay.catalogue import slug
from specassay.errors import UsageError
from specassay.trace import source
from specassay.trace.chain import Text
from specassay.trace.deltas import apply
from specassay.trace.discovery import discover
from specassay.trace.lock import Lock
from specassay.trace.openspec import read

SPEC = "spec.md"


@dataclass(frozen=True)
class Changed:
    """Texts as a change makes them, those that it changes, and what of it could not be applied."""

    texts: dict[str, Text]
    bases: dict[str, Text]
    notes: tuple[str, ...]


def texts(paths: Iterable[Path], known: Collection[str], locks: Mapping[str, Lock]) -> dict[str, Text]:
    """Read the specifications at these paths, by their ids in the features. Raises `UsageError`."""
    found: dict[str, Text] = {}
    for path in paths:
        for name, file in files(path, known, locks):
            if name in found and Path(found[name].file).resolve() != file.resolve():
                raise UsageError(f"--against: {found[name].file} and {file} are both {name}; give one of them")
            found[name] = Text(str(file), source.load(file))
    return found


def files(path: Path, known: Collection[str], locks: Mapping[str, Lock]) -> Iterator[tuple[str, Path]]:
    """Give the specification files at a path, each with the id that the features have for it."""
    if path.is_dir():
        root = next((below for below in (path / "openspec" / "specs", path / "specs") if below.is_dir()), path)
        found = {_known(one.id, known): one.path for one in discover(root)}
        for name, lock in locks.items():
            beside = [root / name / lock.source, *([root / lock.source] if root.name == name else [])]
            if (file := next((one for one in beside if one.is_file()), None)) is not None:
                found[name] = file
        if not found:
            raise UsageError(f"--against {path}: there is no <name>/{SPEC} in this folder, and no source of a lock")
        yield from found.items()
    elif path.is_file():
        yield _name_of(path, known, locks), path
    else:
        raise UsageError(f"--against {path}: there is no such file or folder")


def changed(folder: Path, bases: Iterable[Path], known: Collection[str], locks: Mapping[str, Lock]) -> Changed:
    """Apply an OpenSpec change in memory. `bases` are where the specifications are; the change's own project otherwise.

    Raises `UsageError` where the folder is no change, or a specification that it changes cannot be found.
    """
    deltas = discover(folder / "specs") if (folder / "specs").is_dir() else ()
    if not deltas:
        raise UsageError(f"--change {folder}: there is no specs/<name>/{SPEC} in this folder")
    places = [*bases] or [place for place in (folder.resolve().parent.parent / "specs",) if place.is_dir()]
    there = {name: file for place in places for name, file in files(place, known, locks)}
    found: dict[str, Text] = {}
    notes: list[str] = []
    for delta in deltas:
        name = _known(delta.id, known)
        if name not in there and name in locks:
            raise UsageError(
                f"--change {folder}: the text of {name} that it changes is not there; give it with --against"
            )
        applied = apply(read(there[name]) if name in there else None, read(delta.path))
        notes += [f"{delta.path}:{lint.line}: {lint.message}" for lint in (*applied.errors, *applied.notes)]
        found[name] = Text(str(delta.path), source.of_document(applied.document))
    before = {id_: Text(str(there[id_]), source.load(there[id_])) for id_ in found if id_ in there}
    return Changed(found, before, tuple(notes))


def _known(name: str, known: Collection[str]) -> str:
    """Give the folder of features that an OpenSpec id, "area/capability", has."""
    forms = (name, slug(name), slug(name.rpartition("/")[2]))
    return next((form for form in forms if form in known), name)


def _name_of(file: Path, known: Collection[str], locks: Mapping[str, Lock]) -> str:
    folder = file.resolve().parent.name
    if folder in known or file.stem in known:
        return folder if folder in known else file.stem
    sources = [name for name, lock in locks.items() if lock.source == file.name]
    candidates = sources if len(sources) == 1 else [*known]
    if len(candidates) == 1:
        return candidates[0]
    names = ", ".join(sorted(known)) or "there are none"
    raise UsageError(
        f"--against {file}: cannot tell which specification of the features this is ({names}); "
        "put it into a folder of that name"
    )
