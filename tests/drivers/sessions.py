"""A session with a driver written by hand, without the suite."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from specassay.drivers.connection import Sender, unknown_method
from specassay.drivers.process import ChildProcess
from specassay.drivers.protocol import Declaration
from specassay.drivers.session import Session

SHELL = f"{sys.executable} {Path(__file__).parent / 'scripts' / 'shell.py'}"


async def serve(method: str, params: dict[str, Any]) -> Any:
    raise unknown_method(method)


def session(
    command: str = SHELL,
    directory: str | None = None,
    environment: dict[str, str] | None = None,
    *,
    start_seconds: float | None = 10,
    isolate: bool = False,
    messages: list[Any] | None = None,
) -> Session:
    """Make a session; `messages` is given every message as it passes."""

    def observe(sender: Sender, message: Any, of_scenario: bool) -> None:
        if messages is not None:
            messages.append((sender, message, of_scenario))

    def make() -> ChildProcess:
        return ChildProcess(command, directory, environment or {}, lambda text: None)

    return Session(make, serve, observe, start_seconds=start_seconds, isolate=isolate)


def declare(statement: Any, **options: Any) -> Declaration:
    """Shake hands with a driver that declares this beside what it must, and end it."""

    async def shake() -> Declaration:
        opened = session(environment={"STATEMENT": json.dumps(statement)}, **options)
        try:
            return await opened.start()
        finally:
            await opened.close()

    return asyncio.run(shake())


def begin_params(scenario: str, storage: dict[str, str] | None = None) -> dict[str, Any]:
    """Make the parameters of `scenario.begin`."""
    names = ("provider", "chatOrigin", "egress", "trap", "refused")
    endpoints = dict.fromkeys(names, "http://127.0.0.1:9")
    given = {"id": scenario, "endpoints": endpoints, "environment": {}, "seed": 1}
    return given if storage is None else {**given, "storage": storage}
