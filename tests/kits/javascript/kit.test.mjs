import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { KIT, recordingServer, start, startInline, temporaryFolder, test } from "./harness.mjs";

const CONTEXT = { projectId: "p", activeSceneId: null, mediaAssets: [], playbackTimeMs: 0 };
const HELLO = { id: "m1", role: "user", content: "Hello", timestamp: 1764500000000 };
const PROBE = { name: "probe", description: "A probe.", parameters: [{ key: "q", type: "string", required: true }] };

const STORE = `(() => {
  const listeners = new Set();
  const state = { messages: [], loading: false, error: null, addMessage: (m) => { state.messages.push(m); listeners.forEach((l) => l()); } };
  return { getState: () => state, subscribe: (l) => { listeners.add(l); return () => listeners.delete(l); } };
})()`;

test("initialize answers what the driver declares, and fills in the language", async (context) => {
  const driver = await startInline(
    context,
    `isolation: "process", operations: ["orchestrator.abort"], begin: async () => ({})`,
  );
  assert.deepEqual(await driver.call("initialize", { protocolVersion: "1.0" }), {
    protocolVersion: "1.0",
    implementation: { language: "javascript", name: "inline", version: "1" },
    surfaces: ["chat-store"],
    isolation: "process",
    operations: ["orchestrator.abort"],
  });
});

test("an operation that is not offered is no such operation, inherited names too", async (context) => {
  const driver = await startInline(context, `begin: async () => ({ "chat-store": chatStore(${STORE}) })`);
  await assert.rejects(driver.call("chat-store.getState"), { code: -32601 });
  await driver.begin();
  for (const method of [
    "random-3f",
    "chat-store.random",
    "chat-store.toString",
    "constructor.keys",
    "agent-store.getState",
  ]) {
    await assert.rejects(driver.call(method), { code: -32601 }, method);
  }
  assert.equal((await driver.call("chat-store.getState")).loading, false);
});

test("an exception is the implementation's own error, with the kind that its name gives", async (context) => {
  const driver = await startInline(
    context,
    `begin: async () => ({ "chat-store": {
      plain: () => { throw new Error("boom"); }, named: () => { throw new RangeError("far"); },
      text: async () => { throw "words"; }, cycle: () => { const it = {}; it.it = it; return it; } } })`,
  );
  await driver.begin();
  await assert.rejects(driver.call("chat-store.plain"), { code: -32000, message: "boom", data: { message: "boom" } });
  await assert.rejects(driver.call("chat-store.named"), { code: -32000, data: { message: "far", kind: "RangeError" } });
  await assert.rejects(driver.call("chat-store.text"), { code: -32000, data: { message: "words" } });
  await assert.rejects(
    driver.call("chat-store.cycle"),
    ({ code, data }) => code === -32000 && data.kind === "TypeError",
  );
});

test("prints go to standard error", async (context) => {
  const driver = await startInline(
    context,
    `begin: async () => { console.log("a-log"); console.info("an-info"); console.debug("a-debug"); process.stdout.write("a-write"); return {}; }`,
  );
  await driver.begin();
  await driver.close();
  for (const printed of ["a-log", "an-info", "a-debug", "a-write"]) assert.ok(driver.log.includes(printed), printed);
  assert.equal(driver.lines.length, 1);
});

test("an unhandled rejection is logged and the driver goes on; an uncaught exception ends it", async (context) => {
  const driver = await startInline(
    context,
    `begin: async () => ({ "chat-store": { forget: () => void Promise.reject(new Error("forgotten")),
      crash: () => new Promise(() => setImmediate(() => { throw new Error("crashed"); })) } })`,
  );
  await driver.begin();
  await driver.call("chat-store.forget");
  await driver.call("scenario.end");
  await driver.begin();
  await assert.rejects(driver.call("chat-store.crash"), /the driver is gone/);
  assert.notEqual(await driver.exited, 0);
  assert.match(driver.log, /forgotten/);
  assert.match(driver.log, /crashed/);
});

test("the driver ends when standard input closes, whatever is kept open", async (context) => {
  const driver = await startInline(context, `begin: async () => { setInterval(() => {}, 1000); return {}; }`);
  await driver.begin();
  await driver.call("shutdown");
  assert.equal(await driver.close(), 0);
});

