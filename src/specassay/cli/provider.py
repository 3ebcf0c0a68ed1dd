"""`specassay provider`: the fake provider by itself, for a developer at work."""

import asyncio
import json
import time

import click

from specassay.provider import library
from specassay.provider.exchange import ExchangeFile
from specassay.provider.families import Family
from specassay.provider.journal import Exchange, Request
from specassay.provider.player import Player
from specassay.provider.secrets import Secrets
from specassay.provider.serving import serve
from specassay.report.text import visible

EPILOG = """\b
Examples:
  specassay provider
  specassay provider --port 8080 openai/one-call openai/text
  specassay provider gemini ./my-exchanges/
"""


@click.command("provider", epilog=EPILOG, short_help="Answer as a model provider does.")
@click.argument("exchanges", nargs=-1)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Listen on this port; a free one unless given.")
def command(exchanges: tuple[str, ...], port: int) -> None:
    """Answer as a model provider does, OpenAI-compatible and Gemini, until Ctrl-C.

    EXCHANGES are played in turn, for each family by itself, and then again from the first: names as
    "openai/parallel-calls", "openai" or "gemini" for all of a family, exchange files, folders of them.
    Without any, every call is answered with a greeting. Each request is shown as it comes, without secrets.
    """
    chosen = library.choose(exchanges or [f"{family}/text" for family in Family])
    player = Player(chosen, _show)
    asyncio.run(serve(player.handle, port, lambda origin: _announce(origin, chosen)))


def _announce(origin: str, chosen: list[ExchangeFile]) -> None:
    click.echo(f"OpenAI-compatible base URL  {origin}/v1")
    click.echo(f"Gemini base URL             {origin}")
    click.echo(f"Plays {chosen[0].name if len(chosen) == 1 else f'{len(chosen)} exchanges in turn'}; Ctrl-C ends it")


def _show(exchange: Exchange, played: ExchangeFile | None) -> None:
    request = exchange.request
    secrets = Secrets()
    secrets.learn(exchange.url, request.headers)
    _echo(f"\n{time.strftime('%H:%M:%S')} {request.method} {secrets.clean_url(exchange.url)}")
    for name, value in request.headers:
        _echo(f"  {name}: {secrets.clean_header(name, value)}")
    for line in _body(request, secrets).splitlines():
        _echo(f"  {line}")
    answer = exchange.answer
    what = f"{played.name}: {played.shows}" if played is not None else exchange.note or ""
    _echo(f"→ {(answer.fault or answer.status) if answer is not None else 'nothing'} {what}")


def _body(request: Request, secrets: Secrets) -> str:
    if request.json is None:
        return secrets.clean(request.body.decode("utf-8", "replace"))
    return json.dumps(secrets.clean_json(request.json), indent=2, ensure_ascii=False)


def _echo(text: str) -> None:
    click.echo("\n".join(visible(line) for line in text.split("\n")))
