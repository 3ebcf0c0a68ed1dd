"""A real browser for the tests: Chromium, headless, through the DevTools protocol over a pair of pipes."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COMMAND = shutil.which("chromium")

_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"),
)
_PATIENCE = 60.0
# Chromium reads commands from descriptor 3 and answers on 4.
_LAUNCH = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)


class Page:
    """One page. `requests` holds the URL of everything that it asked for, `complaints` what the browser objected to."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write, self._rest = read, write, b""
        self._numbers = itertools.count(1)
        self._session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol, and give its result."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result
            self._hear(answer)

    def open(self, file: Path, fragment: str = "") -> None:
        """Load a file, and wait until its scripts have run."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"{file.as_uri()}{fragment}")
        deadline = time.monotonic() + _PATIENCE
        while not self.run(
            f"location.href.startsWith({json.dumps(file.as_uri())}) && document.readyState === 'complete'"
        ):
            assert time.monotonic() < deadline, "the page does not load"

    def run(self, script: str) -> Any:
        """Run a script in the page, and give its value, awaited where it is a promise."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def go(self, fragment: str) -> str:
        """Go to another view, wait until it is there with its evidence, and give the text of the page."""
        self.run(
            f"new Promise((done) => {{ const go = {json.dumps(fragment)};"
            "if (location.hash === go) done(); else { addEventListener('hashchange', done, { once: true });"
            "location.hash = go; } }).then(() => new Promise((done) => { const look = () =>"
            "document.querySelector('.evidence:empty') ? setTimeout(look, 5) : done(); look(); }))"
        )
        # what is far below the window is not laid out, and then its text is told only by chance
        text: str = self.run(
            "for (const one of document.querySelectorAll('.requirement')) one.style.contentVisibility = 'visible';"
            "document.body.innerText"
        )
        return text

    def picture(self, file: Path) -> None:
        """Take a screenshot."""
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 20)
            assert piece, "the browser is gone"
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def _hear(self, message: dict[str, Any]) -> None:
        told = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(told["request"]["url"])
            case "Log.entryAdded":
                self.complaints.append(told["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(told["exceptionDetails"])[:400])


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """Start Chromium with a profile of its own in `folder`, give a page of it, and end it."""
    assert COMMAND is not None
    down_read, down_write = os.pipe()
    up_read, up_write = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", _LAUNCH, str(down_read), str(up_write), COMMAND, *_FLAGS, f"--user-data-dir={folder}"],
        pass_fds=(down_read, up_write),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(down_read)
    os.close(up_write)
    try:
        yield Page(up_read, down_write)
    finally:
        os.close(down_write)  # which ends it, and with it its helpers
        os.close(up_read)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
