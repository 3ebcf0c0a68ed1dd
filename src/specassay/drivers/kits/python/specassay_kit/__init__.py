"""Makes a driver for specassay short: serves the driver protocol, and turns your code into its surfaces.

One folder, standard library only: copy it beside your driver, and import it before your own modules.

    def begin(scenario: kit.Scenario) -> kit.Surfaces:
        shell = create_shell(origin=scenario.endpoints["chatOrigin"], storage=scenario.storage)
        return {"chat-store": kit.chat_store(scenario, shell.chat), "orchestrator": kit.orchestrator(shell.run), ...}

    kit.Driver(name="my-shell", version="1.0", surfaces=["chat-store", ...], begin=begin).serve()

A surface is a dict: for the protocol's name of an operation a function, sync or async, that takes the parameters as
keywords in snake case (`activeTool` comes as `active_tool`) and returns what `plain` can turn into the result.

Imported as a copy the kit owns the process: standard output is the protocol's and prints go to standard error, no
`LLM_*`, key or proxy variable of the machine is left, and from the first `scenario.begin` on, what httpx, httpx2,
aiohttp, http.client, urllib and urllib3 (requests) send to another host than this one goes to the scenario's egress.
"""

import sys

from . import egress, environment
from .agent_tool import PluginHost, agent_tool, control_service
from .context import context_bridge
from .driver import ControlError, Driver, Scenario, ToolError
from .server import chat_route, provider_adapter, serve_asgi, serve_wsgi, source_layout
from .shell import agent_store, chat_store, orchestrator, tool_registry
from .values import Operations, Surfaces, plain

__all__ = [
    "ControlError",
    "Driver",
    "Operations",
    "PluginHost",
    "Scenario",
    "Surfaces",
    "ToolError",
    "agent_store",
    "agent_tool",
    "chat_route",
    "chat_store",
    "context_bridge",
    "control_service",
    "orchestrator",
    "plain",
    "provider_adapter",
    "serve_asgi",
    "serve_wsgi",
    "source_layout",
    "tool_registry",
]

if __name__ == "specassay_kit":  # the copy: its process is a driver
    sys.stdout = sys.stderr
    environment.replace({})
    egress.install()
