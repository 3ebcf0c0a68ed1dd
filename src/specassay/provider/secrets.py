"""Takes secrets out of what is shown or written: keys, tokens, cookies, account and request ids.

What a request says is its secret (a key in a header or query, a cookie, user and password) is taken out wherever it
comes again, in any text and also as another encoding of it; what looks like a secret is taken out in any case.
"""

import base64
import binascii
import html
import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import SplitResult, parse_qsl, quote, quote_plus, unquote, urlsplit

from specassay.provider.journal import Headers

REMOVED = "REMOVED"

_SHORTEST_KEY = 4
_SHORTEST_OTHER = 8  # a shorter cookie or id is a word or a number, and may stand anywhere

_KEY_HEADERS = re.compile(r"key|token|secret|auth|password|signature|credential")
_ID_HEADERS = ("-organization", "-project", "-id", "-user")

_HIDDEN = (
    r"[\w-]*(?:api[_-]?key|access[_-]?key|secret|password|passwd|credential|authorization)[\w-]*"
    r"|(?:[\w-]*(?:access|auth|refresh|id|bearer|session)[_-]?)?token"
)
_ID = (
    r"(?:user|account|customer|tenant|organi[sz]ation|org|project|request|session|subscription|consumer|trace"
    r"|x[_-]request|response)[_-]?(?:id|number)"
)
_SECRET_NAME = re.compile(
    rf"{_HIDDEN}|{_ID}|[\w-]*cookie|user|organi[sz]ation|safety_identifier|consumer", re.IGNORECASE
)

_SECRET_QUERY = re.compile(rf"{_SECRET_NAME.pattern}|key|sig", re.IGNORECASE)  # elsewhere these are common words

_KEY_PREFIXES = "gsk|pk|rk|xai|hf|r8|pplx|csk|nvapi|fw|tgp|ghp|gho|ghs|github_pat|glpat|AQ|ya29"
_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\b(Bearer|Basic)\s+[\w.~+/=*-]+", rf"\1 {REMOVED}"),
        (r"(://)[^\s/@\"'<>]+@", rf"\1{REMOVED}@"),
        (r"(cookie\\?[\"']?\s*[:=]\s*\\?[\"']?)[^\n\"\\]+", rf"\1{REMOVED}"),
        (rf"((?<![\w-])(?:{_HIDDEN}|{_ID})\\?[\"']?\s*[:=]\s*\\?[\"']?)[^\s\"'\\,;&<>{{}}\[\]]+", rf"\1{REMOVED}"),
        (r"([?&](?:key|sig)=)[^\s\"'\\,;&<>]+", rf"\1{REMOVED}"),
        (r"\bsk-[\w*-]{6,}", REMOVED),
        (rf"\b(?:{_KEY_PREFIXES})[-_.](?=[\w.*-]*\d)[\w.*-]{{12,}}", REMOVED),
        (r"\bAIza[\w*-]{10,}", REMOVED),
        (r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}", REMOVED),
        (r"\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?", REMOVED),
        (r"\b(?:org|proj|user|req|acct|sess)[-_](?=\w*\d)\w{6,}", REMOVED),
        (r"\bchatcmpl-(?!tool-)[\w-]{6,}", REMOVED),
        (r"(request[ _-]id[ :=]+)[\w-]{6,}", rf"\1{REMOVED}"),
        (r"(\b(?:projects|accounts|organizations|tenants|subscriptions)/)[\w.:-]+", rf"\1{REMOVED}"),
        (r"(\bproject[ _]?(?:number|id)?[ :]+)\d{5,}", rf"\1{REMOVED}"),
        (r"(?<![\w-])[\w-]+(\.(?:openai|services\.ai|cognitiveservices)\.azure\.com)", rf"{REMOVED}\1"),
        (r"(?<![\w-])[\w-]*\*{4,}[\w-]*", REMOVED),
    )
)


class Secrets:
    """The secrets that were seen so far, and what they are replaced by."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def learn(self, url: str, headers: Headers) -> None:
        """Remember what this URL and these headers carry as secrets."""
        parts = _split(url)
        self._add(filter(None, (unquote(parts.username or ""), unquote(parts.password or ""))))
        self._add(value for name, value in parse_qsl(parts.query) if _SECRET_QUERY.fullmatch(name))
        for name, value in headers:
            if name == "cookie":
                self._add((_value(pair) for pair in value.split(";")), _SHORTEST_OTHER)
            elif name == "set-cookie":
                self._add([_value(value.split(";")[0])], _SHORTEST_OTHER)
            elif _KEY_HEADERS.search(name):
                self._add(_credentials(value))
            elif name.endswith(_ID_HEADERS):
                self._add([value], _SHORTEST_OTHER)

    def learn_json(self, value: Any) -> None:
        """Remember what stands in a JSON value under the name of a secret."""
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if isinstance(one, list):
                waiting.extend(one)
            elif isinstance(one, dict):
                self._add((str(inner) for name, inner in one.items() if _is_secret(name, inner)), _SHORTEST_OTHER)
                waiting.extend(one.values())

    def clean(self, text: str) -> str:
        """Give the text without secrets."""
        for secret in sorted(self._known, key=len, reverse=True):
            text = text.replace(secret, REMOVED)
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        return text

    def clean_header(self, name: str, value: str) -> str:
        """Give the value of a header without secrets; of one that holds credentials only its scheme is left."""
        if name in ("cookie", "set-cookie"):
            return REMOVED
        if _KEY_HEADERS.search(name):
            scheme, space, _ = value.partition(" ")
            return f"{scheme} {REMOVED}" if space else REMOVED
        return self.clean(value)

    def clean_json(self, value: Any) -> Any:
        """Give the JSON value without secrets, in its texts and under the names that hold them."""
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, list):
            return [self.clean_json(item) for item in value]
        if isinstance(value, dict):
            return {self.clean(name): self._clean_member(name, inner) for name, inner in value.items()}
        return value

    def clean_url(self, url: str) -> str:
        """Give a URL without user info, and without the values of its query that are secret."""
        parts = _split(url)
        host = parts.netloc.rpartition("@")[2]
        query = "&".join(
            f"{name}={REMOVED if _SECRET_QUERY.fullmatch(name) else quote_plus(self.clean(value))}"
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
        )
        return parts._replace(netloc=host, path=self.clean(parts.path), query=query, fragment="").geturl()

    def _clean_member(self, name: str, value: Any) -> Any:
        return REMOVED if _is_secret(name, value) else self.clean_json(value)

    def _add(self, secrets: Iterable[str], shortest: int = _SHORTEST_KEY) -> None:
        for secret in secrets:
            if len(secret) >= shortest:
                escaped = json.dumps(secret)[1:-1]
                self._known |= {secret, quote(secret, safe=""), quote_plus(secret), html.escape(secret), escaped}
                self._known.add(base64.b64encode(secret.encode()).decode())


def _split(url: str) -> SplitResult:
    """Split a URL; one that is none is all path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def _is_secret(name: str, value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and bool(_SECRET_NAME.fullmatch(name))


def _credentials(value: str) -> Iterable[str]:
    """Give a header's credentials: whole, without their scheme, and those of Basic also as user and password."""
    scheme, _, rest = value.strip().partition(" ")
    yield from (value.strip(), rest)
    if scheme.lower() == "basic":
        try:
            yield from base64.b64decode(rest, validate=True).decode().split(":", 1)
        except (binascii.Error, UnicodeDecodeError):
            return


def _value(pair: str) -> str:
    return pair.partition("=")[2].strip(' "')