test("a line may come in pieces, end in CRLF and hold any separator of Unicode", async (context) => {
  const driver = await startInline(context, `begin: async () => ({ "chat-store": { echo: ({ text }) => text } })`);
  await driver.begin();
  const text = "é\u2028x\u2029\u0085\u{1f600}";
  const answer = driver.answerTo("other");
  const bytes = Buffer.from(
    `{"jsonrpc":"2.0","id":"other","method":"chat-store.echo","params":{"text":"${text}"}}\r\n`,
  );
  for (const byte of bytes) driver.process.stdin.write(Buffer.of(byte));
  assert.equal(await answer, text);
});

test("tools of the harness run side by side and are answered in any order, while the stores are read", async (context) => {
  const open = {};
  const bothOpen = new Promise((resolve) => (open.both = resolve));
  const held = (name) => () =>
    new Promise((resolve, reject) => {
      open[name] = { resolve, reject };
      if (open.a && open.b) open.both();
    });
  const driver = await startInline(
    context,
    `begin: async () => ({ "chat-store": chatStore(${STORE}), orchestrator: orchestrator({ run: async (messages, context) => {
      const results = await Promise.allSettled(["a", "b"].map((name) => executeTool(name, { name }, context)));
      throw new Error(results.map(({ value, reason }) => value ?? reason.message).join(" "));
    } }) })`,
    { tools: { a: held("a"), b: held("b") } },
  );
  await driver.begin();
  const run = driver.call("orchestrator.run", { messages: [], context: CONTEXT });
  await bothOpen;
  assert.deepEqual((await driver.call("chat-store.getState")).messages, []);
  open.b.reject(new Error("boom-7f3a"));
  await driver.call("chat-store.getState");
  open.a.resolve("found");
  assert.deepEqual(await run, { rejected: { message: "found boom-7f3a" } });
});

test("the history starts with the state at begin, is not changed later, and starts anew with a scenario", async (context) => {
  const driver = await startInline(context, `begin: async () => ({ "chat-store": chatStore(${STORE}) })`);
  await driver.begin();
  const before = Date.now();
  await driver.call("chat-store.addMessage", { message: HELLO });
  await driver.call("chat-store.addMessage", { message: HELLO });
  const { entries } = await driver.call("chat-store.getHistory");
  assert.deepEqual(
    entries.map(({ state }) => state.messages.length),
    [0, 1, 2],
  );
  assert.deepEqual(entries[0].state, { messages: [], loading: false, error: null });
  assert.ok(entries[2].at >= before && entries[2].at <= Date.now());
  await driver.begin();
  assert.equal((await driver.call("chat-store.getHistory")).entries.length, 1);
});

test("a scenario finds its own storage, environment and seed, and nothing of the last one", async (context) => {
  const driver = await startInline(
    context,
    `begin: async ({ seed, storage }) => {
      const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => /LLM|OPENAI|proxy/i.test(name)));
      const seen = { seed, storage, environment, kept: localStorage.getItem("k"), length: window.localStorage.length };
      localStorage.setItem("new", 5);
      return { "chat-store": { ...chatStore(${STORE}), seen: () => seen } };
    }`,
    { environment: { OPENAI_API_KEY: "stray", LLM_MODEL: "stray", https_proxy: "http://127.0.0.1:1" } },
  );
  await driver.begin({ storage: { k: "v" }, environment: { LLM_MODEL: "model-1" }, seed: 7 });
  assert.deepEqual(await driver.call("chat-store.seen"), {
    seed: 7,
    storage: { k: "v" },
    environment: { LLM_PROVIDER: "", LLM_MODEL: "model-1", LLM_API_KEY: "", LLM_BASE_URL: "" },
    kept: "v",
    length: 1,
  });
  assert.deepEqual(await driver.call("chat-store.getStorage"), { storage: { k: "v", new: "5" } });
  await driver.begin();
  assert.equal((await driver.call("chat-store.seen")).kept, null);
});

