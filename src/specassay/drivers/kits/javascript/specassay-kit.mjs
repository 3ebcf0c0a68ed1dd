/**
 * The specassay kit for JavaScript: exposes an implementation to specassay over JSON-RPC on standard input and output.
 *
 * A driver imports it before anything of its own, so that what it installs is there first. It needs nothing but Node
 * 20, and egress.mjs and specassay-kit/ beside it. The shapes of the operations are those of docs/driver-protocol.md;
 * every parameter and result here is JSON. Each helper but `serve`, `executeTool` and `harnessControl` returns the
 * operations of a surface as a plain object: spread it and replace what yours does otherwise.
 */
export { agentTool, controlService, harnessControl } from "./specassay-kit/agent-tool.mjs";
export { contextBridge, sourceLayout } from "./specassay-kit/context.mjs";
export { serve } from "./specassay-kit/scenario.mjs";
export { chatRoute, providerAdapter } from "./specassay-kit/server.mjs";
export { agentStore, chatStore, executeTool, orchestrator, toolRegistry } from "./specassay-kit/shell.mjs";
export { transcript } from "./specassay-kit/transcript.mjs";
