"""What a server was asked, and what it answered."""

import json
import time
from dataclasses import dataclass, field
from typing import Any, NoReturn

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Request:
    """One HTTP request as it arrived; header names in lower case."""

    method: str
    target: str
    headers: Headers
    body: bytes

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    def header(self, name: str) -> str | None:
        """Give the first header of this name, in lower case; None where there is none."""
        return next((value for known, value in self.headers if known == name), None)

    @property
    def json(self) -> Any:
        """The body as JSON; None where it is none."""
        try:
            return parse_json(self.body)
        except ValueError:
            return None


@dataclass(frozen=True)
class Answer:
    """One HTTP answer; `fault` says how the connection misbehaves instead (see `server.Fault`)."""

    status: int = 200
    body: bytes = b""
    headers: Headers = (("content-type", "application/json"),)
    fault: str | None = None


@dataclass
class Exchange:
    """One request with its answer, which is None until it is sent.

    `at` is the time of arrival in Unix milliseconds. `seen` holds what the stores held while the answer was
    held back, by the operation that read it. `note` says what a reader should know: that a script ran out, say.
    """

    server: str
    request: Request
    answer: Answer | None = None
    note: str | None = None
    at: float = field(default_factory=lambda: time.time() * 1000)
    seen: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The URL that was meant: of a forwarded request the original one, else the target."""
        if self.server == "egress":
            return self.request.header("x-specassay-url") or self.request.target
        return self.request.target


def parse_json(body: bytes) -> Any:
    """Read JSON as it was sent. Raises `ValueError` for what is none, NaN and a depth beyond reading included."""
    try:
        return json.loads(body, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def json_answer(value: Any, status: int = 200) -> Answer:
    """Make the answer that holds `value` as JSON; half a surrogate pair is written as its escape."""
    return Answer(status, json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace"))


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
