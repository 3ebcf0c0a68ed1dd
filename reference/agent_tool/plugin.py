"""Writes the plugin where the managed child finds it."""

import json
import os
import tempfile
from pathlib import Path

from specassay.reference.agent_tool.actions import ACTIONS, DESCRIPTION, TOOL_NAME, input_schema

URL_VARIABLE = "OPENCHAMBER_AGENT_TOOL_URL"
TOKEN_VARIABLE = "OPENCHAMBER_AGENT_TOOL_TOKEN"  # noqa: S105 - the name of the variable
_TEMPLATE = Path(__file__).with_name("plugin.mjs")


def plugin_source() -> str:
    """Give the JavaScript of the plugin. No address or token is in it (managed-agent-tool/security-invariants.7)."""
    tool = {
        "name": TOOL_NAME,
        "description": DESCRIPTION,
        "inputSchema": input_schema(),
        "titles": {action.name: action.title for action in ACTIONS},
        "urlVariable": URL_VARIABLE,
        "tokenVariable": TOKEN_VARIABLE,
    }
    return _TEMPLATE.read_text("utf-8").replace("__TOOL__", json.dumps(tool, indent=2))


def materialize(data_directory: Path) -> str:
    """Write the plugin into `<data_directory>/agent-tool/`, for its owner alone, and give its `file://` URL.

    Keeps managed-agent-tool/runtime-flow.2. An older one is replaced in one step, so that no child reads half of it.
    """
    folder = data_directory / "agent-tool"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder.resolve() / "openchamber.mjs"
    handle, draft = tempfile.mkstemp(dir=folder)  # made with mode 0600
    with open(handle, "w", encoding="utf-8") as written:
        written.write(plugin_source())
    os.replace(draft, file)
    return file.as_uri()
