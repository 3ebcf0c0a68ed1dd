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


class Plan(BaseModel):
    """One run against one implementation.

    `driver` is a command line, or `reference` for the embedded reference in process. `scenarios` are the ids to run,
    None for all. `shuffle` is the seed of a random order, None for the order of the files. `events` is the
    file that every event of the run is appended to, `messages` the one for every driver message, a JSON object a line.
    """

    model_config = ConfigDict(frozen=True)

    name: str | None = None
    driver: str
    directory: str | None = None
    environment: dict[str, str] = {}
    scenarios: tuple[str, ...] | None = None
    seed: int = 0
    shuffle: int | None = None
    isolate: bool = False
    limits: TimeLimits = TimeLimits()
    events: str | None = None
    messages: str | None = None
