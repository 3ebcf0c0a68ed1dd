/** The adapter of OpenAI's chat completions, and of the many servers that speak them with deviations of their own. */
import OpenAI from "openai";
import { withUniqueIds } from "../call-ids.mjs";
import { ProviderError } from "./provider-error.mjs";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/** Somebody waits for the answer, and can ask again. */
const PATIENCE = { maxRetries: 1, timeout: 120_000 };

/** @returns {import("./factory.mjs").ProviderAdapter} */
export function createOpenAiCompatibleAdapter({ model, apiKey, baseUrl = DEFAULT_BASE_URL }) {
  // What is left out here, the client would read from variables of its own.
  const client = new OpenAI({
    apiKey,
    baseURL: baseUrl,
    organization: null,
    project: null,
    logLevel: "warn",
    ...PATIENCE,
  });
  return {
    async chat({ messages, systemPrompt, toolSchemas = [] }) {
      const completion = await client.chat.completions.create({
        model,
        messages: [{ role: "system", content: systemPrompt }, ...messages.map(toMessage)],
        ...(toolSchemas.length > 0 && { tools: toolSchemas.map(toTool) }),
      });
      return readCompletion(completion);
    },
  };
}

/**
 * @param {import("../types.mjs").ChatMessage} message
 * @returns {OpenAI.ChatCompletionMessageParam}
 */
function toMessage({ role, content, toolCalls, toolCallId }) {
  if (role === "tool") return { role, tool_call_id: toolCallId, content };
  if (!toolCalls?.length) return { role, content };
  return { role, content: content || null, tool_calls: toolCalls.map(toCall) };
}

/**
 * @param {import("../types.mjs").ToolCall} call
 * @returns {OpenAI.ChatCompletionMessageToolCall}
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

/** @returns {OpenAI.ChatCompletionTool} */
function toTool({ name, description, parameters }) {
  const properties = Object.fromEntries(parameters.map(({ key, type }) => [key, { type }]));
  const required = parameters.filter(({ required }) => required).map(({ key }) => key);
  return { type: "function", function: { name, description, parameters: { type: "object", properties, required } } };
}

/** Presence of calls decides, never `finish_reason`: servers disagree about it. */
function readCompletion(completion) {
  const message = completion?.choices?.[0]?.message;
  if (!message) throw new ProviderError("The answer holds no message.");
  const given = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const calls = given.filter((call) => call?.function && (call.type ?? "function") === "function");
  const toolCalls = withUniqueIds(calls.map(readCall));
  return { content: readContent(message), ...(toolCalls.length > 0 && { toolCalls }) };
}

function readContent({ content, refusal }) {
  if (Array.isArray(content)) return content.map(({ text }) => (typeof text === "string" ? text : "")).join("");
  return content ?? refusal ?? "";
}

function readCall({ id, function: called, extra_content: extra }) {
  const thoughtSignature = extra?.google?.thought_signature;
  const args = readArguments(called.arguments);
  return { id, name: called.name ?? "", args, ...(thoughtSignature && { thoughtSignature }) };
}

/** An object, or the text of one; nothing is {}. Text of anything else is left as it is: such a call must not run. */
function readArguments(given) {
  if (typeof given !== "string") return given ?? {};
  try {
    const parsed = JSON.parse(given.trim() || "{}");
    return parsed !== null && typeof parsed === "object" && !Array.isArray(parsed) ? parsed : given;
  } catch {
    return given;
  }
}
