/** The agent store: what the orchestrator is doing. */
import { createStore } from "zustand/vanilla";
import { ExecutionState } from "../agent/types.mjs";

const INITIAL = { status: ExecutionState.IDLE, activeTool: null, context: null };

export function createAgentStore() {
  return createStore()((set) => ({
    ...INITIAL,
    setStatus: (status) => set({ status }),
    setActiveTool: (activeTool) => set({ activeTool }),
    setContext: (context) => set({ context }),
    reset: () => set(INITIAL),
  }));
}
