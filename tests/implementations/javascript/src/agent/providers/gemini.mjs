/** The adapter of Gemini's generateContent. */
import { GoogleGenAI, Type } from "@google/genai";
import { withUniqueIds } from "../call-ids.mjs";
import { ProviderError } from "./provider-error.mjs";

const BASE_URL = "https://generativelanguage.googleapis.com/";

/** Reasons for which a call that stands in the answer must not run. */
const FAILED_CALL = new Set(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"]);

/** @returns {import("./factory.mjs").ProviderAdapter} */
export function createGeminiAdapter({ model, apiKey }) {
  // What is left out here, the client would read from variables of its own.
  const client = new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl: BASE_URL } });
  return {
    async chat({ messages, systemPrompt, toolSchemas = [] }) {
      const response = await client.models.generateContent({
        model,
        contents: toContents(messages),
        config: {
          systemInstruction: systemPrompt,
          ...(toolSchemas.length > 0 && { tools: [{ functionDeclarations: toolSchemas.map(toDeclaration) }] }),
        },
      });
      return readResponse(response);
    },
  };
}

/**
 * The results of one turn go into one content, since Gemini counts them against the calls of the turn before.
 * @param {import("../types.mjs").ChatMessage[]} messages
 */
function toContents(messages) {
  const contents = [];
  let names = new Map(); // of the calls of the turn, by id: a result is matched by its function's name
  let results = null;
  for (const { role, content, toolCalls, toolCallId, name } of messages) {
    if (role === "tool") {
      if (!results) contents.push((results = { role: "user", parts: [] }));
      const called = names.get(toolCallId) ?? name ?? toolCallId;
      results.parts.push({ functionResponse: { id: toolCallId, name: called, response: toResponse(content) } });
      continue;
    }
    results = null;
    names = new Map(toolCalls?.map((call) => [call.id, call.name]));
    const calls = (toolCalls ?? []).map(toCallPart);
    const text = content || calls.length === 0 ? [{ text: content }] : [];
    contents.push({ role: role === "assistant" ? "model" : "user", parts: [...text, ...calls] });
  }
  return contents;
}

/** @param {import("../types.mjs").ToolCall} call */
function toCallPart({ id, name, args, thoughtSignature }) {
  return { functionCall: { id, name, args }, ...(thoughtSignature && { thoughtSignature }) };
}

/** A result has to be an object. */
function toResponse(content) {
  try {
    const parsed = JSON.parse(content);
    return parsed !== null && typeof parsed === "object" && !Array.isArray(parsed) ? parsed : { result: parsed };
  } catch {
    return { result: content };
  }
}

function toDeclaration({ name, description, parameters }) {
  if (parameters.length === 0) return { name, description }; // some versions refuse an object without properties
  const properties = Object.fromEntries(parameters.map(({ key, type }) => [key, toSchema(type)]));
  const required = parameters.filter(({ required }) => required).map(({ key }) => key);
  return { name, description, parameters: { type: Type.OBJECT, properties, required } };
}

/** Gemini refuses an array whose items are not declared. */
function toSchema(type) {
  return type === "array" ? { type: Type.ARRAY, items: { type: Type.STRING } } : { type: Type[type.toUpperCase()] };
}

/** @param {import("@google/genai").GenerateContentResponse} response */
function readResponse({ candidates, promptFeedback }) {
  const candidate = candidates?.[0];
  if (!candidate) throw new ProviderError(`No candidate: ${promptFeedback?.blockReason ?? "no reason is given"}.`);
  const { content, finishReason } = candidate;
  if (FAILED_CALL.has(finishReason)) throw new ProviderError(`The model's call failed: ${finishReason}.`);
  const parts = content?.parts ?? [];
  const toolCalls = withUniqueIds(parts.filter(({ functionCall }) => functionCall).map(readCall));
  const text = parts.filter((part) => typeof part.text === "string" && !part.thought).map((part) => part.text);
  if (parts.length === 0 && finishReason !== "STOP") throw new ProviderError(`No answer: ${finishReason}.`);
  return { content: text.join(""), ...(toolCalls.length > 0 && { toolCalls }) };
}

function readCall({ functionCall: { id, name, args }, thoughtSignature }) {
  return { id, name: name ?? "", args: args ?? {}, ...(thoughtSignature && { thoughtSignature }) };
}
