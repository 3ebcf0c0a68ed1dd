"""What an agent may ask for: the fixed actions, their shared parameters, and the tool as it is shown to the agent."""

from dataclasses import dataclass
from typing import Any

TOOL_NAME = "openchamber"

DESCRIPTION = (
    "Control OpenChamber on behalf of the user: its sessions and its scheduled tasks. What you create here is "
    "user-facing work that the user follows up with. Never use it to delegate a part of your own current task."
)


@dataclass(frozen=True)
class Action:
    """One action: a title for people, and a description for the agent, with inputs that it needs or one peculiarity."""

    name: str
    title: str
    description: str


ACTIONS = (
    Action("projects.list", "List projects", "Registered projects with their directories."),
    Action("models.list", "List models", "Models and their variants, as model takes them."),
    Action("session.list", "List sessions", "Newest first."),
    Action("session.create", "Create session", "Needs prompt."),
    Action("session.send", "Send message", "Needs session and prompt."),
    Action("session.fork", "Fork session", "Needs session; a prompt is sent to the fork."),
    Action("session.status", "Session status", "Needs session; tells idle from busy."),
    Action("session.messages", "Read messages", "Needs session; the last ones when limit is given."),
    Action("schedule.list", "List scheduled tasks", "Includes the scheduler's own status."),
    Action("schedule.create", "Create scheduled task", "Needs title, prompt and cron."),
    Action("schedule.run", "Run scheduled task", "Needs task; runs it at once, also when disabled."),
    Action("schedule.delete", "Delete scheduled task", "Needs task; cannot be undone."),
    Action("schedule.toggle", "Toggle scheduled task", "Needs task and disabled."),
)
"""What an agent may ask for (managed-agent-tool/agent-context-budget.7, security-invariants.8)."""

AGENT_ACTIONS = frozenset(action.name for action in ACTIONS)
CONTROL_ACTIONS = AGENT_ACTIONS | {"schedule.status"}
"""What the command line may ask for: schedule.status too (managed-agent-tool/agent-context-budget.8)."""

PARAMETERS: dict[str, dict[str, Any]] = {
    "directory": {"type": "string", "description": "Absolute path; the session's own directory by default."},
    "session": {"type": "string"},
    "task": {"type": "string"},
    "title": {"type": "string"},
    "prompt": {"type": "string"},
    "model": {"type": "string", "description": "provider/model"},
    "agent": {"type": "string", "description": "Default: the directory's own. Only when the user asks for one."},
    "variant": {"type": "string", "description": "Default: none. Only when the user asks for one; depends on model."},
    "worktree": {"type": "boolean", "description": "Default: false. Only when the user asks for a separate worktree."},
    "goal": {"type": "boolean", "description": "Default: false. Only when the user asks for goal mode."},
    "wait": {
        "type": "boolean",
        "description": "Default: false. Only when the user asks, or the next step requires the completed result.",
    },
    "timeout": {"type": "number", "description": "Seconds; depends on wait."},
    "limit": {"type": "integer"},
    "cron": {"type": "string", "description": "Five fields, in the server's time zone."},
    "disabled": {"type": "boolean"},
}
"""The parameters that all actions share (managed-agent-tool/agent-context-budget.1)."""


def input_schema() -> dict[str, Any]:
    """Make the JSON Schema of the tool's input: one closed object (managed-agent-tool/security-invariants.9)."""
    action = {
        "type": "string",
        "enum": [action.name for action in ACTIONS],
        "description": "\n".join(f"{action.name}: {action.description}" for action in ACTIONS),
    }
    return {
        "type": "object",
        "properties": {"action": action, **PARAMETERS},
        "required": ["action"],
        "additionalProperties": False,
    }
