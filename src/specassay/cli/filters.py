"""The filters that several commands take."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from specassay.catalogue import KINDS

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--spec", multiple=True, metavar="NAME", help="Take only this specification; repeatable."),
    click.option(
        "--id", multiple=True, metavar="ID", help="Take only this requirement, statement or scenario; repeatable."
    ),
    click.option(
        "--kind", multiple=True, type=click.Choice(KINDS), help="Take only scenarios of this kind; repeatable."
    ),
    click.option(
        "--surface",
        multiple=True,
        metavar="NAME",
        help="Take only scenarios of this surface and what it builds on; repeatable.",
    ),
)


def filter_options(command: Command) -> Command:
    """Give a command the options `--spec`, `--id`, `--kind` and `--surface`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
