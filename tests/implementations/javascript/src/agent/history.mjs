/** Tool results in the message history, where every call is followed by its result. */
import { completeMessage } from "./types.mjs";

export const CANCELLED = "Cancelled.";

/**
 * A ToolResult as a message of the history.
 * @param {import("./types.mjs").ToolResult} outcome
 */
export function toMessage({ toolCallId, name, result, error }) {
  const text = typeof result === "string" ? result : JSON.stringify(result);
  const content = error === undefined ? text : JSON.stringify({ error });
  return completeMessage({ role: "tool", toolCallId, name, content });
}

/** The history with a cancelled result for each open call: a client that ended early leaves such calls. */
export function closeOpenCalls(messages) {
  return messages.flatMap((message, index) => {
    if (!message.toolCalls?.length) return [message];
    const after = messages.slice(index + 1);
    const end = after.findIndex(({ role }) => role !== "tool");
    const answered = new Set(after.slice(0, end === -1 ? undefined : end).map(({ toolCallId }) => toolCallId));
    const open = message.toolCalls.filter(({ id }) => !answered.has(id));
    return [
      message,
      ...open.map(({ id, name }) => toMessage({ toolCallId: id, name, result: null, error: CANCELLED })),
    ];
  });
}
