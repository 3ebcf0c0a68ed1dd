/**
 * The specassay kit for JavaScript: exposes an implementation to specassay over JSON-RPC on standard input and output.
 *
 * A driver imports it before anything of its own, so that what it installs is there first. It needs nothing but Node 20
 * and egress.mjs beside it. The shapes of the operations are those of docs/driver-protocol.md; every parameter and
 * result here is JSON.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { sendEgressTo } from "./egress.mjs";

const PROTOCOL_VERSION = "1.0";
const NO_SUCH_OPERATION = -32601;
const IMPLEMENTATION_ERROR = -32000;

/** The scenario that was begun last: {id, endpoints, environment, seed, storage}. */
let scenario = null;
/** What the driver's `begin` returned: {surface: {operation: async (params) => result}}. Empty between scenarios. */
let surfaces = {};
/** surface → the entries {at, text} of its store since `scenario.begin`. */
const histories = new Map();
/** What has to be undone when the client goes: subscriptions and stubs. */
const undoing = [];

// ---- Standard output carries the protocol alone; console.log and its like go to standard error.

const writeProtocol = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
process.stdout.on("error", () => process.exit(1)); // the harness is gone

// As in a page, a forgotten rejection is logged and the client lives on. An uncaught exception still ends the process.
process.on("unhandledRejection", (reason) => console.error("Unhandled rejection:", reason));

// ---- What a page offers: storage, window, and a fetch that knows the page's own origin.

const stored = new Map();

const localStorage = {
  get length() {
    return stored.size;
  },
  key: (index) => [...stored.keys()][index] ?? null,
  getItem: (key) => stored.get(String(key)) ?? null,
  setItem: (key, text) => void stored.set(String(key), String(text)),
  removeItem: (key) => void stored.delete(String(key)),
  clear: () => stored.clear(),
};
Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true, writable: true });
globalThis.window ??= globalThis;

function fillStorage(entries) {
  stored.clear();
  for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text);
}

const { fetch: fetchAnywhere } = globalThis;
globalThis.fetch = async (input, init) => fetchAnywhere(destination(input), init);

/** Where a request goes: a relative URL goes to the scenario's chat origin, as it would go to a page's own origin. */
function destination(input) {
  const relative = typeof input === "string" && !URL.canParse(input);
  return relative ? new URL(input, scenario?.endpoints.chatOrigin) : input;
}

// ---- The environment: official SDKs read variables of their own, and frameworks fill unset ones from .env files.

const STRAY_VARIABLE = /^(LLM|OPENAI|GEMINI|GOOGLE)_|^(https?|all|no)_proxy$/i;
const NO_CONFIGURATION = { LLM_PROVIDER: "", LLM_MODEL: "", LLM_API_KEY: "", LLM_BASE_URL: "" };

function setEnvironment(environment) {
  for (const name of Object.keys(process.env)) if (STRAY_VARIABLE.test(name)) delete process.env[name];
  Object.assign(process.env, NO_CONFIGURATION, environment);
}
setEnvironment({});

// ---- JSON-RPC 2.0, a message a line, both sides asking at any time.

/** id → {resolve, reject} of the requests that the harness has not answered yet. */
const unanswered = new Map();
let lastId = 0;

class NoSuchOperation extends Error {
  constructor(method) {
    super(`no such operation: ${method}`);
  }
}

function send(message) {
  writeProtocol(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/**
 * Runs a tool in the harness; what a registered or stubbed tool's execute does.
 * Resolves to the tool's result, any JSON; rejects with the message that the tool throws.
 */
export function executeTool(name, args, context) {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    send({ id, method: "tool.execute", params: { name, args: args ?? null, context: context ?? null } });
    unanswered.set(id, { resolve, reject });
  });
}

function settle({ id, result, error }) {
  const request = unanswered.get(id);
  unanswered.delete(id);
  if (error) request?.reject(new Error(error.data?.message ?? error.message));
  else request?.resolve(result);
}

