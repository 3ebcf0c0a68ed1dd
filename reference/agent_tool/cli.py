"""The command line: `<noun> <verb> [--name value]…`, by authenticated HTTP, on the same service as the agent's tool."""

import json
from collections.abc import Sequence
from typing import Any

import httpx

from specassay.reference.agent_tool.actions import CONTROL_ACTIONS, PARAMETERS
from specassay.reference.agent_tool.callback import CONTROL_PATH

USAGE = 2


async def run(arguments: Sequence[str], origin: str, token: str, directory: str) -> tuple[int, str]:
    """Run one command against the server at `origin`; gives the exit code, and the result envelope as text.

    Exit codes: 0 done, 1 it failed, 2 wrong usage.
    """
    action = ".".join(arguments[:2])
    if action not in CONTROL_ACTIONS:
        known = ", ".join(sorted(action.replace(".", " ") for action in CONTROL_ACTIONS))
        return USAGE, f"There is no such command. Use one of: {known}"
    try:
        parameters = read_options(arguments[2:])
    except ValueError as error:
        return USAGE, str(error)
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        response = await client.post(
            origin + CONTROL_PATH,
            headers={"authorization": f"Bearer {token}"},
            json={"action": action, "parameters": parameters, "directory": directory},
        )
    return (0 if response.json()["ok"] else 1), response.text


def read_options(options: Sequence[str]) -> dict[str, Any]:
    """Read `--name value` pairs; a value of another type than string is JSON. Raises `ValueError`."""
    if len(options) % 2:
        raise ValueError(f"{options[-1]} has no value: write --name value.")
    return {
        name.removeprefix("--"): _value(name, value) for name, value in zip(options[::2], options[1::2], strict=True)
    }


def _value(option: str, value: str) -> Any:
    declared = PARAMETERS.get(option.removeprefix("--"))
    if declared is None or not option.startswith("--"):
        raise ValueError(f"There is no option {option}. Use one of: --{', --'.join(PARAMETERS)}")
    return value if declared["type"] == "string" else json.loads(value)
