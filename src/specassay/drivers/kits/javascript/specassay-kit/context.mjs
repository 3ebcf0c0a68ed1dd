/** The surfaces context-bridge and source-layout. */
import { isDeepStrictEqual } from "node:util";
import { methodsOf } from "./values.mjs";

/**
 * The context bridge.
 *
 * @param {object} bridge
 * @param {(editorState: object) => unknown[] | void} bridge.setEditorState puts the product's editor into this state;
 *   each asset that it makes carries a handle and a reference back to its project. What it returns are editor objects,
 *   which no context may hold
 * @param {{getContext: () => object}} bridge.adapter the product's adapter on that editor
 * @param {(state: object) => object} bridge.buildContextFromEditorState the pure mapper
 * @param {(editorState: object) => object} [bridge.toMapperInput] makes what the mapper takes, where it is another shape
 * @param {(context: object) => string} bridge.buildSystemPrompt
 */
export function contextBridge(bridge) {
  const { toMapperInput = (editorState) => editorState } = bridge;
  return {
    getContext: async ({ editorState }) => {
      const editorObjects = await bridge.setEditorState(editorState);
      return examine(await bridge.adapter.getContext(), editorObjects ?? []);
    },
    buildContextFromEditorState: async ({ editorState }) => {
      const [given, same] = [toMapperInput(editorState), toMapperInput(structuredClone(editorState))];
      const context = await bridge.buildContextFromEditorState(given);
      return { context, inputUnchanged: isDeepStrictEqual(given, same) };
    },
    buildSystemPrompt: async ({ context }) => ({ prompt: await bridge.buildSystemPrompt(context) }),
    describe: () => ({ methods: methodsOf(bridge.adapter) }),
  };
}

/** A context as it can be sent, what JSON.stringify makes of it, and the pointers to what is no plain data in it. */
function examine(context, editorObjects) {
  const notPlain = [];
  const plain = copyPlain(context, "", [], (pointer) => void notPlain.push(pointer), new Set(editorObjects));
  return { context: plain, json: stringify(context), notPlain };
}

/** The serialiser's text; nothing, which is no JSON, where it throws. */
function stringify(value) {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    console.error("JSON.stringify:", error);
    return "";
  }
}

/** A copy of the plain data in a value; what is none becomes null, and is reported. */
function copyPlain(value, pointer, holders, report, editorObjects) {
  if (!isPlain(value) || holders.includes(value) || editorObjects.has(value)) {
    report(pointer);
    return null;
  }
  if (value === null || typeof value !== "object") return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === "length") continue;
    const place = `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const { get, set, value: inner } = Object.getOwnPropertyDescriptor(value, key);
    if (get || set || typeof key === "symbol") report(place);
    else copy[key] = copyPlain(inner, place, [...holders, value], report, editorObjects);
  }
  return copy;
}

/** Whether a value by itself is what JSON can hold; undefined is a key that is not there. */
function isPlain(value) {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null)
    return value === null || /^(string|boolean|undefined)$/.test(typeof value);
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === (Array.isArray(value) ? Array.prototype : Object.prototype);
}

/**
 * The source layout: what `getSources` answers. `root` is an absolute path, and every other path is relative to it.
 * Give `root`, `agentDirectory`, `coreDirectory`, `serverEntries`, `clientEntries` and `modules`, by role.
 */
export function sourceLayout(layout) {
  const usual = { language: "javascript", aliases: {}, testPatterns: ["**/*.test.*"], typecheck: null };
  return { getSources: () => ({ ...usual, ...layout }) };
}