async function receive(line, lifecycle) {
  const message = JSON.parse(line);
  if (message.method === undefined) return settle(message);
  const answer = message.id === undefined ? logFailure : send; // a notification is not answered
  try {
    const result = await find(message.method, lifecycle)(message.params ?? {});
    answer({ id: message.id, result: result ?? null });
  } catch (error) {
    answer({ id: message.id, error: describeError(error) });
  }
}

function logFailure({ error }) {
  if (error) console.error("A notification failed:", error.message);
}

function find(method, lifecycle) {
  if (Object.hasOwn(lifecycle, method)) return lifecycle[method];
  const [surface, name] = method.split(".");
  const operations = Object.hasOwn(surfaces, surface) ? surfaces[surface] : {};
  if (typeof operations[name] !== "function" || name in Object.prototype) throw new NoSuchOperation(method);
  return (params) => operations[name](params);
}

function messageOf(error) {
  return String(error?.message ?? error);
}

function describeError(error) {
  const message = messageOf(error);
  if (error instanceof NoSuchOperation) return { code: NO_SUCH_OPERATION, message };
  const informative = typeof error?.name === "string" && error.name !== "Error";
  return { code: IMPLEMENTATION_ERROR, message, data: informative ? { message, kind: error.name } : { message } };
}

/** Calls `receive` with each line of standard input; resolves when it closes. Only "\n" ends a line. */
function readLines(receive) {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = chunk.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop();
    for (const line of lines) if (line.trim() !== "") receive(line);
  });
  return new Promise((resolve) => process.stdin.on("end", resolve));
}

/**
 * Serves a driver until standard input closes, then ends the process.
 *
 * @param {object} driver
 * @param {{name: string, version: string, language?: string}} driver.implementation
 * @param {string[]} driver.surfaces the surfaces that it offers: declared means mandatory
 * @param {(scenario: object) => Promise<object>} driver.begin makes a fresh client, returns {surface: operations}. The
 *   scenario is {id, endpoints, environment, seed, storage}; its storage is in `localStorage` already. Import what keeps
 *   module-level state in here, not at the top, so that it meets the storage of its scenario.
 * @param {() => Promise<void>} [driver.end] gives back what `begin` took
 * @param {string[]} [driver.operations] the optional operations that it offers, as "surface.operation"
 * @param {"session" | "process"} [driver.isolation] "process" where `begin` cannot make everything anew
 * @param {{toolResultRole?: string, toolCallIdField?: string}} [driver.conventions] how it writes a tool result
 * @param {object} [driver.limits] longer time limits: {startSeconds, callSeconds, scenarioSeconds}
 */
export async function serve(driver) {
  const { implementation, begin, end, ...declared } = driver;
  const lifecycle = {
    initialize: () => ({
      protocolVersion: PROTOCOL_VERSION,
      implementation: { language: "javascript", ...implementation },
      ...declared,
    }),
    "scenario.begin": async (parameters) => {
      await closeScenario();
      await openScenario(driver, parameters);
      return {};
    },
    "scenario.end": async () => {
      await closeScenario();
      return {};
    },
    shutdown: () => ({}),
  };
  await readLines((line) => receive(line, lifecycle));
  process.exit(0);
}

// ---- The open scenario and its client. A reload makes the client anew; a server outlives it.

let closeDriver = async () => {};
let reloadClient = async () => {};
let stopRoute = async () => {};

async function openScenario(driver, parameters) {
  histories.clear();
  setEnvironment(parameters.environment);
  sendEgressTo(parameters.endpoints.egress);
  await openClient(driver, { ...parameters, storage: parameters.storage ?? {} });
}

async function closeScenario() {
  await closeClient();
  await stopRoute();
}

