/** The server: serves the chat route on 127.0.0.1, on the port that PORT names. */
import { createServer } from "node:http";
import * as chatRoute from "./src/app/api/agent/chat/route.mjs";
import { createListener } from "./src/listener.mjs";

createServer(createListener({ "/api/agent/chat": chatRoute })).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
