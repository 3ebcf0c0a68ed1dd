/** The only way by which the agent reads the editor. */
import { buildContextFromEditorState } from "./context-mapper.mjs";

export class EditorContextAdapter {
  #editor;

  /** @param {import("../core/editor-core.mjs").EditorCore} editor */
  constructor(editor) {
    this.#editor = editor;
  }

  /** @returns {import("./types.mjs").AgentContext} what is open now, as plain data */
  getContext() {
    const { media, project, scenes, playback } = this.#editor;
    return buildContextFromEditorState({
      project: project.getActiveOrNull(),
      activeScene: scenes.getActiveSceneOrNull(),
      assets: media.getAssets(),
      currentTimeMs: Math.round(playback.getCurrentTime() * 1000),
    });
  }
}
