/** The pure mapping from the editor's state to the context of a run. It knows no editor. */
import { EMPTY_CONTEXT } from "./types.mjs";

/**
 * @param {object} state
 * @param {{id: string} | null} state.project
 * @param {{id: string} | null} state.activeScene
 * @param {{id: string, name: string, type: string, duration?: number}[]} state.assets `duration` in seconds
 * @param {number} state.currentTimeMs
 * @returns {import("./types.mjs").AgentContext} plain data, which shares nothing with the state
 */
export function buildContextFromEditorState({ project, activeScene, assets, currentTimeMs }) {
  if (!project) return structuredClone(EMPTY_CONTEXT); // the managers may still hold what was open before
  return {
    projectId: project.id,
    activeSceneId: activeScene?.id ?? null,
    mediaAssets: assets.map(({ id, name, type, duration }) => ({ id, name, type, duration: finite(duration) })),
    playbackTimeMs: finite(currentTimeMs) ?? 0,
  };
}

function finite(number) {
  return Number.isFinite(number) ? number : null;
}
