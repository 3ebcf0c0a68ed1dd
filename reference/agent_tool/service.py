"""The control service: it owns sessions and scheduled tasks, and the rules of what goes with what."""

import itertools
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from specassay.reference.agent_tool.result import Partial

Input = Mapping[str, Any]
MODELS = ({"id": "example/small", "variants": ["fast"]}, {"id": "example/large", "variants": ["high", "low"]})


class ServiceError(Exception):
    """A request that failed, with an HTTP status and what was done before."""

    def __init__(self, message: str, status: int = 500, partial: Partial | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.partial = partial


class UsageError(ServiceError):
    """A request that cannot be right: its message says what to change (managed-agent-tool/agent-context-budget.17)."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 400)


class ControlService(Protocol):
    """What the callback and the command line delegate to."""

    def execute(self, action: str, given: Input, directory: str) -> Awaitable[Any]:
        """Do what is asked for, and give its data. Raises `ServiceError`; cancelled, it stops its work."""
        ...


class MemoryService:
    """A control service that keeps everything in memory; what is sent to a session is answered at once."""

    def __init__(self, projects: Mapping[str, str] | None = None) -> None:
        self._projects = dict(projects or {})
        self._sessions: dict[str, dict[str, Any]] = {}
        self._tasks: dict[str, dict[str, Any]] = {}
        self._numbers = itertools.count(1)
        self._actions: dict[str, Callable[[Input, str], Any]] = {
            "projects.list": lambda given, directory: {"projects": self._projects},
            "models.list": lambda given, directory: {"models": list(MODELS)},
            "session.list": self._list_sessions,
            "session.create": self._create_session,
            "session.send": lambda given, directory: self._dispatch(self._session(given), given),
            "session.fork": self._fork_session,
            "session.status": lambda given, directory: {"status": "idle", **_shown(self._session(given))},
            "session.messages": self._read_messages,
            "schedule.list": lambda given, directory: {"tasks": list(self._tasks.values()), **self._scheduler()},
            "schedule.status": lambda given, directory: self._scheduler(),
            "schedule.create": self._create_task,
            "schedule.run": lambda given, directory: self._create_session(self._task(given), directory),
            "schedule.delete": lambda given, directory: {"deleted": self._tasks.pop(self._task(given)["task"])},
            "schedule.toggle": self._toggle_task,
        }

    async def execute(self, action: str, given: Input, directory: str) -> Any:
        """Do what is asked for; see `ControlService.execute`."""
        if action not in self._actions:
            raise UsageError(f'There is no action "{action}".')
        check_combination(action, given)
        return self._actions[action](given, given.get("directory") or directory)

    def _list_sessions(self, given: Input, directory: str) -> Any:
        newest = [_shown(session) for session in reversed(self._sessions.values())]
        return {"sessions": newest[: given.get("limit")]}

    def _create_session(self, given: Input, directory: str) -> Any:
        name = f"session-{next(self._numbers)}"
        self._sessions[name] = {"session": name, "directory": directory, "title": given.get("title"), "messages": []}
        return self._dispatch(self._sessions[name], given)

    def _fork_session(self, given: Input, directory: str) -> Any:
        origin, name = self._session(given), f"session-{next(self._numbers)}"
        self._sessions[name] = {**origin, "session": name, "messages": list(origin["messages"])}
        return self._dispatch(self._sessions[name], given) if "prompt" in given else _shown(self._sessions[name])

    def _dispatch(self, session: dict[str, Any], given: Input) -> Any:
        """Send a prompt; the session stays where that fails, and the error says so."""
        model = given.get("model", MODELS[0]["id"])
        if model not in [known["id"] for known in MODELS]:
            partial = Partial(action="session.create", session_id=session["session"], directory=session["directory"])
            raise ServiceError(f'There is no model "{model}"; see models.list.', 404, partial)
        session["messages"].append({"role": "user", "text": given["prompt"]})
        return {**_shown(session), "completed": bool(given.get("wait"))}

    def _read_messages(self, given: Input, directory: str) -> Any:
        messages = self._session(given)["messages"]
        return {"messages": messages[-given["limit"] :] if given.get("limit") else messages}

    def _create_task(self, given: Input, directory: str) -> Any:
        name = f"task-{next(self._numbers)}"
        self._tasks[name] = {"task": name, "disabled": False, **given}
        return self._tasks[name]

    def _toggle_task(self, given: Input, directory: str) -> Any:
        task = self._task(given)
        task["disabled"] = given["disabled"]
        return task

    def _scheduler(self) -> dict[str, Any]:
        return {"status": {"running": True, "tasks": len(self._tasks)}}

    def _session(self, given: Input) -> dict[str, Any]:
        return _find(self._sessions, given["session"], "session")

    def _task(self, given: Input) -> dict[str, Any]:
        return _find(self._tasks, given["task"], "scheduled task")


NEEDED: Mapping[str, tuple[str, ...]] = {
    "session.create": ("prompt",),
    "session.send": ("session", "prompt"),
    "session.fork": ("session",),
    "session.status": ("session",),
    "session.messages": ("session",),
    "schedule.create": ("title", "prompt", "cron"),
    "schedule.run": ("task",),
    "schedule.delete": ("task",),
    "schedule.toggle": ("task", "disabled"),
}
"""What an action cannot do without."""

DEPENDENT: Mapping[str, str] = {"timeout": "wait", "variant": "model", "wait": "prompt"}
"""What a parameter means nothing without."""


def check_combination(action: str, given: Input) -> None:
    """Keep the rules of combination (managed-agent-tool/agent-context-budget.16). Raises `UsageError`."""
    for name in NEEDED.get(action, ()):
        if given.get(name) in (None, ""):
            raise UsageError(f"{action} needs {name}: add it.")
    for name, other in DEPENDENT.items():
        if given.get(name) and not given.get(other):
            raise UsageError(f"{action}: {name} means nothing without {other}. Add {other}, or leave {name} out.")


def _find(entries: dict[str, dict[str, Any]], name: str, kind: str) -> dict[str, Any]:
    if name not in entries:
        raise ServiceError(f'There is no {kind} "{name}".', 404)
    return entries[name]


def _shown(session: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in session.items() if key != "messages"}
