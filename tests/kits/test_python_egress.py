"""What leaves a process that runs the copied kit: what is meant for other hosts comes to the egress, and no more."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from specassay.drivers.kits.python.specassay_kit import egress
from specassay.provider import journal
from specassay.provider.journal import Answer, json_answer
from specassay.provider.server import Server
from specassay.resources import KITS
from tests.kits.driving import drive

Json = Any
KIT = KITS / "python" / "specassay_kit"
CLIENTS = ("httpx", "httpx_async", "httpx2", "httpx2_async", "http_client", "urllib", "requests")
FOREIGN = "https://api.example.com:8443/v1/chat?key=a%20b"

SEND = """
BODY = b'{"a": 1}'
JSON = {"content-type": "application/json", "x-kept": "kept"}

def httpx(url):
    import httpx
    return httpx.post(url, content=BODY, headers=JSON).text

async def httpx_async(url):
    import httpx
    async with httpx.AsyncClient() as client:
        return (await client.post(url, content=BODY, headers=JSON)).text

def httpx2(url):
    import httpx2
    return httpx2.post(url, content=BODY, headers=JSON).text

async def httpx2_async(url):
    import httpx2
    async with httpx2.AsyncClient() as client:
        return (await client.post(url, content=BODY, headers=JSON)).text

def http_client(url):
    import http.client, urllib.parse
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=10)
    connection.request("POST", f"{parts.path}?{parts.query}", BODY, JSON)
    return connection.getresponse().read().decode()

def urllib(url):
    import urllib.request
    return urllib.request.urlopen(urllib.request.Request(url, BODY, JSON), timeout=10).read().decode()

def requests(url):
    import requests
    return requests.post(url, data=BODY, headers=JSON, timeout=10).text
"""

DRIVER = """
import specassay_kit as kit, sender

kit.Driver(name="it", version="1", surfaces=["x"],
    begin=lambda scenario: {"x": {"send": lambda client, url: getattr(sender, client)(url)}}).serve()
"""

OFFICIAL = """
import specassay_kit as kit

def ask_openai():
    import openai
    return openai.OpenAI(api_key="key-1").chat.completions.create(model="m", messages=[]).choices[0].message.content

async def ask_google():
    from google import genai
    client = genai.Client(api_key="key-1")
    return (await client.aio.models.generate_content(model="m", contents="Hi")).text

kit.Driver(name="it", version="1", surfaces=["x"],
    begin=lambda scenario: {"x": {"openai": ask_openai, "google": ask_google}}).serve()
