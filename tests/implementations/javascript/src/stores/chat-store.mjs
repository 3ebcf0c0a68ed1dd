/** The chat store: the conversation, kept over a reload. */
import { createJSONStorage, persist } from "zustand/middleware";
import { createStore } from "zustand/vanilla";
import { completeMessage } from "../agent/types.mjs";

/** @param {Storage} storage where the messages are kept */
export function createChatStore(storage = globalThis.localStorage) {
  return createStore()(
    persist(
      (set, get) => ({
        messages: [],
        loading: false,
        error: null,
        addMessage: (message) => get().addMessages([message]),
        /** Adds the messages of a turn as one: no state in between holds a part of them. */
        addMessages: (messages) =>
          set((state) => ({ messages: [...state.messages, ...messages.map(completeMessage)] })),
        setLoading: (loading) => set({ loading }),
        /** An error ends what was loading. */
        setError: (error) => set(error === null ? { error } : { error, loading: false }),
        clearMessages: () => set({ messages: [] }),
      }),
      {
        name: "agent-chat",
        storage: createJSONStorage(() => storage),
        partialize: ({ messages }) => ({ messages }),
        /** @param {{messages?: unknown} | undefined} kept */
        merge: (kept, state) => ({ ...state, messages: Array.isArray(kept?.messages) ? kept.messages : [] }),
      },
    ),
  );
}
