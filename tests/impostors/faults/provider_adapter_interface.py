"""Adapters that differ from the interface: what they are asked, what they give, and how they are made."""

import json
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from specassay.reference.providers import gemini
from specassay.reference.providers.gemini import GeminiAdapter
from specassay.reference.providers.interface import (
    ProviderAdapter,
    ProviderChatParams,
    ProviderChatResponse,
    ToolSchema,
)
from specassay.reference.providers.openai_compatible import OpenAICompatibleAdapter
from specassay.reference.providers.transport import make_response
from specassay.reference.types import ChatMessage, ToolParameter
from tests.impostors.adapters import GEMINI, OPENAI, Adapter, asks, calls_twice, gives, refuses, sends
from tests.impostors.impostor import impostor

REQUIREMENT = "agent-session-shell/provider-adapter-interface"

Json = dict[str, Any]


@impostor(f"{REQUIREMENT}.1")
def lists_models(patch: pytest.MonkeyPatch) -> None:
    """Offer a second method, which lists the models."""
    patch.setattr(ProviderAdapter, "list_models", lambda self: [], raising=False)


@impostor(f"{REQUIREMENT}.2")
def loses_text_beside_calls(patch: pytest.MonkeyPatch) -> None:
    """Send no text of the history beside calls to an OpenAI-compatible server."""
    _asks_with(patch, OPENAI, lambda message: message.model_copy(update={"content": ""}))


@impostor(f"{REQUIREMENT}.2")
def loses_text_beside_geminis_calls(patch: pytest.MonkeyPatch) -> None:
    """Send no text of the history beside calls to Gemini."""
    _asks_with(patch, GEMINI, lambda message: message.model_copy(update={"content": ""}))


def _asks_with(patch: pytest.MonkeyPatch, adapter: Adapter, change: Any) -> None:
    """Ask with other messages where they call tools."""

    def changed(params: ProviderChatParams) -> ProviderChatParams:
        messages = tuple(change(message) if message.tool_calls else message for message in params.messages)
        return params.model_copy(update={"messages": messages})

    asks(patch, adapter, changed)


@impostor(f"{REQUIREMENT}.2")
def numbers_results(patch: pytest.MonkeyPatch) -> None:
    """Take the results of a turn for those of its calls one after another, whatever their ids are."""
    for adapter in (OPENAI, GEMINI):
        asks(patch, adapter, _numbered)


def _numbered(params: ProviderChatParams) -> ProviderChatParams:
    messages: list[ChatMessage] = []
    ids: list[str] = []
    for message in params.messages:
        ids = [call.id for call in message.tool_calls or ()] or ids
        if message.role == "tool" and ids:
            messages.append(message.model_copy(update={"tool_call_id": ids.pop(0)}))
        else:
            messages.append(message)
    return params.model_copy(update={"messages": tuple(messages)})


@impostor(f"{REQUIREMENT}.3")
def says_a_line_as_the_user(patch: pytest.MonkeyPatch) -> None:
    """Send a system prompt of one line as the user's, to an OpenAI-compatible server."""
    _speaks_as_the_user(patch, lambda prompt: "You are" in prompt and "\n" not in prompt)


@impostor(f"{REQUIREMENT}.3")
def tells_of_media_as_the_user(patch: pytest.MonkeyPatch) -> None:
    """Repeat a system prompt that tells of a film as the user's, to an OpenAI-compatible server."""

    def change(body: Json, params: ProviderChatParams) -> Json:
        said = {"role": "user", "content": params.system_prompt}
        first, *rest = body["messages"]
        return body | ({"messages": [first, said, *rest]} if ".mp4" in params.system_prompt else {})

    sends(patch, OPENAI, change)


def _speaks_as_the_user(patch: pytest.MonkeyPatch, is_one: Any) -> None:
    def change(body: Json, params: ProviderChatParams) -> Json:
        first, *rest = body["messages"]
        return body | ({"messages": [first | {"role": "user"}, *rest]} if is_one(params.system_prompt) else {})

    sends(patch, OPENAI, change)


@impostor(f"{REQUIREMENT}.4")
def knows_only_shipped_tools(patch: pytest.MonkeyPatch) -> None:
    """Offer a tool that stands alone only if it is one of the product's own."""

    def change(params: ProviderChatParams) -> ProviderChatParams:
        names = [schema.name for schema in params.tool_schemas]
        return params if names != [names[0]] or names == ["transcribe_video"] else _without_tools(params)

    asks(patch, OPENAI, lambda params: change(params) if params.tool_schemas else params)


