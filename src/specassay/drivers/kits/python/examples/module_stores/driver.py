"""Drives the module-level stores. A driver beside its own copy of the kit says `import specassay_kit as kit`."""

from specassay.drivers.kits.python import specassay_kit as kit
from specassay.drivers.kits.python.examples.module_stores import agent, chat, loop, tools


def begin(scenario: kit.Scenario) -> kit.Surfaces:
    """Point the modules at the scenario; they are fresh, since every scenario has a process of its own."""
    chat.open_storage(scenario.storage)
    loop.origin = scenario.endpoints["chatOrigin"]
    return {
        "chat-store": kit.chat_store(scenario, chat),
        "agent-store": kit.agent_store(
            scenario,
            agent,
            get_state=lambda: agent.state,
            set_status=lambda status: agent.change(status=status),
            set_active_tool=lambda name: agent.change(active_tool=name),
            set_context=lambda context: agent.change(context=context),
        ),
        "tool-registry": kit.tool_registry(
            scenario,
            register=tools.register,
            get=tools.registered.get,
            has=lambda name: name in tools.registered,
            get_all=tools.registered.values,
            to_tool_schemas=tools.schemas,
        ),
        "orchestrator": kit.orchestrator(loop.run),
    }


DRIVER = kit.Driver(
    name="module-stores",
    version="1.0",
    surfaces=["chat-store", "agent-store", "tool-registry", "orchestrator"],
    isolation="process",
    conventions={"toolResultRole": "function_result", "toolCallIdField": "call_id"},
    begin=begin,
)

if __name__ == "__main__":
    DRIVER.serve()
