"""`specassay doctor`: whether a driver can be spoken with."""

import asyncio
import shlex
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from specassay.drivers.doctor import Finding, examine
from specassay.drivers.samples import PROBE
from specassay.errors import Exit, UsageError
from specassay.provider.endpoints import Endpoints
from specassay.provider.journal import Answer, Request, json_answer
from specassay.results import drivers, settings
from specassay.results.drivers import Driver
from specassay.visible import visible, visible_lines

EPILOG = """\b
Examples:
  specassay doctor --driver "node driver.mjs"
  specassay doctor --driver "python driver.py" --directory my-shell

\b
Exit codes: 0 nothing is wrong, 1 there are problems, 4 the driver did not start.
"""


@click.command("doctor", epilog=EPILOG, short_help="Say what is wrong with a driver.")
@click.option(
    "--driver",
    "option",
    required=True,
    metavar="COMMAND",
    help="The command line that starts the driver, or the name of a configured one.",
)
@click.option("--directory", metavar="DIR", help="Start it in this folder.")
def command(option: str, directory: str | None) -> int:
    """Start a driver, make one call of each operation that it declares, end it, and say what is wrong and why."""
    (driver,) = drivers.choose([option], settings.load(Path.cwd()).drivers)
    if driver.route is not None:
        raise UsageError(f"--driver {option!r} is a server without a driver; `specassay run --route-cmd` tests it")
    if driver.command == drivers.REFERENCE:
        driver = replace(driver, command=shlex.join([sys.executable, "-m", "specassay.drivers.reference"]))
    if directory is not None:
        driver = replace(driver, directory=directory)
    try:
        return asyncio.run(_interruptible(driver))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _interruptible(driver: Driver) -> Exit:
    """Examine the driver; TERM and HUP end that as Ctrl-C does, and the driver with it."""
    task = asyncio.ensure_future(_examine(driver))
    for number in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await task


async def _examine(driver: Driver) -> Exit:
    problems = 0

    def tell(finding: Finding) -> None:
        nonlocal problems
        problems += finding.problem is not None
        _show(finding)

    route = _ChatRoute()
    endpoints = Endpoints(route.answer)
    addresses = await endpoints.start()
    try:
        code = await examine(driver.command, driver.directory, addresses, tell, route.posted, driver.environment)
    finally:
        await endpoints.close()
    click.echo(_conclusion(code, problems))
    return code


class _ChatRoute:
    """A chat route that asks for the tool once, and is then content. `posted` holds what it was asked."""

    def __init__(self) -> None:
        self.posted: list[Any] = []
        self._asked = False

    async def answer(self, request: Request) -> Answer:
        """Answer one request."""
        self.posted.append(request.json)
        calls = [] if self._asked else [{"id": "call-1", "name": PROBE, "args": {"q": "x"}}]
        self._asked = True
        return json_answer({"content": "" if calls else "Done.", "toolCalls": calls})


def _show(finding: Finding) -> None:
    if finding.problem is None:
        click.echo(f"ok       {visible(finding.subject)}")
    else:
        first, *rest = _lines(finding.problem)
        click.echo(f"problem  {visible(finding.subject)}: {first}")
        for line in rest:
            click.echo(f"           {line}")
        if finding.hint is not None:
            click.echo(f"         hint: {finding.hint}")
    for line in _lines(finding.details):
        click.echo(f"           {line}")


def _lines(text: str) -> list[str]:
    return visible_lines(text).splitlines()


def _conclusion(code: Exit, problems: int) -> str:
    if code is Exit.CONFORMS:
        return "Nothing is wrong with this driver."
    count = f"{problems} problem" + ("" if problems == 1 else "s")
    return f"The driver did not start: {count}." if code is Exit.NOT_STARTED else f"{count}."
