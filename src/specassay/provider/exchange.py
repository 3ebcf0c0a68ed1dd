"""The exchange file: one recorded request and response of a provider, with what it shows and where that comes from."""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from specassay.provider.families import Family
from specassay.provider.journal import Answer
from specassay.provider.server import Fault

NAME = r"^(openai|gemini)/[a-z0-9]+(-[a-z0-9]+)*$"

_ONE_ANSWER: list[Any] = [
    {"required": ["body"], "not": {"required": ["text"]}, "properties": {"fault": {"enum": ["cut-short", None]}}},
    {"required": ["text"], "not": {"required": ["body"]}, "properties": {"fault": {"enum": ["cut-short", None]}}},
    {
        "required": ["fault"],
        "not": {"anyOf": [{"required": ["body"]}, {"required": ["text"]}]},
        "properties": {"fault": {"enum": ["reset", "hang"]}},
    },
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RequestShape(_Part):
    """What was asked: the part of the request that the answer hangs on."""

    method: str = Field(default="POST", pattern="^[A-Z]+$")
    path: str = Field(pattern="^/", description="Without host and query.")
    body: JsonValue = Field(default=None, description="The relevant part of the JSON body.")


class ResponseShape(_Part):
    """What came back: a JSON `body`, or `text` that is no JSON, or a `fault` in place of either.

    With `cut-short` the connection ends in the middle of the body.
    """

    model_config = ConfigDict(json_schema_extra={"oneOf": _ONE_ANSWER})

    status: int = Field(default=200, ge=200, le=599)
    headers: dict[str, str] = Field(default_factory=dict, description="In addition to the content type.")
    body: JsonValue = None
    text: str = ""
    fault: Fault | None = Field(default=None, description="How the connection misbehaves.")

    @model_validator(mode="after")
    def _says_one_thing(self) -> "ResponseShape":
        given = self.model_fields_set & {"body", "text"}
        if len(given) > 1:
            raise ValueError("body and text are given; an answer has one of them")
        if not given and self.fault in (None, Fault.CUT_SHORT):
            raise ValueError("body or text is missing")
        if given and self.fault in (Fault.RESET, Fault.HANG):
            raise ValueError(f"{self.fault} leaves no body and no text")
        return self

    def answer(self) -> Answer:
        """Make the answer that a server gives for it."""
        is_json = "body" in self.model_fields_set
        content = json.dumps(self.body, ensure_ascii=False) if is_json else self.text
        kind = "application/json" if is_json else "text/plain; charset=utf-8"
        headers = {"content-type": kind} | {name.lower(): value for name, value in self.headers.items()}
        return Answer(self.status, content.encode("utf-8", "backslashreplace"), tuple(headers.items()), self.fault)


class ExchangeFile(_Part):
    """One exchange, as a file holds it."""

    name: str = Field(pattern=NAME, description="The family, and a slug of the situation.")
    provider: Family
    shows: str = Field(min_length=1, description="One sentence: what is special about it.")
    source: str = Field(min_length=1, description="Where the fact comes from.")
    tags: tuple[str, ...] = Field(default=(), description="The class of an error, say.")
    request: RequestShape
    response: ResponseShape

    @model_validator(mode="after")
    def _is_of_its_family(self) -> "ExchangeFile":
        if not self.name.startswith(f"{self.provider}/"):
            raise ValueError(f"the name begins with the provider, {self.provider}/")
        return self


def exchange_schema() -> dict[str, Any]:
    """Give the JSON Schema of an exchange file, as `fixtures/schemas/exchange.schema.json` publishes it."""
    schema = ExchangeFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Exchange file"}
