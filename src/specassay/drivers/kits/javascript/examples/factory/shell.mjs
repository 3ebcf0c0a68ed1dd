/** Makes a whole client: its stores, its tools and its orchestrator. */
import { Orchestrator } from "./orchestrator.mjs";
import { AgentStore, ChatStore } from "./stores.mjs";
import { ToolRegistry } from "./tools.mjs";

export function createShell({ chatOrigin, storage }) {
  const chat = new ChatStore(storage);
  const agent = new AgentStore();
  const registry = new ToolRegistry();
  return { chat, agent, registry, orchestrator: new Orchestrator({ chat, agent, registry, chatOrigin }) };
}
