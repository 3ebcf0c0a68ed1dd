"""The surface `transcript` of the reference."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import httpx
from pydantic import TypeAdapter

from specassay.drivers.kits.python import specassay_kit as kit
from specassay.reference import transcript
from specassay.reference.agents import AgentAnswer, ChatAgent, ChatClient, EventAgent, Runtime
from specassay.reference.configuration import read_configuration
from specassay.reference.transcript import ToolChoice, TranscriptMessage, TranscriptTool

OPTIONAL = ("transcript.acceptPublicRequest", "transcript.projectHistory")
CHOICE: TypeAdapter[ToolChoice | None] = TypeAdapter(ToolChoice | None)


def transcript_surface(scenario: kit.Scenario, client: httpx.AsyncClient) -> kit.Operations:
    """Make the operations, on a server that the scenario's `LLM_*` name."""

    @cache
    def chat() -> ChatClient:  # only when it is asked for: other scenarios may configure none
        return ChatClient(read_configuration(scenario.environment), client)

    async def send(messages: Any, tools: Any = None, tool_choice: Any = None) -> dict[str, Any]:
        given = _messages(messages), _tools(tools), CHOICE.validate_python(tool_choice)
        return _answer(await chat().send(*given))

    async def respond(messages: Any, tools: Any = None, tool_choice: Any = None) -> dict[str, Any]:
        given = _messages(messages), _tools(tools), CHOICE.validate_python(tool_choice)
        return _answer(await ChatAgent(chat()).respond(*given))

    async def generate_arguments(messages: Any, tools: Any, selected: str) -> dict[str, Any]:
        call = await EventAgent(chat()).generate_arguments(_messages(messages), _tools(tools), selected)
        return {"arguments": call.arguments, "rawArguments": call.raw_arguments}

    async def respond_at_runtime(text: str, tools: Any) -> dict[str, Any]:
        return {"content": await Runtime(ChatAgent(chat())).respond(text, _tools(tools))}

    return {
        "validateMessage": lambda message: {"message": TranscriptMessage.model_validate(message).to_json()},
        "send": send,
        "chatAgent.respond": respond,
        "eventAgent.generateArguments": generate_arguments,
        "runtime.respond": respond_at_runtime,
        "acceptPublicRequest": lambda request: _listed(transcript.accept_public_request(request)),
        "projectHistory": lambda messages: _listed(transcript.project_history(_messages(messages))),
    }


def _messages(messages: Sequence[Mapping[str, Any]]) -> list[TranscriptMessage]:
    return [TranscriptMessage.model_validate(message) for message in messages]


def _tools(tools: Sequence[Mapping[str, Any]] | None) -> list[TranscriptTool]:
    return [TranscriptTool.model_validate(tool) for tool in tools or ()]


def _answer(answer: AgentAnswer) -> dict[str, Any]:
    return {"content": answer.content, "toolCalls": [call.to_json() for call in answer.tool_calls]}


def _listed(messages: Sequence[TranscriptMessage]) -> dict[str, Any]:
    return {"messages": [message.to_json() for message in messages]}
