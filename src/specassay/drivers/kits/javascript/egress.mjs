/**
 * Egress: every HTTP request to a host that is not this machine goes to the harness, which answers as the provider.
 *
 * The kit imports it. Beside a server that has no driver it is preloaded, NODE_OPTIONS="--import /path/to/egress.mjs",
 * with the harness's address in SPECASSAY_EGRESS. It changes nothing else, and without an address nothing at all.
 * In the folder that SPECASSAY_LOADED names it leaves a file named after its process, to say that it is there.
 * Covered are `fetch` and the request and get of node:http and node:https, and so what is built on them.
 */
import { readlinkSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { urlToHttpOptions } from "node:url";

/** The header of a forwarded request that holds the URL that it was meant for. */
const ORIGINAL_URL = "x-specassay-url";
const LOCAL_NAME = /^(.+\.)?localhost\.?$/i;
/** As URL writes them. */
const LOCAL_ADDRESS = /^(127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

let egress = process.env.SPECASSAY_EGRESS;

/** Sets the address that receives what is not meant for this machine. */
export function sendEgressTo(address) {
  egress = address;
}

function leaves(url) {
  if (!egress || !/^https?:$/.test(url?.protocol)) return false;
  return !LOCAL_NAME.test(url.hostname) && !LOCAL_ADDRESS.test(url.hostname);
}

function parse(text) {
  return URL.canParse(text) ? new URL(text) : null;
}

// ---- fetch

const { fetch: originalFetch } = globalThis;

globalThis.fetch = async function fetch(input, init) {
  const url = parse(input?.url ?? input);
  if (!leaves(url)) return originalFetch(input, init);
  const request = new Request(input, init);
  const { method, signal, redirect } = request;
  const headers = new Headers(request.headers);
  headers.set(ORIGINAL_URL, url.href);
  const body = request.body === null ? null : await request.arrayBuffer();
  return originalFetch(egress, { method, headers, body, signal, redirect });
};

// ---- node:http and node:https

const { request: requestOverHttp } = http;

for (const [module, protocol] of [
  [http, "http:"],
  [https, "https:"],
]) {
  const { request: original } = module;
  module.request = function request(...given) {
    const { options, callback } = readArguments(given);
    const url = urlOf(options, protocol);
    return options.socketPath || !leaves(url) ? original.apply(this, given) : forward(url, options, callback);
  };
  module.get = function get(...given) {
    const request = module.request(...given);
    request.end();
    return request;
  };
}
syncBuiltinESMExports(); // so that `import { request } from "node:https"` sees them too

/** (url, options, callback), (url, callback) and (options, callback) as one set of options. */
function readArguments([first, ...rest]) {
  const url = typeof first === "string" ? new URL(first) : first instanceof URL ? first : null;
  const [options, callback] = url ? (typeof rest[0] === "function" ? [{}, rest[0]] : rest) : [first, rest[0]];
  return { options: { ...(url && urlToHttpOptions(url)), ...options }, callback };
}

function urlOf({ protocol, hostname, host, port, path }, usual) {
  const name = hostname ?? host ?? "localhost";
  const authority = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  return parse(`${protocol ?? usual}//${authority}${port ? `:${port}` : ""}${path ?? "/"}`);
}

function forward(url, { method, auth, timeout, signal, headers }, callback) {
  const kept = { ...namedHeaders(headers), [ORIGINAL_URL]: url.href };
  return requestOverHttp(egress, { method, auth, timeout, signal, headers: kept }, callback);
}

/** Headers by name, however they were given, without the host, which is another now. */
function namedHeaders(headers = {}) {
  const pairs = Array.isArray(headers) ? pairsOf(headers) : Object.entries(headers);
  const named = {};
  for (const [name, value] of pairs) {
    if (name.toLowerCase() !== "host") named[name] = name in named ? [named[name], value].flat() : value;
  }
  return named;
}

/** node:http also takes [name, value, name, value, …]. */
function pairsOf(list) {
  if (Array.isArray(list[0])) return list;
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]]] : []));
}

// ---- saying that it is loaded

/** The file holds the program that the process runs, where the system says (Linux): a process can become another. */
function leaveMark(folder) {
  try {
    const program = process.platform === "linux" ? readlinkSync("/proc/self/exe") : "";
    writeFileSync(join(folder, String(process.pid)), program);
  } catch {
    // a process that may not write there cannot say that its traffic is caught, and the harness takes it that way
  }
}

if (process.env.SPECASSAY_LOADED) leaveMark(process.env.SPECASSAY_LOADED);
