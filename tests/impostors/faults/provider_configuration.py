"""Servers that read their configuration wrongly, or let it out."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from specassay.reference import route
from specassay.reference.configuration import ConfigurationError, ProviderConfiguration, read_configuration
from specassay.reference.providers import factory
from specassay.reference.providers.factory import UnknownProviderError, create_adapter
from specassay.reference.providers.gemini import GeminiAdapter
from specassay.reference.providers.interface import ProviderAdapter, ProviderChatParams
from specassay.reference.providers.openai_compatible import OpenAICompatibleAdapter
from specassay.reference.route import PROVIDER_ERROR, ChatRoute, Reply, error_reply
from tests.impostors.impostor import impostor
from tests.impostors.planted import adds, plants

REQUIREMENT = "agent-session-shell/provider-configuration"

Fields = dict[str, Any]


def _configures(patch: pytest.MonkeyPatch, change: Callable[[ProviderConfiguration], Fields]) -> None:
    """Let the route use a configuration with other fields."""

    def read(environment: Mapping[str, str]) -> ProviderConfiguration:
        configuration = read_configuration(environment)
        return configuration.model_copy(update=change(configuration))

    patch.setattr(route, "read_configuration", read)


def _defaults(patch: pytest.MonkeyPatch, **variables: str) -> None:
    """Let the route read a value of its own where a variable is not set."""

    def read(environment: Mapping[str, str]) -> ProviderConfiguration:
        return read_configuration(variables | {name: value for name, value in environment.items() if value})

    patch.setattr(route, "read_configuration", read)


@impostor(
    f"{REQUIREMENT}.1",
    elsewhere=dict.fromkeys(
        ("provider-configuration.11", "provider-configuration.14"),
        "A base URL is set beside another provider there.",
    ),
)
def guesses_the_provider(patch: pytest.MonkeyPatch) -> None:
    """Take every provider with a base URL for an OpenAI-compatible one."""
    _configures(patch, lambda given: {"provider": "openai-compatible"} if given.base_url else {})


@impostor(f"{REQUIREMENT}.2")
def knows_one_model(patch: pytest.MonkeyPatch) -> None:
    """Ask always for the same model."""
    _configures(patch, lambda given: {"model": "model-1"})


@impostor(
    f"{REQUIREMENT}.3",
    elsewhere=dict.fromkeys(
        ("provider-configuration.7", "provider-configuration/robustness/the-key-is-in-a-header-and-in-no-url"),
        "The key that is sent is looked at there.",
    ),
)
def has_a_key_of_its_own(patch: pytest.MonkeyPatch) -> None:
    """Send another key than the one that is configured."""
    _configures(patch, lambda given: {"api_key": SecretStr("key-1")})


@impostor(f"{REQUIREMENT}.4")
def replaces_the_path(patch: pytest.MonkeyPatch) -> None:
    """Replace the path of the base URL by /v1."""
    _configures(patch, lambda given: {"base_url": given.base_url and str(httpx.URL(given.base_url).join("/v1"))})


@impostor(
    f"{REQUIREMENT}.4",
    elsewhere=dict.fromkeys(
        ("provider-configuration/robustness/a-slash-at-the-end-of-the-base-url-is-not-doubled",),
        "The path is compared there.",
    ),
)
def adds_a_version(patch: pytest.MonkeyPatch) -> None:
    """Add a version to the base URL."""
    _configures(patch, lambda given: {"base_url": given.base_url and given.base_url.rstrip("/") + "/v1"})


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        ("provider-configuration/robustness/the-error-names-the-variable-that-is-missing",),
        "The variable is missing there.",
    ),
)
def has_a_default_provider(patch: pytest.MonkeyPatch) -> None:
    """Take OpenAI for the provider where none is named."""
    _defaults(patch, LLM_PROVIDER="openai-compatible")


@impostor(
    f"{REQUIREMENT}.6",
    elsewhere=dict.fromkeys(
        ("provider-configuration/robustness/the-error-names-the-variable-that-is-missing",),
        "The variable is missing there.",
    ),
)
def has_a_default_model(patch: pytest.MonkeyPatch) -> None:
    """Take a model of its own where none is named."""
    _defaults(patch, LLM_MODEL="model-1")


@impostor(
    f"{REQUIREMENT}.7",
    elsewhere=dict.fromkeys(
        ("provider-configuration/robustness/the-error-names-the-variable-that-is-missing",),
        "The variable is missing there.",
    ),
)
def calls_without_a_key(patch: pytest.MonkeyPatch) -> None:
    """Call the provider without a key where none is set."""
    _defaults(patch, LLM_API_KEY="none")


@impostor(
    f"{REQUIREMENT}.7",
    elsewhere=dict.fromkeys(
        ("provider-configuration/robustness/the-error-names-the-variable-that-is-missing",),
        "The variable is missing there.",
    ),
)
def blames_the_provider(patch: pytest.MonkeyPatch) -> None:
    """Answer as to an error of the provider where the key is missing."""
    _complains(patch, lambda error: PROVIDER_ERROR if "LLM_API_KEY" in error else error)


def _complains(patch: pytest.MonkeyPatch, change: Callable[[str], str]) -> None:
    """Change what is said of a configuration that is not complete."""

    def reply(status: HTTPStatus, error: str) -> Reply:
        return error_reply(status, change(error) if error.startswith("Missing") else error)

    patch.setattr(route, "error_reply", reply)


@impostor(f"{REQUIREMENT}.8")
def requires_a_base_url(patch: pytest.MonkeyPatch) -> None:
    """Require the base URL of an OpenAI-compatible provider."""

    def read(environment: Mapping[str, str]) -> ProviderConfiguration:
        configuration = read_configuration(environment)
        if configuration.provider == "openai-compatible" and not configuration.base_url:
            raise ConfigurationError("Missing configuration: set LLM_BASE_URL.")
        return configuration

    patch.setattr(route, "read_configuration", read)


@impostor(f"{REQUIREMENT}.11")
def sends_gemini_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """Send Gemini's calls to the base URL where there is one."""
    original = GeminiAdapter._url

    def url(self: GeminiAdapter) -> str:
        own = self._configuration.base_url
        path = original(self).partition("/v1beta")[2]
        return own.rstrip("/") + path if own else original(self)

    patch.setattr(GeminiAdapter, "_url", url)


