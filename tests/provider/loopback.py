"""A handler on loopback for the time of a test, and a plain client for it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx

from specassay.provider.server import Handler, Server

T = TypeVar("T")

CHAT = {"model": "model-1", "messages": [{"role": "user", "content": "Hi."}]}
CONTENTS = {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]}
OPENAI = "/v1/chat/completions"
GEMINI = "/v1beta/models/model-1:generateContent"
KEYS = {"authorization": "Bearer key-1", "x-goog-api-key": "key-1"}


@asynccontextmanager
async def listening(handler: Handler) -> AsyncIterator[str]:
    """Serve a handler, and give the origin."""
    server = await Server(handler).start()
    try:
        yield server.origin
    finally:
        await server.close()


def served(handler: Handler, use: Callable[[str], Awaitable[T]]) -> T:
    """Give what `use` makes of the origin of a handler that is served meanwhile."""

    async def run() -> T:
        async with listening(handler) as origin:
            return await use(origin)

    return asyncio.run(run())


def asked(handler: Handler, *requests: tuple[str, Any], headers: dict[str, str] | None = None) -> list[httpx.Response]:
    """Post JSON bodies to paths of a handler, one after the other, and give the responses."""

    async def use(origin: str) -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=origin, headers={**KEYS, **(headers or {})}, trust_env=False) as client:
            return [await client.post(path, content=json.dumps(body)) for path, body in requests]

    return served(handler, use)
