import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { recordingServer, startInline, test } from "./harness.mjs";

const BODY = JSON.stringify({ messages: [] });

/** `expression` is what `start` returns for {environment, tools}. */
function startRoute(context, expression) {
  const start = `async ({ environment, tools }) => (${expression})`;
  return startInline(context, `begin: async () => ({ "chat-route": chatRoute({ start: ${start} }) })`);
}

function post(url, body = BODY, headers = {}) {
  return fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
}

const SEEN = `{ messages: (await request.json()).messages, header: request.headers.get("x-a"), path: new URL(request.url).pathname }`;

test("a web-standard handler is served, with its body, headers and status", async (context) => {
  const driver = await startRoute(
    context,
    `{ fetch: async (request) => Response.json(${SEEN}, { status: 202, headers: { "x-b": "c", "set-cookie": "d=e" } }) }`,
  );
  await driver.begin();
  const { origin } = await driver.call("chat-route.start", { environment: {} });
  assert.match(origin, /^http:\/\/127\.0\.0\.1:\d+$/);
  const response = await post(`${origin}/any/path`, JSON.stringify({ messages: ["ü😀"] }), { "x-a": "b" });
  assert.deepEqual(await response.json(), { messages: ["ü😀"], header: "b", path: "/any/path" });
  assert.deepEqual(
    [response.status, response.headers.get("x-b"), response.headers.getSetCookie()],
    [202, "c", ["d=e"]],
  );
});

test("functions by method are served at the path of the chat route, and nowhere else", async (context) => {
  const driver = await startRoute(context, `{ POST: async (request) => Response.json(await request.json()) }`);
  await driver.begin();
  const { origin } = await driver.call("chat-route.start", { environment: {} });
  assert.deepEqual(await (await post(`${origin}/api/agent/chat`)).json(), { messages: [] });
  assert.equal((await post(`${origin}/api/agent/chatx`)).status, 404);
  assert.equal((await fetch(`${origin}/api/agent/chat`)).status, 405);
});

test("a function of request and response is served as node:http serves it", async (context) => {
  const driver = await startRoute(context, `(request, response) => response.writeHead(203).end(request.url)`);
  await driver.begin();
  const { origin } = await driver.call("chat-route.start", { environment: {} });
  const response = await post(`${origin}/x?y=z`);
  assert.deepEqual([response.status, await response.text()], [203, "/x?y=z"]);
});

test("a handler that throws answers 500 without its error, and the driver logs it", async (context) => {
  const driver = await startRoute(context, `{ fetch: async () => { throw new Error("secret-5d"); } }`);
  await driver.begin();
  const { origin } = await driver.call("chat-route.start", { environment: {} });
  const response = await post(origin);
  assert.deepEqual([response.status, await response.text()], [500, ""]);
  await driver.close();
  assert.match(driver.log, /secret-5d/);
});

test("a route has its own environment, which replaces that of the scenario until it stops", async (context) => {
  const seen = `Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(LLM|OPENAI)_/.test(name)))`;
  const driver = await startInline(
    context,
    `begin: async () => {
      process.env.OPENAI_API_KEY = "stray";
      return { "chat-store": { seen: () => ${seen} }, "chat-route": chatRoute({ start: () => ({ fetch: () => Response.json(${seen}) }) }) };
    }`,
  );
  const empty = { LLM_PROVIDER: "", LLM_MODEL: "", LLM_API_KEY: "", LLM_BASE_URL: "" };
  await driver.begin({ environment: { LLM_MODEL: "first", LLM_API_KEY: "key" } });
  const { origin } = await driver.call("chat-route.start", { environment: { LLM_MODEL: "second" } });
  assert.deepEqual(await (await fetch(origin)).json(), { ...empty, LLM_MODEL: "second" });
  await driver.call("chat-route.stop");
  assert.deepEqual(await driver.call("chat-store.seen"), { ...empty, LLM_MODEL: "first", LLM_API_KEY: "key" });
});

test("the tools of a scenario are given to start, none where there are none", async (context) => {
  const driver = await startRoute(context, `{ fetch: () => Response.json(tools) }`);
  await driver.begin();
  const tool = { name: "probe", description: "A probe.", parameters: [] };
  for (const [tools, given] of [
    [[tool], [tool]],
    [null, []],
    [undefined, []],
  ]) {
    const { origin } = await driver.call("chat-route.start", { environment: {}, tools });
    assert.deepEqual(await (await fetch(origin)).json(), given);
  }
});

