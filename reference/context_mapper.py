"""Maps the editor's state to the agent's context; needs no editor."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from specassay.reference.types import EMPTY_CONTEXT, AgentContext, MediaSummary


class Identified(Protocol):
    """What is read of a project and of a scene."""

    id: str


class Asset(Protocol):
    """What is read of a media asset; whatever else it holds stays in the editor."""

    id: str
    name: str
    type: str
    duration: float | None


@dataclass(frozen=True)
class EditorState:
    """The editor's own values at one moment."""

    project: Identified | None
    active_scene: Identified | None
    assets: Sequence[Asset]
    current_time_ms: float


def build_context_from_editor_state(state: EditorState) -> AgentContext:
    """Copy what the agent may know; without a project it is the empty context, whatever else is still there.

    Pure. Keeps agent-context-bridge/agentcontext-contract.1, .4 and .6 and editorcontext-adapter.6 and .9 to .11.
    """
    if state.project is None:
        return EMPTY_CONTEXT
    return AgentContext(
        project_id=state.project.id,
        active_scene_id=state.active_scene.id if state.active_scene else None,
        media_assets=tuple(summarise(asset) for asset in state.assets),
        playback_time_ms=finite(state.current_time_ms) or 0,
    )


def summarise(asset: Asset) -> MediaSummary:
    """Copy an asset's four plain fields (agent-context-bridge/agentcontext-contract.2)."""
    return MediaSummary(id=asset.id, name=asset.name, type=asset.type, duration=finite(asset.duration))


def finite(number: float | None) -> float | None:
    """Give the number, or None for NaN and the infinities, which JSON does not have."""
    return number if number is not None and math.isfinite(number) else None
