/** Which parameters go together. It is said here alone, and only to who asks for what does not. */

/** What is thrown where a call does not fit its action. The message says what to do. */
export class UsageError extends Error {
  constructor(message) {
    super(message);
    this.name = "UsageError";
  }
}

const DISPATCH = ["model", "agent", "variant", "goal", "wait", "timeout"];

/** By action, the parameters that it requires and those that it takes. */
const USAGE = {
  "projects.list": [[], []],
  "models.list": [[], []],
  "session.list": [[], ["directory", "limit"]],
  "session.create": [[], ["title", "prompt", "directory", "worktree", ...DISPATCH]],
  "session.send": [["sessionId", "prompt"], DISPATCH],
  "session.fork": [["sessionId"], ["title", "prompt", "directory", "worktree", ...DISPATCH]],
  "session.status": [["sessionId"], []],
  "session.messages": [["sessionId"], ["limit"]],
  "schedule.list": [[], []],
  "schedule.status": [[], []],
  "schedule.create": [
    ["title", "prompt", "cron"],
    ["directory", "model", "agent", "variant", "disabled"],
  ],
  "schedule.run": [["taskId"], []],
  "schedule.delete": [["taskId"], []],
  "schedule.toggle": [["taskId", "disabled"], []],
};

/** A parameter, and the one that it makes no sense without. */
const NEEDS = [
  ["timeout", "wait"],
  ["wait", "prompt"],
  ["goal", "prompt"],
  ["agent", "prompt"],
  ["model", "prompt"],
  ["variant", "model"],
];

/** @throws {UsageError} where the input does not fit the action */
export function checkUsage(action, input) {
  const usage = Object.hasOwn(USAGE, action) ? USAGE[action] : null;
  if (!usage) throw new UsageError(`There is no action ${action}; there are ${Object.keys(USAGE).join(", ")}.`);
  const [required, optional] = usage;
  const absent = required.filter((name) => input[name] === undefined || input[name] === "");
  if (absent.length > 0) throw new UsageError(`${action} requires ${absent.join(" and ")}; give it and call again.`);
  const surplus = Object.keys(input).filter((name) => !required.includes(name) && !optional.includes(name));
  if (surplus.length > 0) throw new UsageError(`${action} does not take ${surplus.join(" or ")}; leave it out.`);
  for (const [name, needed] of NEEDS) {
    const given = input[name] !== undefined && input[name] !== false;
    if (given && !input[needed]) throw new UsageError(`${name} needs ${needed}; give both, or leave ${name} out.`);
  }
}
