"""The arena, opened once for all impostors, and how far each of them reaches."""

import os
from collections.abc import Iterator

import pytest

from tests.impostors.arena import Arena, open_arena
from tests.impostors.impostor import ALL
from tests.impostors.reach import Reach


@pytest.fixture(scope="session")
def arena() -> Iterator[Arena]:
    with open_arena() as opened:
        yield opened


@pytest.fixture(scope="session")
def reach(arena: Arena) -> Reach:
    """Play whole specifications where there is time for it: in continuous integration, or with CI=1."""
    return Reach(arena, ALL, whole=bool(os.environ.get("CI")))
