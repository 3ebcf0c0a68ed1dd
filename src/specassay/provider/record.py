"""Records a user's own exchanges: a loopback proxy that writes what passes through it as exchange files.

Nothing touches the disk before the secrets are taken out of it, and a file is there whole or not at all.
"""

import json
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from specassay.errors import UsageError
from specassay.provider.exchange import ExchangeFile, RequestShape
from specassay.provider.families import Family, family_error, family_of, model_in
from specassay.provider.journal import Answer, Request, json_answer, parse_json
from specassay.provider.secrets import REMOVED, Secrets

_HOP_BY_HOP = {
    *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding"),
    *("upgrade", "content-length"),
}
_NOT_SENT_ON = _HOP_BY_HOP | {"host", "accept-encoding", "expect"}
_NOT_SENT_BACK = _HOP_BY_HOP | {"content-encoding"}  # what came compressed goes back plain
_KEPT_HEADERS = ("content-type", "retry-after", "retry-after-ms", "x-should-retry")
_TIMEOUT = httpx.Timeout(600, connect=10)
_NUMBERED = re.compile(r"recorded-(\d+)\.json")


class Recorder:
    """The proxy to one upstream. `say` is told each thing that a user should see, without secrets.

    `recorded` and `failed` count the exchanges that were written and the requests that the upstream left unanswered.
    """

    def __init__(self, upstream: str, folder: Path, client: httpx.AsyncClient, say: Callable[[str], None]) -> None:
        self.recorded = 0
        self.failed = 0
        self._secrets = Secrets()
        self._secrets.learn(upstream, ())
        self._upstream = checked(upstream)
        self._folder = folder
        self._client = client
        self._say = say

    async def handle(self, request: Request) -> Answer:
        """Send a request on, write the exchange down, and give the upstream's answer."""
        if not request.target.startswith("/"):
            return json_answer({"error": "this is no forward proxy; send a path to it"}, status=400)
        url = self._upstream + request.target
        self._secrets.learn(url, request.headers)
        sent = [(name.encode(), value.encode("latin-1")) for name, value in request.headers if name not in _NOT_SENT_ON]
        try:
            response = await self._client.request(request.method, url, headers=sent, content=request.body)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return self._unanswered(request, error)
        headers = tuple((name.lower(), value) for name, value in response.headers.multi_items())
        self._secrets.learn("", headers)
        kept = tuple((name, value) for name, value in headers if name not in _NOT_SENT_BACK)
        answer = Answer(response.status_code, response.content, kept)
        self._write(request, answer)
        return answer

    def _unanswered(self, request: Request, error: Exception) -> Answer:
        self.failed += 1
        reason = self._secrets.clean(str(error) or type(error).__name__)
        message = f"the upstream {self._secrets.clean_url(self._upstream)} gave no answer: {reason}"
        self._say(message)
        return json_answer(family_error(family_of(request.target) or Family.OPENAI, 502, message), status=502)

    def _write(self, request: Request, answer: Answer) -> None:
        family = family_of(request.target) if request.method == "POST" else None
        shown = f"{request.method} {self._secrets.clean_url(request.target)} {answer.status}"
        if family is None:
            self._say(f"{shown}, not recorded: no call of a model")
            return
        file = _next_file(self._folder / family)
        exchange = recorded_exchange(f"{family}/{file.stem}", family, request, answer, self._secrets)
        try:
            _write_whole(file, _as_bytes(exchange))
        except OSError as error:
            self.failed += 1
            self._say(f"{shown}, not recorded: {file}: {error.strerror}")
            return
        self.recorded += 1
        self._say(f"{shown}, recorded as {file}")


def checked(upstream: str) -> str:
    """Give the URL of an upstream without a slash at its end. Raises `UsageError` for one that cannot be used."""
    try:
        parts = urlsplit(upstream)
        parts.port  # noqa: B018 (reading it checks it)
    except ValueError as error:
        raise UsageError(f"--upstream is no URL: {Secrets().clean(str(error))}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("--upstream must be a URL as https://api.example.org")
    if parts.query or parts.fragment:
        raise UsageError("--upstream must have no query and no fragment; a client sends its own")
    return upstream.rstrip("/")


def recorded_exchange(name: str, family: Family, request: Request, answer: Answer, secrets: Secrets) -> ExchangeFile:
    """Make the exchange file of what was sent and answered, without secrets, host, query and prefix of the path."""
    secrets.learn_json([request.json, _json_of(answer)])
    headers = {key: secrets.clean(value) for key, value in answer.headers if key in _KEPT_HEADERS}
    parts = {
        "name": name,
        "provider": family,
        "shows": "As recorded.",
        "source": "Recorded by specassay record.",
        "tags": ("recorded",),
        "request": _request_shape(family, request, secrets),
    }
    response: dict[str, Any] = {"status": answer.status, "headers": headers}
    try:
        body = _without_id(secrets.clean_json(parse_json(answer.body)))
        return ExchangeFile.model_validate({**parts, "response": {**response, "body": body}})
    except (ValueError, RecursionError):  # no JSON, or none that a file can hold
        text = secrets.clean(answer.body.decode("utf-8", "replace"))
        return ExchangeFile.model_validate({**parts, "response": {**response, "text": text}})


def _request_shape(family: Family, request: Request, secrets: Secrets) -> dict[str, Any]:
    shape = {"method": request.method, "path": _path(family, request, secrets)}
    try:
        whole = {**shape, "body": secrets.clean_json(parse_json(request.body))}
        RequestShape.model_validate(whole)
    except (ValueError, RecursionError):  # no JSON, or none that a file can hold
        return shape
    return whole


def _path(family: Family, request: Request, secrets: Secrets) -> str:
    if family is Family.OPENAI:
        return "/v1/chat/completions"
    version = "/v1/" if "/v1/" in request.path else "/v1beta/"
    return f"{version}models/{secrets.clean(model_in(request.path) or '')}:generateContent"


def _json_of(answer: Answer) -> Any:
    try:
        return parse_json(answer.body)
    except ValueError:
        return None


def _without_id(body: Any) -> Any:
    """Take out the id that a provider knows the answer by."""
    if not isinstance(body, dict):
        return body
    return {key: REMOVED if key == "id" and isinstance(value, str) else value for key, value in body.items()}


def _as_bytes(exchange: ExchangeFile) -> bytes:
    data = exchange.model_dump(mode="json", exclude_unset=True)
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _next_file(folder: Path) -> Path:
    taken = [int(found[1]) for file in folder.glob("recorded-*.json") if (found := _NUMBERED.fullmatch(file.name))]
    return folder / f"recorded-{max(taken, default=0) + 1:04}.json"


def _write_whole(file: Path, content: bytes) -> None:
    """Write beside the file and rename: a reader finds all of it or nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".recording-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def client() -> httpx.AsyncClient:
    """Make the client for an upstream: it follows no redirect, and verifies certificates."""
    return httpx.AsyncClient(timeout=_TIMEOUT, follow_redirects=False)
