"""The turns of a conversation: which answer a server gives to which request in turn."""

from typing import Generic, TypeVar

from specassay.provider.journal import Answer, json_answer

LIMIT = 12
"""How many answers a script gives unless it says otherwise, so that a loop without a guard ends."""

RAN_OUT = "the script ran out of answers"

T = TypeVar("T")


class Turns(Generic[T]):
    """What happens in turn: each turn once, and then, where one is given for ever, that one up to the limit."""

    def __init__(self) -> None:
        self._turns: list[T] = []
        self._forever: T | None = None
        self._given = 0

    def then(self, *turns: T) -> None:
        """Add turns, one for each request to come."""
        self._turns.extend(turns)

    def always(self, turn: T) -> None:
        """Give this turn to every request after the others, up to the limit."""
        self._forever = turn

    def take(self) -> T | None:
        """Take the next turn; None where they have run out."""
        position = self._given
        if position < len(self._turns):
            turn: T | None = self._turns[position]
        else:
            turn = self._forever if position < LIMIT else None
        self._given += turn is not None
        return turn


class Script(Turns[Answer]):
    """Answers in turn, and after the last one a 500 that says so."""

    def next(self) -> tuple[Answer, str | None]:
        """Take the next answer, with a note where the script has run out."""
        answer = self.take()
        return (answer, None) if answer is not None else (json_answer({"error": RAN_OUT}, status=500), RAN_OUT)
