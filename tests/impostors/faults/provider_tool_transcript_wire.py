"""Chat clients that put a legal transcript, its tools or the choice among them on the wire with one fault each."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from specassay.reference import agents, transcript
from specassay.reference.agents import AgentAnswer, ChatAgent, ChatClient, EventAgent, Runtime
from specassay.reference.transcript import (
    FunctionChoice,
    ToolChoice,
    TranscriptCall,
    TranscriptError,
    TranscriptMessage,
    TranscriptTool,
    check_transcript,
)
from tests.impostors.impostor import impostor

SPECIFICATION = "provider-tool-transcript"

Json = dict[str, Any]
Messages = Sequence[TranscriptMessage]
Tools = Sequence[TranscriptTool]

REUSED = "transcript-guard/robustness/an-id-may-be-used-again-in-a-later-turn-and-is-answered-there"
DOUBLE = "transcript-guard/robustness/the-same-id-twice-in-one-message-is-told-apart-or-refused"
NAMED = "transcript-guard/robustness/the-error-names-the-calls-that-have-no-reply"


def _writes_calls(patch: pytest.MonkeyPatch, change: Callable[[Json, TranscriptCall], Json]) -> None:
    original = transcript.wire_call
    patch.setattr(transcript, "wire_call", lambda call: change(original(call), call))


def _writes_messages(patch: pytest.MonkeyPatch, change: Callable[[Json], Json]) -> None:
    original = transcript.wire_message
    patch.setattr(agents, "wire_message", lambda message: change(original(message)))


def _writes_tools(patch: pytest.MonkeyPatch, change: Callable[[Json, ToolChoice | None], Json]) -> None:
    original = transcript.wire_tools
    patch.setattr(agents, "wire_tools", lambda tools, choice: change(original(tools, choice), choice))


# goal and serialisation


@impostor(
    f"{SPECIFICATION}/goal.1",
    elsewhere=dict.fromkeys(
        ("plan.2", "tool-choice.1", "tool-choice.2"), "Whatever has tools is refused by a strict provider."
    ),
)
def sends_tools_for_a_lenient_server(patch: pytest.MonkeyPatch) -> None:
    """Leave out the type of each tool, which some servers do without."""

    def change(wire: Json, choice: ToolChoice | None) -> Json:
        tools = [{"function": tool["function"]} for tool in wire.get("tools", ())]
        return wire | ({"tools": tools} if tools else {})

    _writes_tools(patch, change)


@impostor(f"{SPECIFICATION}/goal.1")
def renames_tools_in_the_history(patch: pytest.MonkeyPatch) -> None:
    """Write the calls of the history under names that the model never heard."""

    def change(wire: Json, call: TranscriptCall) -> Json:
        return wire | {"function": wire["function"] | {"name": f"functions_{call.name}"}}

    _writes_calls(patch, change)


@impostor(
    f"{SPECIFICATION}/provider-serialization.1",
    elsewhere=dict.fromkeys(
        (
            *(f"message-shape.{number}" for number in range(1, 5)),
            *("provider-serialization.2", "provider-serialization.3", "goal.1", "observe.2", "scope.7"),
            *(f"transcript-guard.{number}" for number in range(1, 5)),
            *("plan.2", "tool-choice.1", REUSED, DOUBLE, NAMED),
        ),
        "What is legal must arrive there too.",
    ),
)
def refuses_every_tool_message(patch: pytest.MonkeyPatch) -> None:
    """Refuse every transcript in which a tool speaks, and so every illegal one."""

    def check(messages: Messages) -> None:
        if any(message.role == "tool" for message in messages):
            raise TranscriptError("Tool messages are not supported.")
        check_transcript(messages)

    patch.setattr(agents, "check_transcript", check)


@impostor(
    f"{SPECIFICATION}/provider-serialization.1",
    elsewhere=dict.fromkeys(
        ("provider-serialization.3", "scope.7", "transcript-guard.3", "transcript-guard.4", REUSED, NAMED),
        "The legal replies stand in another order than the calls.",
    ),
)
def wants_replies_in_the_order_of_the_calls(patch: pytest.MonkeyPatch) -> None:
    """Refuse replies that stand in another order than their calls."""

    def check(messages: Messages) -> None:
        check_transcript(messages)
        made = [id_ for message in messages for id_ in message.call_ids]
        answered = [message.tool_call_id for message in messages if message.role == "tool"]
        if made != answered:
            raise TranscriptError("The replies are out of order.")

    patch.setattr(agents, "check_transcript", check)


@impostor(
    f"{SPECIFICATION}/provider-serialization.1",
    elsewhere={
        "provider-serialization/robustness/an-empty-list-of-calls-is-not-sent-on": "Its message without calls is lost."
    },
)
def forgets_its_answers(patch: pytest.MonkeyPatch) -> None:
    """Leave out what the assistant said in a transcript without calls."""
    original = ChatClient._body

    def body(self: ChatClient, messages: Messages, *further: Any) -> Json:
        called = any(message.role == "tool" for message in messages)
        return original(self, [one for one in messages if called or one.role != "assistant"], *further)

    patch.setattr(ChatClient, "_body", body)


@impostor(f"{SPECIFICATION}/provider-serialization.2")
def writes_arguments_anew(patch: pytest.MonkeyPatch) -> None:
    """Write the arguments of a call anew, from the parsed ones: equal in value, other bytes."""

    def change(wire: Json, call: TranscriptCall) -> Json:
        return wire | {"function": wire["function"] | {"arguments": json.dumps(call.arguments)}}

    _writes_calls(patch, change)


@impostor(
    f"{SPECIFICATION}/provider-serialization.3",
    elsewhere={REUSED: "Replies stand in another order there too."},
)
def swaps_contents(patch: pytest.MonkeyPatch) -> None:
    """Put the replies of a turn into the order of their calls, each with the id of its place."""
    original = ChatClient._body

    def body(self: ChatClient, messages: Messages, *further: Any) -> Json:
        ids = iter([id_ for message in messages for id_ in message.call_ids])
        placed = [
            message.model_copy(update={"tool_call_id": next(ids)}) if message.role == "tool" else message
            for message in messages
        ]
        return original(self, placed, *further)

    patch.setattr(ChatClient, "_body", body)


@impostor(
    f"{SPECIFICATION}/provider-serialization.3",
    elsewhere=dict.fromkeys(("observe.2", REUSED), "It tells the calls by their ids."),
)
def numbers_the_calls_of_a_transcript(patch: pytest.MonkeyPatch) -> None:
    """Give calls and replies ids of its own, which match each other."""
    _writes_messages(patch, _numbered)


def _numbered(wire: Json) -> Json:
    calls = [call | {"id": f"x{call['id']}"} for call in wire.get("tool_calls", ())]
    reply = {"tool_call_id": f"x{wire['tool_call_id']}"} if "tool_call_id" in wire else {}
    return wire | reply | ({"tool_calls": calls} if calls else {})


@impostor(f"{SPECIFICATION}/provider-serialization/robustness/an-empty-list-of-calls-is-not-sent-on")
def sends_an_empty_list(patch: pytest.MonkeyPatch) -> None:
    """Send a message of the assistant without calls with an empty list of them."""
    original = transcript.wire_message

    def wire_message(message: TranscriptMessage) -> Json:
        return original(message) | ({"tool_calls": []} if message.tool_calls == () else {})

    patch.setattr(agents, "wire_message", wire_message)


@impostor(f"{SPECIFICATION}/observe.2", elsewhere={"goal.1": "A text stands beside a call there too."})
def drops_the_text_beside_calls(patch: pytest.MonkeyPatch) -> None:
    """Send no content where there are calls."""
    _writes_messages(patch, lambda wire: wire | ({"content": None} if "tool_calls" in wire else {}))


@impostor(
    f"{SPECIFICATION}/observe.2",
    elsewhere=dict.fromkeys(("goal.1", "provider-serialization.3"), "The contents of all messages are compared."),
)
def invents_a_text(patch: pytest.MonkeyPatch) -> None:
    """Say in words that there are calls, where the assistant said nothing."""
    _writes_messages(patch, lambda wire: wire | {"content": wire["content"] or "(calls a tool)"})


# The choice of a tool


@impostor(f"{SPECIFICATION}/plan.2", elsewhere={"goal.1": "Two tools are offered there, without a choice."})
def wants_a_choice(patch: pytest.MonkeyPatch) -> None:
    """Refuse tools without a choice among several."""

    def check(choice: ToolChoice | None, tools: Tools) -> None:
        if choice is None and len(tools) > 1:
            raise TranscriptError("Choose a tool.")
        transcript.check_choice(choice, tools)

    patch.setattr(agents, "check_choice", check)


@impostor(f"{SPECIFICATION}/plan.2", elsewhere={"tool-choice.1": "One tool is forced where any are."})
def forces_by_default(patch: pytest.MonkeyPatch) -> None:
    """Require a call wherever there are tools and no choice."""
    _writes_tools(patch, lambda wire, choice: {"tool_choice": "required", **wire} if wire else wire)


@impostor(f"{SPECIFICATION}/tool-choice.1")
def forces_the_only_tool(patch: pytest.MonkeyPatch) -> None:
    """Force a tool that is the only one."""

    def change(wire: Json, choice: ToolChoice | None) -> Json:
        if len(wire.get("tools", ())) != 1 or choice is not None:
            return wire
        return wire | {"tool_choice": {"type": "function", "function": {"name": wire["tools"][0]["function"]["name"]}}}

    _writes_tools(patch, change)


@impostor(f"{SPECIFICATION}/tool-choice.1")
def requires_the_only_tool(patch: pytest.MonkeyPatch) -> None:
    """Require a call where there is one tool, which forces it without a name."""
    _writes_tools(
        patch, lambda wire, choice: {"tool_choice": "required", **wire} if len(wire.get("tools", ())) == 1 else wire
    )


@impostor(f"{SPECIFICATION}/tool-choice.1")
def hides_the_only_tool(patch: pytest.MonkeyPatch) -> None:
    """Offer no tool where there is one and no choice, so that nothing can be forced."""
    _writes_tools(patch, lambda wire, choice: {} if choice is None and len(wire.get("tools", ())) == 1 else wire)


@impostor(
    f"{SPECIFICATION}/tool-choice.2",
    elsewhere={"tool-choice.3": "The EventAgent's choice is written by the same client."},
)
def writes_the_name_alone(patch: pytest.MonkeyPatch) -> None:
    """Write a forced function as its name alone, without the type."""

    def wire_choice(choice: ToolChoice) -> Any:
        return {"function": {"name": choice.name}} if isinstance(choice, FunctionChoice) else choice

    patch.setattr(transcript, "wire_choice", wire_choice)


@impostor(f"{SPECIFICATION}/tool-choice.2")
def drops_words(patch: pytest.MonkeyPatch) -> None:
    """Send no choice but a forced function."""

    def change(wire: Json, choice: ToolChoice | None) -> Json:
        return wire if isinstance(choice, FunctionChoice) else {key: wire[key] for key in wire if key == "tools"}

    _writes_tools(patch, change)


@impostor(f"{SPECIFICATION}/tool-choice.2")
def forgets_the_choice_in_the_chat_agent(patch: pytest.MonkeyPatch) -> None:
    """Let the ChatAgent drop the choice that it is given."""
    original = ChatAgent.respond

    async def respond(
        self: ChatAgent, messages: Messages, tools: Tools = (), tool_choice: ToolChoice | None = None
    ) -> AgentAnswer:
        return await original(self, messages, tools)

    patch.setattr(ChatAgent, "respond", respond)


def _selects(patch: pytest.MonkeyPatch, choose: Callable[[Tools, str], ToolChoice | None]) -> None:
    async def generate_arguments(self: EventAgent, messages: Messages, tools: Tools, selected: str) -> TranscriptCall:
        transcript.check_choice(FunctionChoice(name=selected), tools)
        answer = await self._client.send(messages, tools, choose(tools, selected))
        return answer.tool_calls[0]

    patch.setattr(EventAgent, "generate_arguments", generate_arguments)


@impostor(f"{SPECIFICATION}/tool-choice.3")
def forces_the_first_tool(patch: pytest.MonkeyPatch) -> None:
    """Force the first tool, whichever was selected."""
    _selects(patch, lambda tools, selected: FunctionChoice(name=tools[0].name))


@impostor(f"{SPECIFICATION}/tool-choice.3")
def requires_any_tool(patch: pytest.MonkeyPatch) -> None:
    """Require a call in the EventAgent, and do not say of which tool."""
    _selects(patch, lambda tools, selected: "required")


@impostor(
    f"{SPECIFICATION}/tool-choice.3",
    elsewhere={
        "tool-choice/robustness/eventagent-cannot-be-asked-for-a-tool-that-it-does-not-have": "It gets no call of the "
        "tool that it does have either."
    },
)
def hopes_for_the_tool(patch: pytest.MonkeyPatch) -> None:
    """Offer the selected tool in the EventAgent, and force nothing."""
    _selects(patch, lambda tools, selected: None)


@impostor(f"{SPECIFICATION}/scope.11")
def gives_the_chat_agent_the_tools(patch: pytest.MonkeyPatch) -> None:
    """Offer the tools at hand to the ChatAgent in a turn of the Runtime."""

    async def respond(self: Runtime, text: str, tools: Tools) -> str:
        return (await self._chat_agent.respond([TranscriptMessage(role="user", content=text)], tools)).content

    patch.setattr(Runtime, "respond", respond)


@impostor(f"{SPECIFICATION}/scope.11")
def chooses_none_at_runtime(patch: pytest.MonkeyPatch) -> None:
    """Send the choice "none" with the ChatAgent's call in a turn of the Runtime."""
    original = ChatClient._body

    async def respond(self: Runtime, text: str, tools: Tools) -> str:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(ChatClient, "_body", lambda *args: original(*args) | {"tool_choice": "none"})
            return (await self._chat_agent.respond([TranscriptMessage(role="user", content=text)])).content

    patch.setattr(Runtime, "respond", respond)


