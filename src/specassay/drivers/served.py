"""A user's own server as a child process: started with an environment, waited for, and ended with its whole group."""

import asyncio
import os
import socket
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from specassay import resources
from specassay.drivers.command import split_command
from specassay.drivers.group import Ending, Group, signal_name
from specassay.drivers.listening import listeners
from specassay.errors import DriverStartError

GRACE = 2.0
"""Seconds that a server is given to end after TERM."""

LLM_NAMES = ("LLM_PROVIDER", "LLM_MODEL", "LLM_API_KEY", "LLM_BASE_URL")

_POLL = 0.02
_CONNECT = 1.0
_FOREIGN = ("LLM_", "OPENAI_", "GEMINI_", "GOOGLE_")
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
_HOSTS = ("127.0.0.1", "::1")
_TAIL = 2000


class ServedProcess:
    """One running server. `origin` is where it listens, once it does; `log` is given all that it writes."""

    def __init__(self, command: str, directory: str | None, log: IO[bytes]) -> None:
        self._command = command
        self._arguments = split_command(command, directory, "server")
        self._directory = directory
        self._log = log
        self._log_start = os.fstat(log.fileno()).st_size
        self._group = Group()
        self._marks = tempfile.TemporaryDirectory(prefix="specassay-", ignore_cleanup_errors=True)
        self._port = _free_port()
        self.origin = ""

    @property
    def exit_status(self) -> int | None:
        """The exit status, negative for a signal; None while the server runs."""
        return self._group.exit_status

    async def start(self, environment: Mapping[str, str]) -> int:
        """Start the server with this environment and a port, and give its process group. Raises `DriverStartError`."""
        try:
            await self._group.start(
                Ending(),
                self._arguments,
                cwd=self._directory,
                env={**environment, "PORT": str(self._port), "HOST": "127.0.0.1", "SPECASSAY_LOADED": self._marks.name},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise DriverStartError(
                f"the server cannot be started: {self._command}: {reason.lower()}; does the command work in a shell?"
            ) from None
        assert self._group.id is not None
        return self._group.id

    async def listening(self, seconds: float | None) -> None:
        """Wait until it listens. Raises `DriverStartError` where it ends by itself, or does not in time."""
        try:
            async with asyncio.timeout(seconds):
                while not await self.listens():
                    if await self._group.ended_within(_POLL):
                        raise DriverStartError(f"{self._how_it_ended()} before it listened{self._tail()}")
        except TimeoutError:
            raise DriverStartError(await self._silent(seconds or 0)) from None

    async def close(self) -> None:
        """End the server and whatever it started."""
        await self._group.kill(GRACE)
        await self._group.release()
        self._marks.cleanup()

    async def has_kit(self) -> bool:
        """Say whether a process that listens on the server's port has loaded the kit.

        A launcher that has loaded it is not enough: what it launched may be another program.
        """
        listening = {one.process for one in await asyncio.to_thread(listeners) if one.port == self._port}
        return any(_has_marked(Path(self._marks.name), process) for process in listening)

    def _how_it_ended(self) -> str:
        status = self.exit_status or 0
        how = f"ended with exit status {status}" if status >= 0 else f"was ended by {signal_name(-status)}"
        return f"the server ({self._command}) {how}"

    async def listens(self) -> bool:
        """Say whether something listens on the server's port now; `origin` is then its address."""
        for host in _HOSTS:
            if await connects(host, self._port):
                self.origin = f"http://[{host}]:{self._port}" if ":" in host else f"http://{host}:{self._port}"
                return True
        return False

    async def _silent(self, seconds: float) -> str:
        found = await asyncio.to_thread(listeners)
        ports = sorted({one.port for one in found if one.group == self._group.id})
        hint = "let it listen there, or give it longer with --start-timeout"
        if ports:
            named = f"port {ports[0]}" if len(ports) == 1 else f"the ports {', '.join(map(str, ports))}"
            hint = f"it listens on {named}: let it listen on the port that the variable PORT names"
        return (
            f"the server ({self._command}) does not listen on port {self._port} of this machine, "
            f"which PORT names, after {seconds:g} s; {hint}{self._tail()}"
        )

    def _tail(self) -> str:
        size = os.fstat(self._log.fileno()).st_size
        start = max(self._log_start, size - _TAIL)
        text = os.pread(self._log.fileno(), _TAIL, start).decode("utf-8", "replace").strip()
        return f"\nthe end of its output:\n{text}" if text else ""


async def connects(host: str, port: int) -> bool:
    """Say whether something takes a connection there."""
    try:
        async with asyncio.timeout(_CONNECT):
            _, writer = await asyncio.open_connection(host, port)
    except OSError:  # a TimeoutError is one
        return False
    writer.close()
    return True


def environment_of(given: Mapping[str, str], wanted: Mapping[str, str], egress: str) -> dict[str, str]:
    """Give the environment of a server: what is `given`, and of the provider's variables only what is `wanted`.

    A missing `LLM_*` is passed empty, since frameworks fill one that is unset from a file. The kits are loaded
    beforehand, so that what is meant for other hosts comes to the egress.
    """
    kept = {
        name: value for name, value in given.items() if not name.startswith(_FOREIGN) and name.lower() not in _PROXIES
    }
    node = f"--import {(resources.KITS / 'javascript' / 'egress.mjs').resolve().as_uri()}"
    python = str((resources.KITS / "python" / "preload").resolve())
    return {
        **kept,
        **dict.fromkeys(LLM_NAMES, ""),
        **wanted,
        "SPECASSAY_EGRESS": egress,
        "NODE_OPTIONS": " ".join(filter(None, [kept.get("NODE_OPTIONS"), node])),
        "PYTHONPATH": os.pathsep.join(filter(None, [python, kept.get("PYTHONPATH")])),
        "npm_config_update_notifier": "false",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _has_marked(marks: Path, process: int) -> bool:
    """Say whether a process has left its mark, and still runs the program that it ran then."""
    try:
        program = (marks / str(process)).read_text("utf-8")
        return not program or program == os.readlink(f"/proc/{process}/exe")
    except OSError:
        return False
