/**
 * The shared types of the agent, and zod schemas of those that come from outside.
 *
 * @typedef {{id: string, role: string, content: string, toolCalls?: ToolCall[], timestamp: number}} ChatMessage
 * @typedef {{id: string, name: string, args: Record<string, unknown>}} ToolCall
 * @typedef {{toolCallId: string, name: string, result: unknown, error?: string}} ToolResult
 * @typedef {"idle" | "sending" | "processing" | "responding" | "error"} ExecutionState
 * @typedef {object} AgentContext
 * @property {string | null} projectId
 * @property {string | null} activeSceneId
 * @property {{id: string, name: string, type: string, duration: number}[]} mediaAssets
 * @property {number} playbackTimeMs
 * @typedef {z.infer<typeof toolDefinition>} ToolDefinition
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";

/** A name that every provider takes: OpenAI's characters, and Gemini's first one. */
const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

export const toolDefinition = z.looseObject({
  name: z.string().regex(TOOL_NAME, "a tool name is a letter or _ and up to 63 of a-z, A-Z, 0-9, _ and -"),
  description: z.string(),
  parameters: z.array(
    z.looseObject({
      key: z.string().min(1),
      type: z.enum(["string", "number", "boolean", "object", "array"]),
      required: z.boolean(),
    }),
  ),
  execute: z.custom((value) => typeof value === "function", "execute is a function"),
});

/** What the chat route answers. Further fields of a call, a provider's signature say, are kept. */
export const chatResponse = z
  .object({
    content: z.string().nullish(),
    toolCalls: z
      .array(
        z.looseObject({
          id: z.string().nullish().catch(null),
          name: z.string().catch(""),
          args: z.unknown().optional(),
        }),
      )
      .nullish(),
  })
  .refine(
    ({ content, toolCalls }) => typeof content === "string" || toolCalls?.length > 0,
    "no content and no tool calls",
  );

/** A ChatMessage with an id and a timestamp of its own, unless it has them. */
export function completeMessage(message) {
  return { ...message, id: message.id ?? randomUUID(), timestamp: message.timestamp ?? Date.now() };
}