test("a reload begins again on the same storage and keeps the history, or follows the store that the driver makes", async (context) => {
  const driver = await startInline(
    context,
    `begin: async () => ({ "chat-store": chatStore(${STORE}, globalThis.again ? { reload: () => ${STORE} } : {}) }),
     end: async () => { globalThis.again = true; localStorage.clear(); }`,
  );
  for (const round of ["begin", "reload option"]) {
    await driver.begin({ storage: { k: round } });
    await driver.call("chat-store.addMessage", { message: HELLO });
    await driver.call("chat-store.reload");
    assert.deepEqual((await driver.call("chat-store.getState")).messages, [], round);
    assert.deepEqual(await driver.call("chat-store.getStorage"), { storage: { k: round } });
    const { entries } = await driver.call("chat-store.getHistory");
    assert.deepEqual(
      entries.map(({ state }) => state.messages.length),
      [0, 1, 0],
      round,
    );
  }
});

test("a stubbed tool keeps its declaration, and is itself again in the next scenario", async (context) => {
  const driver = await startInline(
    context,
    `begin: async () => {
      globalThis.tool ??= { ...${JSON.stringify(PROBE)}, execute: () => "shipped" };
      const registry = { register() {}, get: (name) => (name === "probe" ? tool : undefined), has: () => true, getAll: () => [tool].values(), toToolSchemas: () => [1] };
      return { "tool-registry": { ...toolRegistry(registry), execute: () => tool.execute({ q: "x" }, {}) } };
    }`,
    { tools: { probe: async ({ q }) => `harness ${q}` } },
  );
  await driver.begin();
  await driver.call("tool-registry.stub", { name: "probe" });
  assert.equal(await driver.call("tool-registry.execute"), "harness x");
  const definition = { ...PROBE, executable: true };
  assert.deepEqual(await driver.call("tool-registry.get", { name: "probe" }), { definition });
  assert.deepEqual(await driver.call("tool-registry.getAll"), { definitions: [definition] });
  assert.deepEqual(await driver.call("tool-registry.get", { name: "never" }), { definition: null });
  assert.deepEqual(await driver.call("tool-registry.toToolSchemas"), { schemas: [1] });
  await assert.rejects(driver.call("tool-registry.stub", { name: "never" }), { code: -32000 });
  await driver.begin();
  assert.equal(await driver.call("tool-registry.execute"), "shipped");
});

test("a relative fetch goes to the chat origin, an absolute one where it says", async (context) => {
  const [chat, other] = [await recordingServer([{ from: "chat" }]), await recordingServer([{ from: "other" }])];
  context.after(() => Promise.all([chat.close(), other.close()]));
  const driver = await startInline(
    context,
    `begin: async () => ({ "chat-store": { post: async ({ url }) => (await fetch(url, { method: "POST", body: "{}" })).json() } })`,
  );
  await driver.begin({ endpoints: { chatOrigin: chat.origin } });
  assert.deepEqual(await driver.call("chat-store.post", { url: "/api/agent/chat" }), { from: "chat" });
  assert.deepEqual(await driver.call("chat-store.post", { url: `${other.origin}/x` }), { from: "other" });
  assert.equal(chat.requests[0].url, "/api/agent/chat");
});

test("the skeleton runs as it is, beside a copy of the kit", async (context) => {
  const folder = await temporaryFolder(context);
  for (const part of ["specassay-kit.mjs", "specassay-kit", "egress.mjs"]) {
    await cp(join(KIT, part), join(folder, part), { recursive: true });
  }
  await cp(join(KIT, "skeleton", "driver.mjs"), join(folder, "driver.mjs"));
  const driver = start(context, [join(folder, "driver.mjs")]);
  assert.deepEqual((await driver.call("initialize")).surfaces, ["chat-store"]);
  await driver.begin();
  await driver.call("chat-store.addMessage", { message: { role: "user", content: "Hello" } });
  const { messages } = await driver.call("chat-store.getState");
  assert.deepEqual(
    messages.map(({ role, content }) => [role, content]),
    [["user", "Hello"]],
  );
  assert.deepEqual(await driver.call("scenario.end"), {});
});

