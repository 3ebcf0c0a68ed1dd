"""The recorder passes requests on, and writes exchange files that hold no secret."""

import asyncio
import gzip
import json
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from specassay.errors import UsageError
from specassay.provider.answers import Play
from specassay.provider.fake import FakeProvider
from specassay.provider.journal import Answer, Request, json_answer
from specassay.provider.library import read_exchange, read_exchanges
from specassay.provider.record import Recorder, checked, client
from specassay.provider.server import Handler
from tests.provider.loopback import CHAT, CONTENTS, GEMINI, OPENAI, listening, served


class Recording:
    """What came of a recording: the answers to the client, what the user was told, and the files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.responses: list[httpx.Response] = []
        self.told: list[str] = []
        self.recorded = 0
        self.failed = 0

    @property
    def files(self) -> list[Path]:
        """All that lies in the folder."""
        return sorted(file for file in self.folder.rglob("*") if file.is_file())

    @property
    def written(self) -> str:
        """All bytes of all files, with their names."""
        return "\n".join(f"{file}\n{file.read_text('utf-8')}" for file in self.files)


def record(upstream: Handler, folder: Path, *requests: tuple[str, Any], user: str = "", **headers: str) -> Recording:
    """Send requests through a recorder to an upstream."""
    result = Recording(folder)

    async def use(origin: str) -> None:
        target = origin.replace("http://", f"http://{user}")
        async with client() as sender:
            recorder = Recorder(target, folder, sender, result.told.append)
            async with listening(recorder.handle) as here, httpx.AsyncClient(base_url=here, trust_env=False) as asker:
                for path, body in requests:
                    content = body if isinstance(body, bytes) else json.dumps(body)
                    named = {
                        name.replace("_", "-").encode(): value.encode("latin-1") for name, value in headers.items()
                    }
                    result.responses.append(await asker.post(path, content=content, headers=list(named.items())))
            result.recorded, result.failed = recorder.recorded, recorder.failed

    served(upstream, use)
    return result


def _playing(*names: str) -> FakeProvider:
    fake = FakeProvider()
    fake.script.then(*map(Play, names))
    return fake


def test_a_call_of_each_family_is_passed_on_answered_and_written(tmp_path: Path) -> None:
    fake = _playing("one-call", "parallel-calls")
    recording = record(fake.handle, tmp_path, (OPENAI, CHAT), (GEMINI, CONTENTS), authorization="Bearer opaque-1")
    assert [one.request.header("authorization") for one in fake.posts] == ["Bearer opaque-1"] * 2
    assert [one.request.path for one in fake.posts] == [OPENAI, GEMINI]
    exchanges = read_exchanges([tmp_path])
    assert list(exchanges) == ["gemini/recorded-0001", "openai/recorded-0001"]
    assert exchanges["openai/recorded-0001"].request.body == CHAT
    for response, exchange in zip(recording.responses, reversed(exchanges.values()), strict=True):
        assert response.status_code == 200
        told = {key: value for key, value in response.json().items() if key not in ("id", "responseId")}
        assert isinstance(exchange.response.body, dict)
        assert {key: value for key, value in exchange.response.body.items() if key not in ("id", "responseId")} == told


def test_a_recorded_exchange_can_be_played_again(tmp_path: Path) -> None:
    record(_playing("parallel-calls").handle, tmp_path, (OPENAI, CHAT))
    answer = read_exchange(tmp_path / "openai" / "recorded-0001.json").response.answer()
    message = json.loads(answer.body)["choices"][0]["message"]
    assert [call["id"] for call in message["tool_calls"]] == ["call_1", "call_2"]


def test_recordings_are_numbered_on(tmp_path: Path) -> None:
    for _ in range(2):
        record(_playing("text").handle, tmp_path, (OPENAI, CHAT))
    assert sorted(file.name for file in tmp_path.rglob("*.json")) == ["recorded-0001.json", "recorded-0002.json"]


SECRET_KEY = "sk-" + "proj-" + "Ab12Cd34Ef56Gh78"
GOOGLE_KEY = "AIza" + "SyD-1234567890abcdefghijklmnopqrs"
SECRETS = {
    "bearer": "opaque-bearer-1",
    "header key": GOOGLE_KEY,
    "query key": "opaque-query-1",
    "cookie": "opaque-cookie-1",
    "set cookie": "opaque-cookie-2",
    "user": "opaque-user-1",
    "password": "opaque-password-1",
    "organization": "org" + "-A1b2C3d4E5f6",
    "project": "proj" + "_A1b2C3d4E5f6",
    "request id": "req" + "_0123456789abcdef",
    "completion id": "chatcmpl-Zz9Yy8Xx7",
    "end user": "opaque-end-user-1",
    "account": "opaque-account-1",
    "key in the body": SECRET_KEY,
    "key elsewhere in the body": "gsk" + "_AbCd1234EfGh5678",
}


async def _leaky(request: Request) -> Answer:
    """Answer with everything that came, and with secrets of its own, in every place."""
    error = {
        "message": f"Bad: {request.target} {request.headers} {request.body.decode()}",
        "project": f"projects/{SECRETS['account']}",
        "account_id": SECRETS["account"],
    }
    answer = json_answer({"id": SECRETS["completion id"], "user_id": SECRETS["account"], "error": error}, 401)
    own = (
        ("set-cookie", f"session={SECRETS['set cookie']}; Path=/"),
        ("x-request-id", SECRETS["request id"]),
        ("openai-organization", SECRETS["organization"]),
        ("retry-after", "2"),
        ("location", f"https://{SECRETS['user']}:x@example.org/?key={SECRETS['query key']}"),
    )
    return Answer(answer.status, answer.body, (*answer.headers, *own))


async def _leaky_text(request: Request) -> Answer:
    answer = await _leaky(request)
    page = b"<html><pre>" + answer.body + f"\nSet-Cookie: x={SECRETS['set cookie']}\n</pre>".encode()
    return Answer(502, page, (("content-type", "text/html"), *answer.headers[1:]))


@pytest.mark.parametrize("upstream", [_leaky, _leaky_text])
@pytest.mark.parametrize("path", [OPENAI, GEMINI, f"/accounts/{SECRETS['account']}/v1/chat/completions"])
def test_no_secret_is_written_or_told_wherever_it_stands(tmp_path: Path, upstream: Handler, path: str) -> None:
    body = {
        "model": "model-1",
        "user": SECRETS["end user"],
        "messages": [
            {"role": "user", "content": f"My key is {SECRET_KEY}, or {SECRETS['key elsewhere in the body']}."}
        ],
        "metadata": {"api_key": SECRETS["key in the body"], "account_id": SECRETS["account"]},
        SECRETS["bearer"]: [SECRETS["header key"]],
    }
    recording = record(
        upstream,
        tmp_path,
        (f"{path}?key={SECRETS['query key']}&alt=json", body),
        user=f"{SECRETS['user']}:{SECRETS['password']}@",
        authorization=f"Bearer {SECRETS['bearer']}",
        x_goog_api_key=SECRETS["header key"],
        cookie=f"a=b; session={SECRETS['cookie']}",
        openai_organization=SECRETS["organization"],
        openai_project=SECRETS["project"],
    )
    assert recording.recorded == 1
    assert "Bad: " in recording.written
    for place, secret in SECRETS.items():
        assert secret not in recording.written, place
        assert secret not in "\n".join(recording.told), place
    [file] = recording.files
    exchange = read_exchange(file)
    assert exchange.response.headers.get("retry-after") == "2"
    assert "location" not in exchange.response.headers


def test_what_is_compressed_arrives_as_it_was_meant(tmp_path: Path) -> None:
    arrived: list[Request] = []

    async def compressing(request: Request) -> Answer:
        arrived.append(request)
        packed = gzip.compress(b'{"choices": []}')
        return Answer(200, packed, (("content-type", "application/json"), ("content-encoding", "gzip")))

    sent = gzip.compress(json.dumps(CHAT).encode())
    recording = record(compressing, tmp_path, (OPENAI, sent), content_encoding="gzip", x_latin="\xe9")
    assert (arrived[0].body, arrived[0].header("content-encoding")) == (sent, "gzip")
    assert arrived[0].header("x-latin") == "\xe9"
    assert recording.responses[0].json() == {"choices": []}
    assert read_exchange(recording.files[0]).response.body == {"choices": []}


def test_the_client_gets_the_answer_as_it_came(tmp_path: Path) -> None:
    recording = record(_leaky, tmp_path, (OPENAI, CHAT), authorization=f"Bearer {SECRETS['bearer']}")
    [response] = recording.responses
    assert SECRETS["bearer"] in response.text
    assert response.headers["x-request-id"] == SECRETS["request id"]


@pytest.mark.parametrize("name", ["html-with-200", "invalid-json", "empty-body", "body-null"])
def test_what_is_no_answer_is_recorded_as_it_is(tmp_path: Path, name: str) -> None:
    recording = record(_playing(name).handle, tmp_path, (OPENAI, CHAT))
    [file] = recording.files
    assert read_exchange(file).response.answer().body == recording.responses[0].content


@pytest.mark.parametrize(
    "body", [b'{"a": NaN}', b'{"a": "\\ud800"}', b"\xff\xfe", b"[" * 100_000, b"[" * 400 + b"]" * 400]
)
def test_odd_bodies_are_recorded_too(tmp_path: Path, body: bytes) -> None:
    async def odd(request: Request) -> Answer:
        return Answer(200, body)

    recording = record(odd, tmp_path, (OPENAI, body))
    assert recording.recorded == 1
    [file] = recording.files
    assert json.loads(file.read_bytes())["response"]["status"] == 200


def test_what_is_no_call_of_a_model_is_passed_on_and_not_recorded(tmp_path: Path) -> None:
    recording = record(_playing().handle, tmp_path, ("/v1/embeddings", {}))
    assert recording.responses[0].status_code == 404
    assert recording.files == []
    assert recording.told == ["POST /v1/embeddings 404, not recorded: no call of a model"]


@pytest.mark.parametrize("name", ["connection-reset", "body-cut-short"])
def test_an_upstream_that_breaks_off_is_told_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    recording = record(_playing(name).handle, tmp_path, (OPENAI, CHAT))
    assert recording.responses[0].status_code == 502
    assert "gave no answer" in recording.responses[0].json()["error"]["message"]
    assert (recording.files, recording.recorded, recording.failed) == ([], 0, 1)


@pytest.mark.parametrize(("path", "body"), [(OPENAI, CHAT), (GEMINI, CONTENTS)])
def test_an_upstream_that_is_down_is_told_in_the_shape_of_the_family(tmp_path: Path, path: str, body: Any) -> None:
    told: list[str] = []

    async def use(gone: str) -> httpx.Response:
        async with client() as sender:
            upstream = gone.replace("http://", "http://me:opaque-1@")
            recorder = Recorder(upstream, tmp_path, sender, told.append)
            async with listening(recorder.handle) as here, httpx.AsyncClient(base_url=here, trust_env=False) as asker:
                return await asker.post(path, json=body)

    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # taken, and nobody listens
        gone = f"http://127.0.0.1:{closed.getsockname()[1]}"
        response = asyncio.run(use(gone))
    assert response.status_code == 502
    assert response.json()["error"]["message"] == told[0]
    assert told[0].startswith(f"the upstream {gone} gave no answer: ")
    assert ("status" in response.json()["error"]) == (path == GEMINI)
    assert "opaque-1" not in response.text
    assert list(tmp_path.rglob("*.json")) == []


def test_a_file_that_cannot_be_written_is_told_and_the_client_gets_its_answer(tmp_path: Path) -> None:
    (tmp_path / "openai").write_text("in the way")
    recording = record(_playing("text").handle, tmp_path, (OPENAI, CHAT))
    assert recording.responses[0].status_code == 200
    assert recording.failed == 1
    assert "not recorded" in recording.told[0]
    assert [file.name for file in recording.files] == ["openai"]


def test_nothing_half_written_is_left_where_the_rename_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("specassay.provider.record.os.replace", broken)
    recording = record(_playing("text").handle, tmp_path, (OPENAI, CHAT))
    assert recording.files == []
    assert "No space left on device" in recording.told[0]


def test_a_target_that_is_no_path_goes_nowhere(tmp_path: Path) -> None:
    async def use(origin: str) -> Answer:
        async with client() as sender:
            recorder = Recorder(origin, tmp_path, sender, lambda told: None)
            return await recorder.handle(Request("POST", "@elsewhere.example.org/v1/chat/completions", (), b"{}"))

    assert served(_refuse, use).status == 400


@pytest.mark.parametrize(
    ("upstream", "told"),
    [
        ("api.openai.com", "must be a URL"),
        ("ftp://example.org", "must be a URL"),
        ("http://", "must be a URL"),
        ("https://example.org:port", "no URL"),
        ("https://example.org/?key=opaque-1", "must have no query"),
    ],
)
def test_an_upstream_that_cannot_be_used_is_told(upstream: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as raised:
        checked(upstream)
    assert "opaque-1" not in str(raised.value)


async def _refuse(request: Request) -> Answer:
    raise AssertionError(request)
