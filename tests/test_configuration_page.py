"""The page on configuration: its examples are read as a user's files are, and its tables name every key."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from specassay import catalogue
from specassay.cli.run import EPILOG
from specassay.errors import Exit
from specassay.results import expectations, settings
from specassay.results.expectations import KnownFailure
from specassay.results.settings import RouteTable, Table
from specassay.results.verdicts import EXPECTED, NOT_COMPARED

PAGE = (Path(__file__).parent.parent / "docs" / "configuration.md").read_text("utf-8")
PROJECT, KNOWN = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
MODELS = (Table, RouteTable, KnownFailure)


def test_its_examples_are_read_and_use_every_key(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    for folder in ("conformance", "server"):
        (tmp_path / folder).mkdir()
    found = settings.load(tmp_path)
    assert found.expect == tmp_path / "known-failures.toml"
    found.expect.write_text(KNOWN)
    known = expectations.load(found.expect, catalogue.load(), found.drivers)
    assert set(found.drivers) == {"my-shell", "my-server"}
    assert known[-1].model_fields_set == set(KnownFailure.model_fields)
    for key in (*Table.model_fields, *RouteTable.model_fields):
        assert re.search(rf"\b{key}\b", PROJECT), key


@pytest.mark.parametrize("model", MODELS)
def test_its_tables_name_every_key(model: type[BaseModel]) -> None:
    rows = set(re.findall(r"^\| `(\w+)", PAGE, re.MULTILINE))
    assert set(model.model_fields) <= rows


def test_it_names_every_exit_code_and_outcome() -> None:
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)] == sorted(Exit)
    for outcome in (
        EXPECTED,
        NOT_COMPARED,
        "passed unexpectedly",
        "failed otherwise",
        "expired",
    ):
        assert f"\n| {outcome} |" in PAGE


@pytest.mark.parametrize("model", MODELS)
def test_the_help_of_run_names_every_key(model: type[BaseModel]) -> None:
    assert set(model.model_fields) <= set(re.findall(r"\w+", EPILOG))
