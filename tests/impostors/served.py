"""Serves the impostor that is being played over standard input and output: some scenarios take a process."""

import importlib
import os
import pkgutil

import pytest

from specassay.drivers.reference import driver
from tests.impostors import faults
from tests.impostors.impostor import ALL, PLAYED


def main() -> None:
    """Put the fault into the reference of this process, and serve it; without one, the reference as it is."""
    for module in pkgutil.iter_modules(faults.__path__, f"{faults.__name__}."):
        importlib.import_module(module.name)
    name = os.environ.get(PLAYED)
    with pytest.MonkeyPatch.context() as patch:
        for impostor in ALL:
            if impostor.id == name:
                impostor.patch(patch)
        driver().serve()


if __name__ == "__main__":
    main()
