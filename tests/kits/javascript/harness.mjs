/** The harness's side of the driver protocol, as small as the tests of the kit need it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as nodeTest } from "node:test";
import { fileURLToPath } from "node:url";

export const KIT = fileURLToPath(new URL("../../../src/specassay/drivers/kits/javascript/", import.meta.url));

const HELPERS = [
  "agentStore, agentTool, chatRoute, chatStore, contextBridge, controlService, executeTool, harnessControl",
  "orchestrator, providerAdapter, serve, sourceLayout, toolRegistry, transcript",
].join(", ");

const CLOSED = {
  provider: "http://127.0.0.1:1/v1",
  chatOrigin: "http://127.0.0.1:1",
  egress: "http://127.0.0.1:1/egress",
};

export class Driver {
  /** Every line of standard output, and all of standard error. */
  lines = [];
  log = "";
  /** What the driver told: {method, params}. */
  notifications = [];
  #unanswered = new Map();
  #lastId = 0;

  /**
   * `tools` answers tool.execute: {name: async (args, context) => result}, `control` answers control.execute: async
   * (params, id) => data. A rejection is the tool's or the service's error; its `status` and `partial` are sent too.
   */
  constructor(argv, { tools = {}, control, environment = {} } = {}) {
    this.tools = tools;
    this.control = control;
    this.process = spawn(process.execPath, argv, { env: { ...process.env, ...environment } });
    this.process.stderr.setEncoding("utf8").on("data", (text) => (this.log += text));
    this.exited = once(this.process, "close").then(([status]) => status);
    this.exited.then(() => {
      for (const { reject } of this.#unanswered.values()) reject(new Error(`the driver is gone: ${this.log}`));
    });
    let rest = "";
    this.process.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) this.#receive(line);
    });
  }

  /** The result of a call; rejects with the error object that the driver answers. */
  call(method, params = {}) {
    const id = ++this.#lastId;
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.answerTo(id);
  }

  answerTo(id) {
    return new Promise((resolve, reject) => this.#unanswered.set(id, { resolve, reject }));
  }

  begin(scenario = {}) {
    return this.call("scenario.begin", { id: "x.1/a", endpoints: CLOSED, environment: {}, seed: 1, ...scenario });
  }

  send(message) {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close() {
    this.process.stdin.end();
    return this.exited;
  }

  async #receive(line) {
    this.lines.push(line);
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === undefined) {
      const { resolve, reject } = this.#unanswered.get(id);
      this.#unanswered.delete(id);
      return error ? reject(error) : resolve(result);
    }
    if (id === undefined) return void this.notifications.push({ method, params });
    try {
      this.send({ jsonrpc: "2.0", id, result: await this.#answer(method, params, id) });
    } catch ({ message, status, partial }) {
      const data = { message, status, partial };
      this.send({ jsonrpc: "2.0", id, error: { code: -32000, message: "failed", data } });
    }
  }

  #answer(method, params, id) {
    if (method === "control.execute") return this.control(params, id);
    return this.tools[params.name](params.args, params.context);
  }
}

/** A server on loopback that gives the answers one after another, {status, …body}, and keeps what it was sent. */
export async function recordingServer(answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: parse(body) });
    const { status = 200, ...answer } = answers.shift() ?? { status: 500, error: "no answer is left" };
    response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = () => new Promise((resolve) => server.close(resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, close };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A test that ends, also where a driver does not answer. */
export const test = (name, body) => nodeTest(name, { timeout: 20_000 }, body);

/** Starts a driver, ends it after the test, and insists that standard output carried nothing but JSON-RPC. */
export function start(context, argv, options) {
  const driver = new Driver(argv, options);
  context.after(async () => {
    driver.process.kill("SIGKILL");
    await driver.exited;
    for (const line of driver.lines) assert.equal(JSON.parse(line).jsonrpc, "2.0");
  });
  return driver;
}

/** A driver written in the test: the properties of `serve`'s argument, as source. It lies in `folder`, a new one or not. */
export async function startInline(context, source, { folder, ...options } = {}) {
  folder ??= await temporaryFolder(context);
  const path = join(folder, "driver.mjs");
  const kit = JSON.stringify(join(KIT, "specassay-kit.mjs"));
  const head = `import { ${HELPERS} } from ${kit};`;
  const rest = `await serve({ implementation: { name: "inline", version: "1" }, surfaces: ["chat-store"], ${source} });`;
  await writeFile(path, `${head}\n${rest}\n`);
  return start(context, [path], options);
}

export async function temporaryFolder(context) {
  const folder = await mkdtemp(join(tmpdir(), "specassay-kit-"));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}
