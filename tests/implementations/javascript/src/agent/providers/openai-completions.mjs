/** OpenAI's chat completions: the client, and what every server that speaks them answers. */
import OpenAI from "openai";
import { ProviderError } from "./provider-error.mjs";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/** Somebody waits for the answer, and can ask again. */
const PATIENCE = { maxRetries: 1, timeout: 120_000 };

/** @param {{apiKey: string, baseUrl?: string}} configuration */
export function createOpenAiClient({ apiKey, baseUrl = DEFAULT_BASE_URL }) {
  // What is left out here, the client would read from variables of its own.
  const own = { organization: null, project: null, logLevel: /** @type {const} */ ("warn") };
  return new OpenAI({ apiKey, baseURL: baseUrl, ...own, ...PATIENCE });
}

/**
 * The text of a completion, and the function calls in it as the server wrote them.
 * Presence of calls decides, never `finish_reason`: servers disagree about it.
 *
 * @param {OpenAI.ChatCompletion} completion
 * @returns {{content: string, calls: any[]}} of the calls, nothing is sure but that there is a `function`
 */
export function readCompletion(completion) {
  const message = completion?.choices?.[0]?.message;
  if (!message) throw new ProviderError("The answer holds no message.");
  /** @type {any[]} */
  const given = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const calls = given.filter((call) => call?.function && (call.type ?? "function") === "function");
  return { content: readContent(message), calls };
}

function readContent({ content, refusal }) {
  if (Array.isArray(content)) return content.map(({ text }) => (typeof text === "string" ? text : "")).join("");
  return content ?? refusal ?? "";
}

/** An object, or the text of one; nothing is {}. Text of anything else is left as it is: such a call must not run. */
export function readArguments(given) {
  if (typeof given !== "string") return given ?? {};
  try {
    const parsed = JSON.parse(given.trim() || "{}");
    return parsed !== null && typeof parsed === "object" && !Array.isArray(parsed) ? parsed : given;
  } catch {
    return given;
  }
}
