"""A command line, before anything is started."""

from pathlib import Path

import pytest

from specassay.drivers.command import split_command
from specassay.errors import DriverStartError


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("sh driver | cat", "|"),
        ("cd web && sh driver", "&&"),
        ("sh driver || true", "||"),
        ("sh driver; true", ";"),
        ("sh driver &", "&"),
        ("sh driver > log", ">"),
        ("sh driver 2>&1", "2>&"),
        ("sh driver <input", "<"),
    ],
)
def test_what_only_a_shell_understands_is_refused(command: str, word: str) -> None:
    with pytest.raises(DriverStartError) as error:
        split_command(command, None)
    assert str(error.value).startswith(f"the driver command is not read by a shell, so {word!r} would be a word")


@pytest.mark.parametrize("command", ["sh -c 'a | b; c'", 'sh "&&" "a \\" | b"', "sh a&b x;y --to=>z"])
def test_what_is_quoted_or_within_a_word_is_taken_as_it_is(command: str) -> None:
    assert split_command(command, None)[0] == "sh"


@pytest.mark.parametrize(("mode", "advice"), [(0o644, "python driver-of-mine.py"), (0o755, "./driver-of-mine.py")])
def test_a_file_that_is_there_but_not_on_the_path_is_pointed_at(tmp_path: Path, mode: int, advice: str) -> None:
    (tmp_path / "driver-of-mine.py").touch(mode)
    with pytest.raises(DriverStartError, match=f"does not exist: driver-of-mine.py; .*: write {advice}$"):
        split_command("driver-of-mine.py", str(tmp_path))
