"""The two provider families: whose call a URL is, and the shape of each one's errors."""

import re
from enum import StrEnum
from typing import Any
from urllib.parse import unquote


class Family(StrEnum):
    """Which API a call speaks."""

    OPENAI = "openai"
    GEMINI = "gemini"


_PATHS = {
    Family.OPENAI: re.compile(r"/chat/completions$"),
    Family.GEMINI: re.compile(r"/models/(?P<model>[^/]+):generateContent$"),
}

_OPENAI_KINDS = {401: "invalid_request_error", 403: "request_forbidden", 429: "requests"}
_GEMINI_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


def family_of(url: str) -> Family | None:
    """Say whose call a URL or path is, under any prefix; None where it is neither's."""
    return next((family for family, pattern in _PATHS.items() if pattern.search(_without_query(url))), None)


def model_in(url: str) -> str | None:
    """Give the model that the path of a Gemini call names; None for any other URL."""
    found = _PATHS[Family.GEMINI].search(_without_query(url))
    return unquote(found["model"]) if found else None


def openai_error(status: int, message: str, *, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Make the body of an OpenAI error."""
    kind = _OPENAI_KINDS.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def gemini_error(status: int, message: str) -> dict[str, Any]:
    """Make the body of a Gemini error."""
    fallback = "INTERNAL" if status >= 500 else "INVALID_ARGUMENT"
    return {"error": {"code": status, "message": message, "status": _GEMINI_STATUSES.get(status, fallback)}}


def family_error(family: Family, status: int, message: str) -> dict[str, Any]:
    """Make the body of an error in the family's own shape."""
    return openai_error(status, message) if family is Family.OPENAI else gemini_error(status, message)


def _without_query(url: str) -> str:
    return re.split("[?#]", url, maxsplit=1)[0]
