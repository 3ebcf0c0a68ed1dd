/** The driver of this implementation: everything is made anew for each scenario. */
import {
  agentStore,
  chatStore,
  orchestrator,
  serve,
  toolRegistry,
} from "../../../src/specassay/drivers/kits/javascript/specassay-kit.mjs";
import { createOrchestrator } from "./src/agent/orchestrator.mjs";
import { createToolRegistry } from "./src/agent/tools/registry.mjs";
import { createAgentStore } from "./src/stores/agent-store.mjs";
import { createChatStore } from "./src/stores/chat-store.mjs";

async function noTranscription() {
  throw new Error("No speech service is connected.");
}

await serve({
  implementation: { name: "javascript-shell", version: "0.1.0" },
  surfaces: ["chat-store", "agent-store", "tool-registry", "orchestrator"],
  operations: ["orchestrator.abort"],
  async begin({ endpoints }) {
    const chat = createChatStore(localStorage);
    const agent = createAgentStore();
    const registry = createToolRegistry(noTranscription);
    const { chatOrigin } = endpoints;
    return {
      "chat-store": chatStore(chat),
      "agent-store": agentStore(agent),
      "tool-registry": toolRegistry(registry),
      orchestrator: orchestrator(createOrchestrator({ chatStore: chat, agentStore: agent, registry, chatOrigin })),
    };
  },
});
