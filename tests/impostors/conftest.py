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
    """Play its own requirement against each impostor, and with IMPOSTORS=whole its whole specification."""
    return Reach(arena, ALL, whole=os.environ.get("IMPOSTORS") == "whole")
