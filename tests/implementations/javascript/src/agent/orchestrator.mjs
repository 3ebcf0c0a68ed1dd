/** The orchestrator: calls the chat route, runs the tools that it asks for, and feeds their results back. */
import { postChat } from "./chat-client.mjs";
import { CANCELLED, closeOpenCalls, toMessage } from "./history.mjs";
import { completeMessage, ExecutionState } from "./types.mjs";
import { findFault } from "./validation.mjs";

const MAX_ITERATIONS = 8;
const LIMIT_REACHED = "Reached maximum iteration limit";

/**
 * @param {object} parts
 * @param parts.chatStore the store that the conversation is shown from
 * @param parts.agentStore the store that the progress is shown from
 * @param {import("./tools/registry.mjs").ToolRegistry} parts.registry
 * @param {string} [parts.chatOrigin] the origin of the chat route; the page's own unless said
 * @returns {{run: (messages: object[], context: object) => Promise<void>, abort: () => void}} `run` rejects, without
 *   touching a store, where another run is open. Every other failure ends in `chatStore.error` and status "error".
 *   `abort` ends the open run: each of its open calls gets a cancelled result, and the status becomes "idle"
 */
export function createOrchestrator({ chatStore, agentStore, registry, chatOrigin = "" }) {
  const chat = chatStore.getState();
  const agent = agentStore.getState();
  let openRun = null;

  async function run(messages, context) {
    if (openRun) throw new Error("A run is open already; wait for its end or abort it.");
    openRun = new AbortController();
    chat.setError(null);
    chat.setLoading(true);
    try {
      await converse(messages, context, openRun.signal);
      agent.setStatus(ExecutionState.IDLE);
    } catch (error) {
      if (!openRun.signal.aborted) chat.setError(error.message || "The chat failed.");
      agent.setStatus(openRun.signal.aborted ? ExecutionState.IDLE : ExecutionState.ERROR);
    } finally {
      chat.setLoading(false);
      openRun = null;
    }
  }

  async function converse(messages, context, signal) {
    let history = closeOpenCalls(messages);
    for (let iteration = 1; iteration <= MAX_ITERATIONS; iteration++) {
      agent.setStatus(ExecutionState.SENDING);
      const { content, toolCalls, faults } = await postChat(chatOrigin, { messages: history, context }, signal);
      if (toolCalls.length === 0) return chat.addMessage({ role: "assistant", content });
      if (iteration === MAX_ITERATIONS) break; // nobody would read the results
      const results = await resolveToolCalls(toolCalls, faults, context, signal);
      // A call and its result are stored as one: no reload finds a call that nobody answered.
      const turn = [completeMessage({ role: "assistant", content, toolCalls }), ...results.map(toMessage)];
      chat.addMessages(turn);
      history = [...history, ...turn];
      signal.throwIfAborted();
    }
    chat.addMessage({ role: "assistant", content: LIMIT_REACHED });
  }

  async function resolveToolCalls(toolCalls, faults, context, signal) {
    const results = [];
    agent.setStatus(ExecutionState.PROCESSING);
    for (const call of toolCalls) results.push(await resolveToolCall(call, faults.get(call.id), context, signal));
    return results;
  }

  /** One call's ToolResult. It never rejects: what goes wrong is the result's error, so that the model can recover. */
  async function resolveToolCall(call, unreadable, context, signal) {
    const result = { toolCallId: call.id, name: call.name, result: null };
    if (signal.aborted) return { ...result, error: CANCELLED };
    const tool = registry.get(call.name);
    if (!tool) return { ...result, error: `Unknown tool "${call.name}". Available: ${registry.names().join(", ")}.` };
    const fault = unreadable ?? findFault(tool.parameters, call.args);
    if (fault) return { ...result, error: fault };
    agent.setActiveTool(call.name);
    try {
      const running = tool.execute(structuredClone(call.args), structuredClone(context), signal);
      return { ...result, result: toJson(await Promise.race([running, aborted(signal)])) };
    } catch (error) {
      return { ...result, error: signal.aborted ? CANCELLED : messageOf(error, call.name) };
    } finally {
      agent.setActiveTool(null);
    }
  }

  return { run, abort: () => openRun?.abort() };
}

function aborted(signal) {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function messageOf(error, name) {
  return String(error?.message ?? error) || `Tool "${name}" failed.`;
}

/** A copy of a tool's result that JSON can hold; throws where it cannot. */
function toJson(value) {
  return JSON.parse(JSON.stringify(value ?? null));
}
