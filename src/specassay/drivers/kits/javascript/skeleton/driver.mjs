/**
 * Your driver: it exposes your implementation to specassay. It runs as it is; try it with
 *
 *     specassay run --driver "node driver.mjs"
 *
 * and then put your own code where a comment says "YOURS".
 */
import { chatStore, serve } from "./specassay-kit.mjs"; // keep this import first
// Also there: agentStore, toolRegistry, orchestrator, chatRoute, providerAdapter, contextBridge, sourceLayout,
// transcript, agentTool and controlService; executeTool, for tools that are registered in another way; and
// harnessControl, for a callback that is given its control service in another way.

await serve({
  implementation: { name: "my-shell", version: "0.1" }, // YOURS

  // Add "agent-store", "tool-registry" and "orchestrator" once `begin` returns them. What is declared is tested.
  surfaces: ["chat-store"],

  // isolation: "process",  if your stores live in modules and cannot be made anew
  // operations: ["orchestrator.abort"],  if a run can be aborted
  // conventions: { toolResultRole: "tool", toolCallIdField: "toolCallId" },  how you write a tool result

  // Called for each scenario with {id, endpoints, environment, seed, storage}. localStorage holds its storage, and a
  // relative fetch goes to endpoints.chatOrigin. Import modules that keep state in here: await import("./stores.js").
  async begin(scenario) {
    const store = placeholderStore(); // YOURS: a store with getState() and subscribe(), a zustand store for instance
    return {
      "chat-store": chatStore(store),
      // "agent-store": agentStore(yourAgentStore),
      // "tool-registry": toolRegistry(yourRegistry),
      // orchestrator: orchestrator({ run: (messages, context) => yourRun(messages, context) }),
    };
  },
});

/** YOURS replaces this. It keeps nothing over a reload, so some scenarios fail. */
function placeholderStore() {
  const listeners = new Set();
  const set = (change) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  let state = {
    messages: [],
    loading: false,
    error: null,
    addMessage: (message) => {
      const complete = { id: crypto.randomUUID(), timestamp: Date.now(), ...message };
      set({ messages: [...state.messages, complete] });
    },
    setLoading: (loading) => set({ loading }),
    setError: (error) => set({ error }),
    clearMessages: () => set({ messages: [] }),
  };
  const subscribe = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { getState: () => state, subscribe };
}
