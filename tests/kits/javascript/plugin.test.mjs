import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startInline, temporaryFolder, test } from "./harness.mjs";

/** A plugin whose tool does what its action says. */
const PLUGIN = `
  export const Plugin = async ({ directory }) => ({
    tool: {
      openchamber: {
        description: "A tool.",
        args: { action: { type: "string" } },
        async execute({ action, parameters }, context) {
          context.metadata({ title: "Begun", metadata: { step: 1 } });
          if (action === "environment") return JSON.stringify(process.env);
          if (action === "directory") return { output: context.directory, title: "Place", metadata: { worktree: context.worktree } };
          if (action === "print") { console.log("printed-7f"); return "done"; }
          if (action === "exit") process.exit(3);
          if (action === "throw") throw new RangeError("no good");
          if (action === "wait") {
            console.log("waiting", parameters.name);
            await new Promise((_, reject) => context.abort.addEventListener("abort", () => reject(context.abort.reason)));
          }
          return JSON.stringify({ action, parameters });
        },
      },
    },
  });
`;

/** A driver, and the environment of a child whose configuration names a plugin of this source. */
async function begin(context, { plugin = PLUGIN, parts = "" } = {}) {
  const url = await write(context, plugin);
  const tool = `agentTool({ actions: [{ action: "a", title: "A", description: "Does a." }], ${parts} })`;
  const driver = await startInline(context, `begin: async () => ({ "agent-tool": ${tool} })`);
  await driver.begin();
  return { driver, environment: environmentOf("npm-plugin", ["other-plugin", {}], url) };
}

async function write(context, source) {
  const path = join(await temporaryFolder(context), "plugin.mjs");
  await writeFile(path, source);
  return pathToFileURL(path).href;
}

function environmentOf(...plugin) {
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ plugin }) };
}

let invocations = 0;

function invoke({ driver, environment }, action, parameters = {}, invocationId = `i${++invocations}`) {
  const call = { invocationId, environment, action, parameters, context: { directory: "/work" } };
  return driver.call("agent-tool.invoke", call);
}

test("the tools are those of the last plugin that is named by its file, with the product's actions", async (context) => {
  const other = await write(context, `throw new Error("this one is not loaded")`);
  const { driver, environment } = await begin(context);
  const [, , own] = JSON.parse(environment.OPENCODE_CONFIG_CONTENT).plugin;
  const described = await driver.call("agent-tool.describe", { environment: environmentOf(other, [own, {}], "npm") });
  assert.deepEqual(described, {
    tools: [
      {
        name: "openchamber",
        description: "A tool.",
        inputSchema: { type: "object", properties: { action: { type: "string" } } },
      },
    ],
    actions: [{ action: "a", title: "A", description: "Does a." }],
  });
});

test("every export that is a plugin is loaded once, a function or an object with a server", async (context) => {
  const plugin = `
    const first = async () => ({ tool: { first: { description: "1", args: {} } } });
    let loads = 0;
    const second = { id: "x", server: async () => ({ tool: { ["second" + ++loads]: { description: "2", args: {} } } }) };
    export { first, first as again, second };
    export const version = 3, nothing = null;
    export default second;`;
  const { driver, environment } = await begin(context, { plugin });
  const { tools } = await driver.call("agent-tool.describe", { environment });
  assert.deepEqual(tools.map(({ name }) => name).sort(), ["first", "second1"]);
});

test("what a plugin cannot import it finds beside the driver, zod too, which makes the schema", async (context) => {
  const zod = `export const z = {
    string: () => ({ _zod: {}, type: "string" }),
    object: (shape) => ({ shape }),
    toJSONSchema: ({ shape }) => ({ made: Object.keys(shape) }),
  };`;
  const plugin = `import { z } from "zod";
    export default async () => ({ tool: { openchamber: { description: "A", args: { action: z.string() } } } });`;
  const folder = await temporaryFolder(context);
  await mkdir(join(folder, "node_modules", "zod"), { recursive: true });
  await writeFile(join(folder, "node_modules", "zod", "package.json"), `{ "type": "module", "exports": "./index.js" }`);
  await writeFile(join(folder, "node_modules", "zod", "index.js"), zod);
  const url = await write(context, plugin);
  const driver = await startInline(context, `begin: async () => ({ "agent-tool": agentTool({ actions: [] }) })`, { folder });
  await driver.begin();
  const { tools } = await driver.call("agent-tool.describe", { environment: environmentOf(url) });
  assert.deepEqual(tools, [{ name: "openchamber", description: "A", inputSchema: { made: ["action"] } }]);
});