for (const ending of ["chat-route.stop", "scenario.end", "chat-route.start"]) {
  test(`${ending} ends the route that was started, with a request that is open`, async (context) => {
    const driver = await startRoute(
      context,
      `{ fetch: () => { console.log("opened"); return new Promise(() => {}); } }`,
    );
    await driver.begin();
    const { origin } = await driver.call("chat-route.start", { environment: {} });
    const broken = new Promise((resolve) => httpRequest(origin, { method: "POST" }).on("error", resolve).end(BODY));
    while (!driver.log.includes("opened")) await new Promise((resolve) => driver.process.stderr.once("data", resolve));
    await driver.call(ending, { environment: {} });
    assert.equal((await broken).code, "ECONNRESET");
    await assert.rejects(fetch(origin), ({ cause }) => cause.code === "ECONNREFUSED");
  });
}

test("a route outlives a reload of the client, and its environment too", async (context) => {
  const store = `{ getState: () => ({ messages: [] }), subscribe: () => () => {} }`;
  const driver = await startInline(
    context,
    `begin: async () => ({ "chat-store": chatStore(${store}), "chat-route": chatRoute({ start: () => ({ fetch: () => new Response(process.env.LLM_MODEL) }) }) })`,
  );
  await driver.begin();
  const { origin } = await driver.call("chat-route.start", { environment: { LLM_MODEL: "model-9" } });
  await driver.call("chat-store.reload");
  assert.equal(await (await fetch(origin)).text(), "model-9");
  await driver.call("chat-route.stop");
  await assert.rejects(fetch(origin));
});

test("an adapter is asked of the factory with what the config holds, and called with what the call holds", async (context) => {
  const driver = await startInline(
    context,
    `begin: async () => ({ "provider-adapter": providerAdapter({ create: (config) => {
      if (config.provider === "none") throw new Error("Unknown LLM provider: none");
      return { chat: async (params) => ({ content: JSON.stringify([config, params]), toolCalls: undefined, more: 1 }) };
    } }) })`,
  );
  await driver.begin();
  const config = { provider: "p", model: "m", apiKey: "k" };
  assert.deepEqual(await driver.call("provider-adapter.create", { config }), {});
  await assert.rejects(driver.call("provider-adapter.create", { config: { ...config, provider: "none" } }), {
    code: -32000,
    message: "Unknown LLM provider: none",
  });
  const call = { messages: [], systemPrompt: "S" };
  for (const given of [
    { config, ...call },
    { config: { ...config, baseUrl: null }, ...call, toolSchemas: null },
  ]) {
    const answer = await driver.call("provider-adapter.chat", given);
    assert.deepEqual([Object.keys(answer), JSON.parse(answer.content)], [["content"], [config, call]]);
  }
  assert.deepEqual(await driver.call("provider-adapter.describe", { config }), { methods: ["chat"] });
});

/** A driver of the context bridge whose adapter gives `expression`, in which `asset` is the first of the editor's assets. */
function startBridge(context, expression) {
  return startInline(
    context,
    `begin: async () => {
      let editor;
      class Adapter { #editor = null; field = 1; getContext() { const [asset] = editor.assets; return ${expression}; } _own() {} }
      return { "context-bridge": contextBridge({
        setEditorState: (state) => void (editor = state) ?? state.assets,
        adapter: new Adapter(),
        toMapperInput: ({ assets }) => ({ assets, handle: () => {} }),
        buildContextFromEditorState: (state) => ({ count: state.assets.push("more"), handle: typeof state.handle }),
        buildSystemPrompt: (...given) => JSON.stringify(given),
      }) };
    }`,
  );
}

const EDITOR_STATE = {
  project: { id: "p" },
  activeScene: null,
  assets: [{ id: "a", name: "n", type: "video" }],
  currentTimeMs: 5,
};

test("a plain context has no place that is not plain, and is sent as it is", async (context) => {
  const driver = await startBridge(
    context,
    `(() => { const twice = { a: [1, "x", null, true] }; return { id: asset.id, one: twice, two: twice }; })()`,
  );
  await driver.begin();
  const answer = await driver.call("context-bridge.getContext", { editorState: EDITOR_STATE });
  assert.deepEqual(answer.notPlain, []);
  assert.deepEqual(answer.context, { id: "a", one: { a: [1, "x", null, true] }, two: { a: [1, "x", null, true] } });
  assert.deepEqual(JSON.parse(answer.json), answer.context);
});

