"""Makes the adapter that the configuration names."""

from collections.abc import Callable, Mapping

import httpx

from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.gemini import GeminiAdapter
from specassay.reference.providers.interface import ProviderAdapter
from specassay.reference.providers.openai_compatible import OpenAICompatibleAdapter

# Keeps agent-session-shell/provider-adapter-interface.8 and .9.
ADAPTERS: Mapping[str, Callable[[ProviderConfiguration, httpx.AsyncClient], ProviderAdapter]] = {
    "openai-compatible": OpenAICompatibleAdapter,
    "gemini": GeminiAdapter,
}


class UnknownProviderError(Exception):
    """The configuration names a provider that does not exist here."""


def create_adapter(configuration: ProviderConfiguration, client: httpx.AsyncClient) -> ProviderAdapter:
    """Make the adapter; raises `UnknownProviderError` (agent-session-shell/provider-configuration.14).

    The `client` is the caller's, with its time limits, and stays open. Make it with `trust_env=False`: a .netrc file
    would replace the key, and a proxy variable would send it elsewhere.
    """
    if configuration.provider not in ADAPTERS:
        raise UnknownProviderError(f"Unknown LLM provider: {configuration.provider}")
    return ADAPTERS[configuration.provider](configuration, client)
