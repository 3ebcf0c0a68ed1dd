"""The settings of a project: `[tool.specassay]` of the nearest pyproject.toml.

[tool.specassay]
require = ["chat-store", "orchestrator"]
expect = "known-failures.toml"

[tool.specassay.drivers.web]
command = "node driver.mjs"
directory = "web"
environment = { MODE = "test" }

[tool.specassay.routes.api]
command = "npm start"
tool_result_role = "function"
"""

import shlex
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from specassay.errors import UsageError
from specassay.results.drivers import REFERENCE, Driver
from specassay.results.plan import Route
from specassay.results.problems import first_problem

_Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Model = TypeVar("Model", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class DriverTable(_Strict):
    """One driver; `directory` is relative to the file, and its folder unless given."""

    command: _Text
    directory: str = "."
    environment: dict[str, str] = {}


class RouteTable(DriverTable):
    """A server that is tested without a driver."""

    tool_result_role: _Text = "tool"
    tool_call_id_field: _Text = "toolCallId"


class Table(_Strict):
    """The whole table; `expect` is relative to the file."""

    drivers: dict[str, dict[str, Any]] = {}
    routes: dict[str, dict[str, Any]] = {}
    expect: _Text | None = None
    require: list[str] = []


@dataclass(frozen=True)
class Settings:
    """What a project has set, with its paths made absolute; `drivers` holds the routes, too."""

    drivers: dict[str, Driver] = field(default_factory=dict)
    expect: Path | None = None
    require: tuple[str, ...] = ()


def load(folder: Path) -> Settings:
    """Read the settings of the nearest pyproject.toml with a `[tool.specassay]`, upwards from `folder`.

    Raises `UsageError`, which names the file and the key, for whatever is wrong in it.
    """
    for place in (folder, *folder.parents):
        file = place / "pyproject.toml"
        table = _table(file) if file.is_file() else None
        if table is not None:
            return _settings(file, table)
    return Settings()


def _table(file: Path) -> Any:
    try:
        tool = tomllib.loads(file.read_text("utf-8")).get("tool", {})
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file}: is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: is not TOML: {error}") from None
    return tool.get("specassay") if isinstance(tool, dict) else None


def _settings(file: Path, content: Any) -> Settings:
    table = _valid(Table, content, f"{file}: [tool.specassay]")
    drivers = {name: _driver(file, "drivers", name, entry) for name, entry in table.drivers.items()}
    routes = {name: _driver(file, "routes", name, entry) for name, entry in table.routes.items()}
    twice = next((name for name in routes if name in drivers), None)
    if twice is not None:
        raise UsageError(f"{file}: [tool.specassay.routes.{twice}]: a driver has this name; give the route another one")
    return Settings(
        drivers={**drivers, **routes},
        expect=file.parent / table.expect if table.expect is not None else None,
        require=tuple(table.require),
    )


def _driver(file: Path, table: str, name: str, content: dict[str, Any]) -> Driver:
    place = f"{file}: [tool.specassay.{table}.{name}]"
    entry = _valid(RouteTable if table == "routes" else DriverTable, content, place)
    if name == REFERENCE:
        raise UsageError(f"{place}: {REFERENCE!r} is the embedded reference; give the driver another name")
    directory = file.parent / entry.directory
    if not directory.is_dir():
        raise UsageError(f"{place}: directory {str(directory)!r} does not exist")
    try:
        shlex.split(entry.command)
    except ValueError as error:
        raise UsageError(f"{place}: command cannot be read: {str(error).lower()}") from None
    flag, route = "--driver", None
    if isinstance(entry, RouteTable):
        flag = "--route-cmd"
        route = Route(tool_result_role=entry.tool_result_role, tool_call_id_field=entry.tool_call_id_field)
    return Driver(name, entry.command, (flag, name), str(directory), entry.environment, route)


def _valid(model: type[Model], content: Any, place: str) -> Model:
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise UsageError(f"{place}: {first_problem(error, model)}") from None
