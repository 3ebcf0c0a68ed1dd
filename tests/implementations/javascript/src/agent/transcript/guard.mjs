/** The guard of a transcript: every call is answered exactly once, right after the message that made it. */
import { TranscriptError } from "./transcript-error.mjs";

/**
 * Matches by adjacency: a reply counts only in the run of tool messages that follows its assistant message, so an id
 * may be used again in a later turn.
 *
 * @param {import("./messages.mjs").TranscriptMessage[]} messages
 * @throws {TranscriptError} where a reply has no call, or a call no reply
 */
export function guardTranscript(messages) {
  let open = new Set();
  for (const [index, { role, toolCalls, toolCallId }] of messages.entries()) {
    if (role === "tool") {
      if (!open.delete(toolCallId)) throw new TranscriptError(`Message ${index} answers no open call: ${toolCallId}`);
      continue;
    }
    refuseOpen(open, `before message ${index}`);
    open = new Set(toolCalls?.map(({ id }) => id));
  }
  refuseOpen(open, "at the end");
}

function refuseOpen(open, place) {
  if (open.size > 0) throw new TranscriptError(`Calls without a reply ${place}: ${[...open].join(", ")}`);
}
