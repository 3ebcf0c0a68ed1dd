"""Exchanges by name, and what a user is told about a file that is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from specassay.errors import UsageError
from specassay.provider.library import choose, read_exchange, read_exchanges, shipped, shipped_names

GOOD: dict[str, Any] = {
    "name": "openai/mine",
    "provider": "openai",
    "shows": "Mine.",
    "source": "Written here.",
    "request": {"path": "/v1/chat/completions"},
    "response": {"status": 200, "body": {}},
}


def _file(folder: Path, content: Any, name: str = "mine.json") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return file


def test_an_exchange_is_loaded_by_its_name() -> None:
    assert shipped("openai/one-call").provider == "openai"


def test_an_unknown_name_is_told_with_those_that_are_close() -> None:
    with pytest.raises(UsageError, match=r"no exchange 'openai/one-cal'; did you mean openai/one-call"):
        shipped("openai/one-cal")


@pytest.mark.parametrize("name", ["openai/../gemini/text", "../pyproject", "/etc/passwd"])
def test_a_name_is_no_path(name: str) -> None:
    with pytest.raises(UsageError, match="there is no exchange"):
        shipped(name)


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    good = _file(tmp_path / ".mine", GOOD, "deep/mine.json")
    _file(tmp_path / ".mine", "no JSON", ".draft.json")
    _file(tmp_path / ".mine", "no JSON", ".git/draft.json")
    assert [one.name for one in choose([str(good.parent.parent)])] == ["openai/mine"]


def test_a_good_file_is_read(tmp_path: Path) -> None:
    assert read_exchange(_file(tmp_path, GOOD)).name == "openai/mine"


def test_a_syntax_error_is_told_with_file_line_and_column(tmp_path: Path) -> None:
    file = _file(tmp_path, '{\n  "name": "openai/mine",\n  "provider" "openai"\n}')
    with pytest.raises(UsageError) as raised:
        read_exchange(file)
    assert str(raised.value) == f"{file}:3:14: not valid JSON: Expecting ':' delimiter"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"response": {"status": "ok", "body": {}}}, "response.status: Input should be a valid integer"),
        ({"response": {"status": 200}}, "response: body or text is missing"),
        ({"name": "openai/Mine"}, "name: String should match pattern"),
        ({"name": "gemini/mine"}, "the name begins with the provider, openai/"),
        ({"provider": "other"}, "provider: Input should be 'openai' or 'gemini'"),
        ({"shown": "x"}, "shown: Extra inputs are not permitted"),
        ({"request": {}}, "request.path: Field required"),
    ],
)
def test_a_fault_against_the_schema_is_told_with_file_and_place(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    file = _file(tmp_path, {**GOOD, **change})
    with pytest.raises(UsageError) as raised:
        read_exchange(file)
    assert str(raised.value).startswith(f"{file}: {told}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"name": "openai/a", "name": "openai/b"}', "the key 'name' stands twice in an object"),
        ('{"name": NaN}', "NaN is no JSON number"),
        ("[" * 100_000, "not valid JSON"),
        ("", "not valid JSON"),
        ("[]", "Input should be a valid dictionary"),
    ],
)
def test_other_text_is_told_as_what_it_is(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=r"mine\.json.*") as raised:
        read_exchange(_file(tmp_path, text))
    assert told in str(raised.value)


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_bytes(b'{"name": "\xff"}')
    with pytest.raises(UsageError, match="not UTF-8 at byte 10"):
        read_exchange(tmp_path / "mine.json")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_exchange(tmp_path / "none.json")


def test_two_files_of_one_name_are_told_with_both(tmp_path: Path) -> None:
    first, second = _file(tmp_path, GOOD, "a.json"), _file(tmp_path, GOOD, "b/c.json")
    with pytest.raises(UsageError) as raised:
        read_exchanges([tmp_path])
    assert str(raised.value) == f"{second}: the name 'openai/mine' is already that of {first}"


def test_two_files_of_one_name_are_told_also_when_named_apart(tmp_path: Path) -> None:
    first, second = _file(tmp_path, GOOD, "a.json"), _file(tmp_path, GOOD, "b.json")
    with pytest.raises(UsageError, match="is already that of"):
        choose([str(first), str(second)])


def test_one_file_may_be_played_twice(tmp_path: Path) -> None:
    file = str(_file(tmp_path, GOOD))
    assert [one.name for one in choose([file, "openai/text", file])] == ["openai/mine", "openai/text", "openai/mine"]


def test_a_folder_without_exchanges_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no exchange file"):
        read_exchanges([tmp_path])


def test_a_family_is_all_of_its_exchanges() -> None:
    assert [one.name for one in choose(["gemini"])] == [name for name in shipped_names() if name.startswith("gemini/")]


def test_names_and_files_are_chosen_in_the_order_in_which_they_are_given(tmp_path: Path) -> None:
    file = _file(tmp_path, GOOD)
    assert [one.name for one in choose(["openai/text", str(file), "gemini/text"])] == [
        *("openai/text", "openai/mine", "gemini/text")
    ]


def test_a_word_that_is_nothing_is_told() -> None:
    with pytest.raises(UsageError, match="'opnai' is no exchange, no provider family and no file"):
        choose(["opnai"])
