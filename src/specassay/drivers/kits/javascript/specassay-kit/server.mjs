/** The surfaces of the server: its chat route, and its provider adapters. */
import { once } from "node:events";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { setEnvironment } from "./page.mjs";
import { currentScenario, whenScenarioEnds } from "./scenario.mjs";
import { methodsOf, withoutNulls } from "./values.mjs";

let stopRoute = async () => {};
whenScenarioEnds(() => stopRoute());

/**
 * The chat route, served on loopback. `start({environment, tools})` makes it for one scenario, with `tools` registered
 * beside what the product ships; `process.env` holds that environment already. It returns
 *
 * - a function (request, response), as createServer of node:http takes it: an Express application, say;
 * - {fetch}, a web-standard handler from Request to Response, which sees every path;
 * - or functions by method, {POST}, as the module of a file-based router exports them; the path is /api/agent/chat.
 */
export function chatRoute({ start }) {
  return {
    start: async ({ environment, tools }) => {
      await stopRoute();
      setEnvironment(environment);
      const server = createServer(nodeHandler(await start({ environment, tools: tools ?? [] })));
      await once(server.listen(0, "127.0.0.1"), "listening");
      stopRoute = async () => {
        stopRoute = async () => {};
        server.close();
        server.closeAllConnections();
        setEnvironment(currentScenario().environment);
      };
      return { origin: `http://127.0.0.1:${server.address().port}` };
    },
    stop: async () => {
      await stopRoute();
      return {};
    },
  };
}

function nodeHandler(handler) {
  if (typeof handler === "function") return handler;
  const respond = typeof handler.fetch === "function" ? (request) => handler.fetch(request) : routed(handler);
  return async (incoming, outgoing) => {
    try {
      const response = await respond(asRequest(incoming));
      const body = Buffer.from(await response.arrayBuffer());
      outgoing.setHeaders(response.headers);
      outgoing.writeHead(response.status).end(body);
    } catch (error) {
      console.error("The chat route threw:", error);
      outgoing.writeHead(500).end();
    }
  };
}

function routed(methods) {
  return (request) => {
    if (new URL(request.url).pathname !== "/api/agent/chat") return new Response(null, { status: 404 });
    const respond = Object.hasOwn(methods, request.method) ? methods[request.method] : null;
    return respond ? respond(request) : new Response(null, { status: 405 });
  };
}

function asRequest(incoming) {
  const { method, url, headers, socket } = incoming;
  const body = method === "GET" || method === "HEAD" ? null : Readable.toWeb(incoming);
  const origin = `http://127.0.0.1:${socket.localPort}`;
  return new Request(new URL(url, origin), { method, headers, body, duplex: "half" });
}

/**
 * The provider adapter. `create(config)` asks the product's factory for the adapter of {provider, model, apiKey,
 * baseUrl?}. Where they are not its own, `chat(adapter, {messages, systemPrompt, toolSchemas?})` is one call of it, and
 * `describe(adapter)` names the methods of its interface.
 */
export function providerAdapter({ create, chat = (adapter, params) => adapter.chat(params), describe = methodsOf }) {
  return {
    create: async ({ config }) => {
      await create(withoutNulls(config));
      return {};
    },
    chat: async ({ config, ...params }) => {
      const { content, toolCalls } = await chat(await create(withoutNulls(config)), withoutNulls(params));
      return { content, toolCalls };
    },
    describe: async ({ config }) => ({ methods: describe(await create(withoutNulls(config))) }),
  };
}
