"""The exchanges by name: those that come with the product, and a user's own files."""

import json
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from specassay.errors import UsageError
from specassay.provider.exchange import ExchangeFile
from specassay.provider.families import Family
from specassay.resources import FIXTURES


@lru_cache
def shipped(name: str) -> ExchangeFile:
    """Load an exchange of the product by its name, as "openai/parallel-calls".

    Raises `UsageError` for a name that there is not.
    """
    if name not in shipped_names():
        raise UsageError(f"there is no exchange {name!r}{_suggestion(name)}")
    return read_exchange(FIXTURES / f"{name}.json")


@lru_cache
def shipped_names() -> tuple[str, ...]:
    """Give the names of the product's exchanges, in order."""
    return tuple(f"{family}/{file.stem}" for family in Family for file in sorted((FIXTURES / family).glob("*.json")))


def read_exchange(file: Path) -> ExchangeFile:
    """Read an exchange file. Raises `UsageError`, with the file and the line or the place in it."""
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    try:
        data = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise UsageError(f"{file}:{error.lineno}:{error.colno}: not valid JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: not valid JSON: {error}") from None
    try:
        return ExchangeFile.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"{file}: {_first_of(error)}") from None


def read_exchanges(files: Iterable[Path]) -> dict[str, ExchangeFile]:
    """Read exchange files, and folders of them, in order. Raises `UsageError`, also where two have the same name."""
    found: dict[str, ExchangeFile] = {}
    origin: dict[str, Path] = {}
    for file in _each(files):
        exchange = read_exchange(file)
        if exchange.name in found:
            raise UsageError(f"{file}: the name {exchange.name!r} is already that of {origin[exchange.name]}")
        found[exchange.name] = exchange
        origin[exchange.name] = file
    return found


def choose(words: Iterable[str]) -> list[ExchangeFile]:
    """Give the exchanges that a user names, in order: a name, a family for all of it, a file, or a folder of files.

    Raises `UsageError` for what is none of these.
    """
    chosen: list[ExchangeFile] = []
    files: list[Path] = []
    for word in words:
        if word in tuple(Family):
            chosen.extend(shipped(name) for name in shipped_names() if name.startswith(f"{word}/"))
        elif word in shipped_names():
            chosen.append(shipped(word))
        elif Path(word).exists():
            files.append(Path(word))
            chosen.extend(read_exchanges([Path(word)]).values())
        else:
            raise UsageError(f"{word!r} is no exchange, no provider family and no file{_suggestion(word)}")
    read_exchanges(dict.fromkeys(files))  # two files of one name are a mistake, wherever they stand
    return chosen


def _each(files: Iterable[Path]) -> Iterable[Path]:
    for file in files:
        if not file.is_dir():
            yield file
            continue
        inside = sorted(one for one in file.rglob("*.json") if not _hidden(one.relative_to(file)))
        if not inside:
            raise UsageError(f"{file}: no exchange file (*.json) in this folder")
        yield from inside


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _suggestion(name: str) -> str:
    close = get_close_matches(name, shipped_names(), n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _first_of(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(step) for step in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice in an object")
    return result


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
