// Runs plugins of an agent's process for a driver that is not JavaScript: JSON lines on standard input and output.
//
// A request {id, method, environment, …} is answered by {id, result} or {id, error}; `abort` {invocationId} is not
// answered. During a request `process.env` is that request's environment, so that one host serves many children.
import { AsyncLocalStorage } from "node:async_hooks";
import { createInterface } from "node:readline";

const requests = new AsyncLocalStorage();
const own = process.env;
Object.defineProperty(process, "env", { get: () => requests.getStore() ?? own });

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

const plugins = new Map(); // by URL and environment: a child loads its plugins once
const running = new Map(); // by invocationId: what aborts it

const methods = {
  describe: async ({ environment }) => ({
    tools: Object.entries(await tools(environment)).map(([name, tool]) => ({
      name,
      description: tool.description,
      inputSchema: tool.args?.type === "object" ? tool.args : { type: "object", properties: tool.args ?? {} },
    })),
  }),

  async invoke({ invocationId, environment, tool, input, directory }) {
    const aborting = new AbortController();
    running.set(invocationId, aborting);
    const updates = [];
    const context = {
      sessionID: "session",
      messageID: "message",
      callID: invocationId,
      agent: "build",
      directory,
      worktree: directory,
      abort: aborting.signal,
      metadata: ({ title = null, metadata = null }) => void updates.push({ title, metadata }),
      ask: async () => {},
    };
    const last = () => updates.at(-1) ?? { title: null, metadata: null };
    try {
      const found = (await tools(environment))[tool];
      if (!found) throw new Error(`no plugin offers the tool ${tool}`);
      const returned = await found.execute(input, context);
      const whole = typeof returned === "string" ? { output: returned } : returned;
      return { output: null, ...last(), ...whole, updates, nativeError: null };
    } catch (error) {
      const nativeError = { name: String(error?.name), message: String(error?.message) };
      return { output: null, ...last(), updates, nativeError };
    } finally {
      running.delete(invocationId);
    }
  },
};

/** The tools of the plugins that the configuration in this environment names by file. */
async function tools(environment) {
  const { plugin = [] } = JSON.parse(environment.OPENCODE_CONFIG_CONTENT ?? "{}");
  const offered = {};
  for (const url of plugin.filter((entry) => typeof entry === "string" && entry.startsWith("file://"))) {
    for (const made of await load(url, environment)) Object.assign(offered, made.tool);
  }
  return offered;
}

function load(url, environment) {
  const key = JSON.stringify([url, environment]);
  if (!plugins.has(key)) plugins.set(key, start(`${url}?child=${plugins.size}`, environment));
  return plugins.get(key);
}

async function start(url, environment) {
  const exported = await import(url);
  const made = [];
  for (const plugin of new Set(Object.values(exported))) {
    if (typeof plugin === "function") made.push(await plugin({ directory: environment.PWD ?? "/", $: null }));
  }
  return made;
}

function answer(message) {
  write(JSON.stringify(message) + "\n");
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, ...params } = JSON.parse(line);
  if (method === "abort") {
    running.get(params.invocationId)?.abort();
    continue;
  }
  requests.run(params.environment, () =>
    methods[method](params).then(
      (result) => answer({ id, result }),
      (error) => answer({ id, error: String(error?.message ?? error) }),
    ),
  );
}
process.exit(0);
