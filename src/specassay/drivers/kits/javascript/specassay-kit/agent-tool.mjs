/** The surfaces agent-tool and control-service. */
import { once } from "node:events";
import { serverEnvironmentOf } from "./page.mjs";
import { abortPlugin, describePlugin, endPlugins, invokePlugin } from "./plugin-processes.mjs";
import { ask, notify } from "./rpc.mjs";
import { whenScenarioEnds } from "./scenario.mjs";

/** The product's listener that is open: a server of node:http, or null. */
let listener = null;

whenScenarioEnds(async () => {
  stopListener();
  await endPlugins();
});

function stopListener() {
  listener?.close();
  listener?.closeAllConnections?.();
  listener = null;
}

/**
 * The control service, played by the harness: what the product's callback has to reach in place of its own.
 *
 * `execute` resolves to the data; it rejects with an Error of the message that the harness gives, with `status` and
 * `partial` where it gives them. Where `signal` fires first, it rejects with the signal's reason and tells the harness.
 */
export const harnessControl = {
  async execute(action, input, { contextDirectory = null, signal } = {}) {
    signal?.throwIfAborted();
    const { id, answer } = ask("control.execute", { action, input, contextDirectory });
    if (!signal) return answer;
    let tell;
    const aborted = new Promise((_, reject) => {
      tell = () => {
        notify("control.aborted", { requestId: id });
        reject(signal.reason);
      };
      signal.addEventListener("abort", tell, { once: true });
    });
    try {
      return await Promise.race([answer, aborted]);
    } finally {
      signal.removeEventListener("abort", tell);
    }
  },
};

/**
 * The agent tool. The plugin that the child's OPENCODE_CONFIG_CONTENT names last by file:// runs in a Node process of
 * its own, which has the child's environment and nothing else; what it cannot import is looked for beside the driver.
 *
 * @param {object} product
 * @param {(options: {host: string, control: typeof harnessControl}) => import("node:http").Server} product.listen
 *   starts the product's listener, with its callback, on a free port of `host`; the callback delegates to `control`. An
 *   Express application: `({ host, control }) => makeApp(control).listen(0, host)`. Where the product gives no server:
 *   `{ listening: true, address: () => ({ port }), close() {…} }`
 * @param {(options: object) => object | null} product.prepareEnvironment gives the environment of a child, or null
 *   where nothing is injected; options are {environment, settings, launch, dataDirectory, port}. `port` is that of the
 *   listener, null before it listens. `process.env` holds `environment` too, as it would in the server
 * @param {string} product.tokenVariable
 * @param {string} product.callbackUrlVariable
 * @param {{action: string, title: string, description: string}[]} product.actions
 * @param {(call: {action: unknown, parameters: unknown}) => unknown} [product.toArguments] the arguments of the tool,
 *   where they are not {action, parameters}
 * @param {string} [product.tool] the name of the tool
 * @param {(args: string[]) => Promise<{exitCode: number, output: string}>} [product.cli]
 */
export function agentTool(product) {
  const { tokenVariable, callbackUrlVariable, actions, toArguments = (call) => call, tool = "openchamber" } = product;
  const operations = {
    listen: async ({ host }) => {
      stopListener();
      listener = await product.listen({ host, control: harnessControl });
      if (!listener.listening) await once(listener, "listening");
      return { origin: `http://${host === "::" ? "[::1]" : "127.0.0.1"}:${listener.address().port}` };
    },
    stop: () => {
      stopListener();
      return {};
    },
    prepareEnvironment: async ({ environment, ...options }) => {
      const port = listener?.address()?.port ?? null;
      const prepare = () => product.prepareEnvironment({ environment: { ...environment }, ...options, port });
      const { result, serverEnvironment } = await serverEnvironmentOf(environment, prepare);
      return { environment: result ?? null, tokenVariable, callbackUrlVariable, serverEnvironment };
    },
    describe: async ({ environment }) => ({ tools: await describePlugin(environment), actions }),
    invoke: async ({ invocationId, environment, action, parameters, context }) => {
      const call = { tool, args: toArguments({ action, parameters }), directory: context.directory };
      return invokePlugin(invocationId, environment, call);
    },
    abort: ({ invocationId }) => abortPlugin(invocationId),
  };
  if (product.cli) operations.cli = ({ arguments: given }) => product.cli(given);
  return operations;
}

/** The product's own control service, {execute: async (action, input) => data}; a usage error is what it throws. */
export function controlService(service) {
  return { execute: ({ action, input }) => service.execute(action, input) };
}
