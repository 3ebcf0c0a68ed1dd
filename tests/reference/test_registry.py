"""The registry: what is registered is found and exported, and the product ships one tool."""

from typing import Any

import pytest

from specassay.reference.registry import ToolRegistry, default_registry
from specassay.reference.types import EMPTY_CONTEXT, AgentContext, ToolDefinition, ToolParameter


def tool(name: str, *parameters: ToolParameter, result: Any = None) -> ToolDefinition:
    return ToolDefinition(
        name=name, description=f"Does {name}.", parameters=parameters, execute=lambda args, context: result
    )


def test_exactly_transcribe_video_is_shipped() -> None:
    assert [shipped.name for shipped in default_registry().get_all()] == ["transcribe_video"]
    assert not default_registry().has("echo_context")


def test_each_tool_is_found_by_its_own_name() -> None:
    registry = ToolRegistry([tool("a"), tool("b")])
    assert registry.get("a") == registry.get_all()[0]
    assert registry.get("b") == registry.get_all()[1]
    assert registry.get("a") != registry.get("b")


@pytest.mark.parametrize("name", ["never", "toString", "__class__", ""])
def test_a_name_that_nobody_registered_is_not_there(name: str) -> None:
    registry = default_registry()
    assert registry.get(name) is None
    assert registry.has(name) is False


def test_registered_tools_stand_beside_the_shipped_one() -> None:
    registry = default_registry()
    registry.register(tool("a"))
    registry.register(tool("b"))
    assert [known.name for known in registry.get_all()] == ["transcribe_video", "a", "b"]


def test_the_later_of_two_tools_of_one_name_counts() -> None:
    later = tool("a", result=2)
    registry = ToolRegistry([tool("a", result=1), later])
    assert registry.get_all() == [later]


def test_the_schemas_are_plain_json_and_follow_the_registry() -> None:
    registry = default_registry()
    before = registry.to_tool_schemas()
    registry.register(tool("probe", ToolParameter(key="q", type="array", required=True)))
    assert before == registry.to_tool_schemas()[:1]
    assert before[0]["parameters"] == [{"key": "assetId", "type": "string", "required": False}]
    assert registry.to_tool_schemas()[1] == {
        "name": "probe",
        "description": "Does probe.",
        "parameters": [{"key": "q", "type": "array", "required": True}],
    }


@pytest.mark.parametrize("name", ["Google Search", "a.b", "a/b", "", "a\n", "ä", "a" * 65])
def test_a_name_that_a_provider_would_refuse_is_refused_at_registration(name: str) -> None:
    registry = ToolRegistry()
    with pytest.raises(ValueError, match="must be 1 to 64 letters"):
        registry.register(tool(name))
    assert registry.get_all() == []


@pytest.mark.parametrize("name", ["a", "A_b-9", "a" * 64])
def test_a_name_that_both_providers_take_is_registered(name: str) -> None:
    assert ToolRegistry([tool(name)]).has(name)


VIDEO = AgentContext.model_validate(
    {
        **EMPTY_CONTEXT.to_json(),
        "mediaAssets": [
            {"id": "a0", "name": "still.png", "type": "image", "duration": None},
            {"id": "a1", "name": "first.mp4", "type": "video", "duration": 1},
            {"id": "a2", "name": "second.mp4", "type": "video", "duration": 1},
        ],
    }
)


@pytest.mark.parametrize(
    ("args", "context", "message"),
    [
        ({}, VIDEO, '"first.mp4" cannot be transcribed: no speech model'),
        ({"assetId": "a2"}, VIDEO, '"second.mp4" cannot be transcribed: no speech model'),
        ({"assetId": "a0"}, VIDEO, "no such video"),
        ({}, EMPTY_CONTEXT, "no such video"),
    ],
)
def test_transcribe_video_says_why_it_cannot(args: dict[str, Any], context: AgentContext, message: str) -> None:
    shipped = default_registry().get("transcribe_video")
    assert shipped is not None
    with pytest.raises((LookupError, NotImplementedError), match=message):
        shipped.execute(args, context)
