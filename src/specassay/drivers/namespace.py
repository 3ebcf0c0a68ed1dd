"""A network of its own for a driver, in which loopback has one more address: a peer there is not loopback.

Nothing in it can reach, or be reached from, any other network. The harness speaks with what is inside by sockets that
are made there and handed out. It takes Linux, and user namespaces without privilege.

`python -m specassay.drivers.namespace SOCKET -- COMMAND…` is what `unshare` starts inside.
"""

import fcntl
import functools
import json
import os
import shlex
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from specassay.port import NotRunnable

ADDRESS = "10.99.0.1"
"""The address, inside, that is not loopback."""

_UNSHARE = ("unshare", "--user", "--map-root-user", "--net")
_SIOCSIFADDR, _SIOCSIFFLAGS, _IFF_UP = 0x8916, 0x8914, 0x1
_SECONDS = 10.0


class Namespace:
    """One such network, once a driver runs in it by `command`."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="specassay-")
        self._path = str(Path(self._folder.name, "sockets"))

    def command(self, command: str) -> str:
        """Give the command line that runs a command inside. Raises `NotRunnable` where the machine offers no such."""
        reason = unavailable()
        if reason is not None:
            raise NotRunnable(f"a peer that is not loopback takes a network namespace, and {reason}")
        program = (sys.executable, "-P", "-m", "specassay.drivers.namespace", self._path, "--")
        return shlex.join([*_UNSHARE, *program, *shlex.split(command)])

    def connect(self, host: str, port: int, source: str) -> socket.socket:
        """Connect inside, from the address `source`. Raises `OSError`."""
        return self._ask({"connect": [host, port], "source": source})

    def listen(self) -> socket.socket:
        """Listen inside, on 127.0.0.1 and a port that the system chose."""
        return self._ask({"listen": True})

    def close(self) -> None:
        """Remove what stands on the disk; the network ends with the last process in it."""
        self._folder.cleanup()

    def _ask(self, request: Any) -> socket.socket:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
            line.settimeout(_SECONDS)
            line.connect(self._path)
            line.send(json.dumps(request).encode())
            answer, handles, _, _ = socket.recv_fds(line, 4096, 1)
        if not handles:
            raise OSError(answer.decode())
        return socket.socket(fileno=handles[0])


@functools.cache
def unavailable() -> str | None:
    """Say why there can be no such network here; None where there can."""
    if sys.platform != "linux":
        return "only Linux has them"
    try:
        tried = subprocess.run(  # noqa: S603 - a fixed command
            [*_UNSHARE, "true"], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"unshare does not run here: {error}"
    return f"this machine does not allow one: {tried.stderr.strip()}" if tried.returncode else None


# What runs inside


def main(path: str, command: list[str]) -> None:
    """Bring loopback up, hand out sockets from a process of its own, and become the command."""
    _raise_loopback()
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.bind(path)
    line.listen()
    parent = os.getpid()
    if os.fork() == 0:
        _serve(line, parent)
    line.close()
    os.execvp(command[0], command)  # noqa: S606 - the user's own driver


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        up = struct.pack("16sh", b"lo", _IFF_UP)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, up)
        address = struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton(ADDRESS))
        fcntl.ioctl(any_socket, _SIOCSIFADDR, address)


def _serve(line: socket.socket, parent: int) -> None:
    """Hand out sockets until the driver has gone."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    line.settimeout(1.0)
    while os.getppid() == parent:
        try:
            asker, _ = line.accept()
        except TimeoutError:
            continue
        with asker:
            try:
                with _make(json.loads(asker.recv(4096))) as made:
                    socket.send_fds(asker, [b"made"], [made.fileno()])
            except OSError as error:
                asker.send(str(error).encode())
    os._exit(0)


def _make(request: Any) -> socket.socket:
    if "listen" in request:
        return socket.create_server(("127.0.0.1", 0))
    host, port = request["connect"]
    return socket.create_connection((host, port), timeout=_SECONDS, source_address=(request["source"], 0))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[sys.argv.index("--") + 1 :])
