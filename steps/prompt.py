"""The system prompt."""

import re
from typing import Any

import pytest
from pytest_bdd import parsers, then, when

from specassay.port import Implementation
from specassay.provider.fake import FakeProvider
from specassay.steps import wire
from specassay.steps.orchestrator import Run
from specassay.suite.checks import A_TEXT, ABSENT, Check, Matcher, at, containing, without
from specassay.suite.values import Values


@pytest.fixture
def prompts() -> list[Any]:
    """Give every prompt so far."""
    return []


@when("buildSystemPrompt(context) is called")
def build_system_prompt(iut: Implementation, run: Run, prompts: list[Any]) -> None:
    prompts.append(at(iut.call("context-bridge.buildSystemPrompt", context=run.context), "prompt"))


@then("the returned string is not empty")
def prompt_is_text(check: Check, prompts: list[Any]) -> None:
    check("the system prompt", A_TEXT, at(prompts, -1))


@then(parsers.re(r"the returned string (?P<verb>contains|does not contain) (?P<texts>\".+\")"))
def prompt_contains(check: Check, values: Values, prompts: list[Any], verb: str, texts: str) -> None:
    """Look for each of the texts, which commas part."""
    for text in values.json(f"[{texts}]"):
        matcher = (containing if verb == "contains" else without)(text)
        check("the system prompt", matcher, _string(at(prompts, -1)))


@then(parsers.re(r'the returned string has the word "(?P<word>\w+)"'))
def prompt_has_word(check: Check, prompts: list[Any], word: str) -> None:
    matcher = Matcher(f'with the word "{word}"', lambda actual: bool(re.search(rf"\b{word}\b", str(actual), re.I)))
    check("the system prompt", matcher, _string(at(prompts, -1)))


@then("the returned strings are equal")
def prompts_are_equal(check: Check, prompts: list[Any]) -> None:
    first, *others = [_string(prompt) for prompt in prompts]
    check("the first prompt", A_TEXT, first)
    check("the prompts after the first", [first] * max(1, len(others)), others)


@then(parsers.parse("the system text of call {number:d} contains the returned string"))
def route_sends_prompt(check: Check, provider: FakeProvider, prompts: list[Any], number: int) -> None:
    prompt = _string(at(prompts, -1))
    matcher = containing(prompt) if isinstance(prompt, str) and prompt else A_TEXT
    check("the system prompt", A_TEXT, prompt)
    call = provider.posts[number - 1] if number <= len(provider.posts) else None
    check(
        f"the system text of call {number} of the provider", matcher, ABSENT if call is None else wire.system_text(call)
    )


def _string(prompt: Any) -> Any:
    """Give a string as it is; a list or an object that holds the texts is no prompt."""
    return prompt if isinstance(prompt, str) else ABSENT
