"""The port: what a step, or a double, may ask of an implementation under test.

The shapes of the operations are those of the driver protocol (docs/driver-protocol.md).
"""

from collections.abc import Mapping
from typing import Any, Protocol

Json = Any
"""Any JSON value, as `json.loads` gives it."""


class ImplementationError(Exception):
    """The implementation answered a call with an error of its own (a guard that rejects, say).

    A step that asks for an error catches it; everywhere else it makes the scenario `failed`.
    """

    def __init__(self, operation: str, code: int, message: str, kind: str | None = None) -> None:
        super().__init__(f"{operation} was answered with error {code}: {message}")
        self.operation = operation
        self.code = code
        self.message = message
        self.kind = kind


class Undecided(Exception):  # noqa: N818 - it is the state of the scenario, no error of the caller
    """The harness cannot tell: the driver crashed, hung, or broke the protocol, or the machine lacks something."""


class Inapplicable(Exception):  # noqa: N818 - it is a verdict
    """The scenario does not apply to this implementation, for a reason that only showed while it was played."""


class NotRunnable(Exception):  # noqa: N818 - it is a verdict
    """The machine cannot offer what the scenario takes."""


class Implementation(Protocol):
    """One implementation under test, within one scenario."""

    @property
    def conventions(self) -> Mapping[str, str]:
        """How it writes a tool result: `toolResultRole` and `toolCallIdField`."""
        ...

    @property
    def endpoints(self) -> Mapping[str, str]:
        """The addresses of this scenario: provider, chatOrigin, egress, trap, refused."""
        ...

    @property
    def environment(self) -> Mapping[str, str]:
        """The complete set of `LLM_*` of a scenario that says nothing else."""
        ...

    def call(self, operation: str, /, **params: Json) -> Json:
        """Call `<surface>.<operation>` and give back its result, any JSON.

        Raises `ImplementationError` for an error of the implementation, `Undecided` after a crash or a timeout.
        """
        ...

    async def request(self, operation: str, /, **params: Json) -> Json:
        """Do the same from within a double, while another call is open."""
        ...

    def forward_chat_route(self, origin: str) -> None:
        """Let what is posted to the chat origin be handed on to the implementation's own route, at this origin."""
        ...

    def reload(self) -> None:
        """Make the client surfaces anew on the same storage, as a reload of the page would."""
        ...
