/** The driver of this implementation: everything is made anew for each scenario. */
import {
  agentStore,
  chatRoute,
  chatStore,
  contextBridge,
  orchestrator,
  providerAdapter,
  serve,
  sourceLayout,
  toolRegistry,
} from "../../../src/specassay/drivers/kits/javascript/specassay-kit.mjs";
import { fileURLToPath } from "node:url";
import { agentToolOperations } from "./driver-agent-tool.mjs";
import { transcriptOperations } from "./driver-transcript.mjs";
import { buildContextFromEditorState } from "./src/agent/context-mapper.mjs";
import { createProviderAdapter } from "./src/agent/providers/factory.mjs";
import { buildSystemPrompt } from "./src/agent/system-prompt.mjs";
import { createToolRegistry } from "./src/agent/tools/registry.mjs";
import { createPost } from "./src/app/api/agent/chat/route.mjs";
import { createClient } from "./src/client.mjs";
import { EditorCore } from "./src/core/editor-core.mjs";
import { createListener } from "./src/listener.mjs";

/** The product's server, with the tools of a scenario beside its own. */
function startRoute({ tools }) {
  const registry = createToolRegistry();
  for (const tool of tools) registry.register({ ...tool, execute: async () => null }); // the route runs no tool
  return createListener({ "/api/agent/chat": { POST: createPost(registry) } });
}

/** Puts the editor into a state; returns its objects. */
function setEditorState(editor, { project, activeScene, assets, currentTimeMs }) {
  editor.project.open(project);
  editor.scenes.activate(activeScene);
  editor.media.load(assets);
  editor.playback.seek(currentTimeMs / 1000);
  return [...Object.values(editor), ...editor.media.getAssets(), project, activeScene].filter((one) => one !== null);
}

const LAYOUT = {
  root: fileURLToPath(new URL(".", import.meta.url)),
  agentDirectory: "src/agent",
  coreDirectory: "src/core",
  serverEntries: ["server.mjs"],
  clientEntries: ["src/client.mjs"],
  modules: {
    types: "src/agent/types.mjs",
    chatStore: "src/stores/chat-store.mjs",
    agentStore: "src/stores/agent-store.mjs",
    toolRegistry: "src/agent/tools/registry.mjs",
    orchestrator: "src/agent/orchestrator.mjs",
    chatRoute: "src/app/api/agent/chat/route.mjs",
    systemPrompt: "src/agent/system-prompt.mjs",
    contextAdapter: "src/agent/editor-context-adapter.mjs",
    contextMapper: "src/agent/context-mapper.mjs",
  },
  typecheck: { command: ["npm", "run", "--silent", "typecheck"], directory: "." },
};

await serve({
  implementation: { name: "javascript-shell", version: "0.1.0" },
  surfaces: [
    "chat-store",
    "agent-store",
    "tool-registry",
    "orchestrator",
    "chat-route",
    "provider-adapter",
    "context-bridge",
    "source-layout",
    "transcript",
    "agent-tool",
    "control-service",
  ],
  operations: ["orchestrator.abort", "transcript.acceptPublicRequest", "transcript.projectHistory", "agent-tool.cli"],
  async begin({ endpoints }) {
    const editor = new EditorCore();
    const client = createClient({ editor, chatOrigin: endpoints.chatOrigin });
    return {
      "chat-store": chatStore(client.chatStore),
      "agent-store": agentStore(client.agentStore),
      "tool-registry": toolRegistry(client.registry),
      orchestrator: orchestrator(client.orchestrator),
      "chat-route": chatRoute({ start: startRoute }),
      "provider-adapter": providerAdapter({ create: createProviderAdapter }),
      "context-bridge": contextBridge({
        setEditorState: (state) => setEditorState(editor, state),
        adapter: client.contextAdapter,
        buildContextFromEditorState,
        buildSystemPrompt,
      }),
      "source-layout": sourceLayout(LAYOUT),
      transcript: transcriptOperations(),
      ...agentToolOperations(),
    };
  },
});
