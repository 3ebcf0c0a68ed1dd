"""The tools that exist, and the one that the product ships."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from specassay.reference.types import AgentContext, ToolDefinition, ToolParameter

Key = TypeVar("Key")
Definition = TypeVar("Definition")

# The stricter of the two providers' rules: a name that one of them refuses breaks every call.
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class DefinitionRegistry(Generic[Key, Definition]):
    """Definitions by the key that `key_of` reads from each, in the order of their registration."""

    def __init__(self, key_of: Callable[[Definition], Key]) -> None:
        self._key_of = key_of
        self._definitions: dict[Key, Definition] = {}

    def register(self, definition: Definition) -> None:
        """Add a definition, in place of an earlier one of the same key (agent-session-shell/tool-registry-shell.3)."""
        self._definitions[self._key_of(definition)] = definition

    def get(self, key: Key) -> Definition | None:
        """Give the definition, None if there is none (agent-session-shell/tool-registry-shell.4)."""
        return self._definitions.get(key)

    def has(self, key: Key) -> bool:
        """Say whether there is a definition (agent-session-shell/tool-registry-shell.5)."""
        return key in self._definitions

    def get_all(self) -> list[Definition]:
        """Give every definition (agent-session-shell/tool-registry-shell.6)."""
        return list(self._definitions.values())


class ToolRegistry(DefinitionRegistry[str, ToolDefinition]):
    """The tools by name (agent-session-shell/tool-registry-shell.1)."""

    def __init__(self, tools: Iterable[ToolDefinition] = ()) -> None:
        super().__init__(key_of=lambda tool: tool.name)
        for tool in tools:
            self.register(tool)

    def register(self, definition: ToolDefinition) -> None:
        """Add a tool; raises `ValueError` for a name that a provider would refuse."""
        if not TOOL_NAME.fullmatch(definition.name):
            raise ValueError(f'Tool name "{definition.name}" must be 1 to 64 letters, digits, "_" or "-".')
        super().register(definition)

    def to_tool_schemas(self) -> list[dict[str, Any]]:
        """Export every tool in no provider's format: `{name, description, parameters: [{key, type, required}]}`.

        Keeps agent-session-shell/tool-registry-shell.7 and .8.
        """
        return [tool.to_json() for tool in self.get_all()]


def shipped_tools() -> tuple[ToolDefinition, ...]:
    """Give the tools of the product: transcribe_video alone (agent-session-shell/tool-registry-shell.10 and .11)."""
    return (
        ToolDefinition(
            name="transcribe_video",
            description="Transcribe the speech of a video asset; of the first video, if no asset is named.",
            parameters=(ToolParameter(key="assetId", type="string", required=False),),
            execute=_transcribe_video,
        ),
    )


def default_registry() -> ToolRegistry:
    """Make the registry as the product ships it."""
    return ToolRegistry(shipped_tools())


def _transcribe_video(args: dict[str, Any], context: AgentContext) -> str:
    videos = [asset for asset in context.media_assets if asset.type == "video"]
    wanted = [video for video in videos if args.get("assetId") in (None, video.id)]
    if not wanted:
        raise LookupError("There is no such video among the media assets.")
    raise NotImplementedError(f'"{wanted[0].name}" cannot be transcribed: no speech model is installed.')
