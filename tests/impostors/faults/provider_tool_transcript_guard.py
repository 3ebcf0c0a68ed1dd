"""Guards in front of the network with one fault each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from specassay.reference import agents, transcript
from specassay.reference.agents import AgentAnswer, ChatAgent, ChatClient
from specassay.reference.transcript import TranscriptError, TranscriptMessage, check_transcript
from tests.impostors.impostor import impostor

GUARD = "provider-tool-transcript/transcript-guard"
NAMED = "transcript-guard/robustness/the-error-names-the-calls-that-have-no-reply"
CHAT_AGENT = "The ChatAgent sends by the same client."

Messages = Sequence[TranscriptMessage]


def _guards(patch: pytest.MonkeyPatch, check: Callable[[Messages], object]) -> None:
    """Put another guard in place; what it refuses it calls by all ids that there are."""

    def guard(messages: Messages) -> None:
        try:
            check(messages)
        except TranscriptError:
            ids = ", ".join(id_ for message in messages for id_ in message.call_ids)
            raise TranscriptError(f"Something is wrong with the calls {ids}.") from None

    patch.setattr(agents, "check_transcript", guard)


def _refuse(broken: bool) -> None:
    if broken:
        raise TranscriptError


def _runs(messages: Iterable[TranscriptMessage]) -> list[tuple[list[str], list[str]]]:
    """Give, for each message that is no tool's, the ids that it calls and those that are answered right after it."""
    runs: list[tuple[list[str], list[str]]] = [([], [])]
    for message in messages:
        if message.role == "tool":
            runs[-1][1].append(str(message.tool_call_id))
        else:
            runs.append((message.call_ids, []))
    return runs


@impostor(
    f"{GUARD}.1",
    elsewhere=dict.fromkeys(
        ("transcript-guard.2", "transcript-guard.3", "transcript-guard.4", "scope.7", NAMED),
        "It has no guard at all.",
    ),
)
def leaves_it_to_the_provider(patch: pytest.MonkeyPatch) -> None:
    """Send whatever there is; the provider will refuse it."""
    _guards(patch, lambda messages: None)


@impostor(
    f"{GUARD}.1",
    elsewhere=dict.fromkeys(
        ("transcript-guard.2", "transcript-guard.3", "transcript-guard.4", "scope.7", NAMED),
        "The guard comes too late for every transcript.",
    ),
)
def looks_afterwards(patch: pytest.MonkeyPatch) -> None:
    """Check the transcript when the answer is there."""
    original = ChatClient._post

    async def post(self: ChatClient, body: dict[str, Any]) -> dict[str, Any]:
        answer = await original(self, body)
        check_transcript(self.__dict__["messages"])
        return answer

    _guards(patch, lambda messages: None)
    send = ChatClient.send

    async def remembering(self: ChatClient, messages: Messages, *further: Any) -> AgentAnswer:
        self.__dict__["messages"] = messages
        return await send(self, messages, *further)

    patch.setattr(ChatClient, "_post", post)
    patch.setattr(ChatClient, "send", remembering)


@impostor(f"{GUARD}.1")
def waits_for_a_first_call(patch: pytest.MonkeyPatch) -> None:
    """Ignore replies as long as no call was made."""

    def check(messages: Messages) -> None:
        first = next((n for n, message in enumerate(messages) if message.call_ids), len(messages))
        check_transcript([message for n, message in enumerate(messages) if n > first or message.role != "tool"])

    _guards(patch, check)


@impostor(f"{GUARD}.1")
def takes_replies_to_earlier_turns(patch: pytest.MonkeyPatch) -> None:
    """Take a reply to a call that was answered in an earlier turn already."""

    def check(messages: Messages) -> None:
        done: set[str] = set()
        for called, answered in _runs(messages):
            _refuse(sorted(called) != sorted(id_ for id_ in answered if id_ in called or id_ not in done))
            done.update(called)

    _guards(patch, check)


@impostor(
    f"{GUARD}.2",
    elsewhere={
        "transcript-guard.3": "Of two replies to one of two calls the number is right.",
    },
)
def counts_replies(patch: pytest.MonkeyPatch) -> None:
    """Count the replies of a turn, and match no ids."""

    def check(messages: Messages) -> None:
        for called, answered in _runs(messages):
            _refuse(len(called) != len(answered))

    _guards(patch, check)


@impostor(f"{GUARD}.2")
def compares_the_beginnings_of_ids(patch: pytest.MonkeyPatch) -> None:
    """Take two ids for one where one begins with the other."""

    def check(messages: Messages) -> None:
        for called, answered in _runs(messages):
            left = list(called)
            for id_ in answered:
                match = next((other for other in left if other.startswith(id_) or id_.startswith(other)), None)
                _refuse(match is None)
                left.remove(str(match))
            _refuse(left != [])

    _guards(patch, check)


@impostor(f"{GUARD}.2")
def takes_extra_replies(patch: pytest.MonkeyPatch) -> None:
    """Ask for a reply to each call, and overlook one with an id that nobody called by."""

    def check(messages: Messages) -> None:
        for called, answered in _runs(messages):
            known = [id_ for id_ in answered if id_ in called]
            _refuse(sorted(called) != sorted(known) or (answered != [] and called == []))

    _guards(patch, check)