UNCHECKED = f"{SPECIFICATION}/tool-choice/robustness"


@impostor(
    f"{UNCHECKED}/a-choice-that-names-an-unknown-tool-is-refused",
    elsewhere={
        "tool-choice/robustness/eventagent-cannot-be-asked-for-a-tool-that-it-does-not-have": "It is the same check.",
        "tool-choice/robustness/a-call-cannot-be-forced-where-there-are-no-tools[a-function]": "It is the same check.",
    },
)
def forces_an_unknown_tool(patch: pytest.MonkeyPatch) -> None:
    """Force a function whether there is such a tool or not."""

    def check(choice: ToolChoice | None, tools: Tools) -> None:
        if not isinstance(choice, FunctionChoice):
            transcript.check_choice(choice, tools)

    patch.setattr(agents, "check_choice", check)


@impostor(f"{UNCHECKED}/a-call-cannot-be-forced-where-there-are-no-tools")
def forces_without_tools(patch: pytest.MonkeyPatch) -> None:
    """Drop any choice where there are no tools."""

    def check(choice: ToolChoice | None, tools: Tools) -> None:
        if tools:
            transcript.check_choice(choice, tools)

    patch.setattr(agents, "check_choice", check)


@impostor(f"{UNCHECKED}/eventagent-cannot-be-asked-for-a-tool-that-it-does-not-have")
def takes_another_tool(patch: pytest.MonkeyPatch) -> None:
    """Take the first tool in the EventAgent where the selected one is not there."""
    original = EventAgent.generate_arguments

    async def generate_arguments(self: EventAgent, messages: Messages, tools: Tools, selected: str) -> TranscriptCall:
        known = [tool.name for tool in tools]
        return await original(self, messages, tools, selected if selected in known else known[0])

    patch.setattr(EventAgent, "generate_arguments", generate_arguments)
