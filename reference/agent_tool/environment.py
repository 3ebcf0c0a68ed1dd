"""Prepares the environment of a managed child: the plugin, a token of its own, and where to call back."""

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from specassay.reference.agent_tool import jsonc
from specassay.reference.agent_tool.plugin import TOKEN_VARIABLE, URL_VARIABLE, materialize

CALLBACK_PATH = "/api/openchamber/agent-tool"
CONFIG_VARIABLE = "OPENCODE_CONFIG_CONTENT"
SETTING = "agentControlToolEnabled"

Launch = Literal["managed", "external-host", "skip-start", "vscode"]
"""Who runs the agent's process: only a managed one is the server's own."""


class PreparationError(Exception):
    """An environment that cannot be prepared; nothing was written."""


class ManagedTool:
    """The tool of one server: the port that it listens on, once it does, and the token of the current child."""

    def __init__(self) -> None:
        self.port: int | None = None
        self.token: str | None = None

    def prepare(
        self, environment: Mapping[str, str], settings: Mapping[str, Any], launch: Launch, data_directory: Path
    ) -> dict[str, str] | None:
        """Give the environment of the next child, or None where the tool is not injected.

        Keeps managed-agent-tool/purpose.2, .3 and .6 and runtime-flow.1 to .7. Every earlier token ends. Raises
        `PreparationError` before the listener is bound, and for a configuration that is no object.
        """
        if launch != "managed" or settings.get(SETTING) is False:
            self.token = None
            return None
        if self.port is None:
            raise PreparationError("The listener is not bound yet: prepare the environment once it listens.")
        config = read_config(environment.get(CONFIG_VARIABLE, ""))
        url = materialize(data_directory)
        self.token = secrets.token_urlsafe(32)
        return {
            **environment,
            CONFIG_VARIABLE: json.dumps(with_plugin(config, url), ensure_ascii=False),
            URL_VARIABLE: f"http://127.0.0.1:{self.port}{CALLBACK_PATH}",
            TOKEN_VARIABLE: self.token,
        }


def read_config(text: str) -> dict[str, Any]:
    """Read a configuration, JSON with comments; an empty text is an empty one. Raises `PreparationError`."""
    try:
        config = jsonc.parse(text) if text.strip() else {}
    except ValueError as error:
        raise PreparationError(f"{CONFIG_VARIABLE} is no JSON: {error} Set it right, or unset it.") from None
    if not isinstance(config, dict):
        raise PreparationError(f"{CONFIG_VARIABLE} must be an object. Set it right, or unset it.")
    if not isinstance(config.get("plugin", []), list):
        raise PreparationError(f'"plugin" in {CONFIG_VARIABLE} must be a list. Set it right, or leave it out.')
    return config


def with_plugin(config: Mapping[str, Any], url: str) -> dict[str, Any]:
    """Append the plugin to those that are there already (managed-agent-tool/runtime-flow.3 and .4), and never twice."""
    entries = config.get("plugin", [])
    return {**config, "plugin": entries if url in entries else [*entries, url]}
