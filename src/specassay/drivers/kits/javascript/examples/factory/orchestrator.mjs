/** The loop between the chat route and the tools, for one conversation. A second run is refused while one is open. */
import { randomUUID } from "node:crypto";
import { checkArguments, readArguments } from "./tools.mjs";

const MAX_ITERATIONS = 8;

export class Orchestrator {
  #chat;
  #agent;
  #registry;
  #url;
  #abort = null;

  constructor({ chat, agent, registry, chatOrigin }) {
    this.#chat = chat;
    this.#agent = agent;
    this.#registry = registry;
    this.#url = `${chatOrigin}/api/agent/chat`;
  }

  abort() {
    this.#abort?.abort();
  }

  async run(messages, context) {
    if (this.#abort) throw new Error("A run is open.");
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#chat.setError(null);
    this.#chat.setLoading(true);
    try {
      await this.#converse(messages, context, signal);
      this.#agent.setStatus("idle");
    } catch (error) {
      if (!signal.aborted) this.#chat.setError(error.message);
      this.#agent.setStatus(signal.aborted ? "idle" : "error");
    } finally {
      this.#chat.setLoading(false);
      this.#abort = null;
    }
  }

  async #converse(messages, context, signal) {
    messages = closeOpenCalls(messages);
    for (let iteration = 1; iteration <= MAX_ITERATIONS; iteration++) {
      this.#agent.setStatus("sending");
      const { content, calls } = await this.#ask({ messages, context }, signal);
      if (calls.length === 0) return this.#chat.addMessage({ role: "assistant", content });
      if (iteration === MAX_ITERATIONS) break;
      this.#agent.setStatus("processing");
      const results = [];
      for (const call of calls)
        results.push(message("tool", await this.#resolve(call, context, signal), { toolCallId: call.id }));
      const toolCalls = calls.map(({ fault, ...call }) => call);
      const turn = [message("assistant", content, { toolCalls }), ...results];
      this.#chat.addMessages(turn);
      messages = [...messages, ...turn];
      signal.throwIfAborted();
    }
    this.#chat.addMessage({ role: "assistant", content: "Reached maximum iteration limit" });
  }

  async #ask(body, signal) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(this.#url, { method: "POST", headers, body: JSON.stringify(body), signal });
    if (!response.ok) throw new Error(`The chat route answered ${response.status}.`);
    const { content, toolCalls } = await response.json();
    if (typeof content !== "string" && !toolCalls?.length) throw new Error("The chat route answered without content.");
    return { content: content ?? "", calls: readCalls(toolCalls ?? []) };
  }

  /** The text of a call's result, which says what went wrong where something did. */
  async #resolve(call, context, signal) {
    try {
      signal.throwIfAborted();
      const tool = this.#registry.get(call.name);
      if (!tool) throw new Error(this.#registry.unknown(call.name));
      if (call.fault) throw call.fault;
      checkArguments(call.args, tool.parameters);
      this.#agent.setActiveTool(call.name);
      const result = await Promise.race([tool.execute(call.args, context), rejectedBy(signal)]);
      return JSON.stringify({ result: result ?? null });
    } catch (error) {
      return JSON.stringify({ error: signal.aborted ? "cancelled" : String(error?.message ?? error) });
    } finally {
      this.#agent.setActiveTool(null);
    }
  }
}

/** Gives each call an id of its own and arguments that are an object; `fault` says why they could not be read. */
function readCalls(calls) {
  const ids = new Set();
  return calls.map((call) => {
    const id = call.id && !ids.has(call.id) ? call.id : randomUUID();
    ids.add(id);
    try {
      return { ...call, id, args: readArguments(call.args) };
    } catch (fault) {
      return { ...call, id, args: {}, fault };
    }
  });
}

/** The history with a result for each call that was left open, by a reload say: no provider takes it without. */
function closeOpenCalls(messages) {
  return messages.flatMap((each, index) => {
    const next = messages.findIndex(({ role }, position) => position > index && role !== "tool");
    const answers = messages.slice(index + 1, next === -1 ? undefined : next);
    const open = (each.toolCalls ?? []).filter(({ id }) => !answers.some(({ toolCallId }) => toolCallId === id));
    return [each, ...open.map(({ id }) => message("tool", JSON.stringify({ error: "cancelled" }), { toolCallId: id }))];
  });
}

function message(role, content, more) {
  return { id: randomUUID(), timestamp: Date.now(), role, content, ...more };
}

function rejectedBy(signal) {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
