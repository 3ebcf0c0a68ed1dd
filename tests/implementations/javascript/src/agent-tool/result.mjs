/**
 * The result of a call of the tool: one envelope for success and failure.
 *
 * @typedef {{schemaVersion: 1, ok: true, action: string, data: unknown}} Success
 * @typedef {{schemaVersion: 1, ok: false, action: string, error: Fault}} Failure
 * @typedef {{message: string, status?: number, partial?: object}} Fault `partial` is what was done before it failed
 */
export const SCHEMA_VERSION = 1;

/** @returns {Success} */
export function success(action, data) {
  return { schemaVersion: SCHEMA_VERSION, ok: true, action, data: data ?? null };
}

/**
 * @param {string} action
 * @param {Fault} error
 * @returns {Failure}
 */
export function failure(action, { message, status, partial }) {
  const error = { message: message || "The call failed.", ...(status && { status }), ...(partial && { partial }) };
  return { schemaVersion: SCHEMA_VERSION, ok: false, action, error };
}

/** Whether a value is the result of a call of this action. */
export function isResult(value, action) {
  if (value?.schemaVersion !== SCHEMA_VERSION || value.action !== action) return false;
  return value.ok === true ? "data" in value : value.ok === false && typeof value.error?.message === "string";
}
