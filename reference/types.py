"""The types that stores, orchestrator, registry and route share: their single source of truth.

Attributes are snake_case, JSON is the specification's camelCase; both are accepted.
"""

import time
import uuid
from collections.abc import Callable
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt
from pydantic.alias_generators import to_camel

ExecutionState = Literal["idle", "sending", "processing", "responding", "error"]
ParameterType = Literal["string", "number", "boolean", "object", "array"]
Role = Literal["system", "user", "assistant", "tool"]
Number = StrictInt | StrictFloat


def new_id() -> str:
    """Make an id that no other message or tool call has."""
    return uuid.uuid4().hex


def now_ms() -> int:
    """Give the present time in Unix milliseconds."""
    return int(time.time() * 1000)


class Model(BaseModel):
    """A frozen value with a JSON form; fields that it does not know are carried along unchanged."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, extra="allow")

    def to_json(self) -> dict[str, Any]:
        """Give the plain JSON object, where a field that was never given is absent, not null."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class ToolCall(Model):
    """A model's wish to run a tool (agent-session-shell/shared-foundational-types.3).

    `args` is an object; if the model sent anything else, that stays here, so that it sees what was refused.
    """

    id: str
    name: str
    args: Any


class ToolResult(Model):
    """What became of a tool call (agent-session-shell/shared-foundational-types.4); an error's `result` is null."""

    tool_call_id: str
    name: str
    result: Any
    error: str | None = None


class ChatMessage(Model):
    """One message of a chat (agent-session-shell/shared-foundational-types.2); `timestamp` in Unix milliseconds.

    A tool's result is a message of role "tool" with the `tool_call_id` of its call.
    """

    id: str
    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] | None = None
    tool_call_id: str | None = None
    timestamp: Number

    @classmethod
    def new(cls, **fields: Any) -> Self:
        """Make a message, with an id and a timestamp of its own where none is given."""
        return cls.model_validate({"id": new_id(), "timestamp": now_ms(), **fields})


class ChatResponse(Model):
    """The chat route's answer (agent-session-shell/api-proxy-route.4 and .5)."""

    content: str
    tool_calls: tuple[ToolCall, ...] | None = None


class MediaSummary(Model):
    """One media asset of the editor (agent-context-bridge/agentcontext-contract.2)."""

    id: str
    name: str
    type: str
    duration: Number | None


class AgentContext(Model):
    """What the agent knows of the editor (agent-context-bridge/agentcontext-contract.1)."""

    project_id: str | None
    active_scene_id: str | None
    media_assets: tuple[MediaSummary, ...]
    playback_time_ms: Number


EMPTY_CONTEXT = AgentContext(project_id=None, active_scene_id=None, media_assets=(), playback_time_ms=0)


class ToolParameter(Model):
    """One declared argument of a tool."""

    key: str
    type: ParameterType
    required: StrictBool


class ToolDefinition(Model):
    """A tool (agent-session-shell/tool-registry-shell.2); its JSON form leaves `execute` out.

    `execute(args, context)` gives any JSON value, or an awaitable of one, and may raise.
    """

    name: str
    description: str
    parameters: tuple[ToolParameter, ...]
    execute: Callable[[dict[str, Any], AgentContext], Any] = Field(exclude=True)
