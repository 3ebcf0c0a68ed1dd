// The plugin of OpenCode that offers the tool: it calls back into the server that launched this process.
// Address and token are read from the environment at each call, and stand nowhere else.

const TOOL = __TOOL__;

export default async () => ({
  tool: { [TOOL.name]: { description: TOOL.description, args: TOOL.inputSchema, execute } },
});

/** One call of the tool. It returns the result envelope as JSON; only a cancelled call throws. */
async function execute(input, context) {
  const { action, ...parameters } = input ?? {};
  const title = Object.hasOwn(TOOL.titles, action) ? TOOL.titles[action] : TOOL.name;
  context.metadata?.({ title, metadata: { action } });
  const result = await call(action, parameters, context);
  const metadata = { action, ok: result.ok };
  context.metadata?.({ title, metadata });
  return { title, output: JSON.stringify(result), metadata };
}

async function call(action, parameters, context) {
  const url = process.env[TOOL.urlVariable];
  const token = process.env[TOOL.tokenVariable];
  if (!url || !token) {
    return failure(action, "OpenChamber cannot be reached from here: this process was not launched by it.");
  }
  let response, text;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ action, parameters, directory: context.directory }),
      redirect: "error",
      signal: context.abort,
    });
    text = await response.text();
  } catch (error) {
    if (context.abort?.aborted) throw error;
    return failure(action, "OpenChamber did not answer; it may have been stopped. Try again once it runs.");
  }
  return envelope(text) ?? failure(action, `OpenChamber answered with status ${response.status} and no result.`);
}

function envelope(text) {
  try {
    const result = JSON.parse(text);
    const complete = result?.ok === true ? "data" in result : typeof result?.error?.message === "string";
    return result?.schemaVersion === 1 && complete ? result : null;
  } catch {
    return null;
  }
}

function failure(action, message) {
  return { schemaVersion: 1, ok: false, action: String(action), error: { message } };
}
