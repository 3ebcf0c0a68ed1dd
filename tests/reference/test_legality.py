"""The guard agrees with the rule, stated once more in another way, and lets nothing through that OpenAI refuses."""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specassay.provider.journal import Request
from specassay.provider.rules_openai import violation
from specassay.reference.transcript import TranscriptError, TranscriptMessage, check_transcript, wire_message

Json = dict[str, Any]
Transcript = tuple[Json, ...]

SPEAKERS = ("system", "user", "assistant")
IDS = ("a", "b", "c", "d")


def speaks(role: str) -> Json:
    return {"role": role, "content": f"A word of the {role}."}


def calls(*ids: str, content: str = "") -> Json:
    made = [{"id": id_, "name": "probe", "arguments": {"id": id_}, "rawArguments": f'{{ "id":"{id_}"}}'} for id_ in ids]
    return {"role": "assistant", "content": content, "toolCalls": made}


def reply(id_: str) -> Json:
    return {"role": "tool", "content": "", "toolCallId": id_}


@st.composite
def turns(draw: st.DrawFn) -> list[Json]:
    """Draw a message that stands alone, or calls with their replies in any order."""
    if draw(st.booleans()):
        return [speaks(draw(st.sampled_from(SPEAKERS)))]
    ids = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True))
    return [calls(*ids, content=draw(st.sampled_from(("", "Hm.")))), *map(reply, draw(st.permutations(ids)))]


def changed(transcript: Transcript) -> Iterator[Transcript]:
    """Change a transcript in one place, in every way and at every place; some of what comes out is legal still."""
    for place, message in enumerate(transcript):
        before, after = transcript[:place], transcript[place + 1 :]
        yield (*before, *after)
        yield (*before, message, message, *after)
        rest = (*before, *after)
        yield from ((*rest[:other], message, *rest[other:]) for other in range(len(transcript)))
        added = [*map(speaks, SPEAKERS), *map(reply, IDS), *map(calls, IDS)]
        yield from ((*before, other, message, *after) for other in added)
        yield from ((*before, other, *after) for other in added)


def is_legal(transcript: Transcript) -> bool:
    """Cut it in front of everyone who is no tool: in each piece the called ids are the answered ids."""
    cuts = [place for place, message in enumerate(transcript) if message["role"] != "tool"]
    pieces = [transcript[start:end] for start, end in pairwise([0, *cuts, len(transcript)])]
    return all(
        sorted(call["id"] for message in piece for call in message.get("toolCalls", ()))
        == sorted(message["toolCallId"] for message in piece if message["role"] == "tool")
        for piece in pieces
    )


def is_let_through(messages: list[TranscriptMessage]) -> bool:
    try:
        check_transcript(messages)
    except TranscriptError:
        return False
    return True


def is_accepted(messages: list[TranscriptMessage]) -> bool:
    """Ask the fake provider whether OpenAI would take a request with this transcript."""
    body = json.dumps({"model": "m", "messages": [wire_message(message) for message in messages]}).encode()
    return violation(Request("POST", "/v1/chat/completions", (("authorization", "Bearer key"),), body), "") is None


def test_the_guard_agrees_with_the_rule_and_with_openai() -> None:
    seen: dict[str, bool] = {}

    @settings(max_examples=200, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(turns(), min_size=1, max_size=4))
    def agree(drawn: list[list[Json]]) -> None:
        whole = tuple(message for turn in drawn for message in turn)
        assert is_legal(whole)
        for transcript in (whole, *filter(None, changed(whole))):
            text = json.dumps(transcript)
            if text not in seen:
                seen[text] = is_legal(transcript)
                messages = [TranscriptMessage.model_validate(message) for message in transcript]
                assert is_let_through(messages) is seen[text]
                assert is_accepted(messages) is seen[text]

    agree()
    legal = sum(seen.values())
    assert legal >= 2_000
    assert len(seen) - legal >= 8_000


def test_the_rule_itself_knows_the_plain_cases() -> None:
    a, b, user = reply("a"), reply("b"), speaks("user")
    for legal in ((user,), (user, calls("a"), a), (calls("a", "b"), b, a, user), (calls("a"), a, calls("a"), a)):
        assert is_legal(legal), legal
    for illegal in ((a,), (calls("a"),), (calls("a"), b), (calls("a"), a, a), (calls("a"), user, a)):
        assert not is_legal(illegal), illegal
