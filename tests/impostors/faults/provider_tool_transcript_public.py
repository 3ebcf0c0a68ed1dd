"""Boundaries to a client with one fault each: what is taken from it, and what it is shown."""

from collections.abc import Iterable
from typing import Any

import pytest

from specassay.reference import transcript
from specassay.reference.transcript import TranscriptMessage, check_transcript
from tests.impostors.impostor import impostor

RESULT = "provider-tool-transcript/result/robustness"
FORGED = f"{RESULT}/a-request-from-outside-brings-no-calls-and-no-replies-of-its-own-making"
SHOWN = f"{RESULT}/a-client-is-shown-what-was-said-and-nothing-of-calls-and-replies"


def _read(request: Any) -> tuple[TranscriptMessage, ...]:
    return tuple(TranscriptMessage.model_validate(message) for message in request["messages"])


@impostor(FORGED)
def takes_what_is_legal(patch: pytest.MonkeyPatch) -> None:
    """Take whatever transcript is legal from outside, with calls and replies that the client has made up."""

    def accept_public_request(request: Any) -> tuple[TranscriptMessage, ...]:
        messages = _read(request)
        check_transcript(messages)
        return messages

    patch.setattr(transcript, "accept_public_request", accept_public_request)


@impostor(FORGED)
def takes_whatever_comes(patch: pytest.MonkeyPatch) -> None:
    """Take any messages from outside."""

    def accept_public_request(request: Any) -> tuple[TranscriptMessage, ...]:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(transcript, "check_shape", lambda message: None)
            return _read(request)

    patch.setattr(transcript, "accept_public_request", accept_public_request)


@impostor(SHOWN)
def shows_everything(patch: pytest.MonkeyPatch) -> None:
    """Show a client the whole history."""
    patch.setattr(transcript, "project_history", tuple)


@impostor(SHOWN)
def shows_the_calls(patch: pytest.MonkeyPatch) -> None:
    """Leave out the replies of tools, and show the calls."""

    def project_history(messages: Iterable[TranscriptMessage]) -> tuple[TranscriptMessage, ...]:
        return tuple(message for message in messages if message.role in ("user", "assistant"))

    patch.setattr(transcript, "project_history", project_history)