@impostor(f"{GUARD}.3")
def keeps_a_set_of_answered_ids(patch: pytest.MonkeyPatch) -> None:
    """Keep the ids that are answered as a set, so that a second reply changes nothing."""

    def check(messages: Messages) -> None:
        for called, answered in _runs(messages):
            _refuse(set(called) != set(answered))

    _guards(patch, check)


@impostor(
    f"{GUARD}.3",
    elsewhere=dict.fromkeys(("scope.7", "transcript-guard.4", NAMED), "One reply of several is enough for it."),
)
def is_content_with_one_reply(patch: pytest.MonkeyPatch) -> None:
    """Ask for a reply to some call of a turn, whichever, and as often as it comes."""

    def check(messages: Messages) -> None:
        for called, answered in _runs(messages):
            _refuse(bool(called) != bool(answered) or not set(answered) <= set(called))

    _guards(patch, check)


@impostor(f"{GUARD}.4", elsewhere={"scope.7": "An id that was answered before is resolved for it at the end too."})
def collects_answers_over_the_whole_history(patch: pytest.MonkeyPatch) -> None:
    """Take a call for resolved where its id was answered anywhere in the history."""

    def check(messages: Messages) -> None:
        every = {str(message.tool_call_id) for message in messages if message.role == "tool"}
        made: set[str] = set()
        seen: set[str] = set()
        for message in messages:
            made.update(message.call_ids)
            seen -= set(message.call_ids)
            if message.role == "tool":
                _refuse(message.tool_call_id not in made or message.tool_call_id in seen)
                seen.add(str(message.tool_call_id))
            _refuse(not set(message.call_ids) <= every)

    _guards(patch, check)


@impostor(f"{GUARD}.4")
def waits_for_a_user(patch: pytest.MonkeyPatch) -> None:
    """Let assistant and system speak before every call has its reply."""

    def check(messages: Messages) -> None:
        speaking = ("assistant", "system")
        check_transcript([message for message in messages if message.role not in speaking or message.call_ids])

    _guards(patch, check)


@impostor(f"{GUARD}.4")
def forgets_the_calls_before(patch: pytest.MonkeyPatch) -> None:
    """Ask for the replies to the last calls alone."""

    def check(messages: Messages) -> None:
        runs = _runs(messages)
        asked = [n for n, (called, _) in enumerate(runs) if called]
        for n, (called, answered) in enumerate(runs):
            complete = sorted(called) == sorted(answered)
            _refuse(not complete and (n in asked[-1:] or not set(answered) <= set(called)))

    _guards(patch, check)


@impostor("provider-tool-transcript/scope.7", elsewhere={NAMED: "The calls without a reply stand at the end."})
def does_not_look_at_the_end(patch: pytest.MonkeyPatch) -> None:
    """Notice open calls only where somebody speaks after them."""

    def check(messages: Messages) -> None:
        runs = _runs(messages)
        for n, (called, answered) in enumerate(runs):
            open_at_the_end = n == len(runs) - 1 and set(answered) < set(called) and len(answered) == len(set(answered))
            _refuse(sorted(called) != sorted(answered) and not open_at_the_end)

    _guards(patch, check)


@impostor("provider-tool-transcript/scope.7", elsewhere={"transcript-guard.4": CHAT_AGENT})
def leaves_the_chat_agent_unguarded(patch: pytest.MonkeyPatch) -> None:
    """Let the ChatAgent send by a way of its own, around the guard."""

    async def respond(
        self: ChatAgent, messages: Messages, tools: Sequence[Any] = (), tool_choice: Any = None
    ) -> AgentAnswer:
        return self._client._read(await self._client._post(self._client._body(messages, tools, tool_choice)))

    patch.setattr(ChatAgent, "respond", respond)


@impostor(f"{GUARD}/robustness/an-id-may-be-used-again-in-a-later-turn-and-is-answered-there")
def takes_an_id_once(patch: pytest.MonkeyPatch) -> None:
    """Refuse an id that an earlier turn has used."""

    def check(messages: Messages) -> None:
        ids = [id_ for message in messages for id_ in message.call_ids]
        _refuse(len(ids) != len(set(ids)))
        check_transcript(messages)

    _guards(patch, check)


@impostor(f"{GUARD}/robustness/the-same-id-twice-in-one-message-is-told-apart-or-refused")
def sends_an_id_twice(patch: pytest.MonkeyPatch) -> None:
    """Take two calls of one id for one call, and send both."""

    def check(messages: Messages) -> None:
        for called, answered in _runs(messages):
            double = len(called) != len(set(called))
            _refuse(set(called) != set(answered) if double else sorted(called) != sorted(answered))

    original = transcript.check_shape

    def check_shape(message: TranscriptMessage) -> None:
        if len(message.call_ids) == len(set(message.call_ids)):
            original(message)

    patch.setattr(transcript, "check_shape", check_shape)
    _guards(patch, check)


@impostor(f"{GUARD}/robustness/the-error-names-the-calls-that-have-no-reply")
def names_no_calls(patch: pytest.MonkeyPatch) -> None:
    """Say that a transcript is incomplete, and not what is missing."""

    def check(messages: Messages) -> None:
        try:
            check_transcript(messages)
        except TranscriptError:
            raise TranscriptError("The transcript is incomplete.") from None

    patch.setattr(agents, "check_transcript", check)
