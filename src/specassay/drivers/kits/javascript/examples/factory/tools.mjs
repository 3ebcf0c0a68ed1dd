/** The registry of tools, and the check of what a model hands to them. */
const TRANSCRIBE_VIDEO = {
  name: "transcribe_video",
  description: "Transcribes the speech of a media asset.",
  parameters: [{ key: "assetId", type: "string", required: false }],
  execute: async () => {
    throw new Error("This example has no speech service.");
  },
};

export class ToolRegistry {
  #tools = new Map();

  constructor() {
    this.register({ ...TRANSCRIBE_VIDEO });
  }

  register(tool) {
    if (!/^[a-zA-Z_][\w-]{0,63}$/.test(tool.name)) throw new Error(`"${tool.name}" is no name of a tool.`);
    this.#tools.set(tool.name, tool);
  }

  get(name) {
    return this.#tools.get(name) ?? null;
  }

  /** What to tell a model that calls a tool that is not there. */
  unknown(name) {
    return `Unknown tool: ${name}. There are: ${[...this.#tools.keys()].join(", ")}`;
  }

  has(name) {
    return this.#tools.has(name);
  }

  getAll() {
    return [...this.#tools.values()];
  }

  toToolSchemas() {
    return this.getAll().map(({ name, description, parameters }) => ({ name, description, parameters }));
  }
}

const IS = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: (value) => value !== null && typeof value === "object" && !Array.isArray(value),
};

/** The arguments of a call as an object: JSON text is parsed, and nothing is {}. Throws where they are neither. */
export function readArguments(args) {
  const value = typeof args === "string" ? JSON.parse(args.trim() || "{}") : (args ?? {});
  if (!IS.object(value)) throw new Error("The arguments are no object.");
  return value;
}

/** Throws where a required argument is missing, or where one is not of its declared type. */
export function checkArguments(args, parameters) {
  for (const { key, type, required } of parameters) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (required && (value === undefined || value === null)) throw new Error(`Missing argument: ${key}`);
    if (value !== undefined && !IS[type](value)) throw new Error(`Malformed argument: ${key} is no ${type}`);
  }
}
