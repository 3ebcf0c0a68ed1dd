"""The exchanges that come with the product: published schema, names, and what they cover."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from specassay.provider.exchange import ExchangeFile, exchange_schema
from specassay.provider.library import shipped, shipped_names
from specassay.resources import FIXTURES, SCHEMAS

PUBLISHED = json.loads((SCHEMAS / "exchange.schema.json").read_text("utf-8"))
ALL = [shipped(name) for name in shipped_names()]
SERVERS = [
    *("Groq", "Mistral", "DeepSeek", "OpenRouter", "Ollama", "vLLM", "llama.cpp", "LM Studio", "Together", "Cerebras"),
    *("Snowflake", "Hugging Face", "xAI", "Alibaba", "Azure", "Perplexity", "Kimi", "Gemini behind", "Vertex"),
]


def test_the_published_schema_is_that_of_the_model() -> None:
    assert exchange_schema() == PUBLISHED


def test_the_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(PUBLISHED)


@pytest.mark.parametrize("name", shipped_names())
def test_an_exchange_fits_the_published_schema_and_is_named_for_its_file(name: str) -> None:
    data = json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(PUBLISHED).validate(data)
    assert data["name"] == name


@pytest.mark.parametrize(
    "response",
    [
        {},
        {"status": 200},
        {"body": {}, "text": ""},
        {"fault": "cut-short"},
        {"body": {}, "fault": "reset"},
        {"text": "x", "fault": "hang"},
        {"body": 1, "status": 99},
        {"body": 1, "state": 200},
        {"fault": "fire"},
    ],
)
def test_the_schema_and_the_model_refuse_the_same_responses(response: dict[str, Any]) -> None:
    data = _with(response)
    assert not jsonschema.Draft202012Validator(PUBLISHED).is_valid(data)
    with pytest.raises(ValueError, match="response"):
        ExchangeFile.model_validate(data)


@pytest.mark.parametrize(
    "response", [{"body": None}, {"text": ""}, {"fault": "hang"}, {"body": {}, "fault": "cut-short"}]
)
def test_the_schema_and_the_model_accept_the_same_responses(response: dict[str, Any]) -> None:
    data = _with(response)
    jsonschema.Draft202012Validator(PUBLISHED).validate(data)
    ExchangeFile.model_validate(data)


@pytest.mark.parametrize("server", SERVERS)
def test_every_server_of_the_quirk_catalogue_has_an_exchange(server: str) -> None:
    assert [one.name for one in ALL if server in one.shows]


@pytest.mark.parametrize(
    ("family", "statuses"),
    [
        ("openai", {400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504}),
        ("gemini", {400, 401, 403, 404, 429, 499, 500, 502, 503, 504}),
    ],
)
def test_every_error_status_has_an_exchange(family: str, statuses: set[int]) -> None:
    assert {one.response.status for one in ALL if one.provider == family and "error" in one.tags} == statuses


def test_every_finish_reason_of_gemini_text_has_an_exchange() -> None:
    told = {
        candidate.get("finishReason")
        for one in ALL
        if one.provider == "gemini" and isinstance(one.response.body, dict)
        for candidate in _dicts(one.response.body.get("candidates"))
    }
    assert told >= {
        *("STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "LANGUAGE", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT"),
        *("SPII", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MODEL_ARMOR", 1, None),
    }


def test_no_two_exchanges_show_the_same() -> None:
    shown = [(one.provider, one.shows) for one in ALL]
    assert len(set(shown)) == len(shown) >= 60


@pytest.mark.parametrize("name", shipped_names())
def test_an_exchange_is_small_and_holds_nobodys_ids(name: str) -> None:
    text = (FIXTURES / f"{name}.json").read_text("utf-8")
    assert len(text) < 4000
    assert not re.search(r"sk-\w{8}|AIza\w{8}|\breq_\w{8}|\borg-\w{8}|\bproj_\w{8}", text)


def test_exchanges_lie_in_the_folders_of_the_families_only() -> None:
    folders = {Path(name).parent.name for name in shipped_names()}
    assert folders == {"openai", "gemini"}


def _with(response: dict[str, Any]) -> dict[str, Any]:
    request = {"method": "POST", "path": "/v1/chat/completions"}
    return {
        "name": "openai/x",
        "provider": "openai",
        "shows": "x",
        "source": "x",
        "request": request,
        "response": response,
    }


def _dicts(value: Any) -> list[dict[str, Any]]:
    return value if isinstance(value, list) else []
