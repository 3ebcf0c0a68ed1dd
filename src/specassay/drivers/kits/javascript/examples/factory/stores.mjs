/** The two stores, as classes. */
import { randomUUID } from "node:crypto";

class Store {
  #state;
  #listeners = new Set();

  constructor(state) {
    this.#state = state;
  }

  getState() {
    return this.#state;
  }

  /** Calls the listener after each change; returns what ends that. */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  set(change) {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }
}

export class ChatStore extends Store {
  #storage;

  constructor(storage) {
    super({ messages: JSON.parse(storage.getItem("messages") ?? "[]"), loading: false, error: null });
    this.#storage = storage;
  }

  addMessage(message) {
    this.addMessages([message]);
  }

  /** Adds several as one, so that nothing ever sees a call without its result. */
  addMessages(messages) {
    const complete = messages.map((message) => ({ id: randomUUID(), timestamp: Date.now(), ...message }));
    this.#keep([...this.getState().messages, ...complete]);
  }

  setLoading(loading) {
    this.set({ loading });
  }

  setError(error) {
    this.set(error === null ? { error } : { error, loading: false });
  }

  clearMessages() {
    this.#keep([]);
  }

  #keep(messages) {
    this.#storage.setItem("messages", JSON.stringify(messages));
    this.set({ messages });
  }
}

export class AgentStore extends Store {
  constructor() {
    super({ status: "idle", activeTool: null, context: null });
  }

  setStatus(status) {
    this.set({ status });
  }

  setActiveTool(activeTool) {
    this.set({ activeTool });
  }

  setContext(context) {
    this.set({ context });
  }

  reset() {
    this.set({ status: "idle", activeTool: null, context: null });
  }
}
