"""A provider adapter, asked by itself."""

from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation, ImplementationError
from specassay.steps.configuration import Configuration
from specassay.steps.expected import rows
from specassay.steps.orchestrator import Run
from specassay.suite.checks import Check, at
from specassay.suite.values import Values


class ChatParams:
    """What the adapter is given beside the messages of the scenario; with None the key is left out."""

    def __init__(self, prompt: str) -> None:
        self.system_prompt = prompt
        self.tool_schemas: list[dict[str, Any]] | None = None


@pytest.fixture
def chat_params(values: Values) -> ChatParams:
    return ChatParams(values.text("prompt"))


@given(parsers.re(r'the adapter receives systemPrompt: "(?P<prompt>.+)"'))
def adapter_receives_prompt(chat_params: ChatParams, values: Values, prompt: str) -> None:
    chat_params.system_prompt = values.fill(prompt)


@given("the adapter receives an empty list of tool schemas")
def adapter_receives_no_schemas(chat_params: ChatParams) -> None:
    chat_params.tool_schemas = []


@given("the adapter receives the tool schemas")
def adapter_receives_schemas(chat_params: ChatParams, values: Values, datatable: list[list[str]]) -> None:
    """Give the schemas in the internal format, one of each row: name, description, parameters."""
    chat_params.tool_schemas = [
        {
            "name": values.fill(row["name"]),
            "description": values.fill(row.get("description", f"The tool {row['name']}.")),
            "parameters": values.json(row["parameters"]),
        }
        for row in rows(datatable)
    ]


@when("the adapter is called")
def adapter_is_called(
    iut: Implementation, configuration: Configuration, run: Run, chat_params: ChatParams, answers: list[Any]
) -> None:
    """Ask for one call of the model, with the messages of the scenario."""
    schemas = {} if chat_params.tool_schemas is None else {"toolSchemas": chat_params.tool_schemas}
    answers.append(
        iut.call(
            "provider-adapter.chat",
            config=configuration.config,
            messages=run.messages,
            systemPrompt=chat_params.system_prompt,
            **schemas,
        )
    )


@then(parsers.re(r'the factory throws "(?P<message>.+)"'))
def factory_throws(
    iut: Implementation, check: Check, values: Values, configuration: Configuration, message: str
) -> None:
    outcome = "an adapter"
    try:
        iut.call("provider-adapter.create", config=configuration.config)
    except ImplementationError as error:
        outcome = error.message if error.code == -32000 else str(error)
    check("what the factory gives", values.fill(message), outcome)


@then(parsers.re(r"the methods of the adapter are (?P<methods>\[.*\])"))
def methods_are(iut: Implementation, check: Check, values: Values, configuration: Configuration, methods: str) -> None:
    result = iut.call("provider-adapter.describe", config=configuration.config)
    check("the methods of the adapter", values.json(methods), at(result, "methods"))
