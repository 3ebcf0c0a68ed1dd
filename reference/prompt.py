"""The system prompt: a pure function of the context, for the server to use."""

from collections.abc import Sequence

from specassay.reference.registry import shipped_tools
from specassay.reference.types import AgentContext, MediaSummary

INTRODUCTION = "You are the assistant of a video editor."
NO_MEDIA = "No media assets loaded."


def build_system_prompt(context: AgentContext) -> str:
    """Tell the model what is loaded, and which tools it can call.

    Keeps agent-context-bridge/context-injection-into-system-prompt.1 to .7 and .9.
    """
    return "\n\n".join([INTRODUCTION, media_summary(context.media_assets), tool_guidance()])


def media_summary(assets: Sequence[MediaSummary]) -> str:
    """List every asset, or say that there is none (agent-context-bridge/context-injection-into-system-prompt.2, .5)."""
    if not assets:
        return NO_MEDIA
    return "\n".join(["Media assets:", *map(media_line, assets)])


def media_line(asset: MediaSummary) -> str:
    """Describe one asset, with the id that a tool's argument can name."""
    duration = "" if asset.duration is None else f", duration {asset.duration}"
    return f"- {asset.name} (type {asset.type}, id {asset.id}{duration})"


def tool_guidance() -> str:
    """Name the tools of the product (agent-context-bridge/context-injection-into-system-prompt.6 and .7)."""
    tools = "\n".join(f"- {tool.name}: {tool.description}" for tool in shipped_tools())
    return f"You can call these tools:\n{tools}\nWhen no tool is needed, respond in plain text."
