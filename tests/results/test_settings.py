"""The settings of a project."""

from pathlib import Path

import pytest

from specassay.errors import UsageError
from specassay.results.drivers import Driver
from specassay.results.settings import Settings, load

WRONG = {
    "syntax": ("[tool.specassay\n", "is not TOML: "),
    "unknown key": (
        "[tool.specassay]\nrequired = []\n",
        "[tool.specassay]: unknown key 'required'; did you mean require?",
    ),
    "require": ('[tool.specassay]\nrequire = "door"\n', "[tool.specassay]: require: input should be a valid list"),
    "expect": ("[tool.specassay]\nexpect = 7\n", "[tool.specassay]: expect: input should be a valid string"),
    "no table": ("[tool]\nspecassay = 7\n", "[tool.specassay]: must be a table"),
    "no command": ("[tool.specassay.drivers.web]\n", "[tool.specassay.drivers.web]: command is missing"),
    "empty command": ('[tool.specassay.drivers.web]\ncommand = " "\n', "[tool.specassay.drivers.web]: command: "),
    "quotes": ('[tool.specassay.drivers.web]\ncommand = "x \'y"\n', "command cannot be read: no closing quotation"),
    "driver key": (
        '[tool.specassay.drivers.web]\ncommand = "x"\ndir = "y"\n',
        "[tool.specassay.drivers.web]: unknown key 'dir'",
    ),
    "environment": (
        '[tool.specassay.drivers.web]\ncommand = "x"\nenvironment = { A = 1 }\n',
        "[tool.specassay.drivers.web]: environment.A: input should be a valid string",
    ),
    "directory": ('[tool.specassay.drivers.web]\ncommand = "x"\ndirectory = "nowhere"\n', "nowhere' does not exist"),
    "reference": ('[tool.specassay.drivers.reference]\ncommand = "x"\n', "give the driver another name"),
    "no driver table": ('[tool.specassay.drivers]\nweb = "node x"\n', "[tool.specassay]: drivers.web must be a table"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_wrong_settings_are_told_with_file_and_key(tmp_path: Path, fault: str) -> None:
    content, message = WRONG[fault]
    file = tmp_path / "pyproject.toml"
    file.write_text(content)
    with pytest.raises(UsageError) as error:
        load(tmp_path)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert load(tmp_path) == Settings()


def test_settings_are_found_upwards_past_files_without_them(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "web").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.specassay]\nexpect = "known.toml"\nrequire = ["door"]\n'
        '[tool.specassay.drivers.web]\ncommand = "node x.mjs"\ndirectory = "web"\nenvironment = { MODE = "test" }\n'
        '[tool.specassay.drivers.bare]\ncommand = "./bare"\n'
    )
    found = load(inner)
    assert found.expect == tmp_path / "known.toml"
    assert found.require == ("door",)
    assert found.drivers["web"] == Driver(
        "web", "node x.mjs", ("--driver", "web"), str(tmp_path / "web"), {"MODE": "test"}
    )
    assert found.drivers["bare"] == Driver("bare", "./bare", ("--driver", "bare"), str(tmp_path), {})
