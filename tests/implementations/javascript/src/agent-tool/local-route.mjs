/** A route for processes of this machine that were given a token. */
import express from "express";
import { BlockList, isIPv6 } from "node:net";
import { failure, success } from "./result.mjs";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * @typedef {{action: string, parameters: object, directory?: string}} Call
 *
 * @param {object} route
 * @param {string} route.path
 * @param {import("./bearer-token.mjs").BearerToken} route.token
 * @param {import("zod").ZodType<Call>} route.schema of the body
 * @param {import("./control-service.mjs").Control} route.control the service that a call is handed to
 */
export function createLocalRoute({ path, token, schema, control }) {
  const router = express.Router();
  // In this order: nothing of a body is read before its sender is known.
  router.post(path, requireLoopback, requireToken(token), express.json({ limit: "256kb", type: () => true }));
  router.post(path, (request, response) => answer(request, response, schema, control));
  router.all(path, (request, response) => refuse(response, 405, "Only POST is taken here."));
  router.use(path, refuseBody);
  return router;
}

/** By the address of the peer, and by no header. A browser says where its page is from; no process here does. */
function requireLoopback(request, response, next) {
  const { remoteAddress = "" } = request.socket;
  const local = loopback.check(remoteAddress, isIPv6(remoteAddress) ? "ipv6" : "ipv4");
  if (!local || request.headers.origin) return refuse(response, 403, "This is for processes of this machine.");
  next();
}

function requireToken(token) {
  return (request, response, next) => {
    const given = request.headersDistinct.authorization ?? [];
    const [, candidate] = given.length === 1 ? (/^Bearer (\S+)$/.exec(given[0]) ?? []) : [];
    if (!candidate || !token.matches(candidate)) return refuse(response, 401, "The token is not the current one.");
    next();
  };
}

async function answer(request, response, schema, control) {
  const { success: valid, data: call, error } = schema.safeParse(request.body);
  if (!valid) {
    const [{ path, message }] = error.issues;
    const action = typeof request.body?.action === "string" ? request.body.action : "";
    return response.status(400).json(failure(action, { message: `Invalid call, ${path.join(".")}: ${message}` }));
  }
  const abort = new AbortController();
  response.on("close", () => response.writableFinished || abort.abort());
  const result = await execute(call, control, abort.signal);
  if (!abort.signal.aborted) response.json(result);
}

/** The command's result. A failure of the command is one too: the HTTP status says that the call was answered. */
async function execute({ action, parameters, directory }, control, signal) {
  try {
    return success(action, await control.execute(action, parameters, { contextDirectory: directory, signal }));
  } catch (error) {
    return failure(action, error);
  }
}

/** What express.json found wrong. Express knows an error handler by its four parameters. */
function refuseBody(error, request, response, _next) {
  const tooLarge = error.status === 413;
  refuse(response, tooLarge ? 413 : 400, tooLarge ? "The call is too large." : "The call is not JSON.");
}

function refuse(response, status, message) {
  response.status(status).set("connection", "close").json(failure("", { message }));
}
