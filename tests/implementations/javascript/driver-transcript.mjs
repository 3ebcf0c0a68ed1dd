/** The transcript surface of this implementation, on the environment of a scenario. */
import { transcript } from "../../../src/specassay/drivers/kits/javascript/specassay-kit.mjs";
import { readConfiguration } from "./src/agent/providers/configuration.mjs";
import { ChatAgent, EventAgent, Runtime } from "./src/agent/transcript/agents.mjs";
import { acceptPublicRequest, projectHistory } from "./src/agent/transcript/boundary.mjs";
import { createCompletions } from "./src/agent/transcript/completions.mjs";
import { parseMessage } from "./src/agent/transcript/messages.mjs";

export function transcriptOperations() {
  // The configuration is read at the first call: not every scenario has one.
  const complete = async (request) => createCompletions(readConfiguration(process.env))(request);
  const [chatAgent, eventAgent] = [new ChatAgent(complete), new EventAgent(complete)];
  const runtime = new Runtime({ chatAgent, eventAgent, execute: async () => null });
  return transcript({
    validateMessage: parseMessage,
    send: complete,
    chatAgent,
    eventAgent,
    runtime,
    acceptPublicRequest,
    projectHistory,
  });
}
