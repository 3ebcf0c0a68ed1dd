import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { KIT, recordingServer, temporaryFolder, test } from "./harness.mjs";

const EGRESS = pathToFileURL(join(KIT, "egress.mjs")).href;

/** A function of the program: the text that a request by node:http or node:https is answered. */
const TEXT_OF = `
const textOf = (make) => new Promise((resolve, reject) => {
  const request = make((response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (chunk) => (text += chunk)).on("end", () => resolve(text));
  });
  request.on("error", reject).end(request.method === "POST" ? "body-3" : undefined);
});`;

/** Runs a program with the egress preloaded, as a server without a driver is run; gives what it prints. */
async function run(context, source, environment = {}) {
  const program = join(await temporaryFolder(context), "program.mjs");
  await writeFile(program, source);
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, NODE_OPTIONS: `--import ${EGRESS}`, ...environment };
  const child = spawn(process.execPath, [program], { env });
  context.after(() => child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"])
    child[stream].setEncoding("utf8").on("data", (text) => (output[stream] += text));
  const [status] = await once(child, "close");
  assert.equal(status, 0, output.stderr);
  return output.stdout;
}

/** The one request that the egress was sent while the program ran; the program prints the answer. */
async function forwarded(context, source) {
  const egress = await recordingServer([{ answer: 42 }]);
  context.after(() => egress.close());
  const printed = await run(context, source, { SPECASSAY_EGRESS: `${egress.origin}/egress` });
  assert.deepEqual(JSON.parse(printed), { answer: 42 });
  assert.equal(egress.requests.length, 1);
  const [{ method, url, headers, body }] = egress.requests;
  assert.equal(url, "/egress");
  return { method, meant: headers["x-specassay-url"], headers, body };
}

const MEANT = "https://api.example/v1/x?y=z";

for (const [how, call] of [
  ["a text and options", `fetch("${MEANT}", { method: "POST", body: "body-3", headers: { "x-key": "k" } })`],
  [
    "a URL and options",
    `fetch(new URL("${MEANT}"), { method: "POST", body: new Blob(["body-3"]), headers: [["x-key", "k"]] })`,
  ],
  ["a Request", `fetch(new Request("${MEANT}", { method: "POST", body: "body-3", headers: { "x-key": "k" } }))`],
  [
    "a Request and options over it",
    `fetch(new Request("${MEANT}", { headers: { "x-key": "old" } }), { method: "POST", body: "body-3", headers: { "x-key": "k" } })`,
  ],
  [
    "a stream",
    `fetch("${MEANT}", { method: "POST", body: new Blob(["body-3"]).stream(), duplex: "half", headers: { "x-key": "k" } })`,
  ],
]) {
  test(`fetch of another host by ${how} goes to the egress whole`, async (context) => {
    const { method, meant, headers, body } = await forwarded(context, `console.log(await (await ${call}).text());`);
    assert.deepEqual([method, meant, headers["x-key"], body], ["POST", MEANT, "k", "body-3"]);
    assert.equal(headers["content-length"], "6");
  });
}

for (const [how, call] of [
  ["a URL and options", `request(new URL("${MEANT}"), { method: "POST", headers: { "x-key": "k" } }, callback)`],
  [
    "a text and options",
    `request("${MEANT}", { method: "POST", headers: { "X-Key": "k", Host: "api.example" } }, callback)`,
  ],
  [
    "options, with an agent",
    `request({ hostname: "api.example", path: "/v1/x?y=z", method: "POST", agent: new Agent({ keepAlive: true }), headers: { "x-key": ["k"] } }, callback)`,
  ],
  [
    "options, with headers as a list",
    `request({ host: "api.example", port: 443, path: "/v1/x?y=z", method: "POST", headers: ["host", "api.example", "x-key", "k"] }, callback)`,
  ],
]) {
  test(`request of node:https by ${how} goes to the egress whole`, async (context) => {
    const source = `import { Agent, request } from "node:https"; ${TEXT_OF} console.log(await textOf((callback) => ${call}));`;
    const { method, meant, headers, body } = await forwarded(context, source);
    assert.deepEqual([method, meant, headers["x-key"], body], ["POST", MEANT, "k", "body-3"]);
    assert.match(headers.host, /^127\.0\.0\.1:\d+$/);
  });
}

for (const load of [
  `import http from "node:http";`,
  `import { createRequire } from "node:module"; const http = createRequire(import.meta.url)("http");`,
]) {
  test(`get of node:http, loaded by ${load.split(" ")[1]}, goes to the egress with the user of its URL`, async (context) => {
    const source = `${load} ${TEXT_OF} console.log(await textOf((callback) => http.get("http://u:p@api.example:81/x", callback)));`;
    const { method, meant, headers } = await forwarded(context, source);
    assert.deepEqual([method, meant, headers.authorization], ["GET", "http://api.example:81/x", "Basic dTpw"]);
  });
}

test("what stays on this machine is not touched, whatever it is called", async (context) => {
  const [egress, local] = [await recordingServer([]), await recordingServer([{}, {}, {}, {}])];
  context.after(() => Promise.all([egress.close(), local.close()]));
  const { port } = new URL(local.origin);
  const urls = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"].map((host) => `http://${host}:${port}/x`);
  const source = `import http from "node:http"; ${TEXT_OF}
    for (const url of ${JSON.stringify(urls)}) await (await fetch(url)).text();
    await textOf((callback) => http.get({ host: "127.0.0.1", port: ${port}, path: "/x" }, callback));
    console.log(await (await fetch("data:text/plain,data-6")).text());`;
  assert.equal(await run(context, source, { SPECASSAY_EGRESS: `${egress.origin}/egress` }), "data-6\n");
  assert.deepEqual(
    local.requests.map(({ url, headers }) => [url, headers["x-specassay-url"]]),
    Array(4).fill(["/x", undefined]),
  );
  assert.equal(egress.requests.length, 0);
});

test("a host of another machine that looks like this one is another host", async (context) => {
  for (const host of ["127.0.0.1.example", "localhost.example", "127example"]) {
    const { meant } = await forwarded(context, `console.log(await (await fetch("http://${host}/x")).text());`);
    assert.equal(meant, `http://${host}/x`);
  }
});

test("a request that was given up before it was sent is not sent", async (context) => {
  const egress = await recordingServer([]);
  context.after(() => egress.close());
  const source = `console.log(await fetch("${MEANT}", { signal: AbortSignal.abort() }).catch((error) => error.name));`;
  assert.equal(await run(context, source, { SPECASSAY_EGRESS: egress.origin }), "AbortError\n");
  assert.equal(egress.requests.length, 0);
});

test("preloading changes nothing else: no console, no storage, no window, no variable", async (context) => {
  const source = `console.log(JSON.stringify([typeof localStorage, typeof window, process.env.LLM_MODEL, process.listenerCount("unhandledRejection")]));`;
  const printed = await run(context, source, { LLM_MODEL: "model-1", SPECASSAY_EGRESS: "http://127.0.0.1:1/egress" });
  assert.deepEqual(JSON.parse(printed), ["undefined", "undefined", "model-1", 0]);
});

test("without an address nothing is sent elsewhere", async (context) => {
  const source = `import http from "node:http";
    const lookup = (host) => console.log(host);
    http.get({ host: "api.example", path: "/", lookup });`;
  assert.equal(await run(context, source, { SPECASSAY_EGRESS: "" }), "api.example\n");
});
