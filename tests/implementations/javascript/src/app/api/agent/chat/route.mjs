/** POST /api/agent/chat: hands the conversation to the configured provider, with the system prompt and the tools. */
import { createProviderAdapter } from "../../../../agent/providers/factory.mjs";
import { ConfigurationError, readConfiguration } from "../../../../agent/providers/configuration.mjs";
import { buildSystemPrompt } from "../../../../agent/system-prompt.mjs";
import { createToolRegistry } from "../../../../agent/tools/registry.mjs";
import { chatRequest } from "../../../../agent/types.mjs";

export const POST = createPost(createToolRegistry());

/**
 * @param {import("../../../../agent/tools/registry.mjs").ToolRegistry} registry the tools that the model is offered
 * @returns {(request: Request) => Promise<Response>}
 */
export function createPost(registry) {
  return async (request) => {
    const body = await request.json().catch(() => undefined);
    const { success, data, error } = chatRequest.safeParse(body);
    if (!success) return Response.json({ error: describe(error) }, { status: 400 });
    try {
      const adapter = createProviderAdapter(readConfiguration(process.env));
      const { content, toolCalls } = await adapter.chat({
        messages: data.messages,
        systemPrompt: buildSystemPrompt(data.context),
        toolSchemas: registry.toToolSchemas(),
      });
      return Response.json({ content, toolCalls });
    } catch (failure) {
      return toResponse(failure);
    }
  };
}

/**
 * Where the first fault is and what was expected there; never what was sent.
 * @param {import("zod").ZodError} error
 */
function describe({ issues: [{ path, message }] }) {
  return `Invalid request${path.length > 0 ? `, ${path.join(".")}` : ""}: ${message}`;
}

/** Neither the answer nor the log says what a provider wrote, or what a variable holds: both may hold the key. */
function toResponse(failure) {
  const wrong = failure instanceof ConfigurationError;
  console.error("The chat failed:", failure.name, wrong ? failure.variable : (failure.status ?? ""));
  const error = wrong ? `Missing or invalid configuration: ${failure.variable}` : "LLM provider error";
  return Response.json({ error }, { status: 502 });
}
