"""A driver is started when it is needed, kept while it may be, and always ended."""

import asyncio
import json
import os
import shlex
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from specassay.drivers.connection import Connection
from specassay.drivers.loop import turn
from specassay.drivers.process import ChildProcess
from specassay.drivers.session import Running, Session
from specassay.errors import DriverStartError
from specassay.port import Undecided
from tests.drivers.sessions import SHELL, begin_params, serve, session
from tests.suite.running import alive


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    """Give the folder in which every process is noted."""
    folder = tmp_path / "pids"
    folder.mkdir()
    return folder


def told(pids: Path, faults: dict[str, str] | None = None, **statement: Any) -> dict[str, str]:
    return {"PIDS": str(pids), "FAULTS": json.dumps(faults or {}), "STATEMENT": json.dumps(statement)}


def pid(running: Running) -> int:
    assert isinstance(running.transport, ChildProcess)
    assert running.transport._group.id is not None
    return running.transport._group.id


def played(opened: Session, play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        try:
            await opened.start()
            await play()
        finally:
            await opened.close()

    asyncio.run(whole())


def test_one_process_plays_every_scenario_and_ends_by_itself(pids: Path) -> None:
    messages: list[Any] = []
    opened = session(environment=told(pids), messages=messages)

    async def play() -> None:
        first, second = await opened.acquire(), await opened.acquire()
        assert pid(first) == pid(second)
        assert second.played == 2

    played(opened, play)
    assert len(list(pids.iterdir())) == 1
    assert alive(pids) == []
    assert [message.get("method") for sender, message, _ in messages if sender == "harness"][-1] == "shutdown"


def test_isolation_gives_each_scenario_a_process_of_its_own_and_keeps_the_next_one_warm(pids: Path) -> None:
    opened = session(environment=told(pids, isolation="process"))

    async def play() -> None:
        used = []
        for _ in range(3):
            running = await opened.acquire()
            used.append(pid(running))
            await running.connection.call("chat-store.getState", {}, 10)
        assert len(set(used)) == 3

    played(opened, play)
    assert 3 <= len(list(pids.iterdir())) <= 4
    assert alive(pids) == []


def test_a_spare_that_is_still_starting_is_ended(pids: Path) -> None:
    opened = session(environment=told(pids), isolate=True)

    async def play() -> None:
        await opened.acquire()

    played(opened, play)
    assert alive(pids) == []


def test_a_spare_that_does_not_start_is_the_fault_of_the_scenario_that_needs_it(tmp_path: Path) -> None:
    """It starts as long as there is a file."""
    (tmp_path / "present").touch()
    body = f"import os, sys\nif not os.path.exists({str(tmp_path / 'present')!r}): sys.exit(3)\n"
    script = tmp_path / "driver.py"
    script.write_text(body + f"os.execv(sys.executable, [sys.executable, {SHELL.split()[1]!r}])")
    opened = session(f"{sys.executable} {script}", isolate=True)

    async def play() -> None:
        (tmp_path / "present").unlink()
        await opened.acquire()
        with pytest.raises(DriverStartError, match="the driver did not start: the driver ended with exit status 3"):
            await opened.acquire()

    played(opened, play)


def test_a_fresh_process_is_given_where_it_is_asked_for(pids: Path) -> None:
    opened = session(environment=told(pids))

    async def play() -> None:
        first = await opened.acquire(fresh=True)
        second = await opened.acquire(fresh=True)
        third = await opened.acquire()
        assert pid(first) != pid(second) == pid(third)

    played(opened, play)
    assert alive(pids) == []


def test_storage_is_handed_over_to_a_process_that_begins_with_it(pids: Path) -> None:
    opened = session(environment=told(pids, isolation="process"))

    async def play() -> None:
        first = await opened.acquire()
        await first.connection.call("scenario.begin", begin_params("a/b.1/c"), 10)
        await first.connection.call("chat-store.addMessage", {"message": {"role": "user", "content": "kept"}}, 10)
        storage = (await first.connection.call("chat-store.getStorage", {}, 10))["storage"]
        second = await opened.acquire(fresh=True)
        await second.connection.call("scenario.begin", begin_params("a/b.1/c", storage), 10)
        state = await second.connection.call("chat-store.getState", {}, 10)
        assert [message["content"] for message in state["messages"]] == ["kept"]

    played(opened, play)


@pytest.mark.parametrize("fault", ["deaf_to_term", "closed_output", "orphan", "long_line", "kept_child"])
def test_what_a_driver_leaves_behind_is_ended_with_it(pids: Path, fault: str) -> None:
    opened = session(environment=told(pids, {"a/b.1/c": fault}))

    async def play() -> None:
        running = await opened.acquire()
        await running.connection.call("scenario.begin", begin_params("a/b.1/c"), 10)
        try:
            await running.connection.call("chat-store.getState", {}, 1)
        except Undecided:
            await opened.discard()

    played(opened, play)
    assert list(pids.iterdir()) != []
    assert alive(pids) == []


def test_a_driver_that_never_reads_is_ended_though_much_is_still_to_be_sent(pids: Path) -> None:
    """What it started stands outside its group and holds its input open."""
    transport = ChildProcess(SHELL, None, {**told(pids, {"start": "stray"}), "STRAYS": str(pids)}, lambda text: None)
    ended = asyncio.Event()
    connection = Connection(transport.send, serve, lambda sender, message: None)

    async def play() -> None:
        await transport.open(connection)
        for _ in range(10):
            transport.send({"text": "x" * 2**20})
        await transport.ended_within(10)
        await transport.close(patient=False)
        ended.set()

    asyncio.run(play())
    assert ended.is_set()
    for number in alive(pids):
        os.kill(number, signal.SIGKILL)


def test_an_interruption_in_the_middle_of_a_call_leaves_no_process(pids: Path) -> None:
    opened = session(environment=told(pids, {"a/b.1/c": "hung"}))
    loop = asyncio.new_event_loop()

    async def play() -> None:
        await opened.start()
        running = await opened.acquire()
        await running.connection.call("scenario.begin", begin_params("a/b.1/c"), 10)
        loop.call_later(0.05, _interrupt)
        await running.connection.call("chat-store.getState", {}, 10)

    with pytest.raises(KeyboardInterrupt):
        turn(loop, play())
    turn(loop, opened.close())
    loop.close()
    assert alive(pids) == []


def test_an_interruption_of_a_start_leaves_no_process(pids: Path) -> None:
    body = f"import os, pathlib, sys; pathlib.Path({str(pids)!r}, str(os.getpid())).touch(); sys.stdin.read()"
    opened = session(shlex.join([sys.executable, "-c", body + "; sys.stdin.read()"]))
    loop = asyncio.new_event_loop()

    async def start() -> None:
        loop.call_later(0.5, _interrupt)
        await opened.start()

    with pytest.raises(KeyboardInterrupt):
        turn(loop, start())
    assert asyncio.all_tasks(loop) == set()
    loop.close()
    assert alive(pids) == []


def _interrupt() -> None:
    raise KeyboardInterrupt


def test_half_of_a_surrogate_pair_passes_both_ways() -> None:
    opened = session()

    async def play() -> None:
        running = await opened.acquire()
        await running.connection.call("scenario.begin", begin_params("a/b.1/c"), 10)
        await running.connection.call("chat-store.setError", {"error": "\ud83c"}, 10)
        assert (await running.connection.call("chat-store.getState", {}, 10))["error"] == "\ud83c"

    played(opened, play)


def test_a_line_of_almost_16_mib_passes() -> None:
    opened = session()
    text = "x" * (15 * 2**20)

    async def play() -> None:
        running = await opened.acquire()
        await running.connection.call("scenario.begin", begin_params("a/b.1/c"), 10)
        await running.connection.call("chat-store.setError", {"error": text}, 10)
        assert (await running.connection.call("chat-store.getState", {}, 10))["error"] == text

    played(opened, play)


def test_the_environment_of_the_harness_and_of_the_driver_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDED_OVER", "yes")
    body = "import os, sys; sys.stderr.write(os.environ['HANDED_OVER'] + os.environ['OWN'] + os.getcwd()); sys.exit(7)"
    opened = session(f'{sys.executable} -c "{body}"', "/", {"OWN": "too"})
    with pytest.raises(DriverStartError, match=r"exit status 7\nthe end of its log:\nyestoo/$"):
        asyncio.run(opened.start())
    assert os.getcwd() != "/"