async function openClient(driver, parameters) {
  scenario = parameters;
  fillStorage(scenario.storage);
  closeDriver = async () => driver.end?.();
  reloadClient = async () => {
    const storage = Object.fromEntries(stored);
    await closeClient();
    await openClient(driver, { ...parameters, storage });
  };
  try {
    surfaces = await driver.begin(scenario);
  } catch (error) {
    console.error("scenario.begin:", error);
    throw error;
  }
}

async function closeClient() {
  const close = closeDriver;
  closeDriver = async () => {};
  surfaces = {};
  for (const undo of undoing.splice(0)) undo();
  await close();
}

// ---- Operations of the surfaces. Each helper returns a plain object: spread it and replace what yours does otherwise.

/**
 * The operations of a store that has getState() and subscribe(listener). The state holds the data; the actions are in the
 * state too, or are the store's own methods.
 * `actions` maps the name of each action to the parameter that it is given, or null.
 */
function observe(surface, store, actions) {
  if (!histories.has(surface)) histories.set(surface, []);
  const entries = histories.get(surface);
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
  undoing.push(() => unsubscribe());

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
    getStorage: () => ({ storage: Object.fromEntries(stored) }),
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
      undoing.push(() => void (tool.execute = shipped));
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

/**
 * The chat route, served on loopback. `start({environment, tools})` makes it for one scenario, with `tools` registered
 * beside what the product ships; `process.env` holds that environment already. It returns
 *
 * - a function (request, response), as createServer of node:http takes it: an Express application, say;
 * - {fetch}, a web-standard handler from Request to Response, which sees every path;
 * - or functions by method, {POST}, as the module of a file-based router exports them; the path is /api/agent/chat.
 */
export function chatRoute({ start }) {
  return {
    start: async ({ environment, tools }) => {
      await stopRoute();
      setEnvironment(environment);
      const server = createServer(nodeHandler(await start({ environment, tools: tools ?? [] })));
      await once(server.listen(0, "127.0.0.1"), "listening");
      stopRoute = async () => {
        stopRoute = async () => {};
        server.close();
        server.closeAllConnections();
        setEnvironment(scenario.environment);
      };
      return { origin: `http://127.0.0.1:${server.address().port}` };
    },
    stop: async () => {
      await stopRoute();
      return {};
    },
  };
}

function nodeHandler(handler) {
  if (typeof handler === "function") return handler;
  const respond = typeof handler.fetch === "function" ? (request) => handler.fetch(request) : routed(handler);
  return async (incoming, outgoing) => {
    try {
      const response = await respond(asRequest(incoming));
      const body = Buffer.from(await response.arrayBuffer());
      outgoing.setHeaders(response.headers);
      outgoing.writeHead(response.status).end(body);
    } catch (error) {
      console.error("The chat route threw:", error);
      outgoing.writeHead(500).end();
    }
  };
}

function routed(methods) {
  return (request) => {
    if (new URL(request.url).pathname !== "/api/agent/chat") return new Response(null, { status: 404 });
    const respond = Object.hasOwn(methods, request.method) ? methods[request.method] : null;
    return respond ? respond(request) : new Response(null, { status: 405 });
  };
}

function asRequest(incoming) {
  const { method, url, headers, socket } = incoming;
  const body = method === "GET" || method === "HEAD" ? null : Readable.toWeb(incoming);
  const origin = `http://127.0.0.1:${socket.localPort}`;
  return new Request(new URL(url, origin), { method, headers, body, duplex: "half" });
}

/**
 * The provider adapter. `create(config)` asks the product's factory for the adapter of {provider, model, apiKey,
 * baseUrl?}. Where they are not its own, `chat(adapter, {messages, systemPrompt, toolSchemas?})` is one call of it, and
 * `describe(adapter)` names the methods of its interface.
 */
export function providerAdapter({ create, chat = (adapter, params) => adapter.chat(params), describe = methodsOf }) {
  return {
    create: async ({ config }) => {
      await create(withoutNulls(config));
      return {};
    },
    chat: async ({ config, ...params }) => {
      const { content, toolCalls } = await chat(await create(withoutNulls(config)), withoutNulls(params));
      return { content, toolCalls };
    },
    describe: async ({ config }) => ({ methods: describe(await create(withoutNulls(config))) }),
  };
}

/** What is null was not given: code of the product's own would find no key there. */
function withoutNulls(params) {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}

/** The names of an object's methods, inherited ones too; a name that begins with _ is private by convention. */
function methodsOf(object) {
  const names = new Set();
  for (let holder = object; holder !== null && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      if (typeof value === "function" && name !== "constructor" && !name.startsWith("_")) names.add(name);
    }
  }
  return [...names];
}

