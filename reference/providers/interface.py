"""What the chat route knows of a provider: one method, in no provider's format."""

from typing import Protocol

from specassay.reference.types import ChatMessage, ChatResponse, Model, ToolParameter


class ProviderError(Exception):
    """The provider could not be reached, refused, or gave no answer.

    Its text may be logged: it holds nothing of the key, of the URL or of what the provider said.
    """


class ToolSchema(Model):
    """A tool in the registry's internal format (agent-session-shell/provider-adapter-interface.4)."""

    name: str
    description: str
    parameters: tuple[ToolParameter, ...]


class ProviderChatParams(Model):
    """What a provider is asked (agent-session-shell/provider-adapter-interface.2 to .4)."""

    messages: tuple[ChatMessage, ...]
    system_prompt: str
    tool_schemas: tuple[ToolSchema, ...] = ()


class ProviderChatResponse(ChatResponse):
    """What it answered (agent-session-shell/provider-adapter-interface.5 and .6); without calls, no `tool_calls`."""


class ProviderAdapter(Protocol):
    """A provider (agent-session-shell/provider-adapter-interface.1)."""

    async def chat(self, params: ProviderChatParams) -> ProviderChatResponse:
        """Make one call of the model; raises `ProviderError`."""
