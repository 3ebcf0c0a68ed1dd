"""`specassay provider` and `specassay record`, each as a process of its own."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from specassay.cli import main
from specassay.provider.library import read_exchange
from tests.provider.loopback import CHAT, CONTENTS, GEMINI

SECRET = "sk-" + "proj-" + "Ab12Cd34Ef56Gh78"


class Running:
    """A command that serves: its origin, and after `end` its exit code and all that it wrote."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.first = process.stdout.readline() if process.stdout is not None else ""
        found = re.search(r"http://127\.0\.0\.1:\d+", self.first)
        assert found is not None, (self.first, process.communicate())
        self.origin = found[0]
        self.written = ""
        self.errors = ""

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal, and wait for the end."""
        self._process.send_signal(number)
        rest, self.errors = self._process.communicate(timeout=10)
        self.written = self.first + rest
        return self._process.returncode


@contextmanager
def running(*arguments: str) -> Iterator[Running]:
    """Start a command, and leave nothing of it behind."""
    code = "import sys; from specassay.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield Running(process)
    finally:
        process.kill()
        process.communicate()


def _post(url: str, body: object, **headers: str) -> httpx.Response:
    return httpx.post(url, json=body, headers=headers, trust_env=False)


def test_provider_plays_each_family_in_turn_and_begins_again() -> None:
    with running("provider", "openai/one-call", "gemini/text", "openai/text") as command:
        finishes = [
            _post(f"{command.origin}/v1/chat/completions", CHAT).json()["choices"][0]["finish_reason"] for _ in range(3)
        ]
        assert finishes == ["tool_calls", "stop", "tool_calls"]
        parts = _post(command.origin + GEMINI, CONTENTS).json()["candidates"][0]["content"]["parts"]
        assert parts == [{"text": "Hello!"}]
        assert command.end() == 0


def test_provider_without_exchanges_greets() -> None:
    with running("provider") as command:
        answer = _post(f"{command.origin}/v1/chat/completions", CHAT).json()
        assert answer["choices"][0]["message"]["content"] == "Hello!"


def test_provider_plays_a_users_own_files(tmp_path: Path) -> None:
    mine = {
        "name": "openai/mine",
        "provider": "openai",
        "shows": "Mine.",
        "source": "Written here.",
        "request": {"path": "/v1/chat/completions"},
        "response": {"status": 418, "body": {"error": "mine"}},
    }
    (tmp_path / "mine.json").write_text(json.dumps(mine))
    with running("provider", str(tmp_path)) as command:
        assert _post(f"{command.origin}/v1/chat/completions", CHAT).json() == {"error": "mine"}
        refused = _post(command.origin + GEMINI, CONTENTS)
        assert refused.status_code == 500


def test_provider_shows_each_request_without_secrets_and_with_control_characters_escaped() -> None:
    with running("provider") as command:
        body = {"model": "m", "messages": [{"role": "user", "content": f"\x1b[31m\u202e {SECRET} Grüße"}]}
        _post(f"{command.origin}/v1/chat/completions?key=opaque-1", body, authorization="Bearer opaque-2", cookie="a=b")
        httpx.post(f"{command.origin}/else", content=b"\x1b]0;title\x07", trust_env=False)
        assert command.end() == 0
    shown = command.written
    for secret in (SECRET, "opaque-1", "opaque-2", "a=b", "\x1b", "\u202e", "\x07"):
        assert secret not in shown
    assert "POST /v1/chat/completions?key=REMOVED" in shown
    assert "authorization: Bearer REMOVED" in shown
    assert r"\u001b[31m\u202e REMOVED Grüße" in shown
    assert "→ 200 openai/text: A plain text answer." in shown
    assert r"\x1b]0;title\x07" in shown
    assert "→ 404 no provider serves this" in shown


def test_provider_listens_on_the_port_that_is_asked_for() -> None:
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # so that the command may share what is kept for it
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        with running("provider", "--port", str(port)) as command:
            assert command.origin == f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_provider_ends_cleanly_even_with_a_connection_open(number: signal.Signals) -> None:
    with running("provider") as command:
        with socket.create_connection(("127.0.0.1", int(command.origin.rsplit(":", 1)[1]))):
            assert command.end(number) == 0
        assert command.errors == ""


def test_a_port_that_is_taken_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["provider", "--port", str(port)]) == 2
    told = capfd.readouterr().err
    assert told == f"specassay: cannot listen on port {port}: Address already in use\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["provider", "openai/no-such"], "'openai/no-such' is no exchange, no provider family and no file"),
        (["provider", "--port", "70000"], "70000 is not in the range"),
        (["record", "--upstream", "example.org", "--to", "x"], "--upstream must be a URL"),
        (["record", "--upstream", "https://me:opaque-1@example.org/?a=b", "--to", "x"], "must have no query"),
        (["record", "--upstream", "https://example.org"], "Missing option '--to'"),
        (["record", "--upstream", "https://example.org", "--to", __file__], "--to"),
    ],
)
def test_wrong_usage_is_told_and_ends_with_2(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert "opaque-1" not in shown.err
    assert shown.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_file_with_a_fault_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.json"
    file.write_text("{\n")
    assert main(["provider", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"specassay: {file}:2:1: not valid JSON: ")


def test_record_writes_what_passes_through(tmp_path: Path) -> None:
    with (
        running("provider", "openai/one-call") as upstream,
        running("record", "--upstream", upstream.origin, "--to", str(tmp_path)) as command,
    ):
        answer = _post(f"{command.origin}/v1/chat/completions", CHAT, authorization=f"Bearer {SECRET}")
        assert answer.json()["choices"][0]["finish_reason"] == "tool_calls"
        assert command.end() == 0
    file = tmp_path / "openai" / "recorded-0001.json"
    assert read_exchange(file).request.body == CHAT
    assert f"recorded as {file}" in command.written
    assert "1 recorded, 0 failed" in command.written
    assert SECRET not in command.written + command.errors + file.read_text()


def test_record_with_an_upstream_that_is_down_tells_the_client_and_the_user_and_ends_with_3(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        gone = f"http://me:opaque-1@127.0.0.1:{closed.getsockname()[1]}"
        with running("record", "--upstream", gone, "--to", str(tmp_path)) as command:
            answer = _post(f"{command.origin}/v1/chat/completions", CHAT)
            assert answer.status_code == 502
            assert command.end() == 3
    assert "gave no answer" in answer.json()["error"]["message"]
    assert answer.json()["error"]["message"] in command.written
    assert "0 recorded, 1 failed" in command.written
    assert "opaque-1" not in command.written + command.errors + answer.text
    assert list(tmp_path.rglob("*.json")) == []
