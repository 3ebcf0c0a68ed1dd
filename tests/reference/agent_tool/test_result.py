"""The result envelope, its published schema, and the check that the suite makes of it agree."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from specassay import resources
from specassay.reference.agent_tool.result import Failed, Failure, Partial, Succeeded, schema, to_json
from specassay.steps.agent_calls import envelope

FILE = resources.SCHEMAS / "agent-tool-result.schema.json"
VALID: list[Any] = [
    {"schemaVersion": 1, "ok": True, "action": "a.b", "data": {}},
    {"schemaVersion": 1, "ok": True, "action": "a.b", "data": None},
    {"schemaVersion": 1, "ok": False, "action": "a.b", "error": {"message": "m"}},
    {"schemaVersion": 1, "ok": False, "action": "a.b", "error": {"message": "m", "status": 400, "more": 1}},
]
INVALID: list[Any] = [
    {"ok": True, "action": "a.b", "data": {}},
    {"schemaVersion": "1", "ok": True, "action": "a.b", "data": {}},
    {"schemaVersion": 2, "ok": True, "action": "a.b", "data": {}},
    {"schemaVersion": 1, "action": "a.b", "data": {}},
    {"schemaVersion": 1, "ok": True, "action": "a.b"},
    {"schemaVersion": 1, "ok": False, "action": "a.b", "data": {}},
    {"schemaVersion": 1, "ok": False, "action": "a.b", "error": "m"},
    {"schemaVersion": 1, "ok": False, "action": "a.b", "error": {"message": ""}},
    {"schemaVersion": 1, "ok": True, "data": {}},
    [],
    None,
]


def test_the_file_is_what_the_types_say() -> None:
    assert json.loads(FILE.read_text("utf-8")) == schema(), (
        "run: python -m specassay.reference.agent_tool.result > fixtures/schemas/agent-tool-result.schema.json"
    )


@pytest.mark.parametrize("value", VALID)
def test_schema_and_check_take_an_envelope(value: Any) -> None:
    Draft202012Validator(json.loads(FILE.read_text("utf-8"))).validate(value)
    assert envelope("a.b").test(value)


@pytest.mark.parametrize("value", INVALID)
def test_schema_and_check_refuse_what_is_none(value: Any) -> None:
    assert not Draft202012Validator(json.loads(FILE.read_text("utf-8"))).is_valid(value)
    assert not envelope("a.b").test(value)


def test_what_the_reference_writes_keeps_the_schema() -> None:
    partial = Partial(action="session.create", session_id="s")
    for made in (
        Succeeded(action="a", data=[1]),
        Failed(action="a", error=Failure(message="m")),
        Failed(action="a", error=Failure(message="m", status=502, partial=partial)),
    ):
        Draft202012Validator(json.loads(FILE.read_text("utf-8"))).validate(to_json(made))