@impostor(f"{REQUIREMENT}.12")
def reads_the_model_in_the_client(patch: pytest.MonkeyPatch) -> None:
    """Read the name of the model in the client."""
    plants(patch, adds("stores.py", "import os", 'MODEL = os.environ.get("LLM_MODEL", "")'))


def _shows(patch: pytest.MonkeyPatch, variable: str) -> None:
    """Show a variable in a header of each answer to a chat."""
    original = ChatRoute._ask_provider

    async def ask(self: ChatRoute, params: ProviderChatParams) -> Reply:
        reply = await original(self, params)
        return Reply(reply.status, reply.body, {"x-served-by": self._environment.get(variable, "")})

    patch.setattr(ChatRoute, "_ask_provider", ask)


@impostor(f"{REQUIREMENT}.13")
def shows_the_base_url(patch: pytest.MonkeyPatch) -> None:
    """Say in a header which server was asked."""
    _shows(patch, "LLM_BASE_URL")


@impostor(f"{REQUIREMENT}.13")
def shows_the_model(patch: pytest.MonkeyPatch) -> None:
    """Say in a header which model was asked."""
    _shows(patch, "LLM_MODEL")


@impostor(f"{REQUIREMENT}.13")
def shows_what_is_configured(patch: pytest.MonkeyPatch) -> None:
    """Say what is configured where something is missing."""

    def read(environment: Mapping[str, str]) -> ProviderConfiguration:
        try:
            return read_configuration(environment)
        except ConfigurationError as error:
            raise ConfigurationError(f"{error} Found: {dict(environment)}") from None

    patch.setattr(route, "read_configuration", read)


