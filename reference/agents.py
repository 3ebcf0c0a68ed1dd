"""The two agents that share a model: one converses, the other makes the arguments of a tool that was selected."""

from collections.abc import Sequence
from typing import Any

import httpx

from specassay.reference.calls import read_arguments
from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.interface import ProviderError
from specassay.reference.providers.openai_compatible import DEFAULT_BASE_URL
from specassay.reference.providers.transport import as_object, as_objects, post_json
from specassay.reference.transcript import (
    FunctionChoice,
    ToolChoice,
    TranscriptCall,
    TranscriptMessage,
    TranscriptTool,
    check_choice,
    check_transcript,
    wire_message,
    wire_tools,
)
from specassay.reference.types import Model


class AgentAnswer(Model):
    """What the model said, and the calls that it made."""

    content: str
    tool_calls: tuple[TranscriptCall, ...] = ()


class ChatClient:
    """Speaks to one OpenAI-compatible server, whose base URL the configuration holds."""

    def __init__(self, configuration: ProviderConfiguration, client: httpx.AsyncClient) -> None:
        self._configuration = configuration
        self._client = client

    async def send(
        self,
        messages: Sequence[TranscriptMessage],
        tools: Sequence[TranscriptTool] = (),
        tool_choice: ToolChoice | None = None,
    ) -> AgentAnswer:
        """Send a transcript, once it is known to be legal.

        Raises `TranscriptError` before anything is sent, `ProviderError` for what goes wrong afterwards. Keeps
        provider-tool-transcript/goal.1 and provider-serialization.1.
        """
        check_transcript(messages)
        check_choice(tool_choice, tools)
        return self._read(await self._post(self._body(messages, tools, tool_choice)))

    def _body(
        self, messages: Sequence[TranscriptMessage], tools: Sequence[TranscriptTool], tool_choice: ToolChoice | None
    ) -> dict[str, Any]:
        wire = [wire_message(message) for message in messages]
        return {"model": self._configuration.model, "messages": wire, **wire_tools(tools, tool_choice)}

    async def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        url = (self._configuration.base_url or DEFAULT_BASE_URL).rstrip("/") + "/chat/completions"
        headers = {"Authorization": f"Bearer {self._configuration.api_key.get_secret_value()}"}
        return await post_json(self._client, url, headers, body)

    def _read(self, answer: dict[str, Any]) -> AgentAnswer:
        choices = as_objects(answer.get("choices"))
        if not choices or not isinstance(choices[0].get("message"), dict):
            raise ProviderError("The provider's answer holds no message.")
        message = as_object(choices[0]["message"])
        content = message.get("content")
        calls = [self._read_call(call) for call in as_objects(message.get("tool_calls"))]
        return AgentAnswer(content=content if isinstance(content, str) else "", tool_calls=tuple(calls))

    def _read_call(self, call: dict[str, Any]) -> TranscriptCall:
        function = as_object(call.get("function"))
        raw = function.get("arguments")
        fields = {"id": call.get("id"), "name": function.get("name"), "raw_arguments": raw}
        try:
            return TranscriptCall.model_validate({**fields, "arguments": read_arguments(raw)})
        except ValueError:
            raise ProviderError("The provider's answer holds a call without id, name or readable arguments.") from None


class ChatAgent:
    """Converses; whoever calls it says which tools it has and whether one is forced."""

    def __init__(self, client: ChatClient) -> None:
        self._client = client

    async def respond(
        self,
        messages: Sequence[TranscriptMessage],
        tools: Sequence[TranscriptTool] = (),
        tool_choice: ToolChoice | None = None,
    ) -> AgentAnswer:
        """Answer a transcript; one tool alone is not forced (provider-tool-transcript/tool-choice.1)."""
        return await self._client.send(messages, tools, tool_choice)


class EventAgent:
    """Makes the arguments of one selected tool."""

    def __init__(self, client: ChatClient) -> None:
        self._client = client

    async def generate_arguments(
        self, messages: Sequence[TranscriptMessage], tools: Sequence[TranscriptTool], selected: str
    ) -> TranscriptCall:
        """Give the call of the tool named `selected`, which is forced (provider-tool-transcript/tool-choice.3).

        Raises `TranscriptError` for a name that is not among the tools, `ProviderError` where the model does not call.
        """
        answer = await self._client.send(messages, tools, FunctionChoice(name=selected))
        call = next((call for call in answer.tool_calls if call.name == selected), None)
        if call is None:
            raise ProviderError("The provider's answer holds no call of the tool that was forced.")
        return call


class Runtime:
    """Answers a user; its tools belong to the EventAgent."""

    def __init__(self, chat_agent: ChatAgent) -> None:
        self._chat_agent = chat_agent

    async def respond(self, text: str, tools: Sequence[TranscriptTool]) -> str:
        """Answer `text`; the ChatAgent gets none of the `tools` at hand (provider-tool-transcript/scope.11)."""
        answer = await self._chat_agent.respond([TranscriptMessage(role="user", content=text)], tools=())
        return answer.content
