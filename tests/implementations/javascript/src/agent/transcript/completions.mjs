/**
 * The client of chat completions for transcripts. Whatever it refuses never reaches the network.
 *
 * @typedef {{name: string, description: string, parameters: object}} Tool `parameters` is a JSON Schema
 * @typedef {"none" | "auto" | "required" | {name: string}} ToolChoice an object names the function that is forced
 * @typedef {object} CompletionRequest
 * @property {unknown[]} messages
 * @property {Tool[]} [tools]
 * @property {ToolChoice} [toolChoice] nothing is forced unless it says so
 *
 * @typedef {{content: string, toolCalls?: import("./messages.mjs").TranscriptCall[]}} Completion
 * @typedef {(request: CompletionRequest) => Promise<Completion>} Complete
 */
import { withUniqueIds } from "../call-ids.mjs";
import { createOpenAiClient, readArguments, readCompletion } from "../providers/openai-completions.mjs";
import { ProviderError } from "../providers/provider-error.mjs";
import { guardTranscript } from "./guard.mjs";
import { parseMessage } from "./messages.mjs";
import { TranscriptError } from "./transcript-error.mjs";

/**
 * @param {{model: string, apiKey: string, baseUrl?: string}} configuration
 * @returns {Complete} rejects with a TranscriptError where the transcript or the choice is illegal
 */
export function createCompletions({ model, apiKey, baseUrl }) {
  const client = createOpenAiClient({ apiKey, baseUrl });
  return async ({ messages, tools = [], toolChoice }) => {
    const transcript = messages.map(parseMessage);
    guardTranscript(transcript);
    guardChoice(toolChoice, tools);
    const completion = await client.chat.completions.create({
      model,
      messages: transcript.map(toWire),
      ...(tools.length > 0 && { tools: tools.map(toTool) }),
      ...(toolChoice && { tool_choice: toChoice(toolChoice) }),
    });
    const { content, calls } = readCompletion(completion);
    const toolCalls = withUniqueIds(calls.map(readCall));
    return { content, ...(toolCalls.length > 0 && { toolCalls }) };
  };
}

const CHOICES = ["none", "auto", "required"];

/** @param {Tool[]} tools */
function guardChoice(choice, tools) {
  if (!choice) return;
  const name = choice.name;
  if (name === undefined && !CHOICES.includes(choice)) throw new TranscriptError(`No tool choice: ${choice}`);
  if (name !== undefined && !tools.some((tool) => tool.name === name)) {
    throw new TranscriptError(`The choice forces a tool that is not offered: ${name}`);
  }
  if (tools.length === 0 && choice !== "none") throw new TranscriptError("There are no tools to choose from.");
}

/**
 * @param {import("./messages.mjs").TranscriptMessage} message
 * @returns {import("openai").OpenAI.ChatCompletionMessageParam}
 */
function toWire({ role, content, toolCalls, toolCallId }) {
  if (role === "tool") return { role, tool_call_id: toolCallId, content };
  if (!toolCalls?.length) return { role, content };
  return { role: "assistant", content: content || null, tool_calls: toolCalls.map(toCall) };
}

/** @returns {import("openai").OpenAI.ChatCompletionMessageToolCall} */
function toCall({ id, name, rawArguments }) {
  return { id, type: "function", function: { name, arguments: rawArguments } };
}

/** @returns {import("openai").OpenAI.ChatCompletionTool} */
function toTool({ name, description, parameters }) {
  return { type: "function", function: { name, description, parameters } };
}

/**
 * @param {ToolChoice} choice
 * @returns {import("openai").OpenAI.ChatCompletionToolChoiceOption}
 */
function toChoice(choice) {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}

function readCall({ id, function: { name, arguments: given } }) {
  const parsed = readArguments(given);
  if (typeof parsed !== "object" || Array.isArray(parsed)) {
    throw new ProviderError(`The arguments of the call of ${name} are no JSON object.`);
  }
  // Some servers leave them out, or write an object: what is sent again is a text in any case.
  const rawArguments = typeof given === "string" ? given : JSON.stringify(parsed);
  return { id, name: name ?? "", arguments: parsed, rawArguments };
}
