"""The callback, as an ASGI application in front of a service that is watched."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx
import pytest

from specassay.reference.agent_tool.callback import LARGEST, Callback, is_loopback
from specassay.reference.agent_tool.environment import CALLBACK_PATH, ManagedTool
from specassay.reference.agent_tool.result import Partial
from specassay.reference.agent_tool.service import ServiceError, UsageError

TOKEN = "token-canary-0123456789abcdef-ABCDEF"
REQUEST = {"action": "session.create", "parameters": {"prompt": "Hello"}, "directory": "/w"}
LOOPBACK = "127.0.0.1"


class Service:
    """Remembers what it was asked, and answers or fails as it is told."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.asked: list[Any] = []
        self.failure = failure

    async def execute(self, action: str, given: Mapping[str, Any], directory: str) -> Any:
        self.asked.append((action, dict(given), directory))
        if self.failure is not None:
            raise self.failure
        return {"made": 1}


def callback(service: Any) -> Callback:
    tool = ManagedTool()
    tool.token = TOKEN
    return Callback(tool, service, "token-of-the-user")


def post(
    service: Any,
    body: Any = REQUEST,
    *,
    token: str | bytes | None = f"Bearer {TOKEN}",
    peer: str = LOOPBACK,
    path: str = CALLBACK_PATH,
    method: str = "POST",
    headers: list[tuple[str, str]] | None = None,
) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(callback(service), client=(peer, 1), raise_app_exceptions=True)
        async with httpx.AsyncClient(transport=transport, base_url="http://server.test") as client:
            named: list[Any] = [*(headers or [])]
            if token is not None:
                named.append((b"authorization", token if isinstance(token, bytes) else token.encode()))
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            return await client.request(method, path, content=content, headers=named)

    return asyncio.run(send())


def test_a_legal_call_reaches_the_service_and_its_data_come_back() -> None:
    service = Service()
    answer = post(service)
    assert (answer.status_code, answer.json()) == (
        200,
        {"schemaVersion": 1, "ok": True, "action": "session.create", "data": {"made": 1}},
    )
    assert service.asked == [("session.create", {"prompt": "Hello"}, "/w")]


@pytest.mark.parametrize(
    "token",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        TOKEN,
        f"Basic {TOKEN}",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN.swapcase()}",
        b"Bearer " + b"\xe9" * len(TOKEN),
        "Bearer token-of-the-user",
    ],
)
def test_whatever_is_not_the_token_is_refused_alike_and_told_nothing(token: Any) -> None:
    service = Service()
    answer = post(service, token=token)
    assert (answer.status_code, service.asked) == (401, [])
    assert answer.json()["error"] == {"message": "A valid token is needed."}


def test_the_scheme_is_known_in_any_case() -> None:
    assert post(Service(), token=f"bearer {TOKEN}").status_code == 200


def test_two_authorization_headers_are_refused() -> None:
    service = Service()
    answer = post(service, headers=[("authorization", f"Bearer {TOKEN}")])
    assert (answer.status_code, service.asked) == (401, [])


def test_without_a_child_no_token_is_right() -> None:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(Callback(ManagedTool(), Service()), client=(LOOPBACK, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://server.test") as client:
            return await client.post(CALLBACK_PATH, json=REQUEST, headers={"authorization": "Bearer None"})

    assert asyncio.run(send()).status_code == 401


@pytest.mark.parametrize(
    "peer", ["10.0.0.1", "192.168.1.5", "::ffff:10.0.0.1", "fe80::1%eth0", "2001:db8::1", "a-socket"]
)
def test_a_peer_elsewhere_is_refused_with_the_token_and_whatever_headers(peer: str) -> None:
    service = Service()
    for headers in ([], [("x-forwarded-for", LOOPBACK), ("forwarded", f"for={LOOPBACK}"), ("x-real-ip", "::1")]):
        assert post(service, peer=peer, headers=headers).status_code == 403
    assert service.asked == []


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_a_peer_on_this_machine_is_served(peer: str) -> None:
    assert is_loopback(peer)
    assert post(Service(), peer=peer, headers=[("x-forwarded-for", "10.0.0.1")]).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON",
        b"[" * 100_000 + b"]" * 100_000,
        b'{"action": "session.create", "parameters": ' + b"[" * 100_000 + b"]" * 100_000 + b', "directory": "/"}',
        b"\xff\xfe",
        [REQUEST],
        {**REQUEST, "action": 5},
        {**REQUEST, "action": None},
        {**REQUEST, "action": ["session.create"]},
        {**REQUEST, "action": "session.delete"},
        {**REQUEST, "action": "schedule.status"},
        {**REQUEST, "action": "__proto__"},
        {**REQUEST, "action": "session.create "},
        {**REQUEST, "parameters": {"url": "http://127.0.0.1"}},
        {**REQUEST, "parameters": {"__proto__": {}}},
        {**REQUEST, "parameters": {"action": "schedule.delete"}},
        {**REQUEST, "further": 1},
        {"action": "session.create"},
    ],
)
def test_what_is_no_request_is_refused_with_an_envelope(body: Any) -> None:
    service = Service()
    answer = post(service, body)
    assert (answer.status_code, service.asked) == (400, [])
    assert (answer.json()["ok"], answer.json()["schemaVersion"]) == (False, 1)