"""


class Egress:
    """A listener that keeps what came and answers with a text, or with what `answers` gives for the original URL."""

    def __init__(self, answers: dict[str, Json] | None = None) -> None:
        self._answers = answers
        self.requests: list[journal.Request] = []

    async def handle(self, request: journal.Request) -> Answer:
        self.requests.append(request)
        if self._answers is not None:
            return json_answer(self._answers[httpx.URL(request.header(egress.URL_HEADER) or "").host])
        return Answer(body=f"to {request.target}".encode(), headers=())


async def run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return await asyncio.to_thread(
        subprocess.run,
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("imported", ["before the kit", "when it is used"])
def test_every_client_s_traffic_to_another_host_comes_to_the_egress_and_to_this_one_goes_where_it_goes(
    tmp_path: Path, imported: str
) -> None:
    first = "import http.client, httpx, httpx2, requests\n" if imported == "before the kit" else ""
    shutil.copytree(KIT, tmp_path / "specassay_kit")
    (tmp_path / "sender.py").write_text(SEND)
    (tmp_path / "driver.py").write_text(first + DRIVER)
    proxies = dict.fromkeys(("HTTP_PROXY", "https_proxy", "ALL_PROXY"), "http://127.0.0.1:9")

    async def play() -> tuple[list[Json], list[journal.Request], str]:
        receiver = Egress()
        server = await Server(receiver.handle).start()
        urls = (FOREIGN, f"{server.origin}/local?b=1", server.origin.replace("127.0.0.1", "localhost") + "/local?b=2")
        calls = [("x.send", {"client": client, "url": url}) for client in CLIENTS for url in urls]
        answers = await drive(tmp_path, server.origin, *calls, **proxies)
        await server.close()
        return answers, receiver.requests, server.origin

    answers, requests, _ = asyncio.run(play())

    assert answers == ["to /egress", "to /local?b=1", "to /local?b=2"] * len(CLIENTS)
    assert [one.header(egress.URL_HEADER) for one in requests] == [FOREIGN, None, None] * len(CLIENTS)
    assert {(one.method, one.body, one.header("x-kept")) for one in requests} == {("POST", b'{"a": 1}', "kept")}


def test_the_official_clients_reach_the_egress_where_they_mean_their_providers(tmp_path: Path) -> None:
    shutil.copytree(KIT, tmp_path / "specassay_kit")
    (tmp_path / "driver.py").write_text(OFFICIAL)
    openai = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "A"}}]}
    google = {"candidates": [{"content": {"role": "model", "parts": [{"text": "B"}]}, "finishReason": "STOP"}]}
    hosts = {"api.openai.com": openai, "generativelanguage.googleapis.com": google}

    async def play() -> tuple[list[Json], list[journal.Request]]:
        receiver = Egress(hosts)
        server = await Server(receiver.handle).start()
        wrong = {"OPENAI_BASE_URL": "http://127.0.0.1:9", "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9"}
        answers = await drive(tmp_path, server.origin, ("x.openai", {}), ("x.google", {}), **wrong)
        await server.close()
        return answers, receiver.requests

    answers, requests = asyncio.run(play())

    assert answers == ["A", "B"]
    assert [httpx.URL(one.header(egress.URL_HEADER) or "").host for one in requests] == list(hosts)
    assert [one.path for one in requests] == ["/egress", "/egress"]


def test_the_egress_can_be_preloaded_into_a_server_without_a_driver(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text("print('its own')")
    (tmp_path / "sender.py").write_text(SEND)
    path = os.pathsep.join([str(KITS / "python" / "preload"), str(other)])
    program = f"import sender; print(sender.httpx({FOREIGN!r}), sender.urllib({FOREIGN!r}))"

    async def play(**environment: str) -> tuple[str, list[str | None]]:
        receiver = Egress()
        server = await Server(receiver.handle).start()
        given = {name: f"{server.origin}{value}" for name, value in environment.items()}
        finished = await run([sys.executable, "-c", program], tmp_path, PYTHONPATH=path, **given)
        await server.close()
        return finished.stdout, [one.header(egress.URL_HEADER) for one in receiver.requests]

    printed, urls = asyncio.run(play(SPECASSAY_EGRESS="/egress"))

    assert printed == "its own\nto /egress to /egress\n"
    assert urls == [FOREIGN, FOREIGN]


def test_a_process_that_only_has_the_preloaded_folder_is_as_it_was() -> None:
    path = {"PYTHONPATH": str(KITS / "python" / "preload"), "SPECASSAY_EGRESS": "", "OPENAI_API_KEY": "kept"}
    program = "import os, sys; assert sys.stdout is sys.__stdout__; print(os.environ['OPENAI_API_KEY'])"

    finished = asyncio.run(run([sys.executable, "-c", program], Path.cwd(), **path))

    assert finished.stdout == "kept\n"


class Request:
    """Made as aiohttp makes one; aiohttp itself would change what Google's client does in all other tests."""

    def __init__(self, method: str, url: httpx.URL, **options: Json) -> None:
        self.made = (method, str(url), options)


def test_a_request_of_aiohttp_is_made_for_the_egress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "_egress", "http://127.0.0.1:9/egress")
    egress._patch_aiohttp(SimpleNamespace(ClientRequest=Request))

    here = Request("POST", httpx.URL("http://127.0.0.1:9/a"), data="x", headers={"a": "b"})
    there = Request("POST", httpx.URL(FOREIGN), data="x", headers={"a": "b"})

    headers = {"a": "b", egress.URL_HEADER: FOREIGN}
    assert here.made == ("POST", "http://127.0.0.1:9/a", {"data": "x", "headers": {"a": "b"}})
    assert there.made == ("POST", "http://127.0.0.1:9/egress", {"data": "x", "headers": headers})


LOOPBACK = ["127.0.0.1", "127.3.2.1", "0.0.0.0", "::1", "[::1]", "::ffff:127.0.0.1"]


@pytest.mark.parametrize("host", [*LOOPBACK, "localhost", "LOCALHOST.", "a.localhost"])
def test_this_machine_is_known_by_its_names(host: str) -> None:
    assert egress.is_loopback(host)


@pytest.mark.parametrize(
    "host", ["example.com", "localhost.example.com", "127.0.0.1.example.com", "10.0.0.1", "::2", "::ffff:10.0.0.1", ""]
)
def test_another_machine_is_not_taken_for_this_one(host: str) -> None:
    assert not egress.is_loopback(host)
