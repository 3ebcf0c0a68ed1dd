"""Chat routes with one fault each in what they take, and in what they ask the provider."""

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from pydantic import ValidationError

from specassay.reference import route
from specassay.reference.prompt import build_system_prompt
from specassay.reference.providers.interface import ProviderAdapter, ProviderChatParams
from specassay.reference.registry import default_registry
from specassay.reference.route import CHAT_PATH, ChatRequest, ChatRoute, Receive, Reply, error_reply
from specassay.reference.types import EMPTY_CONTEXT, AgentContext
from tests.impostors.impostor import impostor
from tests.impostors.routes import ANSWERED_RUNS, reads, refuses

REQUIREMENT = "agent-session-shell/api-proxy-route"

Json = dict[str, Any]


@impostor(f"{REQUIREMENT}.1")
def serves_every_path(patch: pytest.MonkeyPatch) -> None:
    """Serve every path alike."""
    original = ChatRoute._handle

    async def handle(self: ChatRoute, method: str, path: str, receive: Receive) -> Reply:
        return await original(self, method, CHAT_PATH, receive)

    patch.setattr(ChatRoute, "_handle", handle)


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere=dict.fromkeys(
        (
            "api-proxy-route.8",
            "gemini-tool-calling.2",
            "provider-adapter-interface.2",
            "provider-adapter-interface/robustness/what-is-sent-the-real-provider-would-take",
            "provider-adapter-interface/robustness/an-id-that-comes-again-in-a-later-turn-is-answered-in-each",
            *ANSWERED_RUNS,
        ),
        "A result stands in the history there.",
    ),
)
def refuses_results(patch: pytest.MonkeyPatch) -> None:
    """Refuse a message with the result of a tool."""

    def change(posted: Any) -> Any:
        return {} if any(role == "tool" for role in _roles(posted)) else posted

    reads(patch, change)


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling.2",
            "provider-adapter-interface.2",
            "provider-adapter-interface/robustness/what-is-sent-the-real-provider-would-take",
            "provider-adapter-interface/robustness/an-id-that-comes-again-in-a-later-turn-is-answered-in-each",
            *(run for run in ANSWERED_RUNS if "not-offered" not in run),
        ),
        "A result stands in the history there.",
    ),
)
def drops_results(patch: pytest.MonkeyPatch) -> None:
    """Drop the results of tools on the way to the provider."""
    _asks(patch, messages=lambda request: [message for message in request.messages if message.role != "tool"])


@impostor(f"{REQUIREMENT}.2")
def trims_texts(patch: pytest.MonkeyPatch) -> None:
    """Trim the texts of a conversation."""
    _asks(
        patch,
        messages=lambda request: [
            message.model_copy(update={"content": message.content.strip()}) for message in request.messages
        ],
    )


def _roles(posted: Any) -> list[Any]:
    messages = posted.get("messages") if isinstance(posted, dict) else None
    return [message.get("role") for message in messages or () if isinstance(message, dict)]


def _asks(patch: pytest.MonkeyPatch, **changes: Callable[[ChatRequest], Any]) -> None:
    """Ask the provider with fields of its question changed."""
    original = ChatRoute._params

    def params(self: ChatRoute, request: ChatRequest) -> ProviderChatParams:
        update = {name: change(request) for name, change in changes.items()}
        return original(self, request).model_copy(update=update)

    patch.setattr(ChatRoute, "_params", params)


@impostor(f"{REQUIREMENT}.3", elsewhere=dict.fromkeys(("api-proxy-route.7",), "One of its requests has no context."))
def requires_a_context(patch: pytest.MonkeyPatch) -> None:
    """Refuse a request without a context."""
    reads(patch, lambda posted: posted if isinstance(posted, dict) and "context" in posted else {})


@impostor(
    f"{REQUIREMENT}.3",
    elsewhere=dict.fromkeys(
        ("api-proxy-route.7", "gemini-free-form-chat.4", "provider-adapter-interface.3"),
        "The context is looked for in the system text.",
    ),
)
def ignores_the_context(patch: pytest.MonkeyPatch) -> None:
    """Tell the model of no context."""
    patch.setattr(route, "build_system_prompt", lambda context: build_system_prompt(EMPTY_CONTEXT))


@impostor(f"{REQUIREMENT}.3")
def remembers_a_context(patch: pytest.MonkeyPatch) -> None:
    """Take the context of the request before where there is none."""

    def prompt(self: ChatRoute, request: ChatRequest) -> str:
        vars(self)["_context"] = request.context or vars(self).get("_context", EMPTY_CONTEXT)
        return build_system_prompt(vars(self)["_context"])

    original = ChatRoute._params

    def params(self: ChatRoute, request: ChatRequest) -> ProviderChatParams:
        return original(self, request).model_copy(update={"system_prompt": prompt(self, request)})

    patch.setattr(ChatRoute, "_params", params)


