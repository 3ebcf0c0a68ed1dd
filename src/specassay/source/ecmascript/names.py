"""Finds the types that a module declares, and the names that it mentions."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from specassay.source.ecmascript.nodes import BRACED, field, is_name, line_of, pattern_names, text_of
from specassay.source.model import Mention, settings_in

if TYPE_CHECKING:
    from tree_sitter import Node

BROWSER_GLOBALS = (
    *("window", "document", "navigator", "location", "history", "localStorage", "sessionStorage", "indexedDB"),
    *("XMLHttpRequest", "HTMLElement", "requestAnimationFrame"),
)

_WATCHED = frozenset((*BROWSER_GLOBALS, "WebAssembly"))
_GLOBAL_OBJECTS = ("globalThis", "self", "window", "global")
_TYPES = ("class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration")
_FUNCTIONS = ("function_declaration", "generator_function_declaration", "function_expression", "arrow_function")
_SCOPES = (
    *("program", "statement_block", "for_statement", "for_in_statement", "catch_clause", "method_definition"),
    *(*_FUNCTIONS, "generator_function", "switch_body", "class_static_block"),
)
_TYPEDEF = re.compile(rf"@typedef\s+(?P<of>{BRACED})?\s*(?P<name>[A-Za-z_$][\w$]*)")


class NameReader:
    """Is shown every node, and then gives what it found."""

    def __init__(self, has_jsdoc: bool) -> None:
        self._has_jsdoc = has_jsdoc
        self._bound: dict[int, set[str]] = {}  # the names that a scope declares, by its node
        self._watched: list[tuple[Mention, tuple[int, ...]]] = []  # with the scopes around it
        self.declarations: list[Mention] = []
        self.settings: list[Mention] = []

    def browser_globals(self) -> Iterator[Mention]:
        """Give the names that only a browser has."""
        return (mention for name in BROWSER_GLOBALS for mention in self.free(name))

    def free(self, name: str) -> Iterator[Mention]:
        """Give the mentions of a name that no scope around them declares."""
        for mention, scopes in self._watched:
            if mention.name == name and not any(name in self._bound.get(scope, ()) for scope in scopes):
                yield mention

    def visit(self, node: "Node", in_type: bool) -> None:
        """See one node."""
        match node.type:
            case kind if kind in _TYPES:
                self.declarations.append(_mention(field(node, "name")))
                self._bind(node.parent, [text_of(field(node, "name"))])
            case "type_alias_declaration" if not is_name(field(node, "value")):
                self.declarations.append(_mention(field(node, "name")))
            case "variable_declarator":
                self._variable(node)
            case "function_declaration" | "generator_function_declaration":
                self._bind(node.parent, [text_of(field(node, "name"))])
            case "formal_parameters":
                self._bind(node.parent, pattern_names(node))
            case "arrow_function" | "catch_clause" if (one := node.child_by_field_name("parameter")) is not None:
                self._bind(node, pattern_names(one))
            case "for_in_statement":
                self._bind(node, pattern_names(field(node, "left")))
            case "import_clause" | "import_require_clause":
                self._bind(node.parent, [text_of(one) for one in _identifiers(node)])
            case "comment" if self._has_jsdoc:
                self._jsdoc(node)
            case "string_fragment" | "jsx_text":
                self.settings += settings_in(text_of(node), line_of(node))
            case "identifier" | "shorthand_property_identifier":
                self._name(node, in_type)
            case "property_identifier" | "shorthand_property_identifier_pattern":
                self._property(node)

    def _variable(self, node: "Node") -> None:
        """See a declared value; one of the module may be what a type is read from, a schema say."""
        name, value = field(node, "name"), node.child_by_field_name("value")
        self._bind(node, pattern_names(name))
        scope = next(_scopes(node))
        if scope.type == "program" and name.type == "identifier" and value is not None and not is_name(value):
            self.declarations.append(_mention(name))

    def _bind(self, node: "Node | None", names: "Iterator[str] | list[str]") -> None:
        if node is not None:
            self._bound.setdefault(next(_scopes(node)).id, set()).update(names)

    def _name(self, node: "Node", in_type: bool) -> None:
        text, parent = text_of(node), node.parent
        self.settings += settings_in(text, line_of(node))
        if text not in _WATCHED or in_type or parent is None:
            return
        if parent.type == "unary_expression" and parent.children[0].type == "typeof":  # only asks whether it is there
            return
        self._watched.append((_mention(node), tuple(scope.id for scope in _scopes(node))))

    def _property(self, node: "Node") -> None:
        text, parent = text_of(node), node.parent
        self.settings += settings_in(text, line_of(node))
        if text not in _WATCHED or parent is None or parent.type != "member_expression":
            return
        if text_of(field(parent, "object")) in _GLOBAL_OBJECTS:
            self._watched.append((_mention(node), ()))

    def _jsdoc(self, node: "Node") -> None:
        """See the types that JavaScript declares in comments; another name for one that is imported is none."""
        text = text_of(node)
        for one in _TYPEDEF.finditer(text):
            if not re.fullmatch(r"""\{\s*(import\(["'][^"']*["']\)|[\w$]+)(\.[\w$]+)+\s*\}""", one["of"] or ""):
                self.declarations.append(Mention(one["name"], line_of(node) + text.count("\n", 0, one.start())))


def _mention(node: "Node") -> Mention:
    return Mention(text_of(node), line_of(node))


def _scopes(node: "Node") -> "Iterator[Node]":
    """Give the scopes around a node, the nearest first, itself included."""
    current: Node | None = node
    while current is not None:
        if current.type in _SCOPES:
            yield current
        current = current.parent


def _identifiers(node: "Node") -> "Iterator[Node]":
    for child in node.named_children:
        if child.type == "identifier":
            yield child
        else:
            yield from _identifiers(child)
