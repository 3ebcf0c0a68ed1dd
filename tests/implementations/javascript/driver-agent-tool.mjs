/** The surfaces agent-tool and control-service of this implementation. */
import {
  agentTool,
  controlService,
  harnessControl,
} from "../../../src/specassay/drivers/kits/javascript/specassay-kit.mjs";
import { ACTIONS } from "./src/agent-tool/actions.mjs";
import { AgentTool } from "./src/agent-tool/agent-tool.mjs";
import { CALLBACK_URL_VARIABLE, TOKEN_VARIABLE } from "./src/agent-tool/child-environment.mjs";
import { runCommand } from "./src/agent-tool/cli.mjs";
import { ControlService } from "./src/agent-tool/control-service.mjs";

export function agentToolOperations() {
  const tool = new AgentTool(harnessControl);
  return {
    "agent-tool": agentTool({
      listen: ({ host }) => tool.listen(host),
      prepareEnvironment: (child) => tool.prepareManagedOpenCodeEnv(child),
      tokenVariable: TOKEN_VARIABLE,
      callbackUrlVariable: CALLBACK_URL_VARIABLE,
      actions: ACTIONS,
      cli: (args) => runCommand(args, tool.prepareCli()),
    }),
    "control-service": controlService(new ControlService()),
  };
}
