"""The published JSON Schema of the driver protocol, made from the types of its messages.

`python -m specassay.drivers.schemas` writes it to standard output, as it stands in `fixtures/schemas/`.
"""

import json
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from specassay.drivers.control_messages import AgentToolAbort, ControlAborted, ControlExecute
from specassay.drivers.protocol import (
    OPTIONAL_OPERATIONS,
    SURFACES,
    VERSION,
    Declaration,
    InitializeParams,
    Nothing,
    ScenarioBegin,
    ToolExecute,
    params_of,
)

Schema = dict[str, Any]

FILE = "driver-protocol.schema.json"

_OPERATIONS = [f"{name}.{operation}" for name, surface in SURFACES.items() for operation in surface.operations]

FROM_HARNESS: dict[str, type[BaseModel]] = {
    "initialize": InitializeParams,
    "scenario.begin": ScenarioBegin,
    "scenario.end": Nothing,
    **{operation: params_of(operation) for operation in _OPERATIONS},
    "shutdown": Nothing,
}
"""The requests of the harness, by method, with their parameters."""

FROM_DRIVER: dict[str, type[BaseModel]] = {"tool.execute": ToolExecute, "control.execute": ControlExecute}
"""The requests of a driver, by method, with their parameters."""

TOLD_BY_HARNESS: dict[str, type[BaseModel]] = {"agent-tool.abort": AgentToolAbort}
TOLD_BY_DRIVER: dict[str, type[BaseModel]] = {"control.aborted": ControlAborted}
"""The notifications of each side, by method, with their parameters."""

_ID: Schema = {"type": ["number", "string"]}
_ANSWER: Schema = {"$ref": "#/$defs/Answer"}
_ERROR: Schema = {
    "type": "object",
    "required": ["code", "message"],
    "properties": {
        "code": {"type": "integer", "description": "-32601: no such operation; -32000: the implementation's own error"},
        "message": {"type": "string"},
        "data": {
            "type": "object",
            "required": ["message"],
            "properties": {
                "message": {"type": "string"},
                "kind": {"type": "string"},
                "status": {"description": "of control.execute: the HTTP status that the service would answer"},
                "partial": {"description": "of control.execute: {action, sessionId, directory}, what was done before"},
            },
        },
    },
}


class _Plain(GenerateJsonSchema):
    """Leaves out the title that each field would be given."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def driver_protocol() -> Schema:
    """Make the schema of every message, in both directions.

    `$defs/FromHarness` and `$defs/FromDriver` are a message of either side, `$defs/Declaration` the result of
    `initialize`. Every other result is any JSON, which only the checks of a scenario judge.
    """
    told = (*TOLD_BY_HARNESS.values(), *TOLD_BY_DRIVER.values())
    models: set[type[BaseModel]] = {Declaration, *FROM_HARNESS.values(), *FROM_DRIVER.values(), *told}
    _, made = models_json_schema(
        [(model, "validation") for model in sorted(models, key=lambda model: model.__name__)],
        ref_template="#/$defs/{model}",
        schema_generator=_Plain,
    )
    definitions = _public(made["$defs"])
    declared = definitions["Declaration"]["properties"]
    declared["surfaces"] |= {"items": {"enum": list(SURFACES)}, "uniqueItems": True}
    declared["operations"] |= {"items": {"enum": sorted(OPTIONAL_OPERATIONS)}, "uniqueItems": True}
    definitions |= {
        "Answer": _answer(),
        "FromHarness": _side(FROM_HARNESS, TOLD_BY_HARNESS),
        "FromDriver": _side(FROM_DRIVER, TOLD_BY_DRIVER),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:specassay:driver-protocol:{VERSION}",
        "title": "The driver protocol of specassay",
        "description": "One JSON-RPC 2.0 message a line. A result is any JSON; that of initialize is a Declaration.",
        "anyOf": [{"$ref": "#/$defs/FromHarness"}, {"$ref": "#/$defs/FromDriver"}],
        "$defs": definitions,
    }


def text() -> str:
    """Write the schema as its file holds it."""
    return json.dumps(driver_protocol(), indent=2) + "\n"


def _side(requests: dict[str, type[BaseModel]], told: dict[str, type[BaseModel]]) -> Schema:
    asked = [_message(method, model, {"id": _ID}) for method, model in requests.items()]
    return {"anyOf": [*asked, *(_message(method, model, {}) for method, model in told.items()), _ANSWER]}


def _message(method: str, model: type[BaseModel], identified: Schema) -> Schema:
    return {
        "type": "object",
        "required": ["jsonrpc", *identified, "method", "params"],
        "properties": {
            "jsonrpc": {"const": "2.0"},
            **identified,
            "method": {"const": method},
            "params": {"$ref": f"#/$defs/{model.__name__.lstrip('_')}"},
        },
        "additionalProperties": False,
    }


def _answer() -> Schema:
    envelope: Schema = {"jsonrpc": {"const": "2.0"}, "id": _ID}
    either: list[Schema] = [{"result": True}, {"error": _ERROR}]
    return {
        "anyOf": [
            {
                "type": "object",
                "required": ["jsonrpc", "id", *part],
                "properties": {**envelope, **part},
                "additionalProperties": False,
            }
            for part in either
        ]
    }


def _public(definitions: Schema) -> Schema:
    """Give every model a name without the underscore that keeps it private in the code."""
    written = json.dumps(definitions)
    for name in sorted(definitions, key=len, reverse=True):
        public = name.lstrip("_")
        if public != name:
            assert public not in definitions, f"two models would be {public}"
            written = written.replace(f'"#/$defs/{name}"', f'"#/$defs/{public}"').replace(f'"{name}"', f'"{public}"')
    renamed: Schema = json.loads(written)
    return {name: renamed[name] for name in sorted(renamed)}


if __name__ == "__main__":
    print(text(), end="")