@impostor(
    f"{REQUIREMENT}.6",
    elsewhere=dict.fromkeys(
        ("api-proxy-route.9", "provider-configuration.1", "provider-configuration.2", "provider-configuration.3"),
        "The configuration changes there.",
    ),
)
def keeps_its_first_adapter(patch: pytest.MonkeyPatch) -> None:
    """Make the adapter once, and use it whatever is configured later."""
    original = ChatRoute._resolve_adapter

    def resolve(self: ChatRoute) -> ProviderAdapter:
        kept: ProviderAdapter = vars(self._client).setdefault("_adapter", None) or original(self)
        vars(self._client)["_adapter"] = kept
        return kept

    patch.setattr(ChatRoute, "_resolve_adapter", resolve)


@impostor(f"{REQUIREMENT}.7")
def has_a_prompt_of_its_own(patch: pytest.MonkeyPatch) -> None:
    """Write a second prompt in the route."""

    def prompt(context: AgentContext) -> str:
        return build_system_prompt(context).replace("You are the", "Be a friendly")

    patch.setattr(route, "build_system_prompt", prompt)


@impostor(
    f"{REQUIREMENT}.8",
    elsewhere=dict.fromkeys(
        (
            "gemini-tool-calling.1",
            "gemini-tool-calling.6",
            "gemini-tool-calling/robustness/a-tool-without-parameters-is-declared-without-any",
            "provider-adapter-interface.7",
        ),
        "A tool is added to the registry there.",
    ),
)
def lists_its_tools_itself(patch: pytest.MonkeyPatch) -> None:
    """Offer a list that equals what the registry ships with."""
    _offers(patch, lambda request, schemas: default_registry().to_tool_schemas())


@impostor(f"{REQUIREMENT}.8")
def shortens_descriptions(patch: pytest.MonkeyPatch) -> None:
    """Offer each tool with the first words of its description."""
    _offers(
        patch,
        lambda request, schemas: [
            schema | {"description": " ".join(schema["description"].split()[:3])} for schema in schemas
        ],
    )


@impostor(f"{REQUIREMENT}.8", elsewhere=dict.fromkeys(("gemini-tool-calling.2",), "It says the same of Gemini."))
def offers_no_tool_after_a_result(patch: pytest.MonkeyPatch) -> None:
    """Offer no tool where the last message is the result of one."""
    _offers(patch, lambda request, schemas: [] if request.messages[-1].role == "tool" else schemas)


def _offers(patch: pytest.MonkeyPatch, change: Callable[[ChatRequest, list[Json]], list[Json]]) -> None:
    original = ChatRoute._params

    def params(self: ChatRoute, request: ChatRequest) -> ProviderChatParams:
        asked = original(self, request)
        schemas = change(request, [schema.to_json() for schema in asked.tool_schemas]) if request.messages else []
        return ProviderChatParams.model_validate(
            {"messages": asked.messages, "system_prompt": asked.system_prompt, "tool_schemas": schemas}
        )

    patch.setattr(ChatRoute, "_params", params)


# What is no request


@impostor(f"{REQUIREMENT}.10")
def drops_a_wrong_context(patch: pytest.MonkeyPatch) -> None:
    """Look at the messages alone, and drop a context that cannot be read."""

    def change(posted: Any) -> Any:
        try:
            AgentContext.model_validate(posted.get("context", EMPTY_CONTEXT.to_json()))
        except ValidationError:
            return {"messages": posted["messages"]}
        return posted

    reads(patch, _of_objects(change))


@impostor(
    f"{REQUIREMENT}.10",
    elsewhere=dict.fromkeys(("api-proxy-route.12",), "One of its bodies has a content that is no text."),
)
def writes_content_as_text(patch: pytest.MonkeyPatch) -> None:
    """Turn a content that is no text into one."""
    _reads_messages(patch, lambda message: message | {"content": str(message.get("content", ""))})


@impostor(f"{REQUIREMENT}.10")
def skips_what_is_no_message(patch: pytest.MonkeyPatch) -> None:
    """Skip the entries of the messages that are no objects."""
    _reads_messages(patch, lambda message: message, keep=False)


