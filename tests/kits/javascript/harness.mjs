/** The harness's side of the driver protocol, as small as the tests of the kit need it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

export const KIT = fileURLToPath(new URL("../../../src/specassay/drivers/kits/javascript/", import.meta.url));

const CLOSED = {
  provider: "http://127.0.0.1:1/v1",
  chatOrigin: "http://127.0.0.1:1",
  egress: "http://127.0.0.1:1/egress",
};

export class Driver {
  /** Every line of standard output, and all of standard error. */
  lines = [];
  log = "";
  #unanswered = new Map();
  #lastId = 0;

  /** `tools` answers tool.execute: {name: async (args, context) => result}; a rejection is the tool's error. */
  constructor(argv, { tools = {}, environment = {} } = {}) {
    this.tools = tools;
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
    try {
      this.send({ jsonrpc: "2.0", id, result: await this.tools[params.name](params.args, params.context) });
    } catch (failure) {
      this.send({ jsonrpc: "2.0", id, error: { code: -32000, message: "failed", data: { message: failure.message } } });
    }
  }
}

/** A chat route on loopback that gives the answers one after another, {status, body}, and keeps what it was sent. */
export async function chatRoute(answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    requests.push({ method: request.method, url: request.url, body: JSON.parse(body) });
    const { status = 200, ...answer } = answers.shift() ?? { status: 500, error: "no answer is left" };
    response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = () => new Promise((resolve) => server.close(resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, close };
}
