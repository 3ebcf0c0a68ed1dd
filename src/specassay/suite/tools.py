"""The double of the tools: it runs what the implementation asks for by `tool.execute`, and remembers it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

Read = Callable[[str], Awaitable[Any]]
"""Calls an operation of the implementation without parameters, from within a double."""


class ToolFailure(Exception):  # noqa: N818 - it is what the tool was told to do
    """The tool throws an error with this message."""


PATIENCE = 0.05
"""Seconds that a tool goes on running while something else is begun: enough to post, if that is not held back."""


@dataclass
class ToolRun:
    """One run of a tool, as it was asked for, from `at` until `until`, both in Unix milliseconds.

    `seen` holds what was read while it ran, by operation.
    """

    name: Any
    args: Any
    context: Any
    at: float
    until: float | None = None
    seen: dict[str, Any] = field(default_factory=dict)


class Tools:
    """How each tool of the scenario behaves, and which were run."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._behaviours: dict[str, Callable[[], Any]] = {}
        self.read_while_running: tuple[str, ...] = ()
        self.runs: list[ToolRun] = []
        self.meanwhile: Callable[[], Coroutine[Any, Any, Any]] | None = None
        """What is begun while the first tool runs, and is not waited for."""
        self._begun: asyncio.Task[Any] | None = None

    def returns(self, name: str, result: Any) -> None:
        """Let the tool return this, any JSON."""
        self._behaviours[name] = lambda: result

    def throws(self, name: str, message: str) -> None:
        """Let the tool throw an error with this message."""

        def fail() -> Any:
            raise ToolFailure(message)

        self._behaviours[name] = fail

    def runs_of(self, name: str) -> list[ToolRun]:
        """Give the runs of one tool, in order."""
        return [run for run in self.runs if run.name == name]

    async def close(self) -> None:
        """Give up what was begun meanwhile and has not ended."""
        if self._begun is not None:
            self._begun.cancel()
            await asyncio.gather(self._begun, return_exceptions=True)

    async def execute(self, params: dict[str, Any]) -> Any:
        """Answer one `tool.execute`. Raises `ToolFailure` where the tool throws."""
        name = params.get("name")
        run = ToolRun(name, params.get("args"), params.get("context"), time.time() * 1000)
        self.runs.append(run)
        for operation in self.read_while_running:
            run.seen[operation] = await self._read(operation)
        if self.meanwhile is not None and self._begun is None:
            self._begun = asyncio.ensure_future(self.meanwhile())
            await asyncio.wait({self._begun}, timeout=PATIENCE)
        run.until = time.time() * 1000
        behave = self._behaviours.get(name) if isinstance(name, str) else None
        if behave is None:
            raise ToolFailure(f"no tool of this name was given to this scenario: {name}")
        return behave()
