"""The steps of the library's features."""

import pytest
from library import Library
from pytest_bdd import given, parsers, scenarios, then, when

scenarios("features")


@pytest.fixture
def library() -> Library:
    return Library()


@given(parsers.parse('{reader} has borrowed "{book}"'))
@when(parsers.parse('{reader} borrows "{book}"'))
def borrow(library: Library, reader: str, book: str) -> None:
    library.lend(book, reader)


@when(parsers.parse("{days:d} days have passed"))
def wait(library: Library, days: int) -> None:
    library.wait(days)


@then(parsers.parse('"{book}" is lent to {reader}'))
def is_lent(library: Library, book: str, reader: str) -> None:
    assert library.lent[book] == reader


@then("these readers are reminded:")
def are_reminded(library: Library, docstring: str) -> None:
    assert library.reminded == [line.removeprefix("- ") for line in docstring.splitlines()]
