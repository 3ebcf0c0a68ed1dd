"""Turning an event loop from code that is not async, so that Ctrl-C leaves nothing half done in it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def turn(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Result]) -> Result:
    """Turn the loop until `work` is done, and give its result.

    An interruption cancels the work, waits for what it does to clean up, and is raised then.
    """
    task = loop.create_task(work)
    try:
        return loop.run_until_complete(task)
    except KeyboardInterrupt:
        task.cancel()
        loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
        raise
