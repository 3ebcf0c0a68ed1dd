import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { setTimeout as passed } from "node:timers/promises";
import { startInline, test } from "./harness.mjs";

/** A listener that hands the text of a request to the control service, with a signal that fires when its peer goes. */
const LISTEN = `({ host, control }) => {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const abort = new AbortController();
    response.on("close", () => abort.abort(new Error("the peer is gone")));
    const options = { contextDirectory: "/work", signal: abort.signal };
    const shown = ({ message, status, partial }) => ({ failed: { message, status, partial } });
    const answer = await control.execute("session.list", { text }, options).catch(shown);
    console.log("answered", JSON.stringify(answer));
    response.end(JSON.stringify(answer));
  });
  return server.listen(0, host);
}`;

/** `parts` are further properties of what agentTool takes, as source. */
async function begin(context, parts = "", options = {}) {
  const driver = await startInline(
    context,
    `begin: async () => {
      const { createServer } = await import("node:http");
      return {
        "agent-tool": agentTool({
          listen: ${LISTEN},
          prepareEnvironment: ({ environment, port }) => ({ ...environment, PORT: String(port) }),
          tokenVariable: "TOKEN",
          callbackUrlVariable: "URL",
          actions: [{ action: "session.list", title: "Sessions", description: "Lists them." }],
          ${parts}
        }),
        "control-service": controlService({ async execute(action, input) {
          if (action !== "session.list") throw new RangeError("no action: " + action);
          return { given: input };
        } }),
      };
    }`,
    options,
  );
  await driver.begin();
  return driver;
}

async function post(origin, body) {
  return (await fetch(origin, { method: "POST", body })).json();
}

const CHILD = { environment: { HOME: "/home/child" }, settings: {}, launch: "managed", dataDirectory: "/data" };

test("the listener is the product's, on the host that is asked for", async (context) => {
  const control = async ({ input }) => ({ found: input.text });
  const driver = await begin(context, "", { control });
  for (const [host, expected] of [
    ["127.0.0.1", /^http:\/\/127\.0\.0\.1:\d+$/],
    ["0.0.0.0", /^http:\/\/127\.0\.0\.1:\d+$/],
  ]) {
    const { origin } = await driver.call("agent-tool.listen", { host });
    assert.match(origin, expected);
    assert.deepEqual(await post(origin, "x"), { found: "x" });
  }
});

for (const ending of ["agent-tool.stop", "scenario.end", "agent-tool.listen"]) {
  test(`${ending} ends the listener that was started`, async (context) => {
    const driver = await begin(context);
    const { origin } = await driver.call("agent-tool.listen", { host: "127.0.0.1" });
    await driver.call(ending, { host: "127.0.0.1" });
    await assert.rejects(fetch(origin), ({ cause }) => cause.code === "ECONNREFUSED");
  });
}

test("a preparation knows the port of the listener, and none before it listens or after it stopped", async (context) => {
  const driver = await begin(context);
  const port = async () => (await driver.call("agent-tool.prepareEnvironment", CHILD)).environment.PORT;
  assert.equal(await port(), "null");
  const { origin } = await driver.call("agent-tool.listen", { host: "127.0.0.1" });
  assert.equal(await port(), new URL(origin).port);
  await driver.call("agent-tool.stop");
  assert.equal(await port(), "null");
});

test("a preparation is given what the harness gives, and nothing injected is null", async (context) => {
  const parts = `prepareEnvironment: ({ launch, settings, dataDirectory }) =>
    launch === "managed" ? { GIVEN: JSON.stringify([settings, dataDirectory]) } : undefined,`;
  const driver = await begin(context, parts);
  const settings = { theme: "dark" };
  const managed = await driver.call("agent-tool.prepareEnvironment", { ...CHILD, settings });
  assert.deepEqual(managed.environment, { GIVEN: JSON.stringify([settings, "/data"]) });
  assert.deepEqual([managed.tokenVariable, managed.callbackUrlVariable], ["TOKEN", "URL"]);
  const external = await driver.call("agent-tool.prepareEnvironment", { ...CHILD, launch: "external-host" });
  assert.equal(external.environment, null);
});

