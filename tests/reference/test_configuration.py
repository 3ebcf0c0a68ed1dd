"""The configuration: what is required, and that the key stays where it is."""

import json
import os

import pytest

from specassay.reference.configuration import REQUIRED, ConfigurationError, read_configuration

ENVIRONMENT = {"LLM_PROVIDER": "gemini", "LLM_MODEL": "m1", "LLM_API_KEY": "key-canary"}


def test_the_four_variables_are_read_and_nothing_else() -> None:
    others = {"OPENAI_API_KEY": "wrong", "OPENAI_BASE_URL": "http://wrong", "GEMINI_API_KEY": "wrong"}
    configuration = read_configuration({**ENVIRONMENT, **others, "LLM_BASE_URL": "http://base/v1"})
    assert (configuration.provider, configuration.model) == ("gemini", "m1")
    assert configuration.api_key.get_secret_value() == "key-canary"
    assert configuration.base_url == "http://base/v1"


@pytest.mark.parametrize("given", [{}, {"LLM_BASE_URL": ""}])
def test_the_base_url_is_optional(given: dict[str, str]) -> None:
    assert read_configuration({**ENVIRONMENT, **given}).base_url is None


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_or_empty_variable_is_named_and_no_value_is_shown(name: str, value: str | None) -> None:
    environment = {key: text for key, text in ENVIRONMENT.items() if key != name}
    if value is not None:
        environment[name] = value
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(environment)
    assert str(caught.value) == f"Missing configuration: set {name}."


def test_all_missing_variables_are_named_at_once() -> None:
    with pytest.raises(ConfigurationError, match="LLM_PROVIDER, LLM_MODEL, LLM_API_KEY"):
        read_configuration({})


def test_blanks_around_a_value_are_no_part_of_it() -> None:
    assert read_configuration({**ENVIRONMENT, "LLM_API_KEY": "key\n"}).api_key.get_secret_value() == "key"


def test_without_a_mapping_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setitem(os.environ, name, value)
    assert read_configuration().model == "m1"


def test_neither_repr_nor_json_shows_the_key() -> None:
    configuration = read_configuration({**ENVIRONMENT, "LLM_BASE_URL": "http://user:pass-canary@base"})
    assert "canary" not in repr(configuration)
    assert "key-canary" not in json.dumps(configuration.to_json())
