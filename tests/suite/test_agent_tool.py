"""What stands around a managed agent tool: the control service, the relay, the peer, and the search for the token."""

import asyncio
import base64
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from specassay.drivers.namespace import ADDRESS, Namespace, unavailable
from specassay.port import NotRunnable
from specassay.provider.journal import Answer, Request, json_answer
from specassay.provider.server import Fault, Server
from specassay.suite.control import Control, ControlFailure
from specassay.suite.peer import Raw, exchange
from specassay.suite.relay import Relay
from specassay.suite.secret_search import search

TOKEN = "token-canary-0123456789abcdef"
CALL = {"action": "a.b", "input": {"n": 1}, "contextDirectory": "/w"}


def run(work: Awaitable[Any]) -> Any:
    async def limited() -> Any:
        return await asyncio.wait_for(work, 10)

    return asyncio.run(limited())


async def connect(host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(host, port)


async def send(server: Server, request: Raw) -> Answer | None:
    return await exchange(connect, "127.0.0.1", int(server.origin.rpartition(":")[2]), request)


# the control service


def test_a_call_is_answered_and_remembered() -> None:
    control = Control()
    control.data = {"x": 1}
    assert run(control.execute(CALL, 7)) == {"x": 1}
    assert [(call.request, call.shown) for call in control.calls] == [(7, CALL)]


def test_it_fails_with_its_data_until_it_is_told_otherwise() -> None:
    control = Control()
    control.fails({"message": "no", "status": 400})
    with pytest.raises(ControlFailure) as raised:
        run(control.execute(CALL, 1))
    assert raised.value.data == {"message": "no", "status": 400}
    control.fails(None)
    assert run(control.execute(CALL, 2)) == {}


def test_only_the_action_that_is_held_waits() -> None:
    async def play() -> None:
        control = Control()
        control.hold("a.b")
        held = asyncio.ensure_future(control.execute(CALL, 1))
        assert await control.until("a.b", 5)
        assert await control.execute({**CALL, "action": "c.d"}, 2) == {}
        assert not held.done()
        control.release()
        assert await held == {}

    run(play())


def test_an_abort_marks_the_call_with_that_id_alone_once() -> None:
    async def play() -> None:
        control = Control()
        await control.execute(CALL, 1)
        await control.execute(CALL, "2")
        assert not await control.until("a.b", 0.01, aborted=True)
        control.aborted({"requestId": "2"})
        control.aborted({"requestId": 99})
        assert await control.until("a.b", 0.01, aborted=True)
        assert [call.aborted is not None for call in control.calls] == [False, True]

    run(play())


# the peer


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (json_answer({"a": 1}), 200),
        (Answer(404, b""), 404),
        (Answer(fault=Fault.RESET), None),
        (Answer(body=b"0123456789", fault=Fault.CUT_SHORT), None),
    ],
)
def test_what_comes_back_is_an_answer_or_a_closed_connection(answer: Answer, expected: int | None) -> None:
    async def play() -> Any:
        async def handle(request: Request) -> Answer:
            return answer

        server = await Server(handle).start()
        try:
            return await send(server, Raw("POST", "/", (("host", "any"),), b"{}"))
        finally:
            await server.close()

    made = run(play())
    assert (made.status if made is not None else None) == expected


def test_a_request_goes_over_the_wire_as_its_bytes_are() -> None:
    headers = (("host", "any"), ("authorization", "one"), ("authorization", "é"))
    request = Raw("POST", "/p?q=1", headers, b"body", announced=9)
    assert request.encode() == (
        b"POST /p?q=1 HTTP/1.1\r\nhost: any\r\nauthorization: one\r\nauthorization: \xe9\r\n"
        b"content-length: 9\r\nconnection: close\r\n\r\nbody"
    )
    assert request.without("authorization").headers == (("host", "any"),)


def test_nobody_to_connect_to_is_an_error() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(OSError, match=r"."):
            run(exchange(connect, "127.0.0.1", closed.getsockname()[1], Raw("GET", "/", (("host", "a"),), b"")))


# the relay


def relayed(work: Callable[[Relay, list[Request]], Awaitable[Any]], hold: asyncio.Event | None = None) -> Any:
    """Run work with a relay in front of a callback that remembers what came, or holds it."""

    async def play() -> Any:
        seen: list[Request] = []

        async def handle(request: Request) -> Answer:
            seen.append(request)
            if hold is not None:
                hold.set()
                await asyncio.Event().wait()
            return Answer(201, b"{}", (("content-type", "application/json"), ("x-own", "kept")))

        server = await Server(handle).start()
        relay = Relay(connect)
        relay.target = f"{server.origin}/api/callback"
        await relay.start()
        try:
            return await work(relay, seen)
        finally:
            await relay.close()
            await server.close()

    return run(play())


