/**
 * A driver for stores that live in modules. What is made when a module is loaded cannot be reset, so `isolation` asks
 * for a process a scenario, and `begin` imports the modules: by then localStorage holds what the scenario starts with.
 */
import { agentStore, chatStore, orchestrator, serve, toolRegistry } from "../../specassay-kit.mjs";

await serve({
  implementation: { name: "module-stores", version: "1.0" },
  surfaces: ["chat-store", "agent-store", "tool-registry", "orchestrator"],
  isolation: "process",
  conventions: { toolResultRole: "function_result", toolCallIdField: "callId" },
  async begin() {
    const { agent, chat } = await import("./stores.mjs");
    const { registry } = await import("./tools.mjs");
    const { run } = await import("./agent.mjs");
    return {
      "chat-store": chatStore(chat),
      "agent-store": agentStore(agent),
      "tool-registry": toolRegistry(registry, {
        register: (definition) => registry.register(definition.name, definition),
      }),
      orchestrator: orchestrator({ run }),
    };
  },
});
