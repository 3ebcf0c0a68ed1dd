/**
 * The process of a managed child, as far as its plugin can tell: loads it as OpenCode does, and calls its tools.
 *
 * A plugin is a module whose exports are functions, or {server: function}, each of which gives hooks; `tool` holds its
 * tools by name, {description, args, execute(args, context)}. `args` maps names to schemas, of zod or of JSON Schema.
 */
import { register } from "node:module";
import { pathToFileURL } from "node:url";

const driver = pathToFileURL(process.argv[2]).href;
register("./plugin-imports.mjs", { parentURL: import.meta.url, data: { driver } });

/** invocation id → its AbortController. */
const running = new Map();
let loading;

const methods = {
  async describe() {
    const entries = Object.entries(await tools());
    return Promise.all(entries.map(([name, tool]) => describe(name, tool)));
  },
  async invoke({ invocationId, tool: name, args, directory }) {
    const { [name]: tool } = await tools();
    if (!tool) throw new Error(`the plugin has no tool ${name}`);
    const controller = new AbortController();
    running.set(invocationId, controller);
    try {
      return await call(tool, args, directory, controller.signal);
    } finally {
      running.delete(invocationId);
    }
  },
  abort({ invocationId }) {
    running.get(invocationId)?.abort();
  },
};

process.on("message", async ({ id, method, params }) => {
  try {
    const result = await methods[method](params);
    if (id !== undefined) process.send({ id, result });
  } catch (error) {
    process.send({ id, error: String(error?.message ?? error) });
  }
});
process.on("disconnect", () => process.exit());

/** The tools of the plugin by name. It is loaded once. */
function tools() {
  loading ??= load(pluginUrl(process.env.OPENCODE_CONFIG_CONTENT));
  return loading;
}

function pluginUrl(configuration) {
  const entries = JSON.parse(configuration || "{}").plugin ?? [];
  const urls = entries.map((entry) => (Array.isArray(entry) ? entry[0] : entry));
  const url = urls.findLast((one) => typeof one === "string" && one.startsWith("file://"));
  if (!url) throw new Error("OPENCODE_CONFIG_CONTENT names no plugin by file://");
  return url;
}

async function load(url) {
  const directory = process.cwd();
  const input = { client: {}, project: {}, directory, worktree: directory, serverUrl: new URL("http://127.0.0.1") };
  const found = {};
  for (const exported of new Set(Object.values(await import(url)))) {
    const plugin = typeof exported === "function" ? exported : exported?.server;
    if (typeof plugin === "function") Object.assign(found, (await plugin(input))?.tool);
  }
  return found;
}

async function describe(name, { description, args = {} }) {
  const schemas = Object.values(args);
  if (!schemas.some((schema) => schema?._zod)) {
    return { name, description, inputSchema: { type: "object", properties: args } };
  }
  const { z } = await import("zod"); // the driver's
  return { name, description, inputSchema: z.toJSONSchema(z.object(args)) };
}

/** What an agent gets of one call. A tool gives a text, or {output, title?, metadata?}. */
async function call(tool, args, directory, abort) {
  const updates = [];
  const context = {
    sessionID: "session-1",
    messageID: "message-1",
    agent: "build",
    directory,
    worktree: directory,
    abort,
    metadata: ({ title, metadata }) => void updates.push({ title, metadata }),
    ask: async () => {},
  };
  try {
    const result = await tool.execute(args, context);
    const { output, title, metadata } = typeof result === "string" ? { output: result } : result;
    const last = (key) => updates.findLast((update) => update[key] !== undefined)?.[key];
    const shown = { title: title ?? last("title") ?? "", metadata: metadata ?? last("metadata") ?? {} };
    return { output: output ?? null, ...shown, updates, nativeError: null };
  } catch (error) {
    const nativeError = { name: String(error?.name ?? "Error"), message: String(error?.message ?? error) };
    return { output: null, title: "", metadata: {}, updates, nativeError };
  }
}
