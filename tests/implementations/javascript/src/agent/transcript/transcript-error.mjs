/** What is thrown where a transcript, or a choice of a tool, must not reach a provider. */
export class TranscriptError extends Error {
  constructor(message) {
    super(message);
    this.name = "TranscriptError";
  }
}

/**
 * Where the first fault is and what was expected there; never what was given.
 * @param {import("zod").ZodError} error
 */
export function describeIssue({ issues: [{ path, message }] }) {
  return `${path.length > 0 ? `${path.join(".")}: ` : ""}${message}`;
}
