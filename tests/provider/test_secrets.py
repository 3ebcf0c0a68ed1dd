"""No secret survives, wherever it stands; what is no secret is left as it is."""

import json
import time
from typing import Any

import pytest

from specassay.provider.secrets import REMOVED, Secrets

# Put together here, so that no scanner takes them for real ones.
OPENAI_KEY = "sk-" + "proj-" + "Ab12Cd34Ef56Gh78"
GOOGLE_KEY = "AIza" + "SyD-1234567890abcdefghijklmnopqrs"
OTHERS = {
    "groq": "gsk" + "_AbCd1234EfGh5678",
    "hugging face": "hf" + "_AbCdEfGh12345678",
    "xai": "xai" + "-AbCdEfGh12345678",
    "google token": "ya29" + ".a0AfH6SMB1234567890",
    "github": "ghp" + "_AbCd1234EfGh5678IjKl",
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxIn0" + ".c2lnbmF0dXJl",
    "organization": "org" + "-A1b2C3d4E5f6",
    "project": "proj" + "_A1b2C3d4E5f6",
    "request": "req" + "_0123456789abcdef",
    "user": "user" + "-A1b2C3d4E5f6",
}


@pytest.mark.parametrize(
    "text",
    [
        f"Incorrect API key provided: {OPENAI_KEY}.",
        f"key={GOOGLE_KEY}",
        "POST /v1beta/models/m:generateContent?key=an-opaque-5678 failed",
        f"https://example.org/v1?key={GOOGLE_KEY}&alt=sse",
        "Incorrect API key provided: sk-ab*****5678.",
        *OTHERS.values(),
    ],
)
def test_what_looks_like_a_secret_is_taken_out_of_any_text(text: str) -> None:
    cleaned = Secrets().clean(text)
    assert REMOVED in cleaned
    for secret in (OPENAI_KEY, GOOGLE_KEY, "5678", *OTHERS.values()):
        assert secret not in cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Authorization: Bearer abc", f"Authorization: {REMOVED} {REMOVED}"),
        ("sent with bearer abc.def-1", f"sent with bearer {REMOVED}"),
        ("at https://me:pass@example.org/v1", f"at https://{REMOVED}@example.org/v1"),
        ('{"api_key": "abc"}', f'{{"api_key": "{REMOVED}"}}'),
        (r"{\"apiKey\": \"abc\"}", rf"{{\"apiKey\": \"{REMOVED}\"}}"),
        ("Set-Cookie: a=b; Path=/", f"Set-Cookie: {REMOVED}"),
        ("include the request ID 4f9a0b1c2d in your email", f"include the request ID {REMOVED} in your email"),
        ("consumer projects/my-project is suspended", f"consumer projects/{REMOVED} is suspended"),
        ("project_number:123456789", f"project_number:{REMOVED}"),
        ("https://mine.openai.azure.com/", f"https://{REMOVED}.openai.azure.com/"),
    ],
)
def test_the_text_around_a_secret_is_left(text: str, cleaned: str) -> None:
    assert Secrets().clean(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "What is the weather in Oslo?",
        "call_1 functions.get_weather:1 toolu_bdrk_01AbC D681PevKs chatcmpl-tool-0123456789abcdef",
        "max_tokens: 5, the tokenizer, a cookie recipe, a risk-free task-list, disk-usage",
        "user: hello, tool: weather, key: city",
        "https://example.org/v1/chat/completions",
        "**bold** and ***more***",
    ],
)
def test_text_without_secrets_is_left(text: str) -> None:
    assert Secrets().clean(text) == text


