"""The only way from the agent to the editor."""

from specassay.reference.context_mapper import EditorState, build_context_from_editor_state
from specassay.reference.core import EditorCore
from specassay.reference.types import AgentContext


class EditorContextAdapter:
    """Reads the editor anew at each call (agent-context-bridge/editorcontext-adapter.1)."""

    def __init__(self, editor: EditorCore) -> None:
        self._editor = editor

    def get_context(self) -> AgentContext:
        """Give the editor's present state as plain data (agent-context-bridge/editorcontext-adapter.2 to .5, .10)."""
        return build_context_from_editor_state(self._read())

    def _read(self) -> EditorState:
        return EditorState(
            project=self._editor.project.get_active_or_null(),
            active_scene=self._editor.scenes.get_active_scene_or_null(),
            assets=self._editor.media.get_assets(),
            current_time_ms=self._editor.playback.get_current_time(),
        )
