/** The managed agent tool: its listener, and the environment of the OpenCode that this server starts. */
import express from "express";
import { BearerToken } from "./bearer-token.mjs";
import { CALLBACK_PATH, createCallbackRouter } from "./callback.mjs";
import { readConfiguration, withAgentTool } from "./child-environment.mjs";
import { CLI_PATH, createCliRouter } from "./cli.mjs";
import { materializePlugin } from "./plugin-file.mjs";

export class AgentTool {
  #childToken = new BearerToken();
  #cliToken = new BearerToken();
  #server = null;
  #control;

  /** @param {import("./control-service.mjs").Control} control the service that the callback and the CLI delegate to */
  constructor(control) {
    this.#control = control;
  }

  /**
   * Listens on a port that the system chooses. Its address is published once it is bound, until it closes.
   * @param {string} host
   * @returns {import("node:http").Server}
   */
  listen(host) {
    const control = this.#control;
    const app = express().disable("x-powered-by");
    app.use(createCallbackRouter({ token: this.#childToken, control }));
    app.use(createCliRouter({ token: this.#cliToken, control }));
    const server = app.listen(0, host);
    server.on("listening", () => (this.#server = server));
    server.on("close", () => (this.#server = null));
    return server;
  }

  /**
   * Prepares a child that is about to be started. Its token replaces that of the child before, which is gone.
   *
   * @param {object} child
   * @param {Record<string, string>} child.environment what it would have without the tool
   * @param {{agentControlToolEnabled?: boolean | null}} child.settings as they are persisted
   * @param {"managed" | "external-host" | "skip-start" | "vscode"} child.launch who owns the process
   * @param {string} child.dataDirectory
   * @returns {Promise<Record<string, string> | null>} null where nothing is injected
   */
  async prepareManagedOpenCodeEnv({ environment, settings, launch, dataDirectory }) {
    if (launch !== "managed" || settings.agentControlToolEnabled === false) {
      this.#childToken.revoke();
      return null;
    }
    const callbackUrl = this.#url(CALLBACK_PATH);
    const configuration = readConfiguration(environment);
    const plugin = await materializePlugin(dataDirectory);
    return withAgentTool(environment, { configuration, plugin, callbackUrl, token: this.#childToken.renew() });
  }

  /** Where the command line finds this server, and the token that lets it in. */
  prepareCli() {
    return { url: this.#url(CLI_PATH), token: this.#cliToken.renew() };
  }

  #url(path) {
    if (!this.#server) throw new Error("The listener is not bound: there is no URL to call back to.");
    const { address, port } = this.#server.address();
    return `http://${address === "::1" ? "[::1]" : "127.0.0.1"}:${port}${path}`;
  }
}
