/**
 * The plugin that a managed OpenCode loads: the tool openchamber. It calls back to the server that started OpenCode;
 * where to, and with what token, stands in the environment of its process alone.
 */
import { ACTIONS, describedAction, parameters, TOOL_DESCRIPTION, TOOL_NAME } from "./actions.mjs";
import { failure, isResult } from "./result.mjs";

const TITLES = new Map(ACTIONS.map(({ action, title }) => [action, title]));

export const OpenChamberAgentTool = async () => ({
  tool: {
    [TOOL_NAME]: {
      description: TOOL_DESCRIPTION,
      args: { action: describedAction, parameters: parameters.optional() },
      execute,
    },
  },
});

async function execute({ action, parameters: given }, context) {
  const title = TITLES.get(action) ?? "OpenChamber";
  context.metadata({ title, metadata: { action } });
  const output = await callBack({ action, parameters: given ?? {}, directory: context.directory }, context.abort);
  return { title, output, metadata: { action } };
}

/** The text of the result. Only what was aborted is thrown: every other trouble is a result that the agent can read. */
async function callBack(call, signal) {
  const { OPENCHAMBER_AGENT_TOOL_URL: url, OPENCHAMBER_AGENT_TOOL_TOKEN: token } = process.env;
  try {
    if (!url || !token) throw new Error("OpenChamber is not connected to this process.");
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(call),
      redirect: "error",
      signal,
    });
    return read(await response.text(), response.status, call.action);
  } catch (error) {
    signal.throwIfAborted();
    return JSON.stringify(failure(call.action, { message: describe(error) }));
  }
}

function read(text, status, action) {
  const answer = parse(text);
  if (isResult(answer, action)) return text;
  const reason = typeof answer?.error?.message === "string" ? answer.error.message : "its answer is no result";
  return JSON.stringify(failure(action, { message: `OpenChamber answered ${status}: ${reason}`, status }));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The errors of fetch quote header values, so their own words are not repeated. */
function describe(error) {
  if (!(error instanceof TypeError)) return error.message;
  const { code = "the request failed" } = Object(error.cause);
  return `OpenChamber cannot be reached: ${code}.`;
}