/**
 * The context bridge.
 *
 * @param {object} bridge
 * @param {(editorState: object) => unknown[] | void} bridge.setEditorState puts the product's editor into this state;
 *   each asset that it makes carries a handle and a reference back to its project. What it returns are editor objects,
 *   which no context may hold
 * @param {{getContext: () => object}} bridge.adapter the product's adapter on that editor
 * @param {(state: object) => object} bridge.buildContextFromEditorState the pure mapper
 * @param {(editorState: object) => object} [bridge.toMapperInput] makes what the mapper takes, where it is another shape
 * @param {(context: object) => string} bridge.buildSystemPrompt
 */
export function contextBridge(bridge) {
  const { toMapperInput = (editorState) => editorState } = bridge;
  return {
    getContext: async ({ editorState }) => {
      const editorObjects = await bridge.setEditorState(editorState);
      return examine(await bridge.adapter.getContext(), editorObjects ?? []);
    },
    buildContextFromEditorState: async ({ editorState }) => {
      const [given, same] = [toMapperInput(editorState), toMapperInput(structuredClone(editorState))];
      const context = await bridge.buildContextFromEditorState(given);
      return { context, inputUnchanged: isDeepStrictEqual(given, same) };
    },
    buildSystemPrompt: async ({ context }) => ({ prompt: await bridge.buildSystemPrompt(context) }),
    describe: () => ({ methods: methodsOf(bridge.adapter) }),
  };
}

/** A context as it can be sent, what JSON.stringify makes of it, and the pointers to what is no plain data in it. */
function examine(context, editorObjects) {
  const notPlain = [];
  const plain = copyPlain(context, "", [], (pointer) => void notPlain.push(pointer), new Set(editorObjects));
  return { context: plain, json: stringify(context), notPlain };
}

/** The serialiser's text; nothing, which is no JSON, where it throws. */
function stringify(value) {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    console.error("JSON.stringify:", error);
    return "";
  }
}

/** A copy of the plain data in a value; what is none becomes null, and is reported. */
function copyPlain(value, pointer, holders, report, editorObjects) {
  if (!isPlain(value) || holders.includes(value) || editorObjects.has(value)) {
    report(pointer);
    return null;
  }
  if (value === null || typeof value !== "object") return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === "length") continue;
    const place = `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const { get, set, value: inner } = Object.getOwnPropertyDescriptor(value, key);
    if (get || set || typeof key === "symbol") report(place);
    else copy[key] = copyPlain(inner, place, [...holders, value], report, editorObjects);
  }
  return copy;
}

/** Whether a value by itself is what JSON can hold; undefined is a key that is not there. */
function isPlain(value) {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null)
    return value === null || /^(string|boolean|undefined)$/.test(typeof value);
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === (Array.isArray(value) ? Array.prototype : Object.prototype);
}

/**
 * The source layout: what `getSources` answers. `root` is an absolute path, and every other path is relative to it.
 * Give `root`, `agentDirectory`, `coreDirectory`, `serverEntries`, `clientEntries` and `modules`, by role.
 */
export function sourceLayout(layout) {
  const usual = { language: "javascript", aliases: {}, testPatterns: ["**/*.test.*"], typecheck: null };
  return { getSources: () => ({ ...usual, ...layout }) };
}
