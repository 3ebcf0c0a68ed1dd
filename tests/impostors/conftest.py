"""The arena, opened once for all impostors."""

from collections.abc import Iterator

import pytest

from tests.impostors.arena import Arena, open_arena


@pytest.fixture(scope="session")
def arena() -> Iterator[Arena]:
    with open_arena() as opened:
        yield opened
