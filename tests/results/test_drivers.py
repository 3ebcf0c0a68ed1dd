"""Which drivers a run takes."""

import pytest

from specassay.errors import UsageError
from specassay.results.drivers import EMBEDDED, Driver, choose

WEB = Driver("web", "node web.mjs", ("--driver", "web"), "/srv/web", {"MODE": "test"})


def one(option: str) -> Driver:
    """Give the driver of one option."""
    (driver,) = choose([option], {"web": WEB})
    return driver


def test_without_a_driver_the_embedded_reference_is_taken() -> None:
    assert choose([], {}) == (EMBEDDED,)


def test_without_an_option_the_configured_ones_are_taken() -> None:
    assert choose([], {"web": WEB}) == (WEB,)


def test_an_option_takes_the_place_of_the_configured_ones() -> None:
    assert choose(["reference"], {"web": WEB}) == (EMBEDDED,)


def test_a_configured_driver_is_chosen_by_its_name() -> None:
    assert one("web") == WEB


@pytest.mark.parametrize(
    ("option", "name", "command"),
    [
        ("mine=node driver.mjs", "mine", "node driver.mjs"),
        ("my-shell.v2=./run --x=1", "my-shell.v2", "./run --x=1"),
        ("Mine=./run", "Mine", "./run"),
        ("node driver.mjs", "driver", "node driver.mjs"),
        ("node --no-warnings deep/folder/shell.mjs 7", "shell", "node --no-warnings deep/folder/shell.mjs 7"),
        ("./bin/my-driver", "my-driver", "./bin/my-driver"),
        ("node driver.mjs --port=1", "driver", "node driver.mjs --port=1"),
        ("over-stdio=python -m specassay.drivers.reference", "over-stdio", "python -m specassay.drivers.reference"),
        ("again=reference", "again", "reference"),
    ],
)
def test_a_name_is_what_stands_before_the_first_equals_sign(option: str, name: str, command: str) -> None:
    driver = one(option)
    assert (driver.name, driver.command, driver.chosen_by) == (name, command, ("--driver", option))
    assert driver.environment == {}


def test_capitals_before_the_equals_sign_are_an_environment_variable() -> None:
    driver = one("PORT=1 MODE='a b' ./run driver.mjs 'x y'")
    assert driver.environment == {"PORT": "1", "MODE": "a b"}
    assert (driver.name, driver.command) == ("driver", "./run driver.mjs 'x y'")


def test_a_named_driver_may_have_environment_variables_too() -> None:
    driver = one("mine=PORT=1 ./run")
    assert (driver.name, driver.command, driver.environment) == ("mine", "./run", {"PORT": "1"})


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("", "has no command"),
        ("  ", "has no command"),
        ("mine=", "has no command"),
        ("PORT=1", "has no command"),
        ("node 'driver.mjs", "cannot be read as a command: no closing quotation"),
        ("reference=./run", "is named 'reference', as the embedded reference is; give another name"),
        ("./run reference.mjs", "is named 'reference', as the embedded reference is; give another name"),
        ("A=./run driver.py", "there is no command 'driver.py'; A= was taken for an environment variable"),
        ("wbe", "is no configured name and no command; did you mean web?; configured: web"),
    ],
)
def test_what_starts_no_driver_is_wrong_usage(option: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        one(option)
    assert message in str(error.value)


@pytest.mark.parametrize("options", [["a=x", "a=y"], ["node driver.mjs", "python driver.py"], ["web", "web=./other"]])
def test_two_drivers_of_one_name_are_wrong_usage(options: list[str]) -> None:
    with pytest.raises(UsageError, match=r"two drivers are named '\w+'; name each of them"):
        choose(options, {"web": WEB})
