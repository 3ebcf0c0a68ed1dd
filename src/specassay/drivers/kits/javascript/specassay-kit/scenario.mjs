/** Serves a driver: the handshake, and the scenarios one after another, each with a fresh client. */
import { sendEgressTo } from "../egress.mjs";
import { fillStorage, setEnvironment, setPageOrigin, storageEntries } from "./page.mjs";
import { answerRequests, NoSuchOperation } from "./rpc.mjs";

const PROTOCOL_VERSION = "1.0";

/** The scenario that was begun last: {id, endpoints, environment, seed, storage}. */
let scenario = null;
/** What the driver's `begin` returned: {surface: {operation: async (params) => result}}. Empty between scenarios. */
let surfaces = {};
/** surface → the entries of its store since `scenario.begin`. */
const histories = new Map();
/** What has to be undone when the client goes: subscriptions and stubs. */
const undoing = [];
/** What ends with a scenario, and outlives a reload of its client: servers. */
const endings = [];

/** Calls `undo` when the client goes that is made now. */
export function whenClientCloses(undo) {
  undoing.push(undo);
}

/** Calls `stop` at the end of every scenario. */
export function whenScenarioEnds(stop) {
  endings.push(stop);
}

export function currentScenario() {
  return scenario;
}

/** The history of a surface's store, a list that a reload of the client goes on with. */
export function historyOf(surface) {
  if (!histories.has(surface)) histories.set(surface, []);
  return histories.get(surface);
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
    shutdown: async () => {
      await closeScenario();
      return {};
    },
  };
  await answerRequests((method) => find(method, lifecycle));
  process.exit(0);
}

function find(method, lifecycle) {
  if (Object.hasOwn(lifecycle, method)) return lifecycle[method];
  const dot = method.indexOf(".");
  const [surface, name] = [method.slice(0, Math.max(dot, 0)), method.slice(dot + 1)];
  const operations = Object.hasOwn(surfaces, surface) ? surfaces[surface] : {};
  if (typeof operations[name] !== "function" || name in Object.prototype) throw new NoSuchOperation(method);
  return (params) => operations[name](params);
}

// ---- The open scenario and its client. A reload makes the client anew.

let closeDriver = async () => {};
let reload = async () => {};

/** Makes the client anew on the same storage, as a reload of its page does. */
export async function reloadClient() {
  await reload();
}

async function openScenario(driver, parameters) {
  histories.clear();
  setEnvironment(parameters.environment);
  sendEgressTo(parameters.endpoints.egress);
  setPageOrigin(parameters.endpoints.chatOrigin);
  await openClient(driver, { ...parameters, storage: parameters.storage ?? {} });
}

async function closeScenario() {
  await closeClient();
  for (const stop of endings) await stop();
}

async function openClient(driver, parameters) {
  scenario = parameters;
  fillStorage(scenario.storage);
  closeDriver = async () => driver.end?.();
  reload = async () => {
    const storage = storageEntries();
    await closeClient();
    await openClient(driver, { ...parameters, storage });
  };
  try {
    const given = await driver.begin(scenario);
    if (typeof given !== "object" || given === null) {
      throw new TypeError(`begin() returned ${given}; return the operations of each surface, an object`);
    }
    surfaces = given;
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
