/**
 * The control service: what the agent's callback and the command line both ask. It keeps everything in memory.
 *
 * @typedef {{contextDirectory?: string, signal?: AbortSignal}} ControlOptions
 * @typedef {{sessionId: string, title: string, directory: string | null, status: string, messages: object[]}} Session
 * @typedef {{execute: (action: string, input: object, options?: ControlOptions) => Promise<unknown>}} Control
 */
import { randomUUID } from "node:crypto";
import { checkUsage, UsageError } from "./usage.mjs";

const LIST_LENGTH = 20;

/** @implements {Control} */
export class ControlService {
  #sessions = new Map();
  #tasks = new Map();
  #respond;
  #projects;
  #models;

  /**
   * @param {object} [parts]
   * @param {(prompt: string, session: Session) => Promise<string>} [parts.respond] the agent that works in a session
   * @param {{directory: string}[]} [parts.projects]
   * @param {{model: string}[]} [parts.models]
   */
  constructor({ respond = async () => "", projects = [], models = [] } = {}) {
    this.#respond = respond;
    this.#projects = projects;
    this.#models = models;
  }

  /** @throws {UsageError} where the input does not fit the action, or names what is not there */
  async execute(action, input, options = {}) {
    checkUsage(action, input);
    return this.#actions[action](input, options);
  }

  /** @type {Record<string, (input: any, options: ControlOptions) => unknown>} */
  #actions = {
    "projects.list": () => ({ projects: this.#projects }),
    "models.list": () => ({ models: this.#models }),
    "session.list": ({ limit = LIST_LENGTH, directory }) => {
      const all = [...this.#sessions.values()].reverse();
      const wanted = directory ? all.filter((session) => session.directory === directory) : all;
      return { sessions: wanted.slice(0, limit).map(summarize) };
    },
    "session.create": (input, options) => this.#start(this.#open(input, options), input, options),
    "session.send": (input, options) => this.#start(this.#session(input), input, options),
    "session.fork": (input, options) => {
      const { title, directory, messages } = this.#session(input);
      const copy = this.#open({ title, directory, ...input }, options);
      copy.messages = structuredClone(messages);
      return this.#start(copy, input, options);
    },
    "session.status": (input) => summarize(this.#session(input)),
    "session.messages": ({ limit = LIST_LENGTH, ...input }) => {
      const { messages } = this.#session(input);
      return { messages: messages.slice(-limit) };
    },
    "schedule.list": () => ({ tasks: [...this.#tasks.values()], ...this.#schedulerStatus() }),
    "schedule.status": () => this.#schedulerStatus(),
    "schedule.create": ({ title, prompt, cron, disabled = false, ...input }, { contextDirectory }) => {
      const directory = input.directory ?? contextDirectory ?? null;
      const task = { taskId: randomUUID(), title, prompt, cron, disabled, directory };
      this.#tasks.set(task.taskId, task);
      return task;
    },
    "schedule.run": (input, options) => {
      const { title, prompt, directory } = this.#task(input);
      const call = { title, prompt, directory };
      return this.#start(this.#open(call, options), call, options);
    },
    "schedule.delete": (input) => {
      const { taskId } = this.#task(input);
      this.#tasks.delete(taskId);
      return { taskId };
    },
    "schedule.toggle": ({ disabled, ...input }) => Object.assign(this.#task(input), { disabled }),
  };

  #schedulerStatus() {
    const waiting = [...this.#tasks.values()].filter(({ disabled }) => !disabled);
    return { scheduler: { running: true, waiting: waiting.length } };
  }

  /**
   * @param {{title?: string, directory?: string}} input
   * @param {ControlOptions} options
   * @returns {Session}
   */
  #open({ title = "New session", directory }, { contextDirectory }) {
    const place = directory ?? contextDirectory ?? null;
    const session = { sessionId: randomUUID(), title, directory: place, status: "idle", messages: [] };
    this.#sessions.set(session.sessionId, session);
    return session;
  }

  /**
   * Puts the prompt to a session. Waits for the answer only where it is told to.
   * @param {Session} session
   * @param {{prompt?: string, goal?: string, wait?: boolean, timeout?: number}} input
   * @param {ControlOptions} options
   */
  async #start(session, { prompt, goal, wait, timeout }, { signal }) {
    if (prompt === undefined) return summarize(session);
    session.status = "running";
    session.messages.push({ role: "user", content: prompt, ...(goal && { goal }) });
    const working = this.#work(session, prompt);
    if (!wait) return summarize(session);
    await Promise.race([working, ends(signal, timeout)]);
    return { ...summarize(session), messages: session.messages.slice(-1) };
  }

  async #work(session, prompt) {
    try {
      session.messages.push({ role: "assistant", content: await this.#respond(prompt, session) });
      session.status = "idle";
    } catch (error) {
      session.messages.push({ role: "assistant", content: `Failed: ${error.message}` });
      session.status = "failed";
    }
  }

  #session({ sessionId }) {
    return this.#sessions.get(sessionId) ?? missing("session", sessionId, "session.list");
  }

  #task({ taskId }) {
    return this.#tasks.get(taskId) ?? missing("scheduled task", taskId, "schedule.list");
  }
}

function summarize({ sessionId, title, directory, status }) {
  return { sessionId, title, directory, status };
}

/** @returns {never} */
function missing(what, id, list) {
  throw new UsageError(`There is no ${what} ${id}; ${list} shows those that there are.`);
}

/** Rejects when the signal fires; resolves after `timeout` seconds, where there is one. */
function ends(signal, timeout) {
  return new Promise((resolve, reject) => {
    if (timeout !== undefined) setTimeout(resolve, timeout * 1000).unref();
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
