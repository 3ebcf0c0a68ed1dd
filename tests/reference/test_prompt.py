"""The system prompt: what it says of media and of tools."""

from typing import Any

from specassay.reference.prompt import build_system_prompt
from specassay.reference.registry import shipped_tools
from specassay.reference.types import EMPTY_CONTEXT, AgentContext

ASSETS: list[dict[str, Any]] = [
    {"id": "v1", "name": "clip.mp4", "type": "video", "duration": 30},
    {"id": "a7", "name": "Ü😀.wav", "type": "audio", "duration": None},
    {"id": "i9", "name": "still.png", "type": "image", "duration": 0},
]


def context(assets: list[dict[str, Any]]) -> AgentContext:
    return AgentContext.model_validate(
        {"projectId": "p1", "activeSceneId": None, "mediaAssets": assets, "playbackTimeMs": 0}
    )


def test_every_asset_is_listed_with_id_name_and_type() -> None:
    prompt = build_system_prompt(context(ASSETS))
    for asset in ASSETS:
        line = next(line for line in prompt.splitlines() if asset["name"] in line)
        assert asset["type"] in line
        assert asset["id"] in line
    assert "duration 30" in prompt
    assert "None" not in prompt


def test_no_media_is_said_when_there_is_none_and_only_then() -> None:
    assert "No media assets loaded" in build_system_prompt(EMPTY_CONTEXT)
    assert "No media assets loaded" not in build_system_prompt(context(ASSETS[:1]))


def test_the_tools_of_the_product_are_named_with_and_without_media() -> None:
    for prompt in (build_system_prompt(EMPTY_CONTEXT), build_system_prompt(context(ASSETS))):
        assert all(tool.name in prompt for tool in shipped_tools())
        assert "transcribe_video" in prompt
        assert "echo_context" not in prompt


def test_it_asks_for_plain_text_when_no_tool_is_needed() -> None:
    assert "respond in plain text" in build_system_prompt(EMPTY_CONTEXT)


def test_the_same_context_gives_the_same_text() -> None:
    assert build_system_prompt(context(ASSETS)) == build_system_prompt(context(ASSETS))
