"""The tool registry."""

from typing import Any

from pytest_bdd import parsers, then

from specassay.port import Implementation, ImplementationError
from specassay.steps.expected import expected, rows
from specassay.suite.checks import Check, also, at, show, without
from specassay.suite.values import Values

_LISTS = {"getAll": "definitions", "toToolSchemas": "schemas"}
_WIRE_KEYS = ("properties", "function", "functionDeclarations", "function_declarations", "execute")


def declared(values: Values, row: dict[str, str]) -> dict[str, Any]:
    """Read what a row says of a tool; a parameter may carry more than what is written."""
    fields = {key: expected(values, cell) for key, cell in row.items() if key != "name"}
    if isinstance(fields.get("parameters"), list):
        fields["parameters"] = [also(parameter) for parameter in fields["parameters"]]
    return {"name": values.fill(row["name"])} | fields


def by_name(entries: Any) -> Any:
    """Sort tools by their names."""
    return sorted(entries, key=lambda entry: show(at(entry, "name"))) if isinstance(entries, list) else entries


@then(parsers.re(r"(?P<operation>getAll|toToolSchemas)\(\) returns exactly"))
def returns_exactly(
    iut: Implementation, check: Check, values: Values, operation: str, datatable: list[list[str]]
) -> None:
    """Compare the tools, in any order, by what each row says of them."""
    wanted = by_name([declared(values, row) for row in rows(datatable)])
    listed = at(iut.call(f"tool-registry.{operation}"), _LISTS[operation])
    check(f"the tools that {operation}() returns", [also(tool) for tool in wanted], by_name(listed))


@then("toToolSchemas() returns nothing of a provider's format")
def internal_format(iut: Implementation, check: Check) -> None:
    schemas = at(iut.call("tool-registry.toToolSchemas"), "schemas")
    check("the keys in what toToolSchemas() returns", without(*(f'"{key}":' for key in _WIRE_KEYS)), schemas)


@then(parsers.re(r'get\("(?P<name>.+)"\) returns'))
def get_definition(iut: Implementation, check: Check, values: Values, name: str, datatable: list[list[str]]) -> None:
    wanted = declared(values, rows(datatable)[0])
    definition = at(iut.call("tool-registry.get", name=values.fill(name)), "definition")
    check(f"the tool that get({values.fill(name)}) returns", also(wanted), definition)


@then(parsers.re(r'has\("(?P<name>.+)"\) returns (?P<result>true|false)'))
def has_tool(iut: Implementation, check: Check, values: Values, name: str, result: str) -> None:
    name = values.fill(name)
    check(f"has({name})", result == "true", at(iut.call("tool-registry.has", name=name), "result"))


@then(parsers.re(r'register\("(?P<name>.*)"\) is refused'))
def register_is_refused(iut: Implementation, check: Check, name: str) -> None:
    definition = {"name": name, "description": "A tool with a name that providers refuse.", "parameters": []}
    outcome = "accepted"
    try:
        iut.call("tool-registry.register", definition=definition)
    except ImplementationError as error:
        outcome = "refused" if error.code == -32000 else str(error)
    check(f"register({show(name)})", "refused", outcome)
