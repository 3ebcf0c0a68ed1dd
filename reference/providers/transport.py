"""One call of a provider's HTTP API, and the reading of what comes back: all that goes wrong is a `ProviderError`."""

from collections.abc import Mapping
from typing import Any

import httpx
from pydantic_core import from_json

from specassay.reference.calls import read_calls
from specassay.reference.providers.interface import ProviderChatResponse, ProviderError


async def post_json(client: httpx.AsyncClient, url: str, headers: Mapping[str, str], body: Any) -> dict[str, Any]:
    """Post `body`, once, and give the JSON object of a 2xx answer, whatever it holds."""
    try:
        response = await client.post(url, headers=headers, json=body)
        answer = from_json(response.content, allow_inf_nan=False) if response.is_success else None
    # A ValueError is a header or a body that cannot be sent, or an answer that is no JSON. Its text may show the key.
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise ProviderError(f"The call failed: {type(error).__name__}.") from None
    if not isinstance(answer, dict):
        raise ProviderError(f"The provider answered {response.status_code}, and no JSON object with success.")
    return answer


def make_response(content: str, calls: list[dict[str, Any]]) -> ProviderChatResponse:
    """Make the response from raw calls `{id, name, args}`: ids made unique, arguments read (see `calls`).

    Keeps agent-session-shell/provider-adapter-interface.5, .6, .10 and .11.
    """
    try:
        tool_calls = read_calls(calls)
    except ValueError:
        raise ProviderError("The provider's answer holds a call without a name.") from None
    if not tool_calls:
        return ProviderChatResponse(content=content)
    return ProviderChatResponse(content=content, tool_calls=tool_calls)


def carried(fields: Mapping[str, Any] | None, name: str) -> dict[str, Any]:
    """Take along one field, if it is there."""
    return {name: fields[name]} if fields and name in fields else {}


def as_object(value: Any) -> dict[str, Any]:
    """Give a JSON object as it is, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[dict[str, Any]]:
    """Give the objects of a JSON list; anything else has none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