# Unknown providers


@impostor(
    f"{REQUIREMENT}.14",
    elsewhere=dict.fromkeys(
        ("provider-configuration/robustness/an-inherited-name-is-no-provider",),
        "An inherited name is unknown as any other.",
    ),
)
def falls_back_to_a_default(patch: pytest.MonkeyPatch) -> None:
    """Take an unknown provider for an OpenAI-compatible one."""

    def create(configuration: ProviderConfiguration, client: httpx.AsyncClient) -> ProviderAdapter:
        try:
            return create_adapter(configuration, client)
        except UnknownProviderError:
            return OpenAICompatibleAdapter(configuration, client)

    for module in (factory, route):
        patch.setattr(module, "create_adapter", create)


@impostor(
    f"{REQUIREMENT}.14",
    elsewhere=dict.fromkeys(
        ("provider-configuration/robustness/an-inherited-name-is-no-provider",), "The error is compared there."
    ),
)
def does_not_name_the_provider(patch: pytest.MonkeyPatch) -> None:
    """Throw an error that does not name the provider."""

    def create(configuration: ProviderConfiguration, client: httpx.AsyncClient) -> ProviderAdapter:
        try:
            return create_adapter(configuration, client)
        except UnknownProviderError:
            raise UnknownProviderError("Unknown LLM provider") from None

    patch.setattr(factory, "create_adapter", create)


@impostor(
    f"{REQUIREMENT}.14",
    elsewhere=dict.fromkeys(
        ("provider-configuration/robustness/an-inherited-name-is-no-provider",), "The error is compared there."
    ),
)
def names_always_the_same_provider(patch: pytest.MonkeyPatch) -> None:
    """Throw always the same error."""

    def create(configuration: ProviderConfiguration, client: httpx.AsyncClient) -> ProviderAdapter:
        try:
            return create_adapter(configuration, client)
        except UnknownProviderError:
            raise UnknownProviderError("Unknown LLM provider: unknown-provider") from None

    patch.setattr(factory, "create_adapter", create)


SILENT = f"{REQUIREMENT}/robustness"


@impostor(f"{SILENT}/the-error-names-the-variable-that-is-missing")
def does_not_name_the_variable(patch: pytest.MonkeyPatch) -> None:
    """Say only that the configuration is incomplete."""
    _complains(patch, lambda error: "The configuration is incomplete.")


@impostor(f"{SILENT}/an-inherited-name-is-no-provider")
def inherits_providers(patch: pytest.MonkeyPatch) -> None:
    """Find inherited names among the providers."""

    def create(configuration: ProviderConfiguration, client: httpx.AsyncClient) -> ProviderAdapter:
        if configuration.provider in ("constructor", "toString", "__proto__"):
            return OpenAICompatibleAdapter(configuration, client)
        return create_adapter(configuration, client)

    patch.setattr(factory, "create_adapter", create)


@impostor(f"{SILENT}/the-key-is-in-a-header-and-in-no-url")
def writes_the_key_into_the_url(patch: pytest.MonkeyPatch) -> None:
    """Write the key into the query too, as some clients do."""
    for adapter in (OpenAICompatibleAdapter, GeminiAdapter):
        _signs(patch, adapter)


def _signs(patch: pytest.MonkeyPatch, adapter: Any) -> None:
    original = adapter._url

    def url(self: Any) -> str:
        return f"{original(self)}?key={self._configuration.api_key.get_secret_value()}"

    patch.setattr(adapter, "_url", url)


@impostor(f"{SILENT}/a-slash-at-the-end-of-the-base-url-is-not-doubled")
def doubles_a_slash(patch: pytest.MonkeyPatch) -> None:
    """Append the path to the base URL as it is."""
    original = OpenAICompatibleAdapter._url

    def url(self: OpenAICompatibleAdapter) -> str:
        own = self._configuration.base_url
        return f"{own}/chat/completions" if own else original(self)

    patch.setattr(OpenAICompatibleAdapter, "_url", url)
