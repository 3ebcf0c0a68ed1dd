"""Reads Python with its own parser."""

import ast
from collections.abc import Iterator
from pathlib import Path

from specassay.source.model import Form, Import, Mention, Module, SourceError, settings_in, wasm_in

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def read(source: bytes, file: Path) -> Module:
    """Read a module; raises `SourceError` for a syntax error."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise SourceError(f"{file}:{error.lineno or 1}: is no Python: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{file}:1: is no Python: {error}") from None
    reader = _Reader(_public(tree), file.name == "__init__.py")
    reader.visit(tree)
    imports = tuple(sorted(reader.imports, key=lambda one: one.line))
    return Module(imports, tuple(_declarations(tree)), tuple(_settings(tree)), wasm=tuple(wasm_in(imports)))


class _Reader(ast.NodeVisitor):
    """Collects the imports."""

    def __init__(self, public: set[str], is_package: bool) -> None:
        self._public = public
        self._is_package = is_package
        self._only_types = False
        self._depth = 0  # of functions: what is imported in one cannot be imported from the module
        self.imports: list[Import] = []

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name, node, ("*",), (alias.asname or alias.name.split(".")[0],), alias.name == alias.asname)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        again = any(alias.name == alias.asname for alias in node.names)
        names = tuple(alias.name for alias in node.names)
        given = tuple(alias.asname or alias.name for alias in node.names)
        self._add("." * node.level + (node.module or ""), node, names, given, again)

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        literal = node.args[0] if node.args else None
        specifier = literal.value if isinstance(literal, ast.Constant) else None
        if function in ("import_module", "__import__") and isinstance(specifier, str):
            self.imports.append(Import(specifier, Form.DYNAMIC, node.lineno, ("*",)))
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        name = node.test.attr if isinstance(node.test, ast.Attribute) else getattr(node.test, "id", None)
        before, self._only_types = self._only_types, self._only_types or name == "TYPE_CHECKING"
        for statement in node.body:
            self.visit(statement)
        self._only_types = before
        self.visit(node.test)
        for statement in node.orelse:
            self.visit(statement)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - ast's own name
    visit_Lambda = visit_FunctionDef  # noqa: N815

    def _add(self, specifier: str, node: ast.stmt, names: tuple[str, ...], given: tuple[str, ...], again: bool) -> None:
        if self._depth:
            given = ()
        exported = given and (again or self._is_package or "*" in given or not self._public.isdisjoint(given))
        form = Form.RE_EXPORT if exported else Form.STATIC
        self.imports.append(Import(specifier, Form.TYPE_ONLY if self._only_types else form, node.lineno, names, given))


def _public(tree: ast.Module) -> set[str]:
    """Give the names in `__all__`."""
    values = (
        node.value
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and target.id == "__all__"
    )
    texts = (
        part for value in values if value is not None for part in ast.walk(value) if isinstance(part, ast.Constant)
    )
    return {part.value for part in texts if isinstance(part.value, str)}


def _declarations(tree: ast.Module) -> Iterator[Mention]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield Mention(node.name, node.lineno)
        elif type(node).__name__ == "TypeAlias":  # Python 3.12: type X = …
            yield Mention(node.name.id, node.lineno)  # type: ignore[attr-defined]
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and _is_new(statement.value):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (Mention(target.id, target.lineno) for target in targets if isinstance(target, ast.Name))


def _is_new(value: ast.expr | None) -> bool:
    """Tell a value that makes something from another name of what is there already."""
    return value is not None and not isinstance(value, (ast.Name, ast.Attribute))


def _settings(tree: ast.Module) -> Iterator[Mention]:
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, _DOCUMENTED) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield from settings_in(node.id, node.lineno)
        elif isinstance(node, ast.Attribute):
            yield from settings_in(node.attr, node.lineno)
        elif isinstance(node, (ast.arg, ast.keyword)):
            yield from settings_in(node.arg or "", node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield from settings_in(node.value, node.lineno)