test("the server has the variables of the environment while it prepares, and shows what it does to its own", async (context) => {
  const parts = `prepareEnvironment: ({ environment, settings }) => {
    const before = [process.env.HOME, process.env.LEAK];
    environment.CHILD_ONLY = "1";
    if (settings.leak) process.env.LEAK = "token";
    return { ...environment, BEFORE: JSON.stringify(before) };
  },`;
  const driver = await begin(context, parts, { environment: { HOME: "/home/server", OTHER: "1" } });
  const prepare = (settings) => driver.call("agent-tool.prepareEnvironment", { ...CHILD, settings });
  const leaking = await prepare({ leak: true });
  assert.deepEqual(leaking.serverEnvironment, { HOME: "/home/child", LEAK: "token" });
  const clean = await prepare({});
  assert.deepEqual(clean.serverEnvironment, { HOME: "/home/child" });
  assert.deepEqual(clean.environment, { HOME: "/home/child", CHILD_ONLY: "1", BEFORE: '["/home/child",null]' });
});

test("a preparation that throws is the product's own error, and leaves the server's environment as it was", async (context) => {
  const parts = `prepareEnvironment: () => { process.env.LEAK = "1"; throw new Error("no configuration"); },
    cli: () => ({ exitCode: 0, output: JSON.stringify([process.env.HOME, process.env.LEAK]) }),`;
  const driver = await begin(context, parts, { environment: { HOME: "/home/server" } });
  const refused = driver.call("agent-tool.prepareEnvironment", CHILD);
  await assert.rejects(refused, { code: -32000, data: { message: "no configuration" } });
  const { output } = await driver.call("agent-tool.cli", { arguments: [] });
  assert.deepEqual(JSON.parse(output), ["/home/server", null]);
});

test("the harness plays the control service: it sees action, input and directory, and gives the data", async (context) => {
  const asked = [];
  const control = async (params) => {
    asked.push(params);
    return { list: [1, false, null] };
  };
  const driver = await begin(context, "", { control });
  const { origin } = await driver.call("agent-tool.listen", { host: "127.0.0.1" });
  assert.deepEqual(await post(origin, "x"), { list: [1, false, null] });
  assert.deepEqual(asked, [{ action: "session.list", input: { text: "x" }, contextDirectory: "/work" }]);
});

test("an error of the service keeps its message, its status and what was done", async (context) => {
  const partial = { action: "session.create", sessionId: "s1", directory: "/work" };
  const control = async () => {
    throw Object.assign(new Error("half done"), { status: 502, partial });
  };
  const driver = await begin(context, "", { control });
  const { origin } = await driver.call("agent-tool.listen", { host: "127.0.0.1" });
  assert.deepEqual(await post(origin, "x"), { failed: { message: "half done", status: 502, partial } });
});

test("a signal that fires is told to the harness once, by the id of the call, and ends it for the product", async (context) => {
  let held;
  const opened = new Promise((resolve) => (held = resolve));
  const control = ({ input }, id) => (input.text === "hold" ? new Promise(() => held(id)) : { found: input.text });
  const driver = await begin(context, "", { control });
  const { origin } = await driver.call("agent-tool.listen", { host: "127.0.0.1" });
  const request = httpRequest(origin, { method: "POST" }).on("error", () => {});
  request.end("hold");
  const id = await opened;
  assert.deepEqual(await post(origin, "meanwhile"), { found: "meanwhile" });
  request.destroy();
  while (!driver.log.includes("the peer is gone")) await passed(5);
  assert.deepEqual(driver.notifications, [{ method: "control.aborted", params: { requestId: id } }]);
  assert.deepEqual(await post(origin, "afterwards"), { found: "afterwards" });
  assert.equal(driver.notifications.length, 1);
});

test("the product's own service answers, and a usage error is its own", async (context) => {
  const driver = await begin(context);
  const input = { limit: 3 };
  const data = await driver.call("control-service.execute", { action: "session.list", input });
  assert.deepEqual(data, { given: input });
  const refused = driver.call("control-service.execute", { action: "session.delete", input });
  await assert.rejects(refused, { code: -32000, data: { message: "no action: session.delete", kind: "RangeError" } });
});

test("the command line is there where the product has one", async (context) => {
  const driver = await begin(context, `cli: async (args) => ({ exitCode: 2, output: args.join(" ") }),`);
  const outcome = await driver.call("agent-tool.cli", { arguments: ["session", "list"] });
  assert.deepEqual(outcome, { exitCode: 2, output: "session list" });
  const bare = await begin(context);
  await assert.rejects(bare.call("agent-tool.cli", { arguments: [] }), { code: -32601 });
});
