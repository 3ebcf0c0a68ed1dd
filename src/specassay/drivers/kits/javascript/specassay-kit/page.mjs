/** What surrounds an implementation: what a page offers, and the environment of a server. */
import "../egress.mjs"; // its fetch is the one that is wrapped here

// ---- What a page offers: storage, window, and a fetch that knows the page's own origin.

const stored = new Map();
let pageOrigin;

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

/** Makes the storage hold these entries, {key: text}, and no others. */
export function fillStorage(entries) {
  stored.clear();
  for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text);
}

/** The entries of the storage, {key: text}. */
export function storageEntries() {
  return Object.fromEntries(stored);
}

/** Sets the origin that a relative URL is meant for. */
export function setPageOrigin(origin) {
  pageOrigin = origin;
}

const { fetch: fetchAnywhere } = globalThis;
globalThis.fetch = async (input, init) => fetchAnywhere(destination(input), init);

function destination(input) {
  const relative = typeof input === "string" && !URL.canParse(input);
  return relative ? new URL(input, pageOrigin) : input;
}

// ---- The environment: official SDKs read variables of their own, and frameworks fill unset ones from .env files.

const STRAY_VARIABLE = /^(LLM|OPENAI|GEMINI|GOOGLE)_|^(https?|all|no)_proxy$/i;
const NO_CONFIGURATION = { LLM_PROVIDER: "", LLM_MODEL: "", LLM_API_KEY: "", LLM_BASE_URL: "" };

/** Makes these the LLM_* variables; those that are not given are empty, and those that official SDKs read are gone. */
export function setEnvironment(environment) {
  for (const name of Object.keys(process.env)) if (STRAY_VARIABLE.test(name)) delete process.env[name];
  Object.assign(process.env, NO_CONFIGURATION, environment);
}
setEnvironment({});

/**
 * Runs `prepare` in a server that has the variables of `environment`.
 *
 * @returns {Promise<{result: unknown, serverEnvironment: object}>} what it returned, and those variables of the
 *   server's own that are in `environment`, or that `prepare` added or changed
 */
export async function serverEnvironmentOf(environment, prepare) {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    const result = await prepare();
    const after = Object.entries(process.env);
    const theirs = after.filter(([name, value]) => Object.hasOwn(environment, name) || before[name] !== value);
    return { result, serverEnvironment: Object.fromEntries(theirs) };
  } finally {
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
    Object.assign(process.env, before);
  }
}
