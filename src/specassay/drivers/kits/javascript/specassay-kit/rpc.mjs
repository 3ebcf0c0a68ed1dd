/** JSON-RPC 2.0 on standard input and output, a message a line, both sides asking at any time. */

const NO_SUCH_OPERATION = -32601;
const IMPLEMENTATION_ERROR = -32000;

// ---- Standard output carries the protocol alone; console.log and its like go to standard error.

const writeProtocol = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
process.stdout.on("error", () => process.exit(1)); // the harness is gone

// As in a page, a forgotten rejection is logged and the client lives on. An uncaught exception still ends the process.
process.on("unhandledRejection", (reason) => console.error("Unhandled rejection:", reason));

// ---- What the driver asks

/** id → {resolve, reject} of the requests that the harness has not answered yet. */
const unanswered = new Map();
let lastId = 0;

export class NoSuchOperation extends Error {
  constructor(method) {
    super(`no such operation: ${method}`);
  }
}

function send(message) {
  writeProtocol(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/**
 * Asks the harness. `answer` resolves to the result; it rejects with an Error of the message that the harness gives,
 * and with the other fields of its error's data.
 *
 * @returns {{id: number, answer: Promise<unknown>}}
 */
export function ask(method, params) {
  const id = ++lastId;
  const answer = new Promise((resolve, reject) => {
    send({ id, method, params });
    unanswered.set(id, { resolve, reject });
  });
  return { id, answer };
}

/** Tells the harness something that it does not answer. */
export function notify(method, params) {
  send({ method, params });
}

function settle({ id, result, error }) {
  const request = unanswered.get(id);
  unanswered.delete(id);
  if (error) request?.reject(Object.assign(new Error(error.data?.message ?? error.message), error.data));
  else request?.resolve(result);
}

// ---- What the harness asks

/** Answers each line of standard input by the function that `find(method)` gives; resolves when it closes. */
export async function answerRequests(find) {
  await readLines((line) => receive(line, find));
}

async function receive(line, find) {
  const message = JSON.parse(line);
  if (message.method === undefined) return settle(message);
  const answer = message.id === undefined ? logFailure : send; // a notification is not answered
  try {
    const result = await find(message.method)(message.params ?? {});
    answer({ id: message.id, result: result ?? null });
  } catch (error) {
    answer({ id: message.id, error: describeError(error) });
  }
}

function logFailure({ error }) {
  if (error) console.error("A notification failed:", error.message);
}

export function messageOf(error) {
  return String(error?.message ?? error);
}

function describeError(error) {
  const message = messageOf(error);
  if (error instanceof NoSuchOperation) return { code: NO_SUCH_OPERATION, message };
  const informative = typeof error?.name === "string" && error.name !== "Error";
  return { code: IMPLEMENTATION_ERROR, message, data: informative ? { message, kind: error.name } : { message } };
}

/** Calls `receive` with each line of standard input; resolves when it closes. Only "\n" ends a line. */
function readLines(receive) {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = chunk.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop();
    for (const line of lines) if (line.trim() !== "") receive(line);
  });
  return new Promise((resolve) => process.stdin.on("end", resolve));
}
