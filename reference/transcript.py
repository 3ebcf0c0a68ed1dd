"""Provider tool transcripts: their messages, the guard in front of the network, and their form on the wire."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from specassay.reference.types import Model, Role


class TranscriptError(ValueError):
    """A transcript, a choice or a request that must not be sent; the text says which message is wrong, and why."""


class TranscriptCall(Model):
    """One call as the model made it (provider-tool-transcript/message-shape.1 to .4).

    `raw_arguments` is the very JSON text that the model wrote, `arguments` the object that it was parsed to.
    """

    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    arguments: dict[str, Any]
    raw_arguments: str


class TranscriptMessage(Model):
    """One message; "" is the content of one that says nothing, and no or an empty list of calls is the same."""

    role: Role
    content: str
    tool_calls: tuple[TranscriptCall, ...] | None = None
    tool_call_id: str | None = None

    @property
    def call_ids(self) -> list[str]:
        """The ids of the calls that it makes."""
        return [call.id for call in self.tool_calls or ()]

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_shape(self)
        return self


def check_shape(message: TranscriptMessage) -> None:
    """Raise `ValueError` for calls of another role than assistant, and a tool message without the id of its call.

    Keeps provider-tool-transcript/message-shape.5 and .6. Two calls of one id could not be told apart.
    """
    ids = message.call_ids
    if ids and message.role != "assistant":
        raise ValueError(f'A message of role "{message.role}" must not make tool calls; only an assistant does.')
    if message.role == "tool" and not message.tool_call_id:
        raise ValueError("A tool message must have the tool_call_id of the call that it answers.")
    if len(set(ids)) < len(ids):
        raise ValueError(f"Each call of a message must have an id of its own; got {', '.join(ids)}.")


def check_transcript(messages: Iterable[TranscriptMessage]) -> None:
    """Raise `TranscriptError` unless each call is answered once, in the run of tool messages right after it.

    Keeps provider-tool-transcript/transcript-guard.1 to .4 and scope.7.
    """
    open_ids: list[str] = []
    for position, message in enumerate(messages):
        if message.role == "tool":
            check_reply(message, open_ids, position)
            open_ids.remove(str(message.tool_call_id))
        else:
            check_answered(open_ids, f"before message {position}")
            open_ids = message.call_ids
    check_answered(open_ids, "at the end")


def check_reply(reply: TranscriptMessage, open_ids: Sequence[str], position: int) -> None:
    """Raise `TranscriptError` for an orphan reply, and one whose call is another's or already answered."""
    if reply.tool_call_id not in open_ids:
        waiting = f"open are {', '.join(open_ids)}" if open_ids else "no call is open"
        raise TranscriptError(f'Message {position} answers "{reply.tool_call_id}", but {waiting} there.')


def check_answered(open_ids: Sequence[str], place: str) -> None:
    """Raise `TranscriptError`, naming the ids, where calls are left without a reply."""
    if open_ids:
        raise TranscriptError(f"Calls without a reply {place}: {', '.join(open_ids)}.")


class TranscriptTool(Model):
    """A tool that is offered to the model; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class FunctionChoice(Model):
    """The choice of one function, which is thereby forced."""

    name: str


ToolChoice = Literal["none", "auto", "required"] | FunctionChoice


def check_choice(choice: ToolChoice | None, tools: Sequence[TranscriptTool]) -> None:
    """Raise `TranscriptError` for a choice that no answer could keep."""
    if isinstance(choice, FunctionChoice) and choice.name not in [tool.name for tool in tools]:
        raise TranscriptError(f'The tool choice forces "{choice.name}", which is not among the tools.')
    if choice == "required" and not tools:
        raise TranscriptError("The tool choice requires a call, but there are no tools.")


def wire_message(message: TranscriptMessage) -> dict[str, Any]:
    """Write a message as OpenAI-compatible providers read it.

    Keeps provider-tool-transcript/provider-serialization.3 and observe.2. An empty list of calls is refused there.
    """
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        wire["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        wire |= {"content": message.content or None, "tool_calls": [wire_call(call) for call in message.tool_calls]}
    return wire


def wire_call(call: TranscriptCall) -> dict[str, Any]:
    """Write a call with its raw arguments (provider-tool-transcript/provider-serialization.2)."""
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.raw_arguments}}


def wire_tools(tools: Sequence[TranscriptTool], choice: ToolChoice | None) -> dict[str, Any]:
    """Write tools and choice; without tools neither is there, and nothing is forced that was not chosen.

    Keeps provider-tool-transcript/tool-choice.1 and .2 and plan.2.
    """
    if not tools:
        return {}
    wire: dict[str, Any] = {"tools": [{"type": "function", "function": tool.to_json()} for tool in tools]}
    if choice is not None:
        wire["tool_choice"] = wire_choice(choice)
    return wire


def wire_choice(choice: ToolChoice) -> Any:
    """Write a choice, which is a word or the function that is forced."""
    return {"type": "function", "function": {"name": choice.name}} if isinstance(choice, FunctionChoice) else choice


def accept_public_request(request: Any) -> tuple[TranscriptMessage, ...]:
    """Take the `messages` of a request from outside: text of a user or an assistant, and nothing else.

    Calls, replies and instructions are the server's own to write. Raises `TranscriptError` for a request that brings
    some, and pydantic's `ValidationError`, a `ValueError` too, for one that is none.
    """
    raw = request.get("messages") if isinstance(request, dict) else None
    if not isinstance(raw, list):
        raise TranscriptError("A request must have a list of messages.")
    messages = tuple(TranscriptMessage.model_validate(message) for message in raw)
    for position, message in enumerate(messages):
        if message.role not in ("user", "assistant") or message.tool_calls or message.tool_call_id:
            raise TranscriptError(f"Message {position} of the request is not one that a client may write.")
    return messages


def project_history(messages: Iterable[TranscriptMessage]) -> tuple[TranscriptMessage, ...]:
    """Give the history as a client is shown it: what the user and the assistant said, without calls and replies."""
    visible = [message for message in messages if message.role in ("user", "assistant") and message.content]
    return tuple(TranscriptMessage(role=message.role, content=message.content) for message in visible)