@impostor(
    f"{REQUIREMENT}.10", elsewhere=dict.fromkeys(("api-proxy-route.12",), "One of its bodies has a text for messages.")
)
def makes_messages(patch: pytest.MonkeyPatch) -> None:
    """Take a text or one message for a list of messages, and null for an empty one."""

    def change(posted: Json) -> Json:
        messages = posted.get("messages", [])
        said = [{"role": "user", "content": messages}] if isinstance(messages, str) else [messages]
        made = [{"id": "m1", "timestamp": 0, **one} for one in said if isinstance(one, dict)]
        return posted if isinstance(messages, list) else posted | {"messages": made}

    reads(patch, _of_objects(change))


def _of_objects(change: Callable[[Json], Any]) -> Callable[[Any], Any]:
    return lambda posted: change(posted) if isinstance(posted, dict) else posted


def _reads_messages(patch: pytest.MonkeyPatch, change: Callable[[Json], Any], *, keep: bool = True) -> None:
    def of_all(posted: Json) -> Json:
        messages = posted.get("messages")
        if not isinstance(messages, list):
            return posted
        read = [change(one) if isinstance(one, dict) else one for one in messages if keep or isinstance(one, dict)]
        return posted | {"messages": read}

    reads(patch, _of_objects(of_all))


@impostor(
    f"{REQUIREMENT}.11",
    elsewhere=dict.fromkeys(
        ("api-proxy-route.12", "api-proxy-route/robustness/what-was-wrong-with-the-text-of-the-body-is-not-read-back"),
        "One of its bodies is no JSON.",
    ),
)
def breaks_on_what_is_no_json(patch: pytest.MonkeyPatch) -> None:
    """Answer 500 to a body that is no JSON."""
    original = ChatRoute._chat

    async def chat(self: ChatRoute, body: bytes) -> Reply:
        try:
            json.loads(body)
        except ValueError:
            return error_reply(HTTPStatus.INTERNAL_SERVER_ERROR, "Unexpected error")
        return await original(self, body)

    patch.setattr(ChatRoute, "_chat", chat)


@impostor(f"{REQUIREMENT}.11", elsewhere=dict.fromkeys(("api-proxy-route.12",), "One of its bodies is a list."))
def cannot_process_what_is_no_object(patch: pytest.MonkeyPatch) -> None:
    """Answer 422 to JSON that is no object."""
    original = ChatRoute._chat

    async def chat(self: ChatRoute, body: bytes) -> Reply:
        reply = await original(self, body)
        is_other_json = reply.status is HTTPStatus.BAD_REQUEST and body[:1] in (b"[", b"n", b"5")
        return Reply(HTTPStatus.UNPROCESSABLE_ENTITY, reply.body) if is_other_json else reply

    patch.setattr(ChatRoute, "_chat", chat)


@impostor(
    f"{REQUIREMENT}.11",
    elsewhere=dict.fromkeys(("provider-configuration.13",), "It has no messages either, and waits for the refusal."),
)
def takes_no_messages_for_an_empty_list(patch: pytest.MonkeyPatch) -> None:
    """Ask the provider with no messages where none are posted."""
    reads(patch, _of_objects(lambda posted: {"messages": [], **posted}))


@impostor(
    f"{REQUIREMENT}.12",
    elsewhere=dict.fromkeys(
        ("api-proxy-route.11", "api-proxy-route/robustness/what-was-wrong-with-the-text-of-the-body-is-not-read-back"),
        "A description is waited for there too.",
    ),
)
def refuses_without_a_word(patch: pytest.MonkeyPatch) -> None:
    """Refuse with an empty object."""
    refuses(patch, lambda reply: Reply(reply.status, {}))


@impostor(
    f"{REQUIREMENT}.12",
    elsewhere=dict.fromkeys(
        ("api-proxy-route.11", "api-proxy-route/robustness/what-was-wrong-with-the-text-of-the-body-is-not-read-back"),
        "A description is waited for there too.",
    ),
)
def refuses_with_a_list(patch: pytest.MonkeyPatch) -> None:
    """Refuse with a list of what is wrong."""
    refuses(patch, lambda reply: Reply(reply.status, {"error": [{"message": reply.body["error"]}]}))


@impostor(f"{REQUIREMENT}/robustness/what-was-wrong-with-the-text-of-the-body-is-not-read-back")
def reads_the_body_back(patch: pytest.MonkeyPatch) -> None:
    """Repeat what was posted in the description of what is wrong with it."""
    original = ChatRoute._chat

    async def chat(self: ChatRoute, body: bytes) -> Reply:
        reply = await original(self, body)
        is_refused = reply.status is HTTPStatus.BAD_REQUEST
        return error_reply(reply.status, f"Cannot read {body.decode()!r}") if is_refused else reply

    patch.setattr(ChatRoute, "_chat", chat)
