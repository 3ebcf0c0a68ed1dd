"""What is read of a module in Python."""

from pathlib import Path

import pytest

from specassay.source import Form, Module, SourceError, read
from tests.source.planted import plant


def module(folder: Path, source: str, name: str = "m.py") -> Module:
    return read(plant(folder, {name: source}) / name, "python")


@pytest.mark.parametrize(
    ("source", "specifier", "form", "names"),
    [
        ("import a.b", "a.b", Form.STATIC, ("*",)),
        ("import a.b as c", "a.b", Form.STATIC, ("*",)),
        ("from a.b import c as d, e", "a.b", Form.STATIC, ("c", "e")),
        ("from . import a", ".", Form.STATIC, ("a",)),
        ("from ..a import b", "..a", Form.STATIC, ("b",)),
        ("def f():\n    from a import b", "a", Form.STATIC, ("b",)),
        ("import importlib\nimportlib.import_module('a.b')", "a.b", Form.DYNAMIC, ("*",)),
        ("from importlib import import_module\nimport_module('.a', __package__)", ".a", Form.DYNAMIC, ("*",)),
        ("__import__('a')", "a", Form.DYNAMIC, ("*",)),
        ("from a import b\n__all__ = ['b']", "a", Form.RE_EXPORT, ("b",)),
        ("from a import b\n__all__: list[str] = []\n__all__ += ('b',)", "a", Form.RE_EXPORT, ("b",)),
        ("from a import b as b", "a", Form.RE_EXPORT, ("b",)),
        ("import a as a", "a", Form.RE_EXPORT, ("*",)),
        ("from a import *", "a", Form.RE_EXPORT, ("*",)),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import b", "a", Form.TYPE_ONLY, ("b",)),
        ("import typing as t\nif t.TYPE_CHECKING:\n    import a", "a", Form.TYPE_ONLY, ("*",)),
        ("if TYPE_CHECKING:\n    pass\nelse:\n    import a", "a", Form.STATIC, ("*",)),
    ],
)
def test_every_form_of_an_import_is_found(
    tmp_path: Path, source: str, specifier: str, form: Form, names: tuple[str, ...]
) -> None:
    found = [one for one in module(tmp_path, source).imports if one.specifier == specifier]

    assert [(one.form, one.names) for one in found] == [(form, names)]


def test_a_package_hands_on_what_it_imports(tmp_path: Path) -> None:
    (one,) = module(tmp_path, "from a import b as c, d", "__init__.py").imports

    assert (one.form, one.given) == (Form.RE_EXPORT, ("c", "d"))


def test_imports_come_in_the_order_of_their_lines(tmp_path: Path) -> None:
    found = module(tmp_path, "import a, b\ndef f():\n    import c\n__import__('d')").imports

    assert [(one.specifier, one.line) for one in found] == [("a", 1), ("b", 1), ("c", 3), ("d", 4)]


@pytest.mark.parametrize("source", ["# import a", "'import a'", "import_module(name)", "f'{x}import a'", "load('a')"])
def test_what_is_no_import_is_none(tmp_path: Path, source: str) -> None:
    assert module(tmp_path, source).imports == ()


@pytest.mark.parametrize(
    "source",
    [
        "class ChatMessage: ...",
        "def f():\n    class ChatMessage: ...",
        "ChatMessage = TypedDict('ChatMessage', {})",
        "ChatMessage: TypeAlias = dict[str, str]",
        "ChatMessage = Literal['a']",
    ],
)
def test_a_declaration_is_found(tmp_path: Path, source: str) -> None:
    assert module(tmp_path, source).declares("ChatMessage")


@pytest.mark.parametrize(
    "source",
    [
        "from types import ChatMessage",
        "ChatMessage = types.ChatMessage",
        "f(ChatMessage)",
        "ChatMessages = 1",
        "def f():\n    ChatMessage = g()",
        "ChatMessage: type",
    ],
)
def test_what_only_uses_a_name_does_not_declare_it(tmp_path: Path, source: str) -> None:
    assert not module(tmp_path, source).declares("ChatMessage")


def test_settings_are_found_in_code_and_texts_and_not_in_comments(tmp_path: Path) -> None:
    source = '''"""LLM_DOC"""
os.environ["LLM_MODEL"]  # LLM_COMMENT
def f(LLM_ARGUMENT):
    """LLM_DOC"""
    return settings.LLM_API_KEY, f"{x} LLM_TEXT", g(LLM_KEYWORD=1)
LLM_NAME = "MY_LLM_NAME" + XLLM_NAME
'''
    found = sorted((one.line, one.name) for one in module(tmp_path, source).settings)

    assert found == [
        (2, "LLM_MODEL"),
        (3, "LLM_ARGUMENT"),
        (5, "LLM_API_KEY"),
        (5, "LLM_KEYWORD"),
        (5, "LLM_TEXT"),
        (6, "LLM_NAME"),
    ]


def test_webassembly_is_found(tmp_path: Path) -> None:
    found = module(tmp_path, "import wasmtime\nfrom opencut_wasm import x\nimport swasmp").wasm

    assert [one.name for one in found] == ["wasmtime", "opencut_wasm"]


@pytest.mark.parametrize(("source", "line"), [("a = 1\ndef f(:\n", 2), ("a = (\n", 1), ("\n\nimport\n", 3)])
def test_a_syntax_error_names_file_and_line(tmp_path: Path, source: str, line: int) -> None:
    with pytest.raises(SourceError) as error:
        module(tmp_path, source)

    assert str(error.value).startswith(f"{tmp_path / 'm.py'}:{line}: is no Python: ")


def test_a_null_byte_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"m\.py:1: is no Python"):
        module(tmp_path, "a = 1\0")
