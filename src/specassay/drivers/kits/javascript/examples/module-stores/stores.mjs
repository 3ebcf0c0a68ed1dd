/** The two stores, made once, when this module is loaded. */
import { randomUUID } from "node:crypto";
import { createStore } from "./create-store.mjs";

/** A message with an id and a timestamp. */
export const stamped = (message) => ({ id: randomUUID(), timestamp: Date.now(), ...message });

export const chat = createStore(
  (set, get) => ({
    messages: [],
    loading: false,
    error: null,
    addMessage: (message) => get().addTurn([message]),
    addTurn: (messages) => set({ messages: [...get().messages, ...messages.map(stamped)] }),
    setLoading: (loading) => set({ loading }),
    setError: (error) => set(error === null ? { error } : { error, loading: false }),
    clearMessages: () => set({ messages: [] }),
  }),
  { name: "chat", keep: ({ messages }) => ({ messages }) },
);

export const agent = createStore((set) => ({
  status: "idle",
  activeTool: null,
  context: null,
  setStatus: (status) => set({ status }),
  setActiveTool: (activeTool) => set({ activeTool }),
  setContext: (context) => set({ context }),
  reset: () => set({ status: "idle", activeTool: null, context: null }),
}));
