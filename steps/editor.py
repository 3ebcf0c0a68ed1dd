"""The editor, and the context that is read of it."""

import json
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from specassay.port import Implementation
from specassay.steps.orchestrator import Run
from specassay.suite.checks import A_NUMBER, ABSENT, Check, Matcher, agrees, also, at, items
from specassay.suite.values import Values


class Editor:
    """The editor's state, and every answer about it so far."""

    def __init__(self) -> None:
        self.state: Any = None
        self.answers: list[Any] = []

    @property
    def context(self) -> Any:
        """The context that was given last."""
        return at(self.answers, -1, "context")


@pytest.fixture
def editor() -> Editor:
    return Editor()


@given("EditorCore holds")
@when("EditorCore holds")
def editor_holds(editor: Editor, values: Values, docstring: str) -> None:
    editor.state = values.json(docstring)


@when(parsers.re(r"(adapter\.)?(?P<function>getContext|buildContextFromEditorState)\(.*\) is called"))
def context_is_asked_for(iut: Implementation, editor: Editor, function: str) -> None:
    editor.answers.append(iut.call(f"context-bridge.{function}", editorState=editor.state))


@when("the run has the context that was returned")
def run_has_context(editor: Editor, run: Run) -> None:
    run.context = None if editor.context is ABSENT else editor.context


@then("it returns")
def it_returns(check: Check, editor: Editor, values: Values, docstring: str) -> None:
    """Compare the fields that are written; a time in milliseconds may be rounded."""
    wanted = values.json(docstring)
    wanted["mediaAssets"] = [also(asset) for asset in wanted["mediaAssets"]]
    wanted["playbackTimeMs"] = _rounded(wanted["playbackTimeMs"])
    check("the context", also(wanted), editor.context)


@then("every media asset of the context has an id, a name, a type and a duration")
def assets_are_summaries(check: Check, editor: Editor) -> None:
    present = Matcher("present", lambda actual: actual is not ABSENT)
    assets = items(at(editor.context, "mediaAssets"))
    shape = also(dict.fromkeys(("id", "name", "type", "duration"), present))
    check("the media assets of the context", [shape] * max(1, len(assets)), assets)


@then("the context is plain data, which JSON holds whole")
def context_is_plain(check: Check, editor: Editor) -> None:
    answer = at(editor.answers, -1)
    check("what is no plain data in the context", [], at(answer, "notPlain"))
    check("whether there is a context", True, isinstance(editor.context, dict))
    check("the context, read back from its JSON text", editor.context, _read(at(answer, "json")))


@then("all contexts so far are equal")
def contexts_are_equal(check: Check, editor: Editor) -> None:
    first, *others = [at(answer, "context") for answer in editor.answers]
    check("the contexts after the first", [first] * max(1, len(others)), others)


@then("the state that was mapped is unchanged")
def state_is_unchanged(check: Check, editor: Editor) -> None:
    check("whether the state is as it was", True, at(editor.answers, -1, "inputUnchanged"))


@then(parsers.re(r"the methods of EditorContextAdapter are (?P<methods>\[.*\])"))
def adapter_methods(iut: Implementation, check: Check, values: Values, methods: str) -> None:
    check("the methods of the adapter", values.json(methods), at(iut.call("context-bridge.describe"), "methods"))


def _rounded(time: float) -> Matcher:
    return Matcher(f"{time}, or rounded", lambda actual: agrees(A_NUMBER, actual) and abs(actual - time) < 1)


def _read(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else ABSENT
    except ValueError:
        return ABSENT
