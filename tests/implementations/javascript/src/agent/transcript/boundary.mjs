/** The boundary of the server: what a client may bring into a transcript, and what it is shown of one. */
import { z } from "zod";
import { describeIssue, TranscriptError } from "./transcript-error.mjs";

const said = z.strictObject({ role: z.enum(["user", "assistant"]), content: z.string() });

const publicRequest = z.object({ messages: z.array(said) });

/**
 * The messages of a request from outside. Calls and replies are the server's own to write.
 *
 * @param {unknown} request
 * @returns {{role: "user" | "assistant", content: string}[]}
 * @throws {TranscriptError} where it brings anything else
 */
export function acceptPublicRequest(request) {
  const { success, data, error } = publicRequest.safeParse(request);
  if (!success) throw new TranscriptError(`Not a public request: ${describeIssue(error)}`);
  return data.messages;
}

/**
 * What was said, without the calls, their replies, and the instructions of the system.
 * @param {{role: string, content: string}[]} messages
 */
export function projectHistory(messages) {
  const shown = messages.filter(({ role, content }) => (role === "user" || role === "assistant") && content !== "");
  return shown.map(({ role, content }) => ({ role, content }));
}
