/** The loop between the chat route and the tools. Runs wait for each other. */
import { randomUUID } from "node:crypto";
import { agent, chat, stamped } from "./stores.mjs";
import { checkArguments, registry, typeOf } from "./tools.mjs";

const MAX_ITERATIONS = 8;
let lastRun = Promise.resolve();

/** Rejects after an API or network error, which the stores show by then. */
export function run(messages, context) {
  const thisRun = lastRun.then(() => converse(messages, context));
  lastRun = thisRun.catch(() => {});
  return thisRun;
}

async function converse(messages, context) {
  chat.getState().setError(null);
  chat.getState().setLoading(true);
  try {
    chat.getState().addMessage({ role: "assistant", content: await answer(messages, context) });
    agent.getState().setStatus("idle");
  } catch (error) {
    chat.getState().setError(String(error.message));
    agent.getState().setStatus("error");
    throw error;
  } finally {
    chat.getState().setLoading(false);
  }
}

/** The text that ends the conversation. */
async function answer(messages, context) {
  let history = withoutOpenCalls(messages);
  for (let iteration = 1; iteration <= MAX_ITERATIONS; iteration++) {
    agent.getState().setStatus("sending");
    const { content, toolCalls } = await ask(history, context);
    if (toolCalls.length === 0) return content;
    if (iteration === MAX_ITERATIONS) break;
    agent.getState().setStatus("processing");
    const turn = [{ role: "assistant", content, toolCalls: toolCalls.map(readable) }];
    for (const call of toolCalls) {
      turn.push({ role: "function_result", callId: call.id, content: await resolve(call, context) });
    }
    history = [...history, ...turn.map(stamped)];
    chat.getState().addTurn(history.slice(-turn.length));
  }
  return "Reached maximum iteration limit";
}

async function ask(messages, context) {
  const response = await fetch("/api/agent/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ messages, context }),
  });
  if (!response.ok) throw new Error(`The chat route answered ${response.status}.`);
  const { content, toolCalls } = await response.json();
  if (typeof content !== "string" && !toolCalls?.length) throw new Error("The chat route's answer has no content.");
  const ids = new Set();
  const withOwnId = (call) => {
    const id = call.id && !ids.has(call.id) ? call.id : randomUUID();
    ids.add(id);
    return { ...call, id };
  };
  return { content: content ?? "", toolCalls: (toolCalls ?? []).map(withOwnId) };
}

/** What a call came to, as JSON text: {result} or {error}. */
async function resolve(call, context) {
  try {
    const tool = registry.get(call.name);
    if (!tool) throw new Error(`There is no tool "${call.name}", only ${registry.names()}.`);
    const args = parsed(call.args);
    checkArguments(tool.parameters, args);
    agent.getState().setActiveTool(call.name);
    return JSON.stringify({ result: (await tool.execute(args, context)) ?? null });
  } catch (error) {
    return JSON.stringify({ error: String(error?.message ?? error) });
  } finally {
    agent.getState().setActiveTool(null);
  }
}

/** The history, where a call that was left open, by a reload say, gets an error as its result. */
function withoutOpenCalls(messages) {
  const history = [];
  let open = [];
  const close = () => {
    for (const { id } of open)
      history.push(stamped({ role: "function_result", callId: id, content: '{"error":"cancelled"}' }));
    open = [];
  };
  for (const message of messages) {
    if (message.role === "function_result") open = open.filter(({ id }) => id !== message.callId);
    else close();
    history.push(message);
    open = open.concat(message.toolCalls ?? []);
  }
  close();
  return history;
}

/** The arguments of a call as an object, also where a provider sent them as text or not at all. */
function parsed(args) {
  const value = typeof args === "string" ? JSON.parse(args.trim() || "{}") : (args ?? {});
  if (typeOf(value) !== "object") throw new Error("The arguments are no object.");
  return value;
}

/** A call for the history, whose arguments are an object even where they could not be read. */
function readable(call) {
  try {
    return { ...call, args: parsed(call.args) };
  } catch {
    return { ...call, args: {} };
  }
}
