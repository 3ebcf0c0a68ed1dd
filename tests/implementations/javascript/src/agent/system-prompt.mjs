/** The system prompt, built on the server. */

const TOOLS = ["transcribe_video"];

/**
 * @param {import("./types.mjs").AgentContext} context
 * @returns {string} what the model is told of the project's media and of the tools that it may call
 */
export function buildSystemPrompt({ mediaAssets }) {
  return [
    "You are the assistant of a video editor. You help the user with the project that is open.",
    `Available tools: ${TOOLS.join(", ")}. Call a tool only when the request needs it, and use no other tool.`,
    "When no tool is needed, respond in plain text.",
    mediaAssets.length === 0 ? "No media assets loaded." : `Media assets:\n${mediaAssets.map(describe).join("\n")}`,
  ].join("\n\n");
}

/** @param {import("./types.mjs").MediaSummary} asset */
function describe({ id, name, type, duration }) {
  const length = duration === null ? "" : `, ${duration} s`;
  return `- ${oneLine(name)} (${oneLine(type)}${length}, id ${oneLine(id)})`;
}

/** A name must not be able to write lines of the prompt. */
function oneLine(text) {
  return text.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, " ");
}
