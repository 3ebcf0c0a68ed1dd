"""Which provider and model the chat route uses: read from the environment, on the server only."""

import os
from collections.abc import Mapping

from pydantic import Field, SecretStr

from specassay.reference.types import Model

REQUIRED = ("LLM_PROVIDER", "LLM_MODEL", "LLM_API_KEY")


class ConfigurationError(Exception):
    """A required variable is missing; the text names it, and shows no value."""


class ProviderConfiguration(Model):
    """A provider, its model and its key, which neither `repr` nor the JSON form shows.

    Keeps agent-session-shell/provider-configuration.1 to .4 and .8; no `base_url` is the provider's own.
    """

    provider: str
    model: str
    api_key: SecretStr
    base_url: str | None = Field(default=None, repr=False)  # it may hold a user and a password


def read_configuration(environment: Mapping[str, str] = os.environ) -> ProviderConfiguration:
    """Read LLM_PROVIDER, LLM_MODEL, LLM_API_KEY and LLM_BASE_URL; an empty value is a missing one.

    Keeps agent-session-shell/provider-configuration.5 to .7; raises `ConfigurationError`.
    """
    if missing := [name for name in REQUIRED if not read_variable(environment, name)]:
        raise ConfigurationError(f"Missing configuration: set {', '.join(missing)}.")
    return ProviderConfiguration(
        provider=read_variable(environment, "LLM_PROVIDER"),
        model=read_variable(environment, "LLM_MODEL"),
        api_key=SecretStr(read_variable(environment, "LLM_API_KEY")),
        base_url=read_variable(environment, "LLM_BASE_URL") or None,
    )


def read_variable(environment: Mapping[str, str], name: str) -> str:
    """Give a variable's value without the blanks around it, "" where there is none."""
    return environment.get(name, "").strip()
