"""The result envelope: what every completed call returns.

`python -m specassay.reference.agent_tool.result` writes its JSON Schema to standard output.
"""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Partial(_Part):
    """What was done before a failure."""

    action: str
    session_id: str | None = None
    directory: str | None = None


class Failure(_Part):
    """What went wrong, and what to do about it."""

    message: str = Field(min_length=1)
    status: int | None = None
    partial: Partial | None = None


class _Envelope(_Part):
    # without it the schema would not ask for the two fields that are always the same
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    schema_version: Literal[1] = 1


class Succeeded(_Envelope):
    """A call that did what it was asked for (managed-agent-tool/result-contract.2)."""

    ok: Literal[True] = True
    action: str
    data: Any


class Failed(_Envelope):
    """A call that did not (managed-agent-tool/result-contract.3 and .4)."""

    ok: Literal[False] = False
    action: str
    error: Failure


AgentToolResult = Succeeded | Failed


def to_json(result: AgentToolResult) -> dict[str, Any]:
    """Give the envelope as JSON; an error's fields that are not known are left out."""
    written = result.model_dump(mode="json", by_alias=True)
    if isinstance(result, Failed):
        written["error"] = result.error.model_dump(mode="json", by_alias=True, exclude_none=True)
    return written


def schema() -> dict[str, Any]:
    """Make the published JSON Schema of the envelope."""
    made = TypeAdapter(AgentToolResult).json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:specassay:agent-tool-result:1",
        "title": "The result of the managed agent tool",
        **made,
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
