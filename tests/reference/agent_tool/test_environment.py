"""The environment of a managed child: what is added, what stays, and what is refused."""

import json
import stat
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from specassay.reference.agent_tool import jsonc
from specassay.reference.agent_tool.environment import CONFIG_VARIABLE, ManagedTool, PreparationError
from specassay.reference.agent_tool.plugin import TOKEN_VARIABLE, URL_VARIABLE


@pytest.fixture
def tool() -> ManagedTool:
    made = ManagedTool()
    made.port = 40000
    return made


def prepare(tool: ManagedTool, data: Path, configuration: str = "", **settings: Any) -> dict[str, str]:
    environment = tool.prepare({"HOME": "/home/me", CONFIG_VARIABLE: configuration}, settings, "managed", data)
    assert environment is not None
    return environment


def plugin_file(environment: dict[str, str]) -> Path:
    return Path(unquote(urlsplit(json.loads(environment[CONFIG_VARIABLE])["plugin"][-1]).path))


def test_a_child_gets_plugin_token_and_url_beside_what_it_had(tool: ManagedTool, tmp_path: Path) -> None:
    environment = prepare(tool, tmp_path)
    assert environment["HOME"] == "/home/me"
    assert environment[TOKEN_VARIABLE] == tool.token
    assert environment[URL_VARIABLE] == "http://127.0.0.1:40000/api/openchamber/agent-tool"
    assert plugin_file(environment).is_relative_to(tmp_path / "agent-tool")


def test_a_folder_with_strange_characters_is_named_rightly(tool: ManagedTool, tmp_path: Path) -> None:
    assert plugin_file(prepare(tool, tmp_path / "my data #1 ü")).is_file()


def test_the_plugin_is_its_owners_alone_and_never_holds_a_token(tool: ManagedTool, tmp_path: Path) -> None:
    for _ in range(2):
        environment = prepare(tool, tmp_path)
        assert stat.S_IMODE(plugin_file(environment).stat().st_mode) == 0o600
        assert environment[TOKEN_VARIABLE] not in plugin_file(environment).read_text("utf-8")
    assert [file.name for file in (tmp_path / "agent-tool").iterdir()] == ["openchamber.mjs"]


def test_every_child_has_a_token_of_its_own(tool: ManagedTool, tmp_path: Path) -> None:
    tokens = {prepare(tool, tmp_path)[TOKEN_VARIABLE] for _ in range(5)}
    assert len(tokens) == 5
    assert all(len(token) >= 22 for token in tokens)


def test_a_configuration_with_comments_is_kept(tool: ManagedTool, tmp_path: Path) -> None:
    text = '{"model": "m", // why\n "plugin": ["a", ["b", {"k": 1,}],], /* end */ }'
    kept = json.loads(prepare(tool, tmp_path, text)[CONFIG_VARIABLE])
    assert (kept["model"], kept["plugin"][:-1]) == ("m", ["a", ["b", {"k": 1}]])


def test_a_child_of_a_child_has_the_plugin_once(tool: ManagedTool, tmp_path: Path) -> None:
    first = prepare(tool, tmp_path)[CONFIG_VARIABLE]
    assert prepare(tool, tmp_path, first)[CONFIG_VARIABLE] == first


@pytest.mark.parametrize("text", ["[]", '"a"', "null", "5", "{", '{"plugin": "a"}', '{"plugin": {}}', "[" * 100_000])
def test_what_cannot_be_extended_is_refused_with_nothing_written(tool: ManagedTool, tmp_path: Path, text: str) -> None:
    with pytest.raises(PreparationError, match=CONFIG_VARIABLE):
        prepare(tool, tmp_path, text)
    assert list(tmp_path.iterdir()) == []
    assert tool.token is None


def test_there_is_none_before_the_listener_is_bound(tmp_path: Path) -> None:
    with pytest.raises(PreparationError, match="not bound"):
        prepare(ManagedTool(), tmp_path)


@pytest.mark.parametrize("launch", ["external-host", "skip-start", "vscode"])
def test_nobody_elses_agent_gets_the_tool(tool: ManagedTool, tmp_path: Path, launch: Any) -> None:
    assert tool.prepare({}, {}, launch, tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("value", "injected"), [(False, False), (True, True), (None, True)])
def test_only_false_turns_the_tool_off(tool: ManagedTool, tmp_path: Path, value: Any, injected: bool) -> None:
    made = tool.prepare({}, {"agentControlToolEnabled": value}, "managed", tmp_path)
    assert (made is not None) == injected


def test_turning_it_off_ends_the_last_token(tool: ManagedTool, tmp_path: Path) -> None:
    prepare(tool, tmp_path)
    tool.prepare({}, {"agentControlToolEnabled": False}, "managed", tmp_path)
    assert tool.token is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, }', {"a": 1}),
        ("[1, /* , */ 2,\n]", [1, 2]),
        ('"// no comment, /* nor this */ ,]"', "// no comment, /* nor this */ ,]"),
        ('{"quote \\" // inside": ",}"} // end', {'quote " // inside': ",}"}),
        ("// only\n5", 5),
    ],
)
def test_comments_and_trailing_commas_are_nothing(text: str, value: Any) -> None:
    assert jsonc.parse(text) == value


@pytest.mark.parametrize("text", ["", "[1 2]", '{"a": /* open', "{'a': 1}"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        jsonc.parse(text)