for (const example of ["module-stores", "factory"]) {
  const argv = [join(KIT, "examples", example, "driver.mjs")];

  test(`the example ${example} holds a conversation with a good, a throwing, an unknown and a wrongly called tool`, async (context) => {
    const calls = [
      { id: "c1", name: "probe", args: { q: "x" } },
      { id: "c2", name: "broken", args: {} },
      { id: "c3", name: "never", args: {} },
      { id: "c4", name: "probe", args: { q: 5 } },
    ];
    const route = await recordingServer([
      { content: "", toolCalls: calls },
      { content: "Done", toolCalls: [] },
    ]);
    context.after(() => route.close());
    const executed = [];
    const driver = start(context, argv, {
      tools: {
        probe: async (args, given) => {
          executed.push({ args, given, agent: await driver.call("agent-store.getState") });
          return "found-8d1";
        },
        broken: async () => Promise.reject(new Error("boom-7f3a")),
      },
    });
    const { conventions = { toolResultRole: "tool", toolCallIdField: "toolCallId" } } = await driver.call("initialize");
    await driver.begin({ endpoints: { chatOrigin: route.origin } });
    await driver.call("tool-registry.register", { definition: PROBE });
    await driver.call("tool-registry.register", { definition: { ...PROBE, name: "broken", parameters: [] } });

    assert.deepEqual(await driver.call("orchestrator.run", { messages: [HELLO], context: CONTEXT }), {
      rejected: null,
    });

    assert.deepEqual(executed, [
      { args: { q: "x" }, given: CONTEXT, agent: { status: "processing", activeTool: "probe", context: null } },
    ]);
    const { method, url, body } = route.requests[0];
    assert.deepEqual([method, url, body], ["POST", "/api/agent/chat", { messages: [HELLO], context: CONTEXT }]);
    const [user, assistant, ...results] = route.requests[1].body.messages;
    assert.deepEqual([user, assistant.toolCalls], [HELLO, calls]);
    assert.deepEqual(
      results.map((result) => result[conventions.toolCallIdField]),
      ["c1", "c2", "c3", "c4"],
    );
    assert.ok(results.every(({ role }) => role === conventions.toolResultRole));
    for (const [index, text] of ["found-8d1", "boom-7f3a", "never", "q"].entries())
      assert.ok(results[index].content.includes(text), text);
    const chat = await driver.call("chat-store.getState");
    assert.deepEqual(chat, { messages: [assistant, ...results, chat.messages.at(-1)], loading: false, error: null });
    assert.equal(chat.messages.at(-1).content, "Done");
    assert.deepEqual(await driver.call("agent-store.getState"), { status: "idle", activeTool: null, context: null });
  });

  test(`the example ${example} ends at the eighth answer that calls tools, and shows an error of the route`, async (context) => {
    const call = { content: "", toolCalls: [{ id: "c", name: "transcribe_video", args: {} }] };
    const route = await recordingServer([...Array(8).fill(call), { status: 502, error: "LLM provider error" }]);
    context.after(() => route.close());
    const driver = start(context, argv, { tools: { transcribe_video: async () => null } });
    await driver.begin({ endpoints: { chatOrigin: route.origin } });
    await driver.call("tool-registry.stub", { name: "transcribe_video" });
    await driver.call("orchestrator.run", { messages: [HELLO], context: CONTEXT });
    assert.equal(route.requests.length, 8);
    const { messages } = await driver.call("chat-store.getState");
    assert.match(messages.at(-1).content, /Reached maximum iteration limit/);
    assert.equal((await driver.call("agent-store.getState")).status, "idle");

    await driver.call("orchestrator.run", { messages: [HELLO], context: CONTEXT });
    const { error, loading } = await driver.call("chat-store.getState");
    assert.ok(error.length > 0);
    assert.equal(loading, false);
    assert.equal((await driver.call("agent-store.getState")).status, "error");
  });
}

test("a store that cannot be watched is an error that names all that it lacks", async (context) => {
  const driver = await startInline(context, `begin: async () => ({ "chat-store": chatStore({ getState: () => ({}) }) })`);
  await assert.rejects(driver.begin(), {
    message: /^chat-store: subscribe, addMessage, setLoading, setError, clearMessages: no method of the store/,
  });
});

test("a begin that returns nothing is an error that says so", async (context) => {
  const driver = await startInline(context, `begin: async () => {}`);
  await assert.rejects(driver.begin(), { message: /^begin\(\) returned undefined; return the operations of each surface/ });
});