@pytest.mark.parametrize(
    ("url", "headers", "secret"),
    [
        ("", (("authorization", "Bearer opaque-1"),), "opaque-1"),
        ("", (("authorization", "opaque-1"),), "opaque-1"),
        ("", (("authorization", "Basic bWU6b3BhcXVlLTE="),), "opaque-1"),
        ("", (("x-goog-api-key", "opaque-1"),), "opaque-1"),
        ("", (("api-key", "opaque-1"),), "opaque-1"),
        ("", (("cf-aig-authorization", "Bearer opaque-1"),), "opaque-1"),
        ("", (("cookie", "a=1; session=opaque-1"),), "opaque-1"),
        ("", (("set-cookie", "session=opaque-1; Path=/; HttpOnly"),), "opaque-1"),
        ("", (("openai-organization", "opaque-1"),), "opaque-1"),
        ("", (("x-request-id", "opaque-1"),), "opaque-1"),
        ("https://me:opaque-1@example.org/", (), "opaque-1"),
        ("https://opaque-1@example.org/", (), "opaque-1"),
        ("/v1beta/models/m:generateContent?key=opaque-1", (), "opaque-1"),
    ],
)
def test_what_a_request_says_is_its_secret_is_taken_out_wherever_it_comes_again(
    url: str, headers: tuple[tuple[str, str], ...], secret: str
) -> None:
    secrets = Secrets()
    secrets.learn(url, headers)
    assert secrets.clean(f"You sent {secret}!") == f"You sent {REMOVED}!"


def test_a_secret_is_taken_out_in_its_other_encodings() -> None:
    secrets = Secrets()
    secrets.learn("", (("x-api-key", 'a&b/c"d e'),))
    for encoded in ("a%26b%2Fc%22d%20e", "a%26b%2Fc%22d+e", "a&amp;b/c&quot;d e", r"a&b/c\"d e", "YSZiL2MiZCBl"):
        assert secrets.clean(f"<{encoded}>") == f"<{REMOVED}>"


def test_what_json_holds_under_the_name_of_a_secret_is_taken_out_elsewhere_too() -> None:
    secrets = Secrets()
    secrets.learn_json({"messages": [{"metadata": {"account_id": "opaque-1", "user": "short"}}]})
    assert secrets.clean("opaque-1 is short") == f"{REMOVED} is short"


def test_json_is_cleaned_in_its_texts_names_and_under_the_names_of_secrets() -> None:
    secrets = Secrets()
    secrets.learn("", (("authorization", "Bearer opaque-1"),))
    value: dict[str, Any] = {
        "user_id": "u1",
        "account_id": 12345,
        "api_key": "short",
        "nested": [{"accessToken": "x", "text": "opaque-1", "opaque-1": True}],
        "usage": {"prompt_tokens": 3, "totalTokenCount": 4},
        "error": {"message": f"bad {OPENAI_KEY}", "code": None},
        "arguments": json.dumps({"password": "hunter2", "city": "Oslo"}),
    }
    assert secrets.clean_json(value) == {
        "user_id": REMOVED,
        "account_id": REMOVED,
        "api_key": REMOVED,
        "nested": [{"accessToken": REMOVED, "text": REMOVED, REMOVED: True}],
        "usage": {"prompt_tokens": 3, "totalTokenCount": 4},
        "error": {"message": f"bad {REMOVED}", "code": None},
        "arguments": f'{{"password": "{REMOVED}", "city": "Oslo"}}',
    }


def test_a_url_loses_user_fragment_and_the_secret_values_of_its_query() -> None:
    url = f"https://me:pass@example.org/v1?key=abc&alt=sse&q={OPENAI_KEY}#frag"
    assert Secrets().clean_url(url) == f"https://example.org/v1?key={REMOVED}&alt=sse&q={REMOVED}"


@pytest.mark.parametrize(
    ("name", "value", "cleaned"),
    [
        ("authorization", "Bearer k", f"Bearer {REMOVED}"),
        ("authorization", "k", REMOVED),
        ("x-goog-api-key", "k", REMOVED),
        ("cookie", "a=b", REMOVED),
        ("content-type", "application/json", "application/json"),
    ],
)
def test_a_header_of_credentials_keeps_its_scheme_only(name: str, value: str, cleaned: str) -> None:
    assert Secrets().clean_header(name, value) == cleaned


@pytest.mark.parametrize("unit", ["a", "a-", "a*", "sk-", "://a", "key", "token ", "cookie=", "****", "a.", "eyJa."])
def test_long_text_is_cleaned_in_linear_time(unit: str) -> None:
    secrets = Secrets()

    def seconds(length: int) -> float:
        begun = time.process_time()
        secrets.clean(unit * (length // len(unit)))
        return time.process_time() - begun

    assert seconds(400_000) < 40 * max(seconds(40_000), 0.005)
