"""The configuration: the `LLM_*` that the route is started with, and the adapter is made with."""

from typing import Any

import pytest
from pytest_bdd import given, parsers, when

from specassay.port import Implementation
from specassay.suite.values import Values

_FIELDS = {"LLM_PROVIDER": "provider", "LLM_MODEL": "model", "LLM_API_KEY": "apiKey", "LLM_BASE_URL": "baseUrl"}


class Configuration:
    """The variables as the scenario has set them; those that it says nothing of point to the fake provider."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._said: set[str] = set()

    def set(self, variable: str, value: str | None) -> None:
        """Set a variable, or with None remove it."""
        self._said.add(variable)
        if value is None:
            self._environment.pop(variable, None)
        else:
            self._environment[variable] = value

    @property
    def environment(self) -> dict[str, str]:
        """The complete set of `LLM_*`; Gemini has to ignore a base URL, and has one where the scenario says so."""
        environment = dict(self._environment)
        if environment.get("LLM_PROVIDER") == "gemini" and "LLM_BASE_URL" not in self._said:
            environment.pop("LLM_BASE_URL", None)
        return environment

    @property
    def config(self) -> dict[str, Any]:
        """The same as the `config` of an adapter."""
        return {_FIELDS[variable]: value for variable, value in self.environment.items()}


@pytest.fixture
def configuration(iut: Implementation) -> Configuration:
    return Configuration(dict(iut.environment))


@given(parsers.re(r'(?P<variable>LLM_\w+) is (set to )?"(?P<value>.*)"'))
@when(parsers.re(r'(?P<variable>LLM_\w+) is (set to )?"(?P<value>.*)"'))
def variable_is(configuration: Configuration, values: Values, variable: str, value: str) -> None:
    configuration.set(variable, values.fill(value))


@given(parsers.re(r"(?P<variable>LLM_\w+) is not set"))
def variable_is_not_set(configuration: Configuration, variable: str) -> None:
    configuration.set(variable, None)


@given(parsers.re(r"LLM_BASE_URL is the (?P<endpoint>trap|closed port|provider, under (?P<path>/\S+))"))
def base_url_is(
    iut: Implementation, configuration: Configuration, values: Values, endpoint: str, path: str | None
) -> None:
    """Let calls go to an address that must stay silent, one that refuses, or the fake provider under another path."""
    address = {"trap": iut.endpoints["trap"], "closed port": iut.endpoints["refused"] + "/v1"}.get(endpoint)
    if path is not None:
        address = iut.endpoints["provider"].removesuffix("/v1") + values.fill(path)
    configuration.set("LLM_BASE_URL", address)
