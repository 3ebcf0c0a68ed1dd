"""The double of the control service: it answers `control.execute`, and remembers who asked for what."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class ControlFailure(Exception):  # noqa: N818 - it is what the service was told to do
    """The service fails with these data: {message, status?, partial?}."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(str(data["message"]))
        self.data = data


@dataclass
class ControlCall:
    """One request as it came; `aborted` is the time in seconds at which its abort was told, if it was."""

    request: Any
    action: Any
    input: Any
    directory: Any
    at: float
    aborted: float | None = None

    @property
    def shown(self) -> dict[str, Any]:
        """What was asked for, without when."""
        return {"action": self.action, "input": self.input, "contextDirectory": self.directory}


class Control:
    """The service of one scenario: what it answers, and which calls came."""

    def __init__(self) -> None:
        self._failure: Mapping[str, Any] | None = None
        self._held: tuple[str, asyncio.Event] | None = None
        self._changed = asyncio.Event()
        self.data: Any = {}
        """What it answers unless it fails."""
        self.calls: list[ControlCall] = []

    def fails(self, data: Mapping[str, Any] | None) -> None:
        """Let every call fail with these data; None lets them succeed again."""
        self._failure = data

    def hold(self, action: str) -> None:
        """Let each call of an action wait until `release`."""
        self._held = action, asyncio.Event()

    def release(self) -> None:
        """Answer what is held."""
        if self._held is not None:
            self._held[1].set()
            self._held = None

    async def execute(self, params: Mapping[str, Any], request: Any) -> Any:
        """Answer one `control.execute`. Raises `ControlFailure` where the service fails."""
        call = ControlCall(
            request, params.get("action"), params.get("input"), params.get("contextDirectory"), time.monotonic()
        )
        self.calls.append(call)
        self._changed.set()
        if self._held is not None and self._held[0] == call.action:
            await self._held[1].wait()
        if self._failure is not None:
            raise ControlFailure(self._failure)
        return self.data

    def aborted(self, params: Mapping[str, Any]) -> None:
        """Take one `control.aborted`."""
        for call in self.calls:
            if call.request == params.get("requestId"):
                call.aborted = call.aborted or time.monotonic()
        self._changed.set()

    async def until(self, action: str, seconds: float, *, aborted: bool = False) -> bool:
        """Wait until a call of an action has come, or been aborted; False where it is not in time."""
        try:
            async with asyncio.timeout(seconds):
                while not any(c.action == action and (c.aborted is not None or not aborted) for c in self.calls):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True
