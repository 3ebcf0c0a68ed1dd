"""How the loopback server misbehaves where it is told to."""

import asyncio
import json

import httpx
import pytest

from specassay.provider import server
from specassay.provider.answers import Play
from specassay.provider.fake import FakeProvider
from specassay.provider.journal import Answer, Request, json_answer
from specassay.provider.server import Server
from tests.provider.loopback import CHAT, OPENAI, asked, served


def _fake(name: str) -> FakeProvider:
    fake = FakeProvider()
    fake.script.always(Play(name))
    return fake


def test_a_reset_is_a_reset() -> None:
    async def use(origin: str) -> bytes:
        reader, writer = await _connection(origin)
        writer.write(_request())
        try:
            return await reader.read()
        finally:
            writer.close()

    with pytest.raises(ConnectionResetError):
        served(_fake("connection-reset").handle, use)


def test_a_body_cut_short_promises_more_than_it_sends() -> None:
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        asked(_fake("body-cut-short").handle, (OPENAI, CHAT))


def test_a_hang_says_nothing_and_is_closed_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HANG_SECONDS", 0.01)
    with pytest.raises(httpx.RemoteProtocolError, match="disconnected without sending a response"):
        asked(_fake("hang").handle, (OPENAI, CHAT))


def test_a_hang_ends_with_the_client_that_gives_up() -> None:
    async def use(origin: str) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=httpx.Timeout(5, read=0.05)) as client:
            await client.post(origin + OPENAI, json=CHAT)

    with pytest.raises(httpx.ReadTimeout):
        served(_fake("hang").handle, use)


@pytest.mark.parametrize(
    ("name", "kind", "body"),
    [
        ("html-with-200", "text/html; charset=utf-8", b"<!DOCTYPE html>"),
        ("invalid-json", "application/json", b'{"id": "1", "choices": ['),
        ("empty-body", "application/json", b""),
    ],
)
def test_a_body_that_is_no_answer_comes_as_it_is(name: str, kind: str, body: bytes) -> None:
    [response] = asked(_fake(name).handle, (OPENAI, CHAT))
    assert response.status_code == 200
    assert response.headers["content-type"] == kind
    assert response.content.startswith(body)
    assert len(response.content) == int(response.headers["content-length"])


def test_a_fault_leaves_the_server_able_to_serve() -> None:
    fake = FakeProvider()
    fake.script.then(Play("connection-reset"), Play("text"))

    async def use(origin: str) -> int:
        async with httpx.AsyncClient(trust_env=False) as client:
            with pytest.raises(httpx.ReadError):
                await client.post(origin + OPENAI, json=CHAT)
            return (await client.post(origin + OPENAI, json=CHAT)).status_code

    assert served(fake.handle, use) == 200
    assert len(fake.posts) == 2


def test_one_connection_carries_many_requests() -> None:
    fake = _fake("text")
    assert [one.status_code for one in asked(fake.handle, *[(OPENAI, CHAT)] * 3)] == [200] * 3


def test_a_client_that_waits_for_leave_to_send_its_body_gets_it() -> None:
    fake = _fake("text")

    async def use(origin: str) -> bytes:
        reader, writer = await _connection(origin)
        head, body = _request("expect: 100-continue\r\n").split(b"\r\n\r\n")
        writer.write(head + b"\r\n\r\n")
        interim = await reader.readline()
        writer.write(body)
        rest = await reader.readuntil(b"Hello!")
        writer.close()
        return interim + rest

    assert b"HTTP/1.1 100" in served(fake.handle, use)
    assert fake.posted(1) == CHAT


@pytest.mark.parametrize(
    "noise", [b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\nx"]
)
def test_a_client_that_speaks_no_http_is_heard_no_further(noise: bytes) -> None:
    async def use(origin: str) -> bytes:
        reader, writer = await _connection(origin)
        writer.write(noise)
        writer.write_eof()
        got = await reader.read()
        writer.close()
        return got

    assert served(_fake("text").handle, use) == b""


def test_a_server_that_is_closed_ends_what_is_open() -> None:
    async def scene() -> bytes:
        answered = asyncio.Event()

        async def never(request: Request) -> Answer:
            answered.set()
            await asyncio.Event().wait()
            return json_answer({})

        listener = await Server(never).start()
        reader, writer = await _connection(listener.origin)
        writer.write(_request())
        await answered.wait()
        await listener.close()
        got = await reader.read()
        writer.close()
        return got

    assert asyncio.run(scene()) == b""


def test_a_port_that_is_taken_is_an_error() -> None:
    async def use(origin: str) -> None:
        await Server(_never_asked).start(int(origin.rsplit(":", 1)[1]))

    with pytest.raises(OSError, match="in use"):
        served(_never_asked, use)


async def _never_asked(request: Request) -> Answer:
    raise AssertionError(request)


def _request(more: str = "") -> bytes:
    body = json.dumps(CHAT)
    return f"POST {OPENAI} HTTP/1.1\r\nhost: x\r\n{more}content-length: {len(body)}\r\n\r\n{body}".encode()


async def _connection(origin: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = origin.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port))
