"""Puts the reference's editor into the state that a scenario describes."""

from typing import Any

from specassay.reference import core
from specassay.reference.context_mapper import EditorState

EDITOR_TYPES: tuple[type, ...] = tuple(value for value in vars(core).values() if isinstance(value, type))


def set_editor(editor: core.EditorCore, state: dict[str, Any]) -> None:
    """Open the project and the scene, import the assets, and move the playhead."""
    editor.project.active = core.Project(**state["project"]) if state["project"] else None
    editor.scenes.active = core.Scene(**state["activeScene"]) if state["activeScene"] else None
    editor.media.assets = [
        core.MediaAsset(**{"duration": None} | asset, handle=object(), editor=editor) for asset in state["assets"]
    ]
    editor.playback.time_ms = state["currentTimeMs"]


def editor_state(state: dict[str, Any]) -> EditorState:
    """Make what the mapper is given, of an editor of its own."""
    editor = core.EditorCore()
    set_editor(editor, state)
    return EditorState(
        project=editor.project.active,
        active_scene=editor.scenes.active,
        assets=editor.media.assets,
        current_time_ms=editor.playback.time_ms,
    )
