"""Chat completions, as OpenAI and the many servers that imitate it really speak them."""

import json
from collections.abc import Iterable
from typing import Any

import httpx

from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.interface import ProviderChatParams, ProviderChatResponse, ProviderError, ToolSchema
from specassay.reference.providers.transport import as_object, as_objects, carried, make_response, post_json
from specassay.reference.types import ChatMessage, ToolCall, ToolParameter

DEFAULT_BASE_URL = "https://api.openai.com/v1"

# A server may need it back on the same call: Google's carries the model's signature.
EXTRA = "extra_content"


class OpenAICompatibleAdapter:
    """Speaks to one server (agent-session-shell/provider-adapter-interface.8)."""

    def __init__(self, configuration: ProviderConfiguration, client: httpx.AsyncClient) -> None:
        self._configuration = configuration
        self._client = client

    async def chat(self, params: ProviderChatParams) -> ProviderChatResponse:
        """Make one call; raises `ProviderError`."""
        answer = await post_json(self._client, self._url(), self._headers(), self._body(params))
        message = self._message(answer)
        return make_response(self._content(message), self._calls(message))

    def _url(self) -> str:
        """Keep agent-session-shell/provider-configuration.4 and .8."""
        base_url = self._configuration.base_url or DEFAULT_BASE_URL
        return base_url.rstrip("/") + "/chat/completions"

    def _headers(self) -> dict[str, str]:
        """Keep agent-session-shell/provider-configuration.3."""
        return {"Authorization": f"Bearer {self._configuration.api_key.get_secret_value()}"}

    def _body(self, params: ProviderChatParams) -> dict[str, Any]:
        """Keep agent-session-shell/provider-adapter-interface.2 to .4 and provider-configuration.2."""
        body: dict[str, Any] = {"model": self._configuration.model, "messages": self._messages(params)}
        if params.tool_schemas:
            body["tools"] = [self._tool(schema) for schema in params.tool_schemas]
        return body

    def _messages(self, params: ProviderChatParams) -> list[dict[str, Any]]:
        return [{"role": "system", "content": params.system_prompt}, *map(self._wire_message, params.messages)]

    def _wire_message(self, message: ChatMessage) -> dict[str, Any]:
        wire: dict[str, Any] = {"role": message.role, "content": message.content}
        if message.role == "tool":
            wire["tool_call_id"] = message.tool_call_id
        if message.tool_calls:  # an empty list is refused
            wire |= {"content": message.content or None, "tool_calls": [*map(self._wire_call, message.tool_calls)]}
        return wire

    def _wire_call(self, call: ToolCall) -> dict[str, Any]:
        function = {"name": call.name, "arguments": self._wire_arguments(call.args)}
        return {"id": call.id, "type": "function", "function": function, **carried(call.model_extra, EXTRA)}

    def _wire_arguments(self, args: Any) -> str:
        """Give a JSON text, also of arguments that were none, since servers parse it."""
        return json.dumps(args)

    def _tool(self, schema: ToolSchema) -> dict[str, Any]:
        """Keep agent-session-shell/provider-adapter-interface.7."""
        parameters = self._parameters(schema.parameters)
        function = {"name": schema.name, "description": schema.description, "parameters": parameters}
        return {"type": "function", "function": function}

    def _parameters(self, parameters: Iterable[ToolParameter]) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {parameter.key: self._property(parameter) for parameter in parameters},
            "required": [parameter.key for parameter in parameters if parameter.required],
        }

    def _property(self, parameter: ToolParameter) -> dict[str, Any]:
        # An array without `items` is refused.
        return {"type": parameter.type, **({"items": {}} if parameter.type == "array" else {})}

    def _message(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Give the first choice's message; some servers report an error, or nothing, with status 200."""
        choices = as_objects(answer.get("choices"))
        if answer.get("error") or not choices or not isinstance(choices[0].get("message"), dict):
            raise ProviderError("The provider's answer holds an error, or no message.")
        return as_object(choices[0]["message"])

    def _content(self, message: dict[str, Any]) -> str:
        """Give the text, joined where it comes in chunks; of a refusal its words; "" where there is none."""
        content = message.get("content") or message.get("refusal")
        chunks = [chunk.get("text") for chunk in as_objects(content) if chunk.get("type", "text") == "text"]
        return content if isinstance(content, str) else "".join(text for text in chunks if isinstance(text, str))

    def _calls(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Give the raw calls; whether there are any, not `finish_reason`, says that the model wants tools run."""
        return [self._call(call) for call in as_objects(message.get("tool_calls")) if self._is_function(call)]

    def _is_function(self, call: dict[str, Any]) -> bool:
        return call.get("type") in (None, "", "function")

    def _call(self, call: dict[str, Any]) -> dict[str, Any]:
        function = as_object(call.get("function"))
        raw = {"id": call.get("id"), "name": function.get("name"), "args": self._arguments(function)}
        return raw | carried(call, EXTRA)

    def _arguments(self, function: dict[str, Any]) -> Any:
        """Give the raw arguments; white space is none, as "" is."""
        raw = function.get("arguments")
        return raw.strip() if isinstance(raw, str) else raw