def test_a_body_that_is_too_large_is_refused_before_all_of_it_is_read() -> None:
    service = Service()
    assert post(service, b" " * (LARGEST + 1)).status_code == 413
    read = 0

    async def chunks() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield b" " * 65536

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": await anext(stream), "more_body": True}

    stream = chunks()
    assert asyncio.run(_answered(service, receive)) == 413
    assert read <= LARGEST / 65536 + 1


def test_the_token_is_looked_at_before_the_body_is_read() -> None:
    async def receive() -> dict[str, Any]:
        raise AssertionError("the body was read")

    assert asyncio.run(_answered(Service(), receive, token="Bearer wrong")) == 401


async def _answered(service: Any, receive: Any, token: str = f"Bearer {TOKEN}") -> int:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"authorization", token.encode())]
    scope = {"type": "http", "method": "POST", "path": CALLBACK_PATH, "headers": headers, "client": (LOOPBACK, 1)}
    await callback(service)(scope, receive, send)
    return int(sent[0]["status"])


@pytest.mark.parametrize(("method", "status"), [("GET", 405), ("PUT", 405), ("OPTIONS", 405)])
def test_another_method_does_nothing(method: str, status: int) -> None:
    service = Service()
    assert (post(service, method=method).status_code, service.asked) == (status, [])


def test_there_is_nothing_at_other_paths() -> None:
    assert post(Service(), path="/api/other").status_code == 404


def test_the_users_own_token_opens_the_command_lines_entrance_alone() -> None:
    service, body = Service(), {**REQUEST, "action": "schedule.status", "parameters": {}}
    path = "/api/openchamber/control"
    assert post(service, body, path=path, token="Bearer token-of-the-user").status_code == 200
    assert post(service, body, path=path).status_code == 401
    assert [action for action, *_ in service.asked] == ["schedule.status"]


def test_a_failure_of_the_service_is_an_envelope_with_what_was_done() -> None:
    partial = Partial(action="session.create", session_id="s1", directory="/w")
    answer = post(Service(ServiceError("It broke.", 502, partial)))
    assert answer.json()["error"] == {
        "message": "It broke.",
        "status": 502,
        "partial": {"action": "session.create", "sessionId": "s1", "directory": "/w"},
    }
    assert post(Service(UsageError("Add x."))).json()["error"] == {"message": "Add x.", "status": 400}


def test_a_fault_says_nothing_of_itself(caplog: pytest.LogCaptureFixture) -> None:
    answer = post(Service(RuntimeError("secret-canary")))
    assert (answer.status_code, answer.json()["ok"]) == (500, False)
    assert "secret-canary" not in answer.text + caplog.text


def test_no_token_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    post(Service())
    post(Service(), token=f"Bearer {TOKEN}x")
    post(Service(RuntimeError()))
    assert "refused" in caplog.text
    assert TOKEN not in caplog.text


def test_a_peer_that_goes_cancels_the_service_and_nothing_is_answered() -> None:
    async def play() -> tuple[list[str], list[Any]]:
        events: list[str] = []
        started = asyncio.Event()

        class Slow:
            async def execute(self, *given: Any) -> Any:
                started.set()
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    events.append("cancelled")
                    raise

        bodies = iter([{"type": "http.request", "body": json.dumps(REQUEST).encode()}])
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            if (first := next(bodies, None)) is not None:
                return first
            await started.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"authorization", f"Bearer {TOKEN}".encode())]
        scope = {"type": "http", "method": "POST", "path": CALLBACK_PATH, "headers": headers, "client": (LOOPBACK, 1)}
        await callback(Slow())(scope, receive, send)
        return events, sent

    assert asyncio.run(play()) == (["cancelled"], [])


def test_what_is_no_http_is_not_answered() -> None:
    async def never(*_: Any) -> Any:
        raise AssertionError

    with pytest.raises(ValueError, match="websocket"):
        asyncio.run(callback(Service())({"type": "websocket"}, never, never))
