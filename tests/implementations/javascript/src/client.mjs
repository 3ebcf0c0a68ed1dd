/** The client: its stores, the registry, the orchestrator, and the adapter by which they read the editor. */
import { EditorContextAdapter } from "./agent/editor-context-adapter.mjs";
import { createOrchestrator } from "./agent/orchestrator.mjs";
import { createToolRegistry } from "./agent/tools/registry.mjs";
import { createAgentStore } from "./stores/agent-store.mjs";
import { createChatStore } from "./stores/chat-store.mjs";

/**
 * @param {object} parts
 * @param {import("./core/editor-core.mjs").EditorCore} parts.editor
 * @param {string} [parts.chatOrigin] the origin of the chat route; the page's own unless said
 * @param {Parameters<typeof createToolRegistry>[0]} [parts.transcribe] the speech service
 */
export function createClient({ editor, chatOrigin, transcribe }) {
  const chatStore = createChatStore(localStorage);
  const agentStore = createAgentStore();
  const registry = createToolRegistry(transcribe);
  const orchestrator = createOrchestrator({ chatStore, agentStore, registry, chatOrigin });
  return { chatStore, agentStore, registry, orchestrator, contextAdapter: new EditorContextAdapter(editor) };
}
