"""The official clients, Python and JavaScript: each calls a fake provider as often as it is told."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.node import install

JAVASCRIPT = Path(__file__).parent / "javascript"

Outcome = dict[str, Any]
"""`text` and `calls` ([name, arguments]) of an answer, or `error` (the class's name) and `status`."""

Client = Callable[[str, int], Awaitable[list[Outcome]]]


async def openai_python(origin: str, count: int) -> list[Outcome]:
    """Call with the `openai` package."""
    openai = pytest.importorskip("openai", reason="the dependency group sdk is not installed")

    async def ask() -> Outcome:
        messages = [{"role": "user", "content": "Hi."}]
        try:
            completion = await client.chat.completions.create(model="model-1", messages=messages)
        except openai.APIStatusError as error:
            return {"error": type(error).__name__, "status": error.status_code}
        message = completion.choices[0].message
        calls = [call.function for call in message.tool_calls or () if call.type == "function"]
        return {"text": message.content or "", "calls": [[call.name, call.arguments] for call in calls]}

    async with openai.AsyncOpenAI(api_key="key-1", base_url=f"{origin}/v1") as client:
        return [await ask() for _ in range(count)]


async def google_python(origin: str, count: int) -> list[Outcome]:
    """Call with the `google-genai` package."""
    genai = pytest.importorskip("google.genai", reason="the dependency group sdk is not installed")

    async def ask() -> Outcome:
        try:
            response = await client.aio.models.generate_content(model="model-1", contents="Hi.")
        except genai.errors.APIError as error:
            return {"error": type(error).__name__, "status": error.code}
        content = response.candidates[0].content if response.candidates else None
        parts = (content.parts if content is not None else None) or ()
        calls = [part.function_call for part in parts if part.function_call]
        text = "".join(part.text for part in parts if part.text and not part.thought)
        return {"text": text, "calls": [[call.name, call.args or {}] for call in calls]}

    client = genai.Client(api_key="key-1", http_options=genai.types.HttpOptions(base_url=origin))
    try:
        return [await ask() for _ in range(count)]
    finally:
        await client.aio.aclose()
        client.close()


async def openai_javascript(origin: str, count: int) -> list[Outcome]:
    """Call with the `openai` package of npm."""
    return await _node("openai", origin, count)


async def google_javascript(origin: str, count: int) -> list[Outcome]:
    """Call with the `@google/genai` package of npm."""
    return await _node("gemini", origin, count)


def installed() -> None:
    """Install the packages of npm."""
    install(JAVASCRIPT)


async def _node(family: str, origin: str, count: int) -> list[Outcome]:
    process = await asyncio.create_subprocess_exec(
        *("node", "clients.mjs", family, origin, str(count)),
        cwd=JAVASCRIPT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return [json.loads(line) for line in out.splitlines()]
