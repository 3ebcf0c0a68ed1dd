/** The environment of a managed OpenCode: with the plugin in its configuration, and what the plugin calls back with. */
import { parse } from "jsonc-parser";

export const TOKEN_VARIABLE = "OPENCHAMBER_AGENT_TOOL_TOKEN";
export const CALLBACK_URL_VARIABLE = "OPENCHAMBER_AGENT_TOOL_URL";
const CONFIGURATION = "OPENCODE_CONFIG_CONTENT";

/** @returns {{plugin?: unknown[]}} what OPENCODE_CONFIG_CONTENT holds; throws where that is no configuration */
export function readConfiguration(environment) {
  const text = environment[CONFIGURATION] ?? "";
  if (text.trim() === "") return {};
  const errors = [];
  const configuration = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error(`${CONFIGURATION} is not JSON, at character ${errors[0].offset}.`);
  if (configuration === null || typeof configuration !== "object" || Array.isArray(configuration)) {
    throw new Error(`${CONFIGURATION} is not an object.`);
  }
  const { plugin = [] } = configuration;
  if (!Array.isArray(plugin)) throw new Error(`plugin of ${CONFIGURATION} is not a list.`);
  return configuration;
}

/**
 * @param {Record<string, string>} environment what the child would have without the tool
 * @param {object} tool
 * @param {{plugin?: unknown[]}} tool.configuration what is in its configuration already
 * @param {string} tool.plugin the plugin's URL; it becomes the last entry, and stands there once
 * @param {string} tool.callbackUrl
 * @param {string} tool.token
 */
export function withAgentTool(environment, { configuration, plugin, callbackUrl, token }) {
  const others = (configuration.plugin ?? []).filter((entry) => [entry].flat()[0] !== plugin);
  return {
    ...environment,
    [CONFIGURATION]: JSON.stringify({ ...configuration, plugin: [...others, plugin] }),
    [CALLBACK_URL_VARIABLE]: callbackUrl,
    [TOKEN_VARIABLE]: token,
  };
}
