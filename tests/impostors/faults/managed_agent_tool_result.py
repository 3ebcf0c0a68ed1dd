"""Plugins whose results break the contract, with one fault each."""

import pytest

from specassay.reference.agent_tool import callback
from specassay.reference.agent_tool.result import Failure
from tests.impostors.faults.managed_agent_tool_preparation import SPECIFICATION, javascript
from tests.impostors.impostor import impostor

RESULT = f"{SPECIFICATION}/result-contract"
UNREACHED = "result-contract.4/a-callback-that-cannot-be-reached-or-answers-nonsense-is-an-envelope"
OUTPUT = "output: JSON.stringify(result),"


@impostor(
    f"{RESULT}.1",
    elsewhere={
        "result-contract.4/a-callback-that-cannot-be-reached-or-answers-nonsense-is-an-envelope[html]": "It is HTML."
    },
)
def hands_html_on(patch: pytest.MonkeyPatch) -> None:
    """Hand HTML that comes in place of a result on to the agent."""
    javascript(patch, OUTPUT, "output: result.html ?? JSON.stringify(result),")
    original = "  return envelope(text) ?? failure("
    javascript(patch, original, '  if (text.startsWith("<")) return { ok: false, html: text };\n' + original)


ALL_RESULTS = {
    "result-contract.1": "One of its calls succeeds.",
    "runtime-flow.8": "It looks at the result too.",
    "runtime-flow.11": "It looks at the data too.",
}


@impostor(f"{RESULT}.2", elsewhere=ALL_RESULTS)
def renames_data(patch: pytest.MonkeyPatch) -> None:
    """Call the data `result`."""
    javascript(patch, OUTPUT, "output: JSON.stringify(result).replace('\"data\":', '\"result\":'),")


@impostor(
    f"{RESULT}.2",
    elsewhere={
        "result-contract.1": "The version is part of the envelope.",
        "result-contract.3": "The version is part of the envelope.",
        "result-contract.4": "The version is part of the envelope.",
        "agent-context-budget.17": "The version is part of the envelope.",
        "result-contract/robustness/what-was-done-before-a-failure-is-told": "The version is part of the envelope.",
    },
)
def writes_the_version_as_text(patch: pytest.MonkeyPatch) -> None:
    """Write the schema's version as text."""
    javascript(patch, OUTPUT, 'output: JSON.stringify({ ...result, schemaVersion: "1" }),')


@impostor(
    f"{RESULT}.3",
    elsewhere={
        "result-contract.1": "One of its calls fails.",
        "result-contract.4": "Those are failures too.",
        "agent-context-budget.17": "It is a failure.",
        "result-contract/robustness/what-was-done-before-a-failure-is-told": "It is a failure.",
    },
)
def writes_the_error_as_text(patch: pytest.MonkeyPatch) -> None:
    """Give the message itself for the error."""
    javascript(
        patch, OUTPUT, "output: JSON.stringify(result.ok ? result : { ...result, error: result.error.message }),"
    )


@impostor(
    f"{RESULT}.4",
    elsewhere={"result-contract.1": "One of its calls is not answered by the callback."},
)
def throws_at_the_agent(patch: pytest.MonkeyPatch) -> None:
    """Throw an error where the callback does not answer as it should."""
    javascript(
        patch,
        "function failure(action, message) {\n",
        "function failure(action, message) {\n  throw new Error(message);\n",
    )


@impostor(f"{RESULT}.5")
def takes_a_cancelled_call_for_done(patch: pytest.MonkeyPatch) -> None:
    """Give a cancelled call empty data."""
    javascript(
        patch,
        "    if (context.abort?.aborted) throw error;\n",
        "    if (context.abort?.aborted) return { schemaVersion: 1, ok: true, action, data: {} };\n",
    )


@impostor(f"{RESULT}/robustness/what-was-done-before-a-failure-is-told")
def forgets_what_was_done(patch: pytest.MonkeyPatch) -> None:
    """Leave out what was done before a failure."""

    def fail(**fields: object) -> Failure:
        return Failure.model_validate({**fields, "partial": None})

    patch.setattr(callback, "Failure", fail)
