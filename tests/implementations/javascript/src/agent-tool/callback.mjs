/** The callback of the plugin: lets only the current child in, and only to the actions of the list. */
import { z } from "zod";
import { actionName, parameters } from "./actions.mjs";
import { createLocalRoute } from "./local-route.mjs";

export const CALLBACK_PATH = "/api/openchamber/agent-tool";

/** `directory` is that of the session, by OpenCode's own word; one among the parameters is the agent's wish. */
const schema = z.strictObject({ action: actionName, parameters: parameters.default({}), directory: z.string() });

/**
 * @param {object} parts
 * @param {import("./bearer-token.mjs").BearerToken} parts.token
 * @param {import("./control-service.mjs").Control} parts.control
 */
export function createCallbackRouter({ token, control }) {
  return createLocalRoute({ path: CALLBACK_PATH, token, schema, control });
}
