/** The agent store: what the orchestrator is doing. */
import { createStore } from "zustand/vanilla";

const INITIAL = { status: "idle", activeTool: null, context: null };

export function createAgentStore() {
  return createStore()((set) => ({
    ...INITIAL,
    setStatus: (status) => set({ status }),
    setActiveTool: (activeTool) => set({ activeTool }),
    setContext: (context) => set({ context }),
    reset: () => set(INITIAL),
  }));
}
