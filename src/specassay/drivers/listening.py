"""Which processes listen on which ports: from /proc where there is one, else from lsof."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_TABLES = ("tcp", "tcp6")
_LISTENS = "0A"
_LSOF = ("lsof", "-nP", "-iTCP", "-sTCP:LISTEN", "-Fpgn")


@dataclass(frozen=True)
class Listener:
    """A process that listens on a TCP port, and its process group."""

    process: int
    group: int
    port: int


def listeners() -> set[Listener]:
    """Give the listeners of this user's processes; none where the system does not tell."""
    return set(_from_proc() if (_PROC / "net" / "tcp").exists() else _from_lsof())


def _from_proc() -> Iterator[Listener]:
    ports = dict(_sockets())
    for process in _PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # another user's process, or one that has just ended
            number = int(process.name)
            for link in os.listdir(process / "fd"):
                with contextlib.suppress(OSError):
                    port = ports.get(os.readlink(process / "fd" / link))
                    if port is not None:
                        yield Listener(number, os.getpgid(number), port)


def _sockets() -> Iterator[tuple[str, int]]:
    """Give the sockets that listen, as a descriptor names them, each with its port."""
    for table in _TABLES:
        file = _PROC / "net" / table
        for line in file.read_text().splitlines()[1:] if file.exists() else []:
            fields = line.split()
            if fields[3] == _LISTENS:
                yield f"socket:[{fields[9]}]", int(fields[1].rpartition(":")[2], 16)


def _from_lsof() -> Iterator[Listener]:
    """Read lsof's fields, one a line: p the process, g its group, and n an address for each of its sockets."""
    try:
        told = subprocess.run(_LSOF, capture_output=True, text=True, check=False, timeout=10).stdout  # noqa: S603 - our own
    except (OSError, subprocess.TimeoutExpired):
        return
    process = group = 0
    for line in told.splitlines():
        if line.startswith("p"):
            process = int(line[1:])
        elif line.startswith("g"):
            group = int(line[1:])
        elif line.startswith("n"):
            yield Listener(process, group, int(line.rpartition(":")[2]))
