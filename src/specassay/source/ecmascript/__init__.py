"""Reads JavaScript and TypeScript with tree-sitter."""

import importlib.util
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from specassay.source.ecmascript.imports import ImportReader
from specassay.source.ecmascript.names import NameReader
from specassay.source.ecmascript.nodes import line_of, text_of
from specassay.source.ecmascript.repair import repair
from specassay.source.model import Import, Module, SourceError, wasm_in

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_PACKAGES = ("tree_sitter", "tree_sitter_javascript", "tree_sitter_typescript")
_TYPES = (
    *("type_alias_declaration", "type_annotation", "type_arguments", "type_parameters", "interface_declaration"),
    *("type_query", "extends_type_clause", "implements_clause", "asserts_annotation", "type_predicate_annotation"),
)
_CASTS = ("as_expression", "satisfies_expression")


def is_installed() -> bool:
    """Say whether the parsers are there."""
    return all(importlib.util.find_spec(package) for package in _PACKAGES)


def read(source: bytes, file: Path) -> Module:
    """Read a module, by the ending of its file; raises `SourceError` for a syntax error."""
    parser = _parser(file.suffix)
    lacking: list[Import] = []
    root = parser.parse(source).root_node
    if root.has_error:
        source, lacking = repair(source)
        root = parser.parse(source).root_node
    if root.has_error:
        raise SourceError(_describe(_first_error(root), file))
    has_jsdoc = "ts" not in file.suffix
    imports, names = ImportReader(has_jsdoc), NameReader(has_jsdoc)
    stack = [(root, False)]  # of our own, since expressions can be nested deeper than Python calls
    while stack:
        node, in_type = stack.pop()
        imports.visit(node, in_type)
        names.visit(node, in_type)
        inner = in_type or node.type in _TYPES
        stack += [(child, inner or (n > 0 and node.type in _CASTS)) for n, child in enumerate(node.children)][::-1]
    found = tuple(sorted((*imports.found(), *lacking), key=lambda one: one.line))
    wasm = (*wasm_in(found), *names.free("WebAssembly"))
    return Module(found, tuple(names.declarations), tuple(names.settings), tuple(names.browser_globals()), wasm)


@cache
def _parser(suffix: str) -> "Parser":
    import tree_sitter_javascript
    import tree_sitter_typescript
    from tree_sitter import Language, Parser

    if suffix in (".js", ".mjs", ".cjs", ".jsx"):
        return Parser(Language(tree_sitter_javascript.language()))
    if suffix == ".tsx":
        return Parser(Language(tree_sitter_typescript.language_tsx()))
    return Parser(Language(tree_sitter_typescript.language_typescript()))


def _first_error(node: "Node") -> "Node":
    while not (node.is_error or node.is_missing):
        node = next(child for child in node.children if child.has_error or child.is_missing)
    return node


def _describe(node: "Node", file: Path) -> str:
    what = f"{node.type!r} is missing" if node.is_missing else f"unexpected {text_of(node).strip()[:40]!r}"
    language = "JavaScript" if "js" in file.suffix else "TypeScript"
    return f"{file}:{line_of(node)}: is no {language}: {what}"
