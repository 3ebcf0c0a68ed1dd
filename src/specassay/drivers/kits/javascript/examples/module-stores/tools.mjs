/** The tools, by name, and the check of what a model hands to them. */
const tools = new Map();

export const registry = {
  register(name, tool) {
    if (!/^[a-zA-Z_][\w-]{0,63}$/.test(name)) throw new Error(`"${name}" is no name of a tool.`);
    tools.set(name, { ...tool, name });
  },
  get: (name) => tools.get(name),
  has: (name) => tools.has(name),
  names: () => [...tools.keys()].join(", "),
  getAll: () => tools.values(),
  toToolSchemas: () =>
    Array.from(tools.values(), ({ name, description, parameters }) => ({ name, description, parameters })),
};

registry.register("transcribe_video", {
  description: "Transcribes the speech of a media asset.",
  parameters: [{ key: "assetId", type: "string", required: false }],
  async execute() {
    throw new Error("This example has no speech service.");
  },
});

/** Throws where an argument is missing or is not of its declared type. */
export function checkArguments(parameters, args) {
  for (const { key, type, required } of parameters) {
    const given = Object.hasOwn(args, key);
    if (required && (!given || args[key] === null)) throw new Error(`The argument "${key}" is missing.`);
    if (given && typeOf(args[key]) !== type) throw new Error(`The argument "${key}" must be of type ${type}.`);
  }
}

export function typeOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
