/**
 * The shared types of the agent, and zod schemas of those that come from outside.
 *
 * A ToolCall keeps further fields on its way through route, store and route: a provider's `thoughtSignature` comes back
 * to the provider with the call that it came with.
 *
 * @typedef {z.infer<typeof chatMessage>} ChatMessage
 * @typedef {z.infer<typeof toolCall>} ToolCall
 * @typedef {{toolCallId: string, name: string, result: unknown, error?: string}} ToolResult
 * @typedef {"idle" | "sending" | "processing" | "responding" | "error"} ExecutionState
 * @typedef {z.infer<typeof mediaSummary>} MediaSummary
 * @typedef {z.infer<typeof agentContext>} AgentContext
 * @typedef {z.infer<typeof toolDefinition>} ToolDefinition
 * @typedef {Pick<ToolDefinition, "name" | "description" | "parameters">} ToolSchema the internal format of a tool
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";

/** The values of ExecutionState. */
export const ExecutionState = Object.freeze({
  IDLE: "idle",
  SENDING: "sending",
  PROCESSING: "processing",
  RESPONDING: "responding",
  ERROR: "error",
});

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

/** `duration` is in seconds, null where there is none. */
const mediaSummary = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  duration: z.number().nullable(),
});

const agentContext = z.looseObject({
  projectId: z.string().nullable(),
  activeSceneId: z.string().nullable(),
  mediaAssets: z.array(mediaSummary),
  playbackTimeMs: z.number(),
});

/**
 * The context where no project is open.
 * @type {AgentContext}
 */
export const EMPTY_CONTEXT = { projectId: null, activeSceneId: null, mediaAssets: [], playbackTimeMs: 0 };

const toolCall = z.looseObject({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  thoughtSignature: z.string().nullish(),
});

/** A ChatMessage; one with role "tool" is the result of a call, and says by `toolCallId` of which. */
const chatMessage = z
  .looseObject({
    id: z.string().optional(),
    role: z.enum(["user", "assistant", "tool"]),
    content: z.string(),
    toolCalls: z.array(toolCall).nullish(),
    toolCallId: z.string().optional(),
    timestamp: z.number().optional(),
  })
  .refine(({ role, toolCallId }) => role !== "tool" || toolCallId, "a tool message has a toolCallId");

/** What the chat route is sent. Without a context it is the empty one. */
export const chatRequest = z.looseObject({
  messages: z.array(chatMessage).min(1),
  context: agentContext.nullish().transform((context) => context ?? EMPTY_CONTEXT),
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
