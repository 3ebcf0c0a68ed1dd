/** The surfaces of the client: its stores, its tool registry, and its orchestrator. */
import { storageEntries } from "./page.mjs";
import { ask, messageOf } from "./rpc.mjs";
import { historyOf, reloadClient, whenClientCloses } from "./scenario.mjs";

/**
 * Runs a tool in the harness; what a registered or stubbed tool's execute does.
 * Resolves to the tool's result, any JSON; rejects with the message that the tool throws.
 */
export function executeTool(name, args, context) {
  return ask("tool.execute", { name, args: args ?? null, context: context ?? null }).answer;
}

/**
 * The operations of a store that has getState() and subscribe(listener). The state holds the data; the actions are in the
 * state too, or are the store's own methods.
 * `actions` maps the name of each action to the parameter that it is given, or null.
 */
function observe(surface, store, actions) {
  requireStore(surface, store, Object.keys(actions));
  const entries = historyOf(surface);
  let unsubscribe = () => {};
  const data = () =>
    Object.fromEntries(Object.entries(store.getState()).filter(([, value]) => typeof value !== "function"));
  // As text, at once: a store that changes its state in place must not change its history.
  const record = () => void entries.push({ at: Date.now(), text: JSON.stringify(data()) });
  const follow = (next) => {
    unsubscribe();
    store = next;
    record();
    const stop = store.subscribe(record);
    unsubscribe = typeof stop === "function" ? stop : () => {};
  };
  follow(store);
  whenClientCloses(() => unsubscribe());

  const operations = {
    getState: data,
    getHistory: () => ({ entries: entries.map(({ at, text }) => ({ at, state: JSON.parse(text) })) }),
  };
  for (const [action, parameter] of Object.entries(actions)) {
    operations[action] = async (params) => {
      const state = store.getState();
      const holder = typeof state[action] === "function" ? state : store;
      if (typeof holder[action] !== "function") throw new Error(`the ${surface} has no action ${action}`);
      await (parameter === null ? holder[action]() : holder[action](params[parameter]));
      return {};
    };
  }
  return { operations, follow };
}

/** Throws where a store cannot be read or watched, and names all that it lacks. */
function requireStore(surface, store, actions) {
  const has = (holder, name) => typeof holder?.[name] === "function";
  if (has(store, "getState") && has(store, "subscribe")) return;
  const state = has(store, "getState") ? store.getState() : {};
  const missing = ["getState", "subscribe", ...actions].filter((name) => !has(store, name) && !has(state, name));
  throw new TypeError(`${surface}: ${missing.join(", ")}: no method of the store that was given`);
}

/**
 * The chat store. A reload closes the client and calls the driver's `begin` again on the same storage, unless `reload`
 * says how to make the store anew: {reload: () => newStore}. The storage is what `localStorage` holds.
 */
export function chatStore(store, { reload } = {}) {
  const actions = { addMessage: "message", setLoading: "loading", setError: "error", clearMessages: null };
  const { operations, follow } = observe("chat-store", store, actions);
  return {
    ...operations,
    reload: async () => {
      if (reload) follow(await reload());
      else await reloadClient();
      return {};
    },
    getStorage: () => ({ storage: storageEntries() }),
  };
}

/** The agent store. */
export function agentStore(store) {
  const actions = { setStatus: "status", setActiveTool: "activeTool", setContext: "context", reset: null };
  return observe("agent-store", store, actions).operations;
}

/**
 * The tool registry: anything with register, get, has, getAll and toToolSchemas.
 * `register` is given the definition {name, description, parameters, execute}; say how where yours takes something else:
 * {register: (definition) => registry.register(definition.name, definition)}.
 */
export function toolRegistry(registry, { register = (definition) => registry.register(definition) } = {}) {
  const executing = (name) => (args, context) => executeTool(name, args, context);
  const describe = ({ name, description, parameters, execute }) => {
    return { name, description, parameters, executable: typeof execute === "function" };
  };
  return {
    register: async ({ definition }) => {
      await register({ ...definition, execute: executing(definition.name) });
      return {};
    },
    get: ({ name }) => {
      const tool = registry.get(name);
      return { definition: tool ? describe(tool) : null };
    },
    has: ({ name }) => ({ result: registry.has(name) }),
    getAll: () => ({ definitions: Array.from(registry.getAll(), describe) }),
    toToolSchemas: () => ({ schemas: registry.toToolSchemas() }),
    stub: ({ name }) => {
      const tool = registry.get(name);
      if (!tool) throw new Error(`there is no tool ${name} to stub`);
      const shipped = tool.execute;
      whenClientCloses(() => void (tool.execute = shipped));
      tool.execute = executing(name);
      return {};
    },
  };
}

/**
 * The orchestrator: {run: async (messages, context) => …, abort: async () => …}, abort where it has one.
 * A run that rejects is reported, and is no error.
 */
export function orchestrator({ run, abort }) {
  const operations = {
    run: async ({ messages, context }) => {
      try {
        await run(messages, context);
        return { rejected: null };
      } catch (error) {
        return { rejected: { message: messageOf(error) } };
      }
    },
  };
  if (!abort) return operations;
  return {
    ...operations,
    abort: async () => {
      await abort();
      return {};
    },
  };
}
