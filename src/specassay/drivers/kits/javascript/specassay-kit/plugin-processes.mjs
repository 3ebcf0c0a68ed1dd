/** The processes that run plugins: one for each environment of a managed child, until the scenario ends. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const HOST = fileURLToPath(new URL("plugin-host.mjs", import.meta.url));

/** environment, as JSON → the process that has it. */
const processes = new Map();
/** invocation id → the process in which it runs. */
const invocations = new Map();

class PluginProcess {
  #child;
  #unanswered = new Map();
  #lastId = 0;

  constructor(environment) {
    // What a plugin prints must not reach the protocol. The driver's own path says where its packages are.
    const options = { env: { ...environment }, execArgv: [], stdio: ["ignore", 2, 2, "ipc"] };
    this.#child = fork(HOST, [process.argv[1]], options);
    this.#child.on("message", ({ id, result, error }) => {
      const { resolve, reject } = this.#unanswered.get(id);
      this.#unanswered.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    this.exited = new Promise((resolve) => this.#child.on("exit", resolve).on("error", resolve));
    this.exited.then(() => {
      for (const { reject } of this.#unanswered.values()) reject(new Error("the plugin's process has ended"));
    });
  }

  call(method, params) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#unanswered.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  send(message) {
    this.#child.send(message, () => {}); // a process that is gone rejects what it was asked
  }

  async end() {
    this.#child.kill("SIGKILL");
    await this.exited;
  }
}

function processOf(environment) {
  const key = JSON.stringify(environment);
  if (!processes.has(key)) {
    const started = new PluginProcess(environment);
    processes.set(key, started);
    started.exited.then(() => processes.delete(key));
  }
  return processes.get(key);
}

/** The tools of the plugin as an agent sees them: [{name, description, inputSchema}]. */
export function describePlugin(environment) {
  return processOf(environment).call("describe", {});
}

/**
 * One call of a tool.
 *
 * @param {{tool: string, args: unknown, directory: string}} call
 * @returns {Promise<object>} {output, title, metadata, updates, nativeError}
 */
export async function invokePlugin(invocationId, environment, call) {
  const running = processOf(environment);
  invocations.set(invocationId, running);
  try {
    return await running.call("invoke", { invocationId, ...call });
  } finally {
    invocations.delete(invocationId);
  }
}

/** Fires the abort signal that a call was given. */
export function abortPlugin(invocationId) {
  invocations.get(invocationId)?.send({ method: "abort", params: { invocationId } });
}

export async function endPlugins() {
  await Promise.all([...processes.values()].map((running) => running.end()));
}
