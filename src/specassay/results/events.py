"""What a run of the suite tells while it goes on: one JSON object a line, so that a run that breaks off keeps all."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from specassay.results.model import Declared, Lines, ScenarioRecord, Text


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True)


class Started(_Event):
    """The driver has shaken hands; `scenarios` are the ids that will be run, in order."""

    event: Literal["started"] = "started"
    declared: Declared
    scenarios: tuple[str, ...]


class StartFailed(_Event):
    """The driver did not start; nothing was run."""

    event: Literal["start-failed"] = "start-failed"
    message: Text


class Finished(_Event):
    """A scenario has its verdict. A later one of the same id takes its place."""

    event: Literal["finished"] = "finished"
    record: ScenarioRecord


class Diagnostic(_Event):
    """Something about the driver that the user should know: a print to standard output, say."""

    event: Literal["diagnostic"] = "diagnostic"
    text: Text


class MessagesLost(_Event):
    """The file of messages can no longer be written, and is not whole."""

    event: Literal["messages-lost"] = "messages-lost"
    reason: Text


class GroupStarted(_Event):
    """A driver or a server was started; `group`, its process group, is to be ended where the run could not do so."""

    event: Literal["group-started"] = "group-started"
    group: int


class LinesRan(_Event):
    """The run is over, and this is what it ran of the reference."""

    event: Literal["lines-ran"] = "lines-ran"
    lines: Lines


Event = Annotated[
    Started | StartFailed | Finished | Diagnostic | MessagesLost | GroupStarted | LinesRan,
    Field(discriminator="event"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def append(file: str | None, event: Event) -> None:
    """Write an event at the end of a file, where there is one."""
    if file is not None:
        with Path(file).open("a", encoding="utf-8") as opened:
            opened.write(event.model_dump_json(by_alias=True) + "\n")
