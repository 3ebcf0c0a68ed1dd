"""The reference's chat route as a user would serve it: by uvicorn, on the port that PORT names."""

import asyncio
import os

import httpx
import uvicorn

from specassay.reference.registry import default_registry
from specassay.reference.route import ChatRoute


async def main() -> None:
    async with httpx.AsyncClient() as client:
        route = ChatRoute(default_registry(), client)
        await uvicorn.Server(uvicorn.Config(route, port=int(os.environ["PORT"]), log_level="warning")).serve()


asyncio.run(main())
