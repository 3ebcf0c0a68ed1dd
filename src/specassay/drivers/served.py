"""A user's own server as a child process: started with the environment of a scenario, waited for, ended with its group."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from specassay import resources
from specassay.drivers.command import split_command
from specassay.errors import DriverStartError

_POLL = 0.02
_GRACE = 2.0
_FOREIGN = ("LLM_", "OPENAI_", "GEMINI_", "GOOGLE_")
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
LLM_NAMES = ("LLM_PROVIDER", "LLM_MODEL", "LLM_API_KEY", "LLM_BASE_URL")


class ServedProcess:
    """One running server. `origin` is where it listens."""

    def __init__(self, command: str, directory: str | None) -> None:
        self._command = command
        self._arguments = split_command(command, directory)
        self._directory = directory
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._process: subprocess.Popen[bytes] | None = None
        self._port = _free_port()
        self.origin = f"http://127.0.0.1:{self._port}"

    async def start(self, environment: Mapping[str, str], egress: str, seconds: float | None) -> None:
        """Start the server, and wait until it listens. Raises `DriverStartError` where it does not.

        A server that ends by itself meanwhile raises `ServerEnded`.
        """
        self._process = subprocess.Popen(  # noqa: S603 - the user's own command
            self._arguments,
            cwd=self._directory,
            env=environment_of(environment, self._port, egress),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(seconds):
                while not await _listens(self._port):
                    if self._process.poll() is not None:
                        raise ServerEnded(self._ended())
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            raise DriverStartError(self._silent(seconds)) from None

    async def close(self) -> None:
        """End the server and whatever it started."""
        if self._process is not None:
            _signal_group(self._process.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE):
                    while self._process.poll() is None:
                        await asyncio.sleep(_POLL)
            _signal_group(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._log.close()

    def log_size(self) -> int:
        """How much it has written, in bytes."""
        return 0 if self._log.closed else os.fstat(self._log.fileno()).st_size

    def log_since(self, start: int, limit: int = 4096) -> str:
        """Read the end of what it has written since `start`, at most `limit` bytes."""
        size = self.log_size()
        if not size:
            return ""
        return os.pread(self._log.fileno(), limit, max(start, size - limit)).decode("utf-8", "replace")

    def _ended(self) -> str:
        assert self._process is not None
        status = self._process.returncode
        how = f"exit status {status}" if status >= 0 else f"signal {-status}"
        return f"the server ended with {how} before it listened: {self._command}{self._tail()}"

    def _silent(self, seconds: float | None) -> str:
        elsewhere = _listening_ports(self._process.pid) if self._process is not None else []
        hint = (
            f"it listens on port {', '.join(map(str, elsewhere))} instead: let it listen on the port that PORT names"
            if elsewhere
            else "let it listen on 127.0.0.1, on the port that PORT names, or give it longer by --start-timeout"
        )
        return f"the server does not listen on port {self._port} after {seconds:g} s; {hint}: {self._command}{self._tail()}"

    def _tail(self) -> str:
        log = self.log_since(0, 2000).strip()
        return f"\nthe end of its output:\n{log}" if log else ""


class ServerEnded(DriverStartError):  # noqa: N818 - it is what the server did
    """The server ended before it listened."""


def environment_of(wanted: Mapping[str, str], port: int, egress: str) -> dict[str, str]:
    """Give the environment of a server: nobody's provider or proxy variables but those that are wanted.

    A missing `LLM_*` is passed empty, since frameworks fill one that is unset from a file. The kits are loaded
    beforehand, so that what is meant for other hosts comes to the egress.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_FOREIGN) and name.lower() not in _PROXIES
    }
    node = f"--import {(resources.KITS / 'javascript' / 'egress.mjs').as_uri()}"
    python = [str(resources.KITS / "python" / "preload"), os.environ.get("PYTHONPATH", "")]
    return {
        **kept,
        **dict.fromkeys(LLM_NAMES, ""),
        **wanted,
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "SPECASSAY_EGRESS": egress,
        "NODE_OPTIONS": " ".join(filter(None, [os.environ.get("NODE_OPTIONS"), node])),
        "PYTHONPATH": os.pathsep.join(filter(None, python)),
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def _signal_group(leader: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _listening_ports(leader: int) -> list[int]:
    """Give the TCP ports that a process group listens on, where the system says so (Linux)."""
    inodes = {
        target[8:-1]
        for process in Path("/proc").glob("[0-9]*")
        if _group_of(process) == leader
        for target in _open_files(process)
        if target.startswith("socket:[")
    }
    ports = set()
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        for line in table.read_text().splitlines()[1:] if table.exists() else []:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                ports.add(int(fields[1].rpartition(":")[2], 16))
    return sorted(ports)


def _group_of(process: Path) -> int | None:
    with contextlib.suppress(OSError):
        return os.getpgid(int(process.name))
    return None


def _open_files(process: Path) -> list[str]:
    found = []
    with contextlib.suppress(OSError):
        for file in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                found.append(os.readlink(file))
    return found
