/** Ids of tool calls: not every server gives one, and some give the same one twice. */
import { randomUUID } from "node:crypto";

/** The calls of one response, each with an id of its own: the one that it has, or else a new one. */
export function withUniqueIds(calls) {
  const taken = new Set();
  return calls.map((call) => {
    const id = call.id && !taken.has(call.id) ? call.id : randomUUID();
    taken.add(id);
    return { ...call, id };
  });
}
