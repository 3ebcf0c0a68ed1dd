"""The factory: which adapter a provider's name gives."""

import inspect
from typing import Any

import httpx
import pytest

from specassay.reference.configuration import ProviderConfiguration
from specassay.reference.providers.factory import UnknownProviderError, create_adapter
from specassay.reference.providers.gemini import GeminiAdapter
from specassay.reference.providers.interface import ProviderAdapter
from specassay.reference.providers.openai_compatible import OpenAICompatibleAdapter


def create(provider: str) -> ProviderAdapter:
    configuration = ProviderConfiguration.model_validate({"provider": provider, "model": "m", "apiKey": "k"})
    return create_adapter(configuration, httpx.AsyncClient(trust_env=False, verify=False))


@pytest.mark.parametrize(("name", "kind"), [("openai-compatible", OpenAICompatibleAdapter), ("gemini", GeminiAdapter)])
def test_the_name_decides(name: str, kind: type) -> None:
    assert type(create(name)) is kind


@pytest.mark.parametrize("name", ["unknown-provider", "constructor", "__class__", "keys", "Gemini", ""])
def test_any_other_name_is_unknown(name: str) -> None:
    with pytest.raises(UnknownProviderError) as caught:
        create(name)
    assert str(caught.value) == f"Unknown LLM provider: {name}"


@pytest.mark.parametrize("kind", [ProviderAdapter, OpenAICompatibleAdapter, GeminiAdapter])
def test_an_adapter_has_the_single_method_chat(kind: Any) -> None:
    assert [name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")] == ["chat"]


@pytest.mark.parametrize("name", ["openai-compatible", "gemini"])
def test_repr_shows_no_key(name: str) -> None:
    configuration = ProviderConfiguration.model_validate({"provider": name, "model": "m", "apiKey": "key-canary"})
    adapter = create_adapter(configuration, httpx.AsyncClient(trust_env=False, verify=False))
    assert "canary" not in repr(adapter) + repr(vars(adapter))