test("a plugin runs in the environment of its child, and in no other", async (context) => {
  const begun = await begin(context);
  const environment = { ...begun.environment, TOKEN: "t1", LLM_API_KEY: "the child's" };
  const seen = async (variables) => {
    const { output } = await invoke({ ...begun, environment: { ...environment, ...variables } }, "environment");
    return Object.fromEntries(Object.entries(JSON.parse(output)).filter(([name]) => !name.startsWith("NODE_CHANNEL_")));
  };
  assert.deepEqual(await seen({}), environment);
  assert.deepEqual(await seen({ TOKEN: "t2" }), { ...environment, TOKEN: "t2" });
});

test("a call is given action and parameters, and its directory", async (context) => {
  const begun = await begin(context);
  const { output } = await invoke(begun, "list", { limit: 3, disabled: false });
  assert.deepEqual(JSON.parse(output), { action: "list", parameters: { limit: 3, disabled: false } });
  const place = await invoke(begun, "directory");
  assert.deepEqual(place, {
    output: "/work",
    title: "Place",
    metadata: { worktree: "/work" },
    updates: [{ title: "Begun", metadata: { step: 1 } }],
    nativeError: null,
  });
});

test("arguments of another shape are made by the driver", async (context) => {
  const parts = `toArguments: ({ action, parameters }) => ({ action, parameters: { flat: parameters } })`;
  const { output } = await invoke(await begin(context, { parts }), "list", { limit: 3 });
  assert.deepEqual(JSON.parse(output), { action: "list", parameters: { flat: { limit: 3 } } });
});

test("a tool that gives a text has the title that it showed last", async (context) => {
  const { title, metadata } = await invoke(await begin(context), "list");
  assert.deepEqual({ title, metadata }, { title: "Begun", metadata: { step: 1 } });
});

test("what a tool throws is the native error of its call", async (context) => {
  const begun = await begin(context);
  const { output, nativeError } = await invoke(begun, "throw");
  assert.deepEqual({ output, nativeError }, { output: null, nativeError: { name: "RangeError", message: "no good" } });
  assert.equal((await invoke(begun, "list")).nativeError, null);
});

test("what a plugin prints goes to standard error", async (context) => {
  const begun = await begin(context);
  assert.equal((await invoke(begun, "print")).output, "done");
  await begun.driver.close();
  assert.match(begun.driver.log, /printed-7f/);
});

test("an abort reaches the call that it names, and no other", async (context) => {
  const begun = await begin(context);
  const [first, second] = ["one", "two"].map((name) => invoke(begun, "wait", { name }, name));
  while (!/waiting one[^]*waiting two|waiting two[^]*waiting one/.test(begun.driver.log)) {
    await new Promise((resolve) => begun.driver.process.stderr.once("data", resolve));
  }
  const abort = (invocationId) =>
    begun.driver.send({ jsonrpc: "2.0", method: "agent-tool.abort", params: { invocationId } });
  abort("two");
  assert.equal((await second).nativeError.name, "AbortError");
  assert.equal((await invoke(begun, "list")).nativeError, null);
  abort("unknown");
  abort("one");
  assert.equal((await first).nativeError.name, "AbortError");
});

for (const [what, plugin, expected] of [
  ["is not there", null, /Cannot find module/],
  ["cannot be parsed", "export const = 1", /Unexpected token/],
  ["throws", `export default async () => { throw new Error("not ready"); }`, /not ready/],
  ["ends its process", "process.exit(4)", /process has ended/],
]) {
  test(`a plugin that ${what} is an error of the call, and the driver goes on`, async (context) => {
    const begun = await begin(context, { plugin: plugin ?? PLUGIN });
    const environment = plugin === null ? environmentOf("file:///nowhere/plugin.mjs") : begun.environment;
    await assert.rejects(begun.driver.call("agent-tool.describe", { environment }), ({ data }) =>
      expected.test(data.message),
    );
    await assert.rejects(invoke({ ...begun, environment }, "list"), ({ code }) => code === -32000);
    assert.deepEqual(await begun.driver.call("scenario.end"), {});
  });
}

test("a tool that ends its process is an error of its call, and the next call has a process of its own", async (context) => {
  const begun = await begin(context);
  await assert.rejects(invoke(begun, "exit"), { data: { message: "the plugin's process has ended" } });
  assert.equal((await invoke(begun, "print")).output, "done");
});

test("an environment without a plugin by its file says so", async (context) => {
  const { driver } = await begin(context);
  for (const environment of [{}, environmentOf("npm-plugin")]) {
    const described = driver.call("agent-tool.describe", { environment });
    await assert.rejects(described, { data: { message: "OPENCODE_CONFIG_CONTENT names no plugin by file://" } });
  }
});

test("the end of the scenario ends the processes of its plugins, also where a call is open", async (context) => {
  const begun = await begin(context);
  const open = invoke(begun, "wait", { name: "open" });
  while (!begun.driver.log.includes("waiting open")) {
    await new Promise((resolve) => begun.driver.process.stderr.once("data", resolve));
  }
  const ended = assert.rejects(open, { data: { message: "the plugin's process has ended" } });
  await begun.driver.call("scenario.end");
  await ended;
});
