"""Drives what the factory makes. A driver beside its own copy of the kit says `import specassay_kit as kit`."""

from typing import Any

from specassay.drivers.kits.python import specassay_kit as kit
from specassay.drivers.kits.python.examples.factory.shell import create_shell
from specassay.drivers.kits.python.examples.factory.stores import ChatMessage
from specassay.drivers.kits.python.examples.factory.tools import Tool


def begin(scenario: kit.Scenario) -> kit.Surfaces:
    """Make a shell for the scenario, and expose its parts."""
    shell = create_shell(origin=scenario.endpoints["chatOrigin"], storage=scenario.storage)

    async def run(messages: list[dict[str, Any]], context: Any) -> None:
        await shell.run([ChatMessage.from_json(message) for message in messages], context)

    return {
        "chat-store": kit.chat_store(
            scenario,
            shell.chat,
            add_message=lambda fields: shell.chat.add_message(ChatMessage.from_json(fields)),
            get_state=lambda: {
                "messages": [message.as_json() for message in shell.chat.messages],
                "loading": shell.chat.loading,
                "error": shell.chat.error,
            },
        ),
        "agent-store": kit.agent_store(scenario, shell.agent),
        "tool-registry": kit.tool_registry(
            scenario, shell.tools, define=lambda fields, execute: Tool(**fields, execute=execute)
        ),
        "orchestrator": kit.orchestrator(run),
    }


DRIVER = kit.Driver(
    name="factory",
    version="1.0",
    surfaces=["chat-store", "agent-store", "tool-registry", "orchestrator"],
    begin=begin,
)

if __name__ == "__main__":
    DRIVER.serve()
