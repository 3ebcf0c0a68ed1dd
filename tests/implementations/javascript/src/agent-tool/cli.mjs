/** The command line, `openchamber session list --limit 5`, and the route by which it reaches the control service. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { parameters } from "./actions.mjs";
import { createLocalRoute } from "./local-route.mjs";

export const CLI_PATH = "/api/openchamber/control";

/** The command line may ask for every action of the service; which there are is the service's to say. */
const schema = z.strictObject({ action: z.string(), parameters, directory: z.string().optional() });

const NAMES = Object.keys(parameters.shape);
const VALUES = new Map([
  ["true", true],
  ["false", false],
]);
const NUMBERS = ["limit", "timeout"];

/**
 * @param {object} parts
 * @param {import("./bearer-token.mjs").BearerToken} parts.token
 * @param {import("./control-service.mjs").Control} parts.control
 */
export function createCliRouter({ token, control }) {
  return createLocalRoute({ path: CLI_PATH, token, schema, control });
}

/**
 * Runs a command: two words that name the action, and an option for each parameter.
 *
 * @param {string[]} args
 * @param {{url: string, token: string}} server
 * @returns {Promise<{exitCode: number, output: string}>} the result as JSON; 1 where it failed, 2 for a wrong command
 */
export async function runCommand(args, { url, token }) {
  let call;
  try {
    call = readCommand(args);
  } catch (error) {
    return { exitCode: 2, output: `openchamber: ${error.message}` };
  }
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(call),
    });
    const result = await response.json();
    return { exitCode: result.ok ? 0 : 1, output: JSON.stringify(result, null, 2) };
  } catch {
    return { exitCode: 1, output: "openchamber: the server cannot be reached; is it running?" };
  }
}

function readCommand(args) {
  /** @type {Record<string, {type: "string"}>} */
  const options = Object.fromEntries(NAMES.map((name) => [name, { type: "string" }]));
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length !== 2) throw new Error("name the action by two words, such as: session list");
  const read = Object.entries(values).map(([name, text]) => [name, readValue(name, text)]);
  return { action: positionals.join("."), parameters: Object.fromEntries(read) };
}

function readValue(name, text) {
  return NUMBERS.includes(name) ? Number(text) : (VALUES.get(text) ?? text);
}
