"""What an attacker changes in a request of the plugin that is legal otherwise."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from specassay.suite.checks import ABSENT
from specassay.suite.peer import Raw

ACTION = "session.create"
"""The action of the legal call."""

DEEP = 100_000
LARGE = 12 * 1024 * 1024


def authorized(legal: Raw, *values: str) -> Raw:
    """Put these Authorization headers in the place of the one that was sent."""
    changed = legal.without("authorization")
    for value in values:
        changed = changed.with_header("authorization", value)
    return changed


def _other(token: str) -> str:
    """Give another token of the same length and alphabet."""
    return "".join("A" if one != "A" else "B" for one in token)


TOKENS: dict[str, Callable[[Raw, str], Raw]] = {
    "no token": lambda legal, token: authorized(legal),
    "an empty token": lambda legal, token: authorized(legal, "Bearer "),
    "a scheme without a token": lambda legal, token: authorized(legal, "Bearer"),
    "another token of the same length": lambda legal, token: authorized(legal, f"Bearer {_other(token)}"),
    "one character changed": lambda legal, token: authorized(legal, f"Bearer {_other(token[:1])}{token[1:]}"),
    "one character less": lambda legal, token: authorized(legal, f"Bearer {token[:-1]}"),
    "one character more": lambda legal, token: authorized(legal, f"Bearer {token}0"),
    "the first half": lambda legal, token: authorized(legal, f"Bearer {token[: len(token) // 2]}"),
    "the token twice": lambda legal, token: authorized(legal, f"Bearer {token}{token}"),
    "another case": lambda legal, token: authorized(legal, f"Bearer {token.swapcase()}"),
    "a very long token": lambda legal, token: authorized(legal, f"Bearer {'A' * 4000}"),
    "bytes beyond ASCII, of the same length": lambda legal, token: authorized(legal, f"Bearer {'é' * len(token)}"),
    "the word undefined": lambda legal, token: authorized(legal, "Bearer undefined"),
    "the word null": lambda legal, token: authorized(legal, "Bearer null"),
    "the token without a scheme": lambda legal, token: authorized(legal, token),
    "the token under the scheme Basic": lambda legal, token: authorized(legal, f"Basic {token}"),
    "two Authorization headers, the wrong one first": lambda legal, token: authorized(
        legal, f"Bearer {_other(token)}", f"Bearer {token}"
    ),
    "two Authorization headers, the right one first": lambda legal, token: authorized(
        legal, f"Bearer {token}", f"Bearer {_other(token)}"
    ),
    "the token in the query alone": lambda legal, token: replace(
        authorized(legal), target=f"{legal.target}?token={token}&access_token={token}"
    ),
    "the token in a cookie alone": lambda legal, token: authorized(legal).with_header("cookie", f"token={token}"),
    "the token in a header of another name": lambda legal, token: authorized(legal).with_header(
        "x-openchamber-token", token
    ),
}

_FORGED: dict[str, tuple[tuple[str, str], ...]] = {
    "no other header": (),
    "X-Forwarded-For of loopback": (("x-forwarded-for", "127.0.0.1"),),
    "Forwarded of loopback": (("forwarded", "for=127.0.0.1;host=localhost;proto=http"),),
    "X-Real-IP of loopback": (("x-real-ip", "127.0.0.1"),),
    "every header of a proxy": (
        ("x-forwarded-for", "127.0.0.1"),
        ("forwarded", "for=127.0.0.1"),
        ("x-real-ip", "::1"),
        ("x-forwarded-host", "localhost"),
        ("x-client-ip", "127.0.0.1"),
    ),
}


def forged(legal: Raw, words: str) -> Raw:
    """Add what a proxy, or one who plays it, says of where a request comes from."""
    if words == "Host of loopback":
        return replace(legal, headers=(("host", "localhost"), *legal.without("host").headers))
    changed = legal
    for name, value in _FORGED[words]:
        changed = changed.with_header(name, value)
    return changed


BODIES: dict[str, Callable[[bytes], bytes]] = {
    "a body that is not JSON": lambda body: b"action=" + ACTION.encode(),
    "an empty body": lambda body: b"",
    "a body that is cut short": lambda body: body[:-1],
    "a list": lambda body: b"[" + body + b"]",
    "a text": lambda body: json.dumps(body.decode()).encode(),
    "null": lambda body: b"null",
    "bytes that are no UTF-8": lambda body: body.replace(b'"', b'"\xff\xfe', 1),
    "a body that is nested deeply": lambda body: b"[" * DEEP + b"]" * DEEP,
}


def with_action(body: bytes, action: str) -> bytes:
    """Replace the action in a body of whatever format; `none` leaves it out."""
    value = ABSENT if action == "none" else json.loads(action)

    def changed(node: Any) -> Any:
        if isinstance(node, dict):
            made = {key: value if one == ACTION else changed(one) for key, one in node.items()}
            return {key: one for key, one in made.items() if one is not ABSENT}
        return [changed(one) for one in node] if isinstance(node, list) else node

    return json.dumps(changed(json.loads(body))).encode()


def with_beside(body: bytes, mark: str, name: str, value: Any) -> bytes:
    """Put a further key into the object that holds the mark; as text, so that `__proto__` stays a key."""
    beside = f"{json.dumps(name)}: {json.dumps(value)}, "
    text = json.dumps(json.loads(body))
    at_mark = re.search(r'"[^"]*": ' + re.escape(json.dumps(mark)), text)
    return (text if at_mark is None else text[: at_mark.start()] + beside + text[at_mark.start() :]).encode()