for (const [what, expression, pointers] of [
  ["a function", `{ a: [0, () => 1] }`, ["/a/1"]],
  ["an instance of a class", `{ a: new Date(0), b: new Map() }`, ["/a", "/b"]],
  ["an object with a toJSON of its own", `{ a: { toJSON: () => 1 } }`, ["/a/toJSON"]],
  ["a value that is computed when it is read", `{ get "a/b~c"() { return 1; } }`, ["/a~1b~0c"]],
  ["a property that is not enumerable", `Object.defineProperty({}, "core", { value: () => 1 })`, ["/core"]],
  ["an editor object", `{ a: asset }`, ["/a"]],
  ["a number that JSON has not", `{ a: NaN, b: 1n, c: 0 }`, ["/a", "/b"]],
  ["the context itself, where it is an instance", `new (class Live {})()`, [""]],
]) {
  test(`not plain is ${what}`, async (context) => {
    const driver = await startBridge(context, expression);
    await driver.begin();
    assert.deepEqual(
      (await driver.call("context-bridge.getContext", { editorState: EDITOR_STATE })).notPlain,
      pointers,
    );
  });
}

test("a cycle is not plain, and leaves no JSON, but an answer", async (context) => {
  const driver = await startBridge(context, `(() => { const it = { a: {} }; it.a.back = it; return it; })()`);
  await driver.begin();
  assert.deepEqual(await driver.call("context-bridge.getContext", { editorState: EDITOR_STATE }), {
    context: { a: { back: null } },
    json: "",
    notPlain: ["/a/back"],
  });
});

test("the mapper is given what the driver makes of the state, and a change of it is seen", async (context) => {
  const driver = await startBridge(context, `{}`);
  await driver.begin();
  assert.deepEqual(await driver.call("context-bridge.buildContextFromEditorState", { editorState: EDITOR_STATE }), {
    context: { count: 2, handle: "function" },
    inputUnchanged: false,
  });
});

test("the prompt is built of the context alone, and the adapter's methods are named, its own apart", async (context) => {
  const driver = await startBridge(context, `{}`);
  await driver.begin();
  assert.deepEqual(await driver.call("context-bridge.buildSystemPrompt", { context: { a: 1 } }), {
    prompt: `[{"a":1}]`,
  });
  assert.deepEqual(await driver.call("context-bridge.describe"), { methods: ["getContext"] });
});

test("the source layout is what the driver says, and the usual where it says nothing", async (context) => {
  const driver = await startInline(
    context,
    `begin: async () => ({ "source-layout": sourceLayout({ root: "/r", aliases: { "@/": "src/" }, modules: { types: "t.mjs" } }) })`,
  );
  await driver.begin();
  assert.deepEqual(await driver.call("source-layout.getSources"), {
    root: "/r",
    language: "javascript",
    aliases: { "@/": "src/" },
    testPatterns: ["**/*.test.*"],
    typecheck: null,
    modules: { types: "t.mjs" },
  });
});

test("a notification is performed and not answered, a failing one neither", async (context) => {
  const driver = await startInline(
    context,
    `begin: async () => { let told = []; return { "chat-store": { tell: ({ it }) => void told.push(it), told: () => told } }; }`,
  );
  await driver.begin();
  driver.send({ jsonrpc: "2.0", method: "chat-store.tell", params: { it: 5 } });
  driver.send({ jsonrpc: "2.0", method: "chat-store.never", params: {} });
  assert.deepEqual(await driver.call("chat-store.told"), [5]);
  assert.equal(driver.lines.length, 2);
  await driver.close();
  assert.match(driver.log, /chat-store\.never/);
});

test("what a driver sends to other hosts comes to the egress of its scenario", async (context) => {
  const [first, second] = [await recordingServer([{ n: 1 }]), await recordingServer([{ n: 2 }])];
  context.after(() => Promise.all([first.close(), second.close()]));
  const driver = await startInline(
    context,
    `begin: async () => ({ "chat-store": { ask: async () => (await fetch("https://api.example/x")).json() } })`,
  );
  for (const [n, egress] of [first, second].entries()) {
    await driver.begin({ endpoints: { egress: `${egress.origin}/egress` } });
    assert.deepEqual(await driver.call("chat-store.ask"), { n: n + 1 });
    assert.deepEqual(
      [egress.requests[0].url, egress.requests[0].headers["x-specassay-url"]],
      ["/egress", "https://api.example/x"],
    );
  }
});
