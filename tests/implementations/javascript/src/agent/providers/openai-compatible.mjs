/** The adapter of OpenAI's chat completions, and of the many servers that speak them with deviations of their own. */
import { withUniqueIds } from "../call-ids.mjs";
import { createOpenAiClient, readArguments, readCompletion } from "./openai-completions.mjs";

/** @returns {import("./factory.mjs").ProviderAdapter} */
export function createOpenAiCompatibleAdapter({ model, apiKey, baseUrl }) {
  const client = createOpenAiClient({ apiKey, baseUrl });
  return {
    async chat({ messages, systemPrompt, toolSchemas = [] }) {
      const completion = await client.chat.completions.create({
        model,
        messages: [{ role: "system", content: systemPrompt }, ...messages.map(toMessage)],
        ...(toolSchemas.length > 0 && { tools: toolSchemas.map(toTool) }),
      });
      const { content, calls } = readCompletion(completion);
      const toolCalls = withUniqueIds(calls.map(readCall));
      return { content, ...(toolCalls.length > 0 && { toolCalls }) };
    },
  };
}

/**
 * @param {import("../types.mjs").ChatMessage} message
 * @returns {import("openai").OpenAI.ChatCompletionMessageParam}
 */
function toMessage({ role, content, toolCalls, toolCallId }) {
  if (role === "tool") return { role, tool_call_id: toolCallId, content };
  if (!toolCalls?.length) return { role, content };
  return { role, content: content || null, tool_calls: toolCalls.map(toCall) };
}

/**
 * @param {import("../types.mjs").ToolCall} call
 * @returns {import("openai").OpenAI.ChatCompletionMessageToolCall}
 */
function toCall({ id, name, args, thoughtSignature }) {
  return {
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
    // Gemini's OpenAI-compatible endpoint signs its calls, and wants the signature back.
    ...(thoughtSignature && { extra_content: { google: { thought_signature: thoughtSignature } } }),
  };
}

/** @returns {import("openai").OpenAI.ChatCompletionTool} */
function toTool({ name, description, parameters }) {
  const properties = Object.fromEntries(parameters.map(({ key, type }) => [key, { type }]));
  const required = parameters.filter(({ required }) => required).map(({ key }) => key);
  return { type: "function", function: { name, description, parameters: { type: "object", properties, required } } };
}

function readCall({ id, function: called, extra_content: extra }) {
  const thoughtSignature = extra?.google?.thought_signature;
  const args = readArguments(called.arguments);
  return { id, name: called.name ?? "", args, ...(thoughtSignature && { thoughtSignature }) };
}
