"""Where a secret stands: in files, in texts, on the command lines and in the environments of processes."""

import base64
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from specassay.suite.checks import counted

_PROCESSES = Path("/proc")


@dataclass
class Search:
    """What was looked through, in words, and the places at which the secret stands."""

    looked: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)


def search(secrets: list[str], folder: Path, texts: Mapping[str, list[str]]) -> Search:
    """Look for secrets, plain and in base64, in all files of a folder, in texts by what they are, and in processes.

    The environment of a process that this one started, or one of its own did, may hold them: it is the child's.
    """
    forms = [form for secret in secrets for form in _forms(secret)]
    made = Search()
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    made.looked.append(f"{counted(files, 'file')} of the data directory and the home")
    made.found += [f"the file {file.relative_to(folder)}" for file in files if _holds(file.read_bytes(), forms)]
    for name, parts in texts.items():
        made.looked.append(f"{len(parts)} {name}")
        made.found += [f"{name}, number {n}" for n, part in enumerate(parts, 1) if _holds(part.encode(), forms)]
    processes = list(_numbers())
    made.looked.append(f"the command lines and environments of {len(processes)} processes")
    for number in processes:
        if _holds(_read(number, "cmdline"), forms):
            made.found.append(f"the command line of process {number}")
        if _holds(_read(number, "environ"), forms) and not _is_descendant(number):
            made.found.append(f"the environment of process {number}")
    return made


def _forms(secret: str) -> Iterator[bytes]:
    yield secret.encode()
    for prefix in ("", "Bearer "):
        encoded = base64.b64encode((prefix + secret).encode()).rstrip(b"=")
        yield encoded[:-1]
        yield base64.urlsafe_b64encode((prefix + secret).encode()).rstrip(b"=")[:-1]


def _holds(data: bytes, forms: list[bytes]) -> bool:
    return any(form in data for form in forms)


def _numbers() -> Iterator[int]:
    if _PROCESSES.is_dir():
        yield from (int(entry.name) for entry in _PROCESSES.iterdir() if entry.name.isdigit())


def _read(number: int, name: str) -> bytes:
    try:
        return (_PROCESSES / str(number) / name).read_bytes()
    except OSError:  # it has ended, or is somebody else's
        return b""


def _is_descendant(number: int) -> bool:
    while number > 1:
        number = _parent(number)
        if number == os.getpid():
            return True
    return False


def _parent(number: int) -> int:
    status = _read(number, "stat").rpartition(b")")[2].split()
    return int(status[1]) if len(status) > 1 else 0
