/** The server's HTTP side: the routes of app/ on node:http. */
import { Readable } from "node:stream";

/**
 * @param {Record<string, {POST: (request: Request) => Promise<Response>}>} routes by path
 * @returns {import("node:http").RequestListener}
 */
export function createListener(routes) {
  return async (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url, "http://localhost");
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : null;
    if (!route) return outgoing.writeHead(404).end();
    if (incoming.method !== "POST") return outgoing.writeHead(405, { allow: "POST" }).end();
    const response = await route.POST(toRequest(incoming));
    outgoing.setHeaders(response.headers);
    outgoing.writeHead(response.status).end(await response.text());
  };
}

function toRequest(incoming) {
  const { method, url, headers } = incoming;
  /** @type {RequestInit & {duplex: "half"}} what Node asks for where a body is a stream */
  const init = { method, headers, body: Readable.toWeb(incoming), duplex: "half" };
  return new Request(new URL(url, "http://localhost"), init);
}
