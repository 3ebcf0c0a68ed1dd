/**
 * The provider adapters by name.
 *
 * @typedef {object} ProviderChatParams
 * @property {import("../types.mjs").ChatMessage[]} messages
 * @property {string} systemPrompt
 * @property {import("../types.mjs").ToolSchema[]} [toolSchemas]
 *
 * @typedef {object} ProviderChatResponse
 * @property {string} content
 * @property {import("../types.mjs").ToolCall[]} [toolCalls] the `args` of a call that cannot be read are its text
 *
 * @typedef {{chat: (params: ProviderChatParams) => Promise<ProviderChatResponse>}} ProviderAdapter
 */
import { ConfigurationError } from "./configuration.mjs";
import { createGeminiAdapter } from "./gemini.mjs";
import { createOpenAiCompatibleAdapter } from "./openai-compatible.mjs";

const ADAPTERS = new Map([
  ["openai-compatible", createOpenAiCompatibleAdapter],
  ["gemini", createGeminiAdapter],
]);

/**
 * @param {{provider: string, model: string, apiKey: string, baseUrl?: string}} configuration
 * @returns {ProviderAdapter}
 * @throws {ConfigurationError} where the provider is unknown
 */
export function createProviderAdapter(configuration) {
  const create = ADAPTERS.get(configuration.provider);
  if (!create) throw new ConfigurationError(`Unknown LLM provider: ${configuration.provider}`, "LLM_PROVIDER");
  return create(configuration);
}
