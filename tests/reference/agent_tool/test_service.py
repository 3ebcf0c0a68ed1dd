"""The control service in memory, and the command line on top of it."""

import asyncio
import json
from typing import Any

import pytest

from specassay.drivers.kits.python import specassay_kit as kit
from specassay.reference.agent_tool import actions, cli
from specassay.reference.agent_tool.callback import Callback
from specassay.reference.agent_tool.environment import ManagedTool
from specassay.reference.agent_tool.service import MemoryService, ServiceError, UsageError

COMPLETE: dict[str, Any] = {"prompt": "Hello", "title": "T", "cron": "0 9 * * *", "disabled": True}


def execute(service: MemoryService, action: str, directory: str = "/w", **given: Any) -> Any:
    return asyncio.run(service.execute(action, given, directory))


def test_every_action_is_served() -> None:
    service = MemoryService({"p": "/p"})
    session = execute(service, "session.create", prompt="Hello")["session"]
    task = execute(service, "schedule.create", **{key: COMPLETE[key] for key in ("prompt", "title", "cron")})["task"]
    for action in sorted(actions.CONTROL_ACTIONS - {"schedule.delete"}):
        assert execute(service, action, session=session, task=task, **COMPLETE) is not None
    assert execute(service, "schedule.delete", task=task)["deleted"]["task"] == task


def test_a_session_is_made_where_the_agent_is_unless_it_says_otherwise() -> None:
    service = MemoryService()
    execute(service, "session.create", prompt="one")
    execute(service, "session.create", prompt="two", directory="/other")
    listed = execute(service, "session.list")["sessions"]
    assert [session["directory"] for session in listed] == ["/other", "/w"]
    assert len(execute(service, "session.list", limit=1)["sessions"]) == 1


def test_a_fork_has_messages_of_its_own() -> None:
    service = MemoryService()
    first = execute(service, "session.create", prompt="one")["session"]
    fork = execute(service, "session.fork", session=first)["session"]
    execute(service, "session.send", session=fork, prompt="two")
    counts = [len(execute(service, "session.messages", session=name)["messages"]) for name in (first, fork)]
    assert counts == [1, 2]


def test_a_toggle_sets_what_it_is_told() -> None:
    service = MemoryService()
    task = execute(service, "schedule.create", prompt="p", title="t", cron="c")["task"]
    assert [execute(service, "schedule.toggle", task=task, disabled=value)["disabled"] for value in (True, False)] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("action", "given", "words"),
    [
        ("session.create", {}, ["prompt"]),
        ("session.create", {"prompt": ""}, ["prompt"]),
        ("session.create", {"prompt": "p", "timeout": 5}, ["timeout", "wait"]),
        ("session.create", {"prompt": "p", "variant": "high"}, ["variant", "model"]),
        ("session.send", {"prompt": "p"}, ["session"]),
        ("schedule.toggle", {"task": "t"}, ["disabled"]),
        ("session.delete", {}, ["session.delete"]),
    ],
)
def test_a_wrong_combination_is_told_what_to_change(action: str, given: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        execute(MemoryService(), action, **given)
    assert raised.value.status == 400
    assert all(word in str(raised.value) for word in words)


def test_a_session_whose_prompt_cannot_be_sent_is_told_of() -> None:
    service = MemoryService()
    with pytest.raises(ServiceError) as raised:
        execute(service, "session.create", prompt="p", model="none")
    partial = raised.value.partial
    assert partial is not None
    assert partial.session_id == execute(service, "session.list")["sessions"][0]["session"]


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(ServiceError, match='"gone"'):
        execute(MemoryService(), "session.status", session="gone")


def run(*arguments: str, service: MemoryService | None = None, token: str = "mine") -> tuple[int, str]:
    async def play() -> tuple[int, str]:
        application = Callback(ManagedTool(), service or MemoryService({"p": "/p"}), "mine")
        async with kit.serve_asgi(application) as origin:
            return await cli.run(arguments, origin, token, "/here")

    return asyncio.run(play())


def test_the_command_line_uses_the_same_service() -> None:
    service = MemoryService()
    code, output = run("session", "create", "--prompt", "Hello", "--wait", "true", "--timeout", "5", service=service)
    assert (code, json.loads(output)["data"]["completed"]) == (0, True)
    assert execute(service, "session.list")["sessions"][0]["directory"] == "/here"


def test_the_schedulers_status_is_the_command_lines_alone() -> None:
    assert run("schedule", "status")[0] == 0
    assert "schedule.status" not in actions.AGENT_ACTIONS


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["session", "delete"], 2, "Use one of: models list"),
        ([], 2, "Use one of"),
        (["session", "create", "--prompt"], 2, "--prompt has no value"),
        (["session", "create", "--url", "x"], 2, "no option --url"),
        (["session", "create"], 1, "needs prompt"),
    ],
)
def test_wrong_usage_is_told_what_to_do(arguments: list[str], code: int, words: str) -> None:
    ended, output = run(*arguments)
    assert ended == code
    assert words in output


def test_the_command_line_needs_a_token_of_its_own() -> None:
    assert run("schedule", "status", token="another")[0] == 1
