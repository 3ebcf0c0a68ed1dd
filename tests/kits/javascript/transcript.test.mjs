import assert from "node:assert/strict";
import { startInline, test } from "./harness.mjs";

const MESSAGES = [{ role: "user", content: "Hello" }];

/** `product` is the source of what `transcript` takes. */
async function begin(context, product) {
  const driver = await startInline(context, `begin: async () => ({ transcript: transcript(${product}) })`);
  await driver.begin();
  return driver;
}

/** A product that answers with what it was given, as text. */
const ECHO = `{
  validateMessage: ({ role, ...rest }) => {
    if (role === "narrator") throw new RangeError("no role: narrator");
    return { role, ...rest };
  },
  send: async (request) => ({ content: JSON.stringify(["send", request]) }),
  chatAgent: { name: "chat", async respond(request) { return { content: JSON.stringify([this.name, request]) }; } },
  eventAgent: { name: "event", async generateArguments(request) { return { arguments: request, rawArguments: this.name }; } },
  runtime: { name: "runtime", async respond(turn) { return { content: JSON.stringify([this.name, turn]) }; } },
  OPTIONAL
}`;

test("each operation calls its own part of the product, on that part", async (context) => {
  const driver = await begin(context, ECHO.replace("OPTIONAL", ""));
  const request = { messages: MESSAGES, tools: [], toolChoice: "none" };
  for (const [operation, name] of [
    ["send", "send"],
    ["chatAgent.respond", "chat"],
  ]) {
    const { content } = await driver.call(`transcript.${operation}`, request);
    assert.deepEqual(JSON.parse(content), [name, request]);
  }
  const chosen = { messages: MESSAGES, tools: [{ name: "probe" }], selected: "probe" };
  const generated = await driver.call("transcript.eventAgent.generateArguments", chosen);
  assert.deepEqual(generated, { arguments: chosen, rawArguments: "event" });
  const turn = { text: "Hello", tools: [] };
  const { content } = await driver.call("transcript.runtime.respond", turn);
  assert.deepEqual(JSON.parse(content), ["runtime", turn]);
});

test("tools and a choice that are null were not given", async (context) => {
  const driver = await begin(context, ECHO.replace("OPTIONAL", ""));
  for (const operation of ["send", "chatAgent.respond"]) {
    const params = { messages: MESSAGES, tools: null, toolChoice: null };
    const { content } = await driver.call(`transcript.${operation}`, params);
    assert.deepEqual(JSON.parse(content)[1], { messages: MESSAGES });
  }
});

test("a message comes back as the product has it, and its rejection is the product's own error", async (context) => {
  const driver = await begin(context, ECHO.replace("OPTIONAL", ""));
  const message = { role: "tool", content: "found", toolCallId: "c1" };
  assert.deepEqual(await driver.call("transcript.validateMessage", { message }), { message });
  const rejected = driver.call("transcript.validateMessage", { message: { role: "narrator" } });
  await assert.rejects(rejected, { code: -32000, data: { message: "no role: narrator", kind: "RangeError" } });
});

test("the optional operations are there where the product has them", async (context) => {
  const optional = `acceptPublicRequest: ({ messages }) => messages.slice(1), projectHistory: async (messages) => messages.slice(2)`;
  const messages = [1, 2, 3];
  const full = await begin(context, ECHO.replace("OPTIONAL", optional));
  const accepted = await full.call("transcript.acceptPublicRequest", { request: { messages } });
  assert.deepEqual(accepted, { messages: [2, 3] });
  assert.deepEqual(await full.call("transcript.projectHistory", { messages }), { messages: [3] });

  const bare = await begin(context, ECHO.replace("OPTIONAL", ""));
  for (const operation of ["acceptPublicRequest", "projectHistory"]) {
    await assert.rejects(bare.call(`transcript.${operation}`, { request: {}, messages }), { code: -32601 });
  }
});

for (const name of ["chatAgent", "respond", "chatAgent.respond.call", "constructor", "chatAgent.toString", ""]) {
  test(`"transcript.${name}" is no operation`, async (context) => {
    const driver = await begin(context, ECHO.replace("OPTIONAL", ""));
    await assert.rejects(driver.call(`transcript.${name}`), { code: -32601 });
  });
}
