"""Adapters that change what they ask, or what they make of an answer."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from specassay.reference.providers.gemini import GeminiAdapter
from specassay.reference.providers.interface import ProviderChatParams, ProviderChatResponse, ProviderError
from specassay.reference.providers.openai_compatible import OpenAICompatibleAdapter

Json = dict[str, Any]
Adapter = type[GeminiAdapter] | type[OpenAICompatibleAdapter]

OPENAI, GEMINI = OpenAICompatibleAdapter, GeminiAdapter


def sends(patch: pytest.MonkeyPatch, adapter: Adapter, change: Callable[[Json, ProviderChatParams], Json]) -> None:
    """Send what `change` makes of the body."""
    original = adapter._body

    def body(self: Any, params: ProviderChatParams) -> Json:
        return change(original(self, params), params)

    patch.setattr(adapter, "_body", body)


def asks(
    patch: pytest.MonkeyPatch, adapter: Adapter, change: Callable[[ProviderChatParams], ProviderChatParams]
) -> None:
    """Ask what `change` makes of the question."""
    original = adapter._body
    patch.setattr(adapter, "_body", lambda self, params: original(self, change(params)))


def gives(
    patch: pytest.MonkeyPatch, adapter: Adapter, change: Callable[[ProviderChatResponse, ProviderChatParams], Json]
) -> None:
    """Give the response with the fields that `change` names."""
    original = adapter.chat

    async def chat(self: Any, params: ProviderChatParams) -> ProviderChatResponse:
        response = await original(self, params)
        return response.model_copy(update=change(response, params))

    patch.setattr(adapter, "chat", chat)


def refuses(patch: pytest.MonkeyPatch, is_wrong: Callable[[Json, Json], object]) -> None:
    """Let the OpenAI-compatible adapter take an answer for an error; it is shown the answer and its message."""
    original = OPENAI._message

    def message(self: OpenAICompatibleAdapter, answer: Json) -> Json:
        found = original(self, answer)
        if is_wrong(answer, found):
            raise ProviderError("The provider's answer is not of the form that was expected.")
        return found

    patch.setattr(OPENAI, "_message", message)


def refuses_calls(patch: pytest.MonkeyPatch, is_wrong: Callable[[Json], object]) -> None:
    """Let the OpenAI-compatible adapter take an answer for an error for one of its calls."""
    refuses(patch, lambda answer, message: any(is_wrong(call) for call in message.get("tool_calls") or ()))


def reads_arguments(patch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    """Let the OpenAI-compatible adapter read what `change` makes of the raw arguments of a call."""
    original = OPENAI._arguments
    patch.setattr(OPENAI, "_arguments", lambda self, function: change(original(self, function)))


def refuses_candidates(patch: pytest.MonkeyPatch, is_wrong: Callable[[Json, Json], object]) -> None:
    """Let the Gemini adapter take an answer for an error; it is shown the answer and its candidate."""
    original = GEMINI._candidate

    def candidate(self: GeminiAdapter, answer: Json) -> Json:
        found = original(self, answer)
        if is_wrong(answer, found):
            raise ProviderError("The provider's answer is not of the form that was expected.")
        return found

    patch.setattr(GEMINI, "_candidate", candidate)


def calls_twice(patch: pytest.MonkeyPatch, adapter: Adapter) -> None:
    """Make a first call twice where it is answered with a text, and take the first answer."""
    original = adapter.chat

    async def chat(self: Any, params: ProviderChatParams) -> ProviderChatResponse:
        response = await original(self, params)
        if len(params.messages) == 1 and not response.tool_calls:
            with contextlib.suppress(ProviderError):
                await original(self, params)
        return response

    patch.setattr(adapter, "chat", chat)
