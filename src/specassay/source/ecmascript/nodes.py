"""Small questions about a node of the tree."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

BRACED = r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}"
"""A type in a comment of JavaScript, in braces, with braces in it up to three deep."""


def text_of(node: "Node") -> str:
    """Give the source of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def line_of(node: "Node") -> int:
    """Give the line where a node begins, counted from 1."""
    return node.start_point[0] + 1


def field(node: "Node", name: str) -> "Node":
    """Give a child by its role; it must be there."""
    child = node.child_by_field_name(name)
    assert child is not None, f"{node.type} without {name}"
    return child


def has(node: "Node", kind: str) -> bool:
    """Say whether a node has a child of a kind, a keyword say."""
    return any(child.type == kind for child in node.children)


def literal(node: "Node | None") -> str | None:
    """Give a text that is written out; None for anything else, a template with a hole included."""
    if node is None or node.type not in ("string", "template_string"):
        return None
    if has(node, "template_substitution"):
        return None
    return text_of(node)[1:-1]


def inside(node: "Node") -> "Node":
    """Go to what a value begins with: the object of a member, the operand of `await`, what is in brackets or cast."""
    while True:
        inner = node.child_by_field_name("object") if node.type == "member_expression" else None
        if node.type in ("await_expression", "parenthesized_expression", "as_expression", "satisfies_expression"):
            inner = node.named_children[0]
        if inner is None:
            return node
        node = inner


def is_name(node: "Node") -> bool:
    """Say whether a value or a type is but another name of something: `a`, `a.b`, `import("x").y`, `require("x")`."""
    if node.type in ("nested_type_identifier", "type_identifier"):
        return True
    root = inside(node)
    return root.type in ("identifier", "import") or is_load(root)


def is_load(node: "Node") -> bool:
    """Say whether a node is `require(…)` or `import(…)`."""
    if node.type != "call_expression":
        return False
    function = field(node, "function")
    return function.type == "import" or text_of(function) in ("require", "module.require")


def pattern_names(node: "Node") -> Iterator[str]:
    """Give the names that a pattern binds."""
    match node.type:
        case "identifier" | "shorthand_property_identifier_pattern":
            yield text_of(node)
        case "pair_pattern":
            yield from pattern_names(field(node, "value"))
        case "assignment_pattern" | "object_assignment_pattern":
            yield from pattern_names(field(node, "left"))
        case "required_parameter" | "optional_parameter":
            if (pattern := node.child_by_field_name("pattern")) is not None:
                yield from pattern_names(pattern)
        case "object_pattern" | "array_pattern" | "rest_pattern" | "formal_parameters":
            for child in node.named_children:
                yield from pattern_names(child)
