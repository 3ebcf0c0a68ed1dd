"""Gemini's generateContent."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any
from urllib.parse import quote

import httpx

from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.interface import ProviderChatParams, ProviderChatResponse, ProviderError, ToolSchema
from specassay.reference.providers.transport import as_object, as_objects, carried, make_response, post_json
from specassay.reference.types import ChatMessage, ToolCall, ToolParameter

BASE_URL = "https://generativelanguage.googleapis.com/v1beta"

# The model's thought behind a call: without it on the same part, the next request is refused.
SIGNATURE = "thoughtSignature"

# The model meant to call a tool and failed; a call that stands beside such a reason must not run.
FAILED_CALL = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")


class GeminiAdapter:
    """Speaks to Google (agent-session-shell/provider-adapter-interface.9).

    The configuration's base URL is never read (agent-session-shell/provider-configuration.11).
    """

    def __init__(self, configuration: ProviderConfiguration, client: httpx.AsyncClient) -> None:
        self._configuration = configuration
        self._client = client

    async def chat(self, params: ProviderChatParams) -> ProviderChatResponse:
        """Make one call; raises `ProviderError`.

        Keeps agent-session-shell/gemini-free-form-chat.1 to .3 and gemini-tool-calling.2, .3 and .5.
        """
        answer = await post_json(self._client, self._url(), self._headers(), self._body(params))
        parts = self._parts(self._candidate(answer))
        return make_response(self._content(parts), self._calls(parts))

    def _url(self) -> str:
        model = self._configuration.model.removeprefix("models/")
        return f"{BASE_URL}/models/{quote(model, safe='')}:generateContent"

    def _headers(self) -> dict[str, str]:
        # In the query the key would show in logs and exceptions.
        return {"x-goog-api-key": self._configuration.api_key.get_secret_value()}

    def _body(self, params: ProviderChatParams) -> dict[str, Any]:
        body = {"systemInstruction": self._system_instruction(params), "contents": self._contents(params.messages)}
        if params.tool_schemas:
            body["tools"] = [{"functionDeclarations": [*map(self._declaration, params.tool_schemas)]}]
        return body

    def _system_instruction(self, params: ProviderChatParams) -> dict[str, Any]:
        """Keep agent-session-shell/gemini-free-form-chat.4; `contents` knows no system role."""
        later = [message.content for message in params.messages if message.role == "system"]
        return {"parts": [{"text": text} for text in (params.system_prompt, *later)]}

    def _contents(self, messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
        """Give one content a message, but a single one for all results of a turn, as the API demands."""
        contents: list[dict[str, Any]] = []
        names: dict[str | None, str] = {}
        said = (message for message in messages if message.role != "system")
        for role, group in groupby(said, key=lambda message: message.role):
            if role == "tool":
                contents.append({"role": "user", "parts": [self._result_part(result, names) for result in group]})
                continue
            for message in group:
                names = {call.id: call.name for call in message.tool_calls or ()}
                contents.append({"role": self._role(message), "parts": self._message_parts(message)})
        return contents

    def _role(self, message: ChatMessage) -> str:
        return "model" if message.role == "assistant" else "user"

    def _message_parts(self, message: ChatMessage) -> list[dict[str, Any]]:
        calls = [self._call_part(call) for call in message.tool_calls or ()]
        return [{"text": message.content}, *calls] if message.content or not calls else calls

    def _call_part(self, call: ToolCall) -> dict[str, Any]:
        """Replay a call; the API takes an object alone, so that arguments that were none are wrapped in one."""
        args = call.args if isinstance(call.args, dict) else {"invalid": call.args}
        part = {"functionCall": {"id": call.id, "name": call.name, "args": args}}
        return part | carried(call.model_extra, SIGNATURE)

    def _result_part(self, message: ChatMessage, names: dict[str | None, str]) -> dict[str, Any]:
        """Give a tool's result, under the name of the call that it answers, which stands right before the results."""
        if message.tool_call_id not in names:
            raise ProviderError("A tool result of the history answers no call.")
        name, response = names[message.tool_call_id], {"result": message.content}
        return {"functionResponse": {"id": message.tool_call_id, "name": name, "response": response}}

    def _declaration(self, schema: ToolSchema) -> dict[str, Any]:
        """Keep agent-session-shell/gemini-tool-calling.1; older models refuse an object without properties."""
        parameters = {"parameters": self._parameters(schema.parameters)} if schema.parameters else {}
        return {"name": schema.name, "description": schema.description, **parameters}

    def _parameters(self, parameters: Iterable[ToolParameter]) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {parameter.key: self._property(parameter) for parameter in parameters},
            "required": [parameter.key for parameter in parameters if parameter.required],
        }

    def _property(self, parameter: ToolParameter) -> dict[str, Any]:
        """Keep agent-session-shell/gemini-tool-calling.6."""
        # An array without a type for its items is refused, and the internal format knows none.
        return {"type": parameter.type, **({"items": {"type": "string"}} if parameter.type == "array" else {})}

    def _candidate(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Give the first candidate, whose calls may run; a blocked prompt has none."""
        candidates = as_objects(answer.get("candidates"))
        if not candidates or candidates[0].get("finishReason") in FAILED_CALL:
            raise ProviderError("The provider's answer holds no candidate, or a failed call.")
        return candidates[0]

    def _parts(self, candidate: dict[str, Any]) -> list[dict[str, Any]]:
        """Give the parts that are the answer; one that was refused or cut off before its first word has none."""
        raw = as_objects(as_object(candidate.get("content")).get("parts"))
        parts = [part for part in raw if self._is_text(part) or self._is_call(part)]
        if not parts:
            raise ProviderError("The provider's answer holds neither text nor a call.")
        return parts

    def _is_text(self, part: dict[str, Any]) -> bool:
        """Tell text from thoughts, which are not for the user."""
        return isinstance(part.get("text"), str) and not part.get("thought")

    def _is_call(self, part: dict[str, Any]) -> bool:
        return isinstance(part.get("functionCall"), dict)

    def _content(self, parts: list[dict[str, Any]]) -> str:
        """Keep agent-session-shell/gemini-free-form-chat.2."""
        return "".join(part["text"] for part in parts if self._is_text(part))

    def _calls(self, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [self._call(part) for part in parts if self._is_call(part)]

    def _call(self, part: dict[str, Any]) -> dict[str, Any]:
        """Give the raw call, with the id that some models give."""
        call = part["functionCall"]
        raw = {"id": call.get("id"), "name": call.get("name"), "args": call.get("args")}
        return raw | carried(part, SIGNATURE)
