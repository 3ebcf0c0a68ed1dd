"""The messages of the managed agent tool that are no calls of the harness: what is delegated, and what is aborted."""

from typing import Any

from specassay.drivers.protocol import Model, Strict


class ControlExecute(Model):
    """The callback of the managed agent tool delegates to the control service."""

    action: str
    input: Any
    context_directory: str | None = None


class ControlAborted(Model):
    """The request whose `control.execute` has this JSON-RPC id was aborted."""

    request_id: int | float | str


class AgentToolAbort(Strict):
    """The agent aborts a call, by its own signal."""

    invocation_id: str
