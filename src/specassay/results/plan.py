"""What one run of the suite against one implementation is asked to do.

`specassay run` writes it to a file for the pytest process that it starts; under plain pytest the options make it.
"""

from pydantic import BaseModel, ConfigDict


class TimeLimits(BaseModel):
    """Time limits in seconds; None is no limit."""

    model_config = ConfigDict(frozen=True)

    start: float | None = 10.0
    call: float | None = 10.0
    scenario: float | None = 30.0


class Route(BaseModel):
    """What is tested is the chat route of a server, from outside and without a driver.

    The server is one that is up already at the origin `url`, and has its provider at `provider_port` of this machine;
    without `url` one that a command starts. The other two say how it writes a tool result.
    """

    model_config = ConfigDict(frozen=True)

    url: str | None = None
    provider_port: int = 0
    tool_result_role: str = "tool"
    tool_call_id_field: str = "toolCallId"


class Plan(BaseModel):
    """One run against one implementation.

    `driver` is a command line, or `reference` for the embedded reference in process. With `route`, it starts a server.
    `scenarios` are the ids to run, None for all. `shuffle` is the seed of a random order, None for the order of the
    files. `lines` asks for the lines of the embedded reference that each scenario runs. `events` is the file that every
    event of the run is appended to, `messages` the one for every driver message, a JSON object a line.
    """

    model_config = ConfigDict(frozen=True)

    name: str | None = None
    driver: str
    directory: str | None = None
    environment: dict[str, str] = {}
    route: Route | None = None
    scenarios: tuple[str, ...] | None = None
    seed: int = 0
    shuffle: int | None = None
    isolate: bool = False
    lines: bool = False
    limits: TimeLimits = TimeLimits()
    events: str | None = None
    messages: str | None = None
