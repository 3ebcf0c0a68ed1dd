"""The features that a command is about: the suite's own, or a folder of somebody else's."""

from pathlib import Path

import click
from gherkin.errors import ParserException

from specassay import catalogue, resources
from specassay.catalogue import Catalogue
from specassay.errors import UsageError
from specassay.trace.lock import NAME, Lock, load

features_option = click.option(
    "--features",
    type=click.Path(path_type=Path),
    default=resources.FEATURES,
    metavar="DIR",
    help="Trace these features, a folder for each specification, instead of the suite's own.",
)


def read(features: Path) -> tuple[Catalogue, dict[str, Lock]]:
    """Read a folder of features and the locks in it, by specification. Raises `UsageError`."""
    if not features.is_dir():
        raise UsageError(f"--features {features}: there is no such folder")
    try:
        found = catalogue.load(features)
    except ParserException as error:
        raise UsageError(f"--features {features}: {error}") from None
    specifications = tuple(
        one for one in found.specifications if one.requirements or (features / one.id / NAME).is_file()
    )
    if not specifications:
        raise UsageError(f"--features {features}: there is no <specification>/<requirement>.feature in this folder")
    locks = {one.id: lock for one in specifications if (lock := load(one.id, features)) is not None}
    for name, lock in locks.items():
        if lock.specification != name:
            raise UsageError(
                f"{features / name / NAME}:1: this is the lock of {lock.specification}, in the folder {name}"
            )
    return Catalogue(specifications, found.readings), locks
