/** Checks what a model hands to a tool. */

/**
 * What is wrong with the arguments of a call, or null. A required key that is absent or null is missing; an optional
 * one may be absent, but what is there is of its declared type.
 *
 * @param {{key: string, type: string, required: boolean}[]} parameters
 * @param {Record<string, unknown>} args
 * @returns {string | null}
 */
export function findFault(parameters, args) {
  for (const { key, type, required } of parameters) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (required && (value === undefined || value === null)) return `Missing required argument "${key}" (${type}).`;
    if (value !== undefined && typeOf(value) !== type) {
      return `Malformed argument "${key}": expected ${type}, got ${typeOf(value)}.`;
    }
  }
  return null;
}

/** The JSON type of a value: string, number, boolean, object, array or null. */
export function typeOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
