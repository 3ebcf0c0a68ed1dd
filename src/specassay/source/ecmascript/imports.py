"""Finds the imports of a module, and which of them it exports again."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from specassay.source.ecmascript.nodes import (
    BRACED,
    field,
    has,
    inside,
    is_load,
    line_of,
    literal,
    pattern_names,
    text_of,
)
from specassay.source.model import Form, Import

if TYPE_CHECKING:
    from tree_sitter import Node

_BRACES = re.compile(BRACED)
_JSDOC_IMPORT = re.compile(r"""\bimport\(\s*["']([^"']+)["']\s*\)""")
_JSDOC_TAG = re.compile(r"""@import\s[^@]*?\bfrom\s+["']([^"']+)["']""")

Origin = str | int
"""Where a value comes from: a name of the module, or the node that loads another module."""


class ImportReader:
    """Is shown every node, and then gives what it found."""

    def __init__(self, has_jsdoc: bool) -> None:
        self._has_jsdoc = has_jsdoc
        self._imports: dict[int, Import] = {}  # by the node that makes it
        self._locals: dict[str, int] = {}  # a name of the module, and the node of the import that it comes from
        self._exported: list[tuple[Origin, str]] = []  # with the name under which others import it

    def found(self) -> tuple[Import, ...]:
        """Give the imports, in any order."""
        for origin, name in self._exported:
            node = self._locals.get(origin) if isinstance(origin, str) else origin
            if node in self._imports:
                one = self._imports[node]
                form = one.form if one.form == Form.TYPE_ONLY else Form.RE_EXPORT
                self._imports[node] = replace(one, form=form, given=(*one.given, name))
        return tuple(self._imports.values())

    def visit(self, node: "Node", in_type: bool) -> None:
        """See one node."""
        match node.type:
            case "import_statement":
                self._import(node)
            case "export_statement":
                self._export(node)
            case "call_expression" if is_load(node):
                self._load(node, in_type)
            case "variable_declarator" if (value := node.child_by_field_name("value")) is not None:
                if is_load(call := inside(value)):
                    self._locals |= dict.fromkeys(pattern_names(field(node, "name")), call.id)
            case "assignment_expression":
                self._assignment(node)
            case "comment" if self._has_jsdoc and text_of(node).startswith("/**"):
                self._jsdoc(node)

    def _import(self, node: "Node") -> None:
        only_types = has(node, "type") or has(node, "typeof")
        for child in node.children:
            if child.type == "import_require_clause":  # import x = require("y")
                name, source = child.named_children[0], child.named_children[-1]
                self._add(node, source, Form.TYPE_ONLY if only_types else Form.REQUIRE, ("*",))
                self._locals[text_of(name)] = node.id
            if child.type == "import_clause":
                bound = list(_bindings(child))
                only_types = only_types or (bool(bound) and all(is_type for *_, is_type in bound))
                form = Form.TYPE_ONLY if only_types else Form.STATIC
                self._add(node, field(node, "source"), form, tuple(name for _, name, _ in bound))
                self._locals |= {local: node.id for local, *_ in bound}
        if not any(child.type in ("import_require_clause", "import_clause") for child in node.children):
            self._add(node, field(node, "source"), Form.SIDE_EFFECT, ())

    def _export(self, node: "Node") -> None:
        clauses = [child for child in node.children if child.type == "export_clause"]
        pairs = [_export_names(one) for clause in clauses for one in clause.named_children]
        source, value = node.child_by_field_name("source"), node.child_by_field_name("value")
        if source is not None:
            form = Form.TYPE_ONLY if has(node, "type") else Form.RE_EXPORT
            space = next(
                (text_of(one.named_children[0]) for one in node.children if one.type == "namespace_export"), "*"
            )
            names = tuple(name for name, _ in pairs) if clauses else ("*",)
            given = tuple(name for _, name in pairs) if clauses else (space,)
            self._add(node, source, form, names, given)
            return
        self._exported += pairs
        if value is not None:  # export default value
            self._exported.append((_origin(value), "default"))
        elif has(node, "="):  # export = value
            self._exported.append((_origin(node.named_children[0]), "*"))
        declaration = node.child_by_field_name("declaration")
        for one in declaration.named_children if declaration is not None else ():
            if one.type == "variable_declarator" and (value := one.child_by_field_name("value")) is not None:
                self._exported += [(_origin(value), name) for name in pattern_names(field(one, "name"))]

    def _load(self, node: "Node", in_type: bool) -> None:
        form = Form.DYNAMIC if field(node, "function").type == "import" else Form.REQUIRE
        arguments = field(node, "arguments").named_children
        self._add(node, arguments[0] if arguments else None, Form.TYPE_ONLY if in_type else form, ("*",))

    def _assignment(self, node: "Node") -> None:
        """See what CommonJS exports."""
        target, value = text_of(field(node, "left")), field(node, "right")
        if not re.fullmatch(r"(module\.)?exports(\.\w+)?", target):
            return
        whole = target.endswith("exports")
        self._exported.append((_origin(value), "*" if whole else target.rpartition(".")[2]))
        for one in value.named_children if whole and value.type == "object" else ():
            if one.type == "shorthand_property_identifier":
                self._exported.append((text_of(one), text_of(one)))
            elif one.type == "pair":
                self._exported.append((_origin(field(one, "value")), text_of(field(one, "key"))))
            elif one.type == "spread_element":
                self._exported.append((_origin(one.named_children[0]), "*"))

    def _jsdoc(self, node: "Node") -> None:
        """See the imports of types that JavaScript writes into comments."""
        text = text_of(node)
        found = [
            (braces.start(), one[1]) for braces in _BRACES.finditer(text) for one in _JSDOC_IMPORT.finditer(braces[0])
        ]
        found += [(tag.start(), tag[1]) for tag in _JSDOC_TAG.finditer(text)]
        for number, (place, specifier) in enumerate(found):
            line = line_of(node) + text.count("\n", 0, place)
            self._imports[-node.id - number] = Import(specifier, Form.TYPE_ONLY, line, ("*",))

    def _add(
        self, node: "Node", source: "Node | None", form: Form, names: tuple[str, ...], given: tuple[str, ...] = ()
    ) -> None:
        """Note an import, if its specifier is written out."""
        if (specifier := literal(source)) is not None:
            self._imports[node.id] = Import(specifier, form, line_of(node), names, given)


def _bindings(clause: "Node") -> Iterator[tuple[str, str, bool]]:
    """Give the local name, the name in the module, and whether it is a type, for each name of an import clause."""
    for child in clause.named_children:
        if child.type == "identifier":
            yield text_of(child), "default", False
        elif child.type == "namespace_import":
            yield text_of(child.named_children[0]), "*", False
        elif child.type == "named_imports":
            for one in child.named_children:
                if one.type == "import_specifier":
                    name = text_of(field(one, "name"))
                    alias = one.child_by_field_name("alias")
                    yield text_of(alias) if alias is not None else name, name, has(one, "type")


def _export_names(specifier: "Node") -> tuple[str, str]:
    name = text_of(field(specifier, "name"))
    alias = specifier.child_by_field_name("alias")
    return name, text_of(alias) if alias is not None else name


def _origin(value: "Node") -> Origin:
    root = inside(value)
    return root.id if is_load(root) else text_of(root) if root.type == "identifier" else ""
