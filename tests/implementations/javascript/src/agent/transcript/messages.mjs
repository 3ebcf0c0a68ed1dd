/**
 * The messages of a transcript: a conversation with the model's tool calls and their replies as data.
 *
 * `rawArguments` is the JSON text as the model wrote it, and is what a provider is sent again; `arguments` is what was
 * parsed of it.
 *
 * @typedef {z.infer<typeof transcriptMessage>} TranscriptMessage
 * @typedef {z.infer<typeof toolCall>} TranscriptCall
 */
import { z } from "zod";
import { describeIssue, TranscriptError } from "./transcript-error.mjs";

const toolCall = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()),
  rawArguments: z.string(),
});

const content = z.string();
const noCalls = z.array(toolCall).max(0, "only an assistant makes calls").nullish();
const noReply = z.null("only a tool message answers a call").optional();

const calls = z
  .array(toolCall)
  .refine((made) => new Set(made.map(({ id }) => id)).size === made.length, "two calls have the same id");

const transcriptMessage = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content, toolCalls: noCalls, toolCallId: noReply }),
  z.object({ role: z.literal("user"), content, toolCalls: noCalls, toolCallId: noReply }),
  z.object({ role: z.literal("assistant"), content, toolCalls: calls.nullish(), toolCallId: noReply }),
  z.object({ role: z.literal("tool"), content, toolCalls: noCalls, toolCallId: z.string().min(1) }),
]);

/**
 * @param {unknown} message
 * @returns {TranscriptMessage}
 * @throws {TranscriptError} where it is none
 */
export function parseMessage(message) {
  const { success, data, error } = transcriptMessage.safeParse(message);
  if (!success) throw new TranscriptError(`Not a message of a transcript: ${describeIssue(error)}`);
  return data;
}
