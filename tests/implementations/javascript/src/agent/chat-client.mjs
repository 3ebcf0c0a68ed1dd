/** The client of the chat route: one POST, and what came back in the shapes of types.mjs. */
import { withUniqueIds } from "./call-ids.mjs";
import { chatResponse } from "./types.mjs";
import { typeOf } from "./validation.mjs";

/**
 * POSTs the conversation and reads the answer.
 *
 * @param {string} origin the origin of the chat route; "" is the page's own
 * @param {{messages: object[], context?: object}} body
 * @param {AbortSignal} signal
 * @returns {Promise<{content: string, toolCalls: import("./types.mjs").ToolCall[], faults: Map<string, string>}>}
 *   `faults` says by call id which arguments could not be read; such a call has the arguments {} and must not run
 */
export async function postChat(origin, body, signal) {
  const response = await fetch(`${origin}/api/agent/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(`The chat route answered ${response.status}${reasonOf(answer)}`);
  const parsed = chatResponse.safeParse(answer);
  if (!parsed.success) throw new Error(`The chat route's answer cannot be read: ${parsed.error.issues[0].message}`);
  return { content: parsed.data.content ?? "", ...readCalls(parsed.data.toolCalls ?? []) };
}

function reasonOf(answer) {
  return typeof answer?.error === "string" ? `: ${answer.error}` : ".";
}

/** Gives every call an id of its own, and its arguments as an object. */
function readCalls(calls) {
  const faults = new Map();
  const toolCalls = withUniqueIds(calls).map((call) => {
    const { args, fault } = readArguments(call.args);
    if (fault) faults.set(call.id, fault);
    return { ...call, args };
  });
  return { toolCalls, faults };
}

/** An object as it is; nothing is {}; JSON text is parsed; anything else is a fault. */
function readArguments(args) {
  if (args === null || args === undefined) return { args: {} };
  if (typeof args === "string") {
    try {
      args = JSON.parse(args.trim() || "{}");
    } catch {
      return { args: {}, fault: `Malformed arguments, not valid JSON: ${args}` };
    }
  }
  return typeOf(args) === "object"
    ? { args }
    : { args: {}, fault: `Malformed arguments: expected an object, got ${typeOf(args)}.` };
}