async def post(relay: Relay) -> Answer | None:
    port = int(relay.url.split(":")[2].partition("/")[0])
    return await exchange(connect, "127.0.0.1", port, Raw("POST", "/api/callback", (("host", "x"), ("a", "b")), b"hi"))


def test_the_relay_hands_on_what_came_and_keeps_it() -> None:
    async def work(relay: Relay, seen: list[Request]) -> None:
        answer = await post(relay)
        assert answer is not None
        assert (answer.status, dict(answer.headers)["x-own"]) == (201, "kept")
        assert (seen[0].path, seen[0].body, seen[0].header("a")) == ("/api/callback", b"hi", "b")
        assert relay.captured is not None
        assert relay.captured.headers[0] == ("host", relay.target.split("/")[2])
        assert relay.url.endswith("/api/callback")

    relayed(work)


def test_the_relay_answers_itself_where_it_is_told() -> None:
    async def work(relay: Relay, seen: list[Request]) -> None:
        relay.answer = Answer(502, b"<p>")
        answer = await post(relay)
        assert (answer and answer.status, seen) == (502, [])

    relayed(work)


def test_a_cut_breaks_both_connections() -> None:
    arrived = asyncio.Event()

    async def work(relay: Relay, seen: list[Request]) -> None:
        cut = relay.cut_when_told()
        call = asyncio.ensure_future(post(relay))
        await arrived.wait()
        cut.set()
        assert await call is None

    relayed(work, arrived)


def test_a_callback_that_is_gone_resets_the_plugins_connection() -> None:
    async def work(relay: Relay, seen: list[Request]) -> None:
        relay.target = "http://127.0.0.1:9/api/callback"
        assert await post(relay) is None

    relayed(work)


# the search


@pytest.mark.parametrize(
    "text",
    [
        TOKEN,
        f"x={TOKEN}&",
        base64.b64encode(TOKEN.encode()).decode(),
        base64.b64encode(f"Bearer {TOKEN}".encode()).decode(),
    ],
)
def test_the_token_is_found_plain_and_in_base64(tmp_path: Path, text: str) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_text(f"before {text} after", "utf-8")
    made = search([TOKEN], tmp_path, {"lines": ["nothing", f"said {text}"]})
    assert made.found == ["the file deep/file", "lines, number 2"]


def test_where_it_is_not_nothing_is_found_and_it_is_said_where_it_was_sought(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xff" + TOKEN[:-1].encode())
    made = search([TOKEN], tmp_path, {"answers": []})
    assert made.found == []
    assert made.looked[:2] == ["1 file of the data directory and the home", "0 answers"]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this machine does not show its processes")
def test_a_command_line_is_a_place_and_the_environment_of_ones_own_child_is_none(tmp_path: Path) -> None:
    waiting = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([*waiting, TOKEN], stdin=pipe, stdout=pipe) as shown,
        subprocess.Popen(waiting, stdin=pipe, stdout=pipe, env={"TOKEN": TOKEN}) as hidden,
    ):
        for process in (shown, hidden):
            assert process.stdout is not None
            process.stdout.readline()
        assert search([TOKEN], tmp_path, {}).found == [f"the command line of process {shown.pid}"]


# the network of its own


@pytest.mark.skipif(unavailable() is not None, reason=f"no network namespace: {unavailable()}")
def test_a_peer_inside_is_seen_from_its_own_address_and_nothing_is_left() -> None:
    code = (
        "import socket, sys\n"
        "server = socket.create_server(('0.0.0.0', 0)); print(server.getsockname()[1], flush=True)\n"
        "for _ in range(2):\n"
        "    peer, address = server.accept(); peer.sendall(address[0].encode()); peer.close()\n"
        "sys.stdin.read()"
    )
    network = Namespace()
    command = network.command(f'{sys.executable} -c "{code}"')
    pipe = subprocess.PIPE
    with subprocess.Popen(command, shell=True, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        for host, source in (("127.0.0.1", "127.0.0.1"), (ADDRESS, ADDRESS)):
            with network.connect(host, port, source) as peer:
                peer.settimeout(5)
                assert peer.recv(100).decode() == source
        with network.listen() as listener:
            assert listener.getsockname()[0] == "127.0.0.1"
        with pytest.raises(OSError, match="refused"):
            network.connect("127.0.0.1", 1, "127.0.0.1")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=5)
    network.close()


def test_a_machine_without_one_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    unavailable.cache_clear()
    network = Namespace()
    try:
        with pytest.raises(NotRunnable, match=r"takes a network namespace, and (unshare does not run|only Linux)"):
            network.command("true")
    finally:
        network.close()
        unavailable.cache_clear()
