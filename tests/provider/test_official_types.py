"""The answers of the exchanges, read with the types of the official packages."""

import warnings
from typing import Any

import pytest

from specassay.provider.exchange import ExchangeFile
from specassay.provider.library import shipped, shipped_names

ANSWERS = [
    one
    for one in map(shipped, shipped_names())
    if one.response.status == 200 and "body" in one.response.model_fields_set
]


@pytest.mark.parametrize("exchange", ANSWERS, ids=[one.name for one in ANSWERS])
def test_an_answer_is_of_the_official_type_unless_it_is_tagged_a_deviation(exchange: ExchangeFile) -> None:
    assert _fits(exchange) == ("deviation" not in exchange.tags)


def _fits(exchange: ExchangeFile) -> bool:
    model = _completion() if exchange.provider == "openai" else _content_response()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Google's types warn of a value that they do not know
            model.model_validate(exchange.response.body)
    except (ValueError, AttributeError, UserWarning):
        return False
    return True


def _completion() -> Any:
    return pytest.importorskip("openai.types.chat", reason="the dependency group sdk is not installed").ChatCompletion


def _content_response() -> Any:
    types = pytest.importorskip("google.genai.types", reason="the dependency group sdk is not installed")
    return types.GenerateContentResponse
