"""`specassay record`: a user's own exchanges, captured through a loopback proxy into exchange files."""

import asyncio
from pathlib import Path

import click

from specassay.errors import Exit, UsageError
from specassay.provider import record
from specassay.provider.secrets import Secrets
from specassay.provider.serving import serve
from specassay.report.text import visible

EPILOG = """\b
Exit codes:
  0    ended by Ctrl-C, and every request was answered and recorded
  2    wrong usage
  3    the upstream left a request unanswered, or a file could not be written
"""


@click.command("record", epilog=EPILOG, short_help="Write your own calls of a model as exchange files.")
@click.option("--upstream", required=True, metavar="URL", help="The provider, as https://api.openai.com.")
@click.option("--to", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Write files here.")
def command(upstream: str, folder: Path) -> int:
    """Pass requests on to a provider, and write each call of a model as an exchange file, until Ctrl-C.

    Keys, tokens, cookies, account and request ids are taken out before anything is written. What you and the
    model said stays in: read a file before you share it.
    """
    record.checked(upstream)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--to {folder}: {error.strerror}") from None
    return asyncio.run(_record(upstream, folder))


async def _record(upstream: str, folder: Path) -> int:
    async with record.client() as client:
        recorder = record.Recorder(upstream, folder, client, _say)
        await serve(recorder.handle, 0, lambda origin: _announce(origin, upstream))
    _say(f"{recorder.recorded} recorded, {recorder.failed} failed")
    return int(Exit.INCONCLUSIVE if recorder.failed else Exit.CONFORMS)


def _announce(origin: str, upstream: str) -> None:
    _say(f"{origin} passes on to {Secrets().clean_url(upstream)}; Ctrl-C ends it")


def _say(text: str) -> None:
    click.echo(visible(text))
