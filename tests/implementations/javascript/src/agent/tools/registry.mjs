/** The registry of the tools that the model may call. */
import { DefinitionRegistry } from "../../lib/definition-registry.mjs";
import { toolDefinition } from "../types.mjs";
import { transcribeVideo } from "./transcribe-video.mjs";

export class ToolRegistry extends DefinitionRegistry {
  /** Registers a ToolDefinition under its name. Throws where it is no definition or no provider takes its name. */
  register(definition) {
    const parsed = toolDefinition.safeParse(definition);
    if (!parsed.success) {
      const [{ path, message }] = parsed.error.issues;
      throw new TypeError(`Tool "${definition?.name}" cannot be registered: ${path.join(".")}: ${message}`);
    }
    super.register(definition.name, definition);
  }

  names() {
    return this.getAll().map(({ name }) => name);
  }

  /** Every tool in the internal format, {name, description, parameters}, which belongs to no provider. */
  toToolSchemas() {
    return this.getAll().map(({ name, description, parameters }) => structuredClone({ name, description, parameters }));
  }
}

/** The registry as the product ships it: transcribe_video and nothing else, which fails without a speech service. */
export function createToolRegistry(transcribe = noTranscription) {
  const registry = new ToolRegistry();
  registry.register(transcribeVideo(transcribe));
  return registry;
}

/** @returns {Promise<never>} */
async function noTranscription() {
  throw new Error("No speech service is connected.");
}
