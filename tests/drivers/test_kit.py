"""`specassay kit` writes a driver that runs at once."""

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from specassay.cli import main
from specassay.errors import Exit

NODE = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
DRIVERS = {"javascript": ("node", "driver.mjs"), "python": (sys.executable, "driver.py")}
LANGUAGES = [pytest.param("javascript", marks=NODE), "python"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_writes_is_in_good_health(tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str) -> None:
    program, name = DRIVERS[language]
    folder = tmp_path / "new" / "a folder"
    assert main(["kit", language, "--init", str(folder)]) == 0
    written = capsys.readouterr().out
    assert str(folder / name) in written
    assert "specassay doctor --driver " in written
    assert main(["doctor", "--driver", shlex.join([program, str(folder / name)])]) == 0, capsys.readouterr().out
    assert not (folder / "__pycache__").exists() or language == "python"


@pytest.mark.parametrize("language", ["javascript", "python"])
def test_the_command_that_it_shows_names_the_driver(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    main(["kit", language, "--init", str(tmp_path / "it's")])
    shown = next(line for line in capsys.readouterr().out.splitlines() if "specassay doctor" in line)
    *_, driver = shlex.split(shown)
    assert shlex.split(driver)[1] == str(tmp_path / "it's" / DRIVERS[language][1])


@pytest.mark.parametrize("language", ["javascript", "python"])
def test_it_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str) -> None:
    own = tmp_path / DRIVERS[language][1]
    own.write_text("mine")
    assert main(["kit", language, "--init", str(tmp_path)]) == Exit.USAGE
    assert capsys.readouterr().err == (
        f"specassay: {own} exists already, and nothing was written; give another folder, or move it away\n"
    )
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(own.name, "mine")]


def test_a_folder_that_is_a_file_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["kit", "python", "--init", str(tmp_path / "file")]) == Exit.USAGE
    said = f"specassay: {tmp_path / 'file'} is a file, not a folder; give the folder that the driver is to be in\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("language", ["javascript", "python"])
def test_it_says_where_the_kit_lies(capsys: pytest.CaptureFixture[str], language: str) -> None:
    assert main(["kit", language]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert Path(first.partition(": ")[2].strip()).exists()
    assert Path(second.partition(": ")[2].strip()).is_dir()


def test_an_unknown_language_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", "cobol"]) == Exit.USAGE
    assert "'cobol' is not one of 'javascript', 'python'" in capsys.readouterr().err
