"""Types that are not shared, and messages that are not of their shape."""

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from specassay.drivers.reference.layout import AGENT, MODULES
from specassay.reference.orchestrator import LIMIT_MESSAGE, Orchestrator
from specassay.reference.types import AgentContext, ChatMessage, ChatResponse
from tests.impostors.impostor import impostor
from tests.impostors.planted import adds, plants, renames
from tests.impostors.routes import ANSWERED_RUNS, RUNS

REQUIREMENT = "agent-session-shell/shared-foundational-types"

Json = dict[str, Any]


@impostor(f"{REQUIREMENT}.1")
def calls_the_types_otherwise(patch: pytest.MonkeyPatch) -> None:
    """Keep the types in a module of another name."""
    types = {"types": f"{AGENT}/models.py"}
    plants(patch, renames("specassay.reference.types", "specassay.reference.models"), modules=MODULES | types)


@impostor(f"{REQUIREMENT}.1")
def keeps_the_types_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """Keep the types outside the agent directory."""
    types = {"types": "specassay/types.py"}
    plants(patch, renames("specassay.reference.types", "specassay.types"), modules=MODULES | types)


def _posts(patch: pytest.MonkeyPatch, change: Callable[[Json], Json]) -> None:
    """Change each message on its way to the chat route."""

    class Posted:
        def __init__(self, message: ChatMessage) -> None:
            self._message = message

        def to_json(self) -> Json:
            return change(self._message.to_json())

    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: Any, context: AgentContext) -> ChatResponse:
        return await original(self, tuple(Posted(message) for message in history), context)  # type: ignore[misc]

    patch.setattr(Orchestrator, "_ask", ask)


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere=dict.fromkeys(
        ("orchestrator-shell.3", *ANSWERED_RUNS), "Whole messages are waited for, here or by the route."
    ),
)
def posts_results_without_a_time(patch: pytest.MonkeyPatch) -> None:
    """Post the results of tools without a timestamp."""
    _posts(patch, lambda wire: {key: wire[key] for key in wire if key != "timestamp" or wire["role"] != "tool"})


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere=dict.fromkeys(
        ("orchestrator-shell.3", *ANSWERED_RUNS), "Whole messages are waited for, here or by the route."
    ),
)
def posts_calls_without_an_id(patch: pytest.MonkeyPatch) -> None:
    """Post the messages that call tools without an id of their own."""
    _posts(patch, lambda wire: {key: wire[key] for key in wire if key != "id" or "toolCalls" not in wire})


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere=dict.fromkeys(
        ("max-iteration-guard/robustness/a-conversation-goes-on-after-the-cap-without-open-calls",),
        "The message at the limit is posted there.",
    ),
)
def does_not_date_the_limit(patch: pytest.MonkeyPatch) -> None:
    """Store the message at the limit without a timestamp."""
    original = Orchestrator._finish

    def finish(self: Orchestrator, content: str) -> None:
        if content == LIMIT_MESSAGE:
            self._chat.add_message(ChatMessage.model_construct(id="limit", role="assistant", content=content))
        else:
            original(self, content)

    patch.setattr(Orchestrator, "_finish", finish)


@impostor(
    f"{REQUIREMENT}.3",
    elsewhere=dict.fromkeys(
        (
            "chat-store/robustness/a-conversation-with-a-tool-is-replayed-whole-after-a-reload",
            "orchestrator-shell.3",
            "orchestrator-shell.9",
            *(run for run in ANSWERED_RUNS if "arguments" not in run and "share" not in run and "offered" not in run),
        ),
        "The args of a call in the history are compared.",
    ),
)
def posts_args_as_text(patch: pytest.MonkeyPatch) -> None:
    """Post the args of calls as JSON text."""

    def change(wire: Json) -> Json:
        calls = [call | {"args": json.dumps(call["args"])} for call in wire.get("toolCalls") or ()]
        return wire | ({"toolCalls": calls} if calls else {})

    _posts(patch, change)


@impostor(f"{REQUIREMENT}.3", elsewhere={"orchestrator-shell.3": "The calls of the run hold a null."})
def drops_nulls_of_args(patch: pytest.MonkeyPatch) -> None:
    """Post the args of calls without what is null in them."""

    def change(wire: Json) -> Json:
        calls = [call | {"args": _without_nulls(call["args"])} for call in wire.get("toolCalls") or ()]
        return wire | ({"toolCalls": calls} if calls else {})

    _posts(patch, change)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value if item is not None] if isinstance(value, list) else value


@impostor(
    f"{REQUIREMENT}.6",
    elsewhere=dict.fromkeys(("orchestrator-shell.3", *RUNS), "The whole context is waited for, here or by the route."),
)
def posts_no_nulls_of_the_context(patch: pytest.MonkeyPatch) -> None:
    """Post the context without what is null in it."""

    class Posted(AgentContext):
        def to_json(self) -> Json:
            return {key: value for key, value in super().to_json().items() if value is not None}

    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: Any, context: AgentContext) -> ChatResponse:
        return await original(self, history, Posted.model_validate(context.to_json()))

    patch.setattr(Orchestrator, "_ask", ask)


@impostor(f"{REQUIREMENT}.8")
def copies_a_type(patch: pytest.MonkeyPatch) -> None:
    """Declare ChatMessage in the route once more."""
    plants(patch, adds("route.py", "class ChatMessage(Model):", "    content: str"))


@impostor(f"{REQUIREMENT}.8")
def needs_no_types(patch: pytest.MonkeyPatch) -> None:
    """Take the types of the tool registry from a copy of their module."""
    plants(patch, _with_types_of_its_own)


def _with_types_of_its_own(agent: Any) -> None:
    types, registry = agent / "types.py", agent / "registry.py"
    (agent / "tool_types.py").write_bytes(types.read_bytes())
    registry.write_text(registry.read_text().replace("specassay.reference.types", "specassay.reference.tool_types"))


@impostor(f"{REQUIREMENT}.9")
def does_not_compile(patch: pytest.MonkeyPatch) -> None:
    """Import a type that there is not."""
    check = [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir=.cache", "--no-site-packages"]
    change = adds("broken.py", "from specassay.reference.types import SessionMessage")
    plants(patch, change, typecheck=[*check, "--ignore-missing-imports", f"{AGENT}/broken.py"])
