"""What a provider is scripted to say, put into the shape of either family."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from specassay.provider.families import Family, family_error
from specassay.provider.journal import Answer, Request, json_answer
from specassay.provider.library import shipped

_CREATED = 1764500000


@dataclass(frozen=True)
class Call:
    """A call of a tool. Without an id, OpenAI's answer gets one that is unique, and Gemini's has none, as in life."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True)
class Reply:
    """An answer of the model: text, calls, or both; `signature` is Gemini's thought signature, on the first call."""

    content: str | None = None
    calls: tuple[Call, ...] = ()
    signature: str | None = None


@dataclass(frozen=True)
class Failure:
    """An error with this status and message, in the family's own shape."""

    status: int
    message: str = "The request failed."


@dataclass(frozen=True)
class Play:
    """An exchange that comes with the product, by its name.

    Without a family, as in "error-rate-limit", it is that of the family that was asked.
    """

    name: str


Said = Answer | Reply | Failure | Play
Turn = Said | Callable[[Request], Said]
"""What answers one call of a model; a function makes it of the request."""


def answer_to(turn: Said, family: Family, model: str, number: int) -> Answer:
    """Make the answer to the call with this number, counted from 1, of `model`.

    Raises `UsageError` for an exchange that there is not.
    """
    match turn:
        case Reply():
            say = _openai if family is Family.OPENAI else _gemini
            return json_answer(say(turn, model, number))
        case Failure(status, message):
            return json_answer(family_error(family, status, message), status)
        case Play(name):
            return shipped(name if "/" in name else f"{family}/{name}").response.answer()
        case Answer():
            return turn


def _openai(reply: Reply, model: str, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content, "refusal": None}
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{position}" if call.id is None else call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.args, ensure_ascii=False)},
            }
            for position, call in enumerate(reply.calls, 1)
        ]
    finish = "tool_calls" if reply.calls else "stop"
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": _CREATED,
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _gemini(reply: Reply, model: str, number: int) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [] if reply.content is None else [{"text": reply.content}]
    for position, call in enumerate(reply.calls):
        part: dict[str, Any] = {"functionCall": {"name": call.name, "args": call.args}}
        if call.id is not None:
            part["functionCall"]["id"] = call.id
        if position == 0 and reply.signature is not None:
            part["thoughtSignature"] = reply.signature
        parts.append(part)
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    if reply.calls:
        candidate["finishMessage"] = "Model generated function call(s)."
    return {
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": model,
        "responseId": f"response-{number}",
    }