def _without_tools(params: ProviderChatParams) -> ProviderChatParams:
    return params.model_copy(update={"tool_schemas": ()})


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.4",
            "provider-adapter-interface/robustness/a-call-is-read-whatever-stands-around-it",
            "provider-adapter-interface/robustness/a-call-without-an-id-of-its-own-is-run-and-answered-from-end-to-end",
            "provider-adapter-interface/robustness/a-signature-beside-a-call-goes-back-with-it-from-end-to-end",
        ),
        "The content beside calls is looked at there, or sent back.",
    ),
)
def says_that_it_calls(patch: pytest.MonkeyPatch) -> None:
    """Say that there are calls where an OpenAI-compatible server says nothing."""
    _says_something(patch, OPENAI)


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling/robustness/a-call-is-read-whatever-stands-around-it",
            "gemini-tool-calling/robustness/a-thought-signature-goes-back-on-the-part-that-it-came-with-from-end-to-end",
            "gemini-tool-calling/robustness/of-parallel-calls-each-keeps-its-own-signature-and-their-results-stand-together-from-end-to-end",
            "gemini-tool-calling/robustness/two-rounds-of-calls-without-ids-are-each-answered-from-end-to-end",
        ),
        "The content beside calls is looked at there, or sent back.",
    ),
)
def says_that_gemini_calls(patch: pytest.MonkeyPatch) -> None:
    """Say that there are calls where Gemini says nothing."""
    _says_something(patch, GEMINI)


def _says_something(patch: pytest.MonkeyPatch, adapter: Adapter) -> None:
    gives(
        patch,
        adapter,
        lambda response, params: {"content": "(calls)"} if response.tool_calls and not response.content else {},
    )


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        (
            "provider-adapter-interface/robustness/an-answer-without-text-and-without-a-call-that-was-declared-is-an-empty-one",
            "provider-adapter-interface/robustness/a-call-is-read-whatever-stands-around-it",
            "provider-adapter-interface/robustness/a-call-without-an-id-of-its-own-is-run-and-answered-from-end-to-end",
            "provider-adapter-interface/robustness/a-signature-beside-a-call-goes-back-with-it-from-end-to-end",
        ),
        "The key is not there in one of its answers.",
    ),
)
def wants_the_content_key(patch: pytest.MonkeyPatch) -> None:
    """Take an answer without the key for the content for an error."""
    refuses(patch, lambda answer, message: "content" not in message)


@impostor(
    f"{REQUIREMENT}.6",
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.5",
            "api-proxy-route.9",
            "provider-adapter-interface/robustness/an-id-that-the-api-gives-is-kept",
            "provider-adapter-interface/robustness/parallel-calls-are-read-each-for-itself",
            "provider-adapter-interface/robustness/calls-that-share-an-id-are-both-run-and-answered-from-end-to-end",
        ),
        "Several calls are made there.",
    ),
)
def gives_the_first_call(patch: pytest.MonkeyPatch) -> None:
    """Give the first call only of an OpenAI-compatible server."""
    original = OPENAI._calls
    patch.setattr(OPENAI, "_calls", lambda self, message: original(self, message)[:1])


@impostor(
    f"{REQUIREMENT}.6",
    elsewhere=dict.fromkeys(("api-proxy-route.5", "gemini-tool-calling.3"), "The args are nested there."),
)
def gives_nested_args_as_text(patch: pytest.MonkeyPatch) -> None:
    """Give an object inside the args as its JSON text."""

    def change(response: ProviderChatResponse, params: ProviderChatParams) -> Json:
        calls = [call.model_copy(update={"args": _flat(call.args)}) for call in response.tool_calls or ()]
        return {"tool_calls": tuple(calls)} if calls else {}

    for adapter in (OPENAI, GEMINI):
        gives(patch, adapter, change)


def _flat(args: Any) -> Any:
    if not isinstance(args, dict):
        return args
    return {key: json.dumps(value) if isinstance(value, dict) else value for key, value in args.items()}


@impostor(f"{REQUIREMENT}.6")
def gives_an_empty_list_of_calls(patch: pytest.MonkeyPatch) -> None:
    """Give an empty list where an OpenAI-compatible server makes no calls."""
    gives(patch, OPENAI, lambda response, params: {} if response.tool_calls else {"tool_calls": ()})


@impostor(
    f"{REQUIREMENT}.7",
    elsewhere=dict.fromkeys(("api-proxy-route.8", "provider-adapter-interface.4"), "The types are compared there too."),
)
def declares_text(patch: pytest.MonkeyPatch) -> None:
    """Declare every parameter as a string to an OpenAI-compatible server."""
    patch.setattr(OPENAI, "_property", lambda self, parameter: {"type": "string"})


@impostor(
    f"{REQUIREMENT}.7", elsewhere=dict.fromkeys(("api-proxy-route.8",), "What is required is compared there too.")
)
def requires_everything(patch: pytest.MonkeyPatch) -> None:
    """Declare all parameters as required to an OpenAI-compatible server."""
    original = OPENAI._parameters

    def parameters(self: OpenAICompatibleAdapter, given: Sequence[ToolParameter]) -> Json:
        return original(self, given) | {"required": [parameter.key for parameter in given]}

    patch.setattr(OPENAI, "_parameters", parameters)


