"""The surfaces `agent-tool` and `control-service` of the reference."""

import contextlib
import secrets
import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from specassay.drivers.kits.python import specassay_kit as kit
from specassay.reference.agent_tool import actions, callback, cli, environment, plugin
from specassay.reference.agent_tool.result import Partial
from specassay.reference.agent_tool.service import MemoryService, ServiceError

OPTIONAL = ("agent-tool.cli",)
PROJECTS = {"example": "/example"}


def can_run_plugins() -> bool:
    """Say whether there is a Node, without which the agent's tool cannot be called."""
    return shutil.which("node") is not None


class Delegate:
    """The control service as a scenario has it: the harness answers."""

    def __init__(self, scenario: kit.Scenario) -> None:
        self._scenario = scenario

    async def execute(self, action: str, given: Mapping[str, Any], directory: str) -> Any:
        """Ask the harness."""
        try:
            return await self._scenario.execute_control(action, given, directory)
        except kit.ControlError as error:
            partial = error.data.get("partial")
            raise ServiceError(
                error.data["message"], error.data.get("status", 500), partial and Partial.model_validate(partial)
            ) from None


def agent_tool_surfaces(scenario: kit.Scenario, plugins: kit.PluginHost) -> kit.Surfaces:
    """Make the operations of one server."""
    tool = environment.ManagedTool()
    control_token = secrets.token_urlsafe(32)
    application = callback.Callback(tool, Delegate(scenario), control_token)

    @contextlib.asynccontextmanager
    async def listen(host: str) -> AsyncIterator[str]:
        async with kit.serve_asgi(application, host) as origin:
            tool.port = int(origin.rpartition(":")[2])
            yield origin
        tool.port = None

    def prepare(given: dict[str, str], settings: dict[str, Any], launch: Any, data_directory: Path) -> Any:
        return tool.prepare(given, settings, launch, data_directory)

    async def command(arguments: list[str]) -> tuple[int, str]:
        return await cli.run(arguments, f"http://127.0.0.1:{tool.port}", control_token, "/")

    service = MemoryService(PROJECTS)
    return {
        "agent-tool": kit.agent_tool(
            scenario,
            plugins,
            tool=actions.TOOL_NAME,
            listen=listen,
            prepare=prepare,
            token_variable=plugin.TOKEN_VARIABLE,
            callback_url_variable=plugin.URL_VARIABLE,
            actions=lambda: [
                {"action": one.name, "title": one.title, "description": one.description} for one in actions.ACTIONS
            ],
            cli=command,
        ),
        "control-service": kit.control_service(lambda action, given: service.execute(action, given, "/")),
    }
