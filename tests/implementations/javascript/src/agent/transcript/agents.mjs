/**
 * The two agents and the Runtime: the EventAgent finds the tool that a user's text asks for and its arguments; the
 * ChatAgent talks, and is offered no tools by the Runtime.
 *
 * @typedef {import("./completions.mjs").Complete} Complete
 * @typedef {import("./completions.mjs").CompletionRequest} CompletionRequest
 * @typedef {import("./completions.mjs").Tool} Tool
 */
import { ProviderError } from "../providers/provider-error.mjs";
import { TranscriptError } from "./transcript-error.mjs";

const CHAT_PROMPT = "You are the assistant of a video editor. Answer the user in plain text.";

export class ChatAgent {
  #complete;

  /** @param {Complete} complete */
  constructor(complete) {
    this.#complete = complete;
  }

  /** The model's answer to a transcript. A tool is forced only where `toolChoice` says so. */
  async respond({ messages, tools, toolChoice }) {
    return this.#complete({ messages: [{ role: "system", content: CHAT_PROMPT }, ...messages], tools, toolChoice });
  }
}

export class EventAgent {
  #complete;

  /** @param {Complete} complete */
  constructor(complete) {
    this.#complete = complete;
  }

  /**
   * @param {string} text
   * @param {Tool[]} tools
   * @returns {Promise<string | null>} the name of the tool that the text asks for
   */
  async select(text, tools) {
    const listed = tools.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
    const prompt = `Which of these tools does the user ask for? Answer with its name alone, or "none".\n${listed}`;
    const messages = [
      { role: "system", content: prompt },
      { role: "user", content: text },
    ];
    const { content } = await this.#complete({ messages });
    return tools.find(({ name }) => name === content.trim())?.name ?? null;
  }

  /**
   * The arguments of the tool named `selected`, which the model is forced to call.
   * @param {{messages: object[], tools: Tool[], selected: string}} request
   */
  async generateArguments({ messages, tools, selected }) {
    if (!tools.some(({ name }) => name === selected)) throw new TranscriptError(`There is no tool ${selected}.`);
    const { toolCalls } = await this.#complete({ messages, tools, toolChoice: { name: selected } });
    const call = toolCalls?.find(({ name }) => name === selected);
    if (!call) throw new ProviderError(`The model did not call ${selected}.`);
    return { arguments: call.arguments, rawArguments: call.rawArguments };
  }
}

export class Runtime {
  #chatAgent;
  #eventAgent;
  #execute;

  /**
   * @param {object} parts
   * @param {ChatAgent} parts.chatAgent
   * @param {EventAgent} parts.eventAgent
   * @param {(name: string, args: object) => Promise<unknown>} parts.execute runs a tool
   */
  constructor({ chatAgent, eventAgent, execute }) {
    this.#chatAgent = chatAgent;
    this.#eventAgent = eventAgent;
    this.#execute = execute;
  }

  /**
   * A whole turn: the tool that the text asks for runs, and the ChatAgent answers knowing what came of it.
   * @param {{text: string, tools: Tool[]}} turn
   */
  async respond({ text, tools }) {
    const event = tools.length > 0 ? await this.#runSelected(text, tools) : null;
    const told = event ? [{ role: "system", content: `The tool ${event.name} gave: ${event.result}` }] : [];
    const { content } = await this.#chatAgent.respond({ messages: [{ role: "user", content: text }, ...told] });
    return { content };
  }

  async #runSelected(text, tools) {
    const name = await this.#eventAgent.select(text, tools);
    if (name === null) return null;
    const messages = [{ role: "user", content: text }];
    const { arguments: args } = await this.#eventAgent.generateArguments({ messages, tools, selected: name });
    return { name, result: JSON.stringify((await this.#execute(name, args)) ?? null) };
  }
}