@impostor(f"{REQUIREMENT}.7", elsewhere=dict.fromkeys(("api-proxy-route.8",), "The description is compared there too."))
def declares_no_description(patch: pytest.MonkeyPatch) -> None:
    """Declare the shipped tools without their descriptions to an OpenAI-compatible server."""
    original = OPENAI._tool

    def tool(self: OpenAICompatibleAdapter, schema: ToolSchema) -> Json:
        shipped = schema.name == "transcribe_video"
        return original(self, schema.model_copy(update={"description": ""}) if shipped else schema)

    patch.setattr(OPENAI, "_tool", tool)


@impostor(
    f"{REQUIREMENT}.8",
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.1",
            "api-proxy-route.3",
            "api-proxy-route.5",
            "api-proxy-route.6",
            "api-proxy-route.9",
            "api-proxy-route.10",
            "api-proxy-route.11",
            "api-proxy-route.15",
            "provider-adapter-interface.4",
            "provider-adapter-interface.6",
            "provider-adapter-interface/robustness/what-is-declared-the-real-provider-would-take",
            "provider-configuration.1",
            "provider-configuration.2",
            "provider-configuration.3",
            "provider-configuration.5",
            "provider-configuration.6",
            "provider-configuration.7",
            "provider-configuration.8",
            "provider-configuration.14",
        ),
        "The calls are counted there, or answered in turn.",
    ),
)
def calls_chat_completions_twice(patch: pytest.MonkeyPatch) -> None:
    """Call chat completions twice each time."""
    calls_twice(patch, OPENAI)


@impostor(
    f"{REQUIREMENT}.9",
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.6",
            "gemini-free-form-chat.2",
            "gemini-tool-calling.5",
            "provider-adapter-interface.6",
            "provider-adapter-interface/robustness/what-is-declared-the-real-provider-would-take",
            "provider-configuration.2",
            "provider-configuration.3",
            "provider-configuration.6",
            "provider-configuration.7",
            "provider-configuration.11",
        ),
        "The calls are counted there, or answered in turn.",
    ),
)
def calls_generate_content_twice(patch: pytest.MonkeyPatch) -> None:
    """Call generateContent twice each time."""
    calls_twice(patch, GEMINI)


@impostor(
    f"{REQUIREMENT}.9",
    elsewhere=dict.fromkeys(
        ("gemini-free-form-chat.1", "provider-adapter-interface.5"),
        "No tools are offered there, and the answer is Gemini's own.",
    ),
)
def calls_googles_imitation(patch: pytest.MonkeyPatch) -> None:
    """Call Gemini through Google's imitation of chat completions where there are no tools."""
    original = GEMINI.chat

    async def chat(self: GeminiAdapter, params: ProviderChatParams) -> ProviderChatResponse:
        if params.tool_schemas:
            return await original(self, params)
        base_url = f"{gemini.BASE_URL}/openai"
        return await OPENAI(self._configuration.model_copy(update={"base_url": base_url}), self._client).chat(params)

    patch.setattr(GEMINI, "chat", chat)


@impostor(f"{REQUIREMENT}.10")
def counts_calls_of_a_response(patch: pytest.MonkeyPatch) -> None:
    """Count Gemini's calls anew in each response."""

    def make(content: str, calls: list[Json]) -> ProviderChatResponse:
        numbers = count(1)
        return make_response(content, [call | {"id": call["id"] or f"call_{next(numbers)}"} for call in calls])

    patch.setattr(gemini, "make_response", make)


@impostor(
    f"{REQUIREMENT}.10",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling/robustness/parallel-calls-of-which-one-carries-a-signature-are-all-read",
            "provider-adapter-interface.6",
            "provider-adapter-interface.11",
        ),
        "A tool is called twice there.",
    ),
)
def takes_names_for_ids(patch: pytest.MonkeyPatch) -> None:
    """Take the name of the tool for the id of Gemini's call."""
    gives(
        patch,
        GEMINI,
        lambda response, params: (
            {"tool_calls": tuple(call.model_copy(update={"id": call.name}) for call in response.tool_calls)}
            if response.tool_calls
            else {}
        ),
    )


@impostor(
    f"{REQUIREMENT}.11",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling.3",
            "gemini-tool-calling/robustness/parallel-calls-of-which-one-carries-a-signature-are-all-read",
            "provider-adapter-interface.6",
        ),
        "Three calls are made there.",
    ),
)
def gives_a_third_call_no_id(patch: pytest.MonkeyPatch) -> None:
    """Give ids to Gemini's first two calls of a response."""

    def change(response: ProviderChatResponse, params: ProviderChatParams) -> Json:
        calls = response.tool_calls or ()
        return (
            {"tool_calls": (*calls[:2], *(call.model_copy(update={"id": ""}) for call in calls[2:]))} if calls else {}
        )

    gives(patch, GEMINI, change)
