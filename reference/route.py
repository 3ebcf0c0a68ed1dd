"""The server's side: POST /api/agent/chat, as a plain ASGI application."""

import json
import logging
import os
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import httpx
from pydantic import ValidationError

from specassay.reference.configuration import ConfigurationError, read_configuration
from specassay.reference.prompt import build_system_prompt
from specassay.reference.providers.factory import UnknownProviderError, create_adapter
from specassay.reference.providers.interface import ProviderAdapter, ProviderChatParams, ProviderError
from specassay.reference.registry import ToolRegistry
from specassay.reference.types import EMPTY_CONTEXT, AgentContext, ChatMessage, Model

CHAT_PATH = "/api/agent/chat"
PROVIDER_ERROR = "LLM provider error"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

logger = logging.getLogger(__name__)


class ChatRequest(Model):
    """What a client posts (agent-session-shell/api-proxy-route.2 and .3); no context is the empty one."""

    messages: tuple[ChatMessage, ...]
    context: AgentContext | None = None


@dataclass(frozen=True)
class Reply:
    """A status, a JSON body and further headers."""

    status: HTTPStatus
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)


class ChatRoute:
    """The application (agent-session-shell/api-proxy-route.1). The `client` is the caller's, and stays open."""

    def __init__(
        self, registry: ToolRegistry, client: httpx.AsyncClient, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._registry = registry
        self._client = client
        self._environment = environment

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one HTTP request; raises `ValueError` for anything else, as ASGI asks."""
        if scope["type"] != "http":
            raise ValueError(f'This application serves HTTP, not "{scope["type"]}".')
        await send_reply(send, await self._handle(scope["method"], scope["path"], receive))

    async def _handle(self, method: str, path: str, receive: Receive) -> Reply:
        if path != CHAT_PATH:
            return error_reply(HTTPStatus.NOT_FOUND, "Not found")
        if method != "POST":
            return Reply(HTTPStatus.METHOD_NOT_ALLOWED, {"error": "Method not allowed"}, {"allow": "POST"})
        return await self._chat(await read_body(receive))

    async def _chat(self, body: bytes) -> Reply:
        """Keep agent-session-shell/api-proxy-route.10, .11 and .15."""
        try:
            request = ChatRequest.model_validate_json(body)
        except ValidationError as error:
            return error_reply(HTTPStatus.BAD_REQUEST, describe(error))
        return await self._ask_provider(self._params(request))

    def _params(self, request: ChatRequest) -> ProviderChatParams:
        """Keep agent-session-shell/api-proxy-route.7 and .8."""
        return ProviderChatParams.model_validate(
            {
                "messages": request.messages,
                "system_prompt": build_system_prompt(request.context or EMPTY_CONTEXT),
                "tool_schemas": self._registry.to_tool_schemas(),
            }
        )

    async def _ask_provider(self, params: ProviderChatParams) -> Reply:
        """Keep agent-session-shell/api-proxy-route.4, .5, .13 and .14 and provider-configuration.7 and .13."""
        try:
            adapter = self._resolve_adapter()
        except ConfigurationError as error:
            return error_reply(HTTPStatus.BAD_GATEWAY, str(error))
        except UnknownProviderError:
            return error_reply(HTTPStatus.BAD_GATEWAY, "Configuration error: LLM_PROVIDER names no known provider.")
        try:
            response = await adapter.chat(params)
            return Reply(HTTPStatus.OK, response.to_json())
        # Whatever an adapter raises may quote the key: only a ProviderError's text is known not to.
        except Exception as error:
            logger.warning(
                "%s: %s", PROVIDER_ERROR, error if isinstance(error, ProviderError) else type(error).__name__
            )
            return error_reply(HTTPStatus.BAD_GATEWAY, PROVIDER_ERROR)

    def _resolve_adapter(self) -> ProviderAdapter:
        """Read the configuration anew for each request (agent-session-shell/api-proxy-route.6)."""
        return create_adapter(read_configuration(self._environment), self._client)


async def read_body(receive: Receive) -> bytes:
    """Collect the request's body."""
    chunks = []
    while True:
        message = await receive()
        chunks.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(chunks)


async def send_reply(send: Send, reply: Reply) -> None:
    """Send a reply as JSON."""
    headers = {"content-type": "application/json", **reply.headers}
    raw_headers = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": int(reply.status), "headers": raw_headers})
    await send({"type": "http.response.body", "body": json.dumps(reply.body).encode()})


def error_reply(status: HTTPStatus, error: str) -> Reply:
    """Make the reply that says what is wrong."""
    return Reply(status, {"error": error})


def describe(error: ValidationError) -> str:
    """Say where a request is invalid first, and why (agent-session-shell/api-proxy-route.12)."""
    problem = error.errors()[0]
    return f"Invalid request: {'.'.join(map(str, problem['loc'])) or 'body'}: {problem['msg']}"
