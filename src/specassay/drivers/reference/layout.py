"""Where the reference's sources lie."""

import importlib.util
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

ROOT = Path(str(files("specassay"))).parent
AGENT = "specassay/reference"

MODULES = {
    "types": f"{AGENT}/types.py",
    "chatStore": f"{AGENT}/stores.py",
    "agentStore": f"{AGENT}/stores.py",
    "toolRegistry": f"{AGENT}/registry.py",
    "orchestrator": f"{AGENT}/orchestrator.py",
    "chatRoute": f"{AGENT}/route.py",
    "systemPrompt": f"{AGENT}/prompt.py",
    "contextAdapter": f"{AGENT}/context.py",
    "contextMapper": f"{AGENT}/context_mapper.py",
}


def layout() -> dict[str, Any]:
    """Give the fields of the kit's `source_layout`."""
    return {
        "root": str(ROOT),
        "agent_directory": AGENT,
        "core_directory": f"{AGENT}/core",
        "modules": MODULES,
        "server_entries": [MODULES["chatRoute"]],
        "client_entries": [MODULES["orchestrator"], MODULES["chatStore"], MODULES["contextAdapter"]],
        "typecheck": _typecheck() if importlib.util.find_spec("mypy") else None,
    }


def _typecheck() -> list[str]:
    cache = Path(tempfile.gettempdir(), "specassay-mypy")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}"]
    return [*mypy, "--package", "specassay.reference"]
