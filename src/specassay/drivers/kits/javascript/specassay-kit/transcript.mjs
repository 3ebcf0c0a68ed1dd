/** The surface transcript. */
import { withoutNulls } from "./values.mjs";

/**
 * The transcript. Messages, tools and choices are the protocol's own: a product with other names of its fields maps
 * them. What throws is the rejection that a scenario asks for.
 *
 * @param {object} product
 * @param {(message: object) => object} product.validateMessage the product's own message, as data
 * @param {(request: {messages: object[], tools?: object[], toolChoice?: string | {name: string}}) => Promise<object>}
 *   product.send serialises a transcript and sends it; resolves to {content, toolCalls?}
 * @param {{respond: (request: object) => Promise<object>}} product.chatAgent the same by the ChatAgent's own path
 * @param {{generateArguments: (request: {messages: object[], tools: object[], selected: string}) => Promise<object>}}
 *   product.eventAgent resolves to {arguments, rawArguments}
 * @param {{respond: (turn: {text: string, tools: object[]}) => Promise<object>}} product.runtime resolves to {content}
 * @param {(request: unknown) => object[]} [product.acceptPublicRequest] the messages that it takes from outside
 * @param {(messages: object[]) => object[]} [product.projectHistory] the messages that a client is shown
 */
export function transcript(product) {
  const { chatAgent, eventAgent, runtime, acceptPublicRequest, projectHistory } = product;
  const operations = {
    validateMessage: async ({ message }) => ({ message: await product.validateMessage(message) }),
    send: (request) => product.send(withoutNulls(request)),
    "chatAgent.respond": (request) => chatAgent.respond(withoutNulls(request)),
    "eventAgent.generateArguments": (request) => eventAgent.generateArguments(request),
    "runtime.respond": (turn) => runtime.respond(turn),
  };
  if (acceptPublicRequest) {
    operations.acceptPublicRequest = async ({ request }) => ({ messages: await acceptPublicRequest(request) });
  }
  if (projectHistory) {
    operations.projectHistory = async ({ messages }) => ({ messages: await projectHistory(messages) });
  }
  return operations;
}
