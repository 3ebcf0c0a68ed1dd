/** A driver for a factory: each scenario, and each reload, gets a client of its own. */
import { agentStore, chatStore, orchestrator, serve, toolRegistry } from "../../specassay-kit.mjs";
import { createShell } from "./shell.mjs";

await serve({
  implementation: { name: "factory", version: "1.0" },
  surfaces: ["chat-store", "agent-store", "tool-registry", "orchestrator"],
  operations: ["orchestrator.abort"],
  async begin({ endpoints }) {
    const shell = createShell({ chatOrigin: endpoints.chatOrigin, storage: localStorage });
    return {
      "chat-store": chatStore(shell.chat),
      "agent-store": agentStore(shell.agent),
      "tool-registry": toolRegistry(shell.registry),
      orchestrator: orchestrator({
        run: (messages, context) => shell.orchestrator.run(messages, context),
        abort: () => shell.orchestrator.abort(),
      }),
    };
  },
});
