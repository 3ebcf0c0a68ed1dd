"""Which scenarios a run takes: the filters of the command line, resolved to scenario ids."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from specassay.catalogue import Catalogue, Scenario, Statement
from specassay.errors import UsageError
from specassay.results.names import nearest


@dataclass(frozen=True)
class Filters:
    """What the user asked for; an empty filter leaves everything in, several are all to be met.

    `ids` name requirements, statements or scenarios, with or without the specification's name. `surfaces` take the
    scenarios that need one of them, and no other surface but what those build on. `only` are exact scenario ids.
    """

    specifications: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    only: frozenset[str] | None = None


def select(catalogue: Catalogue, filters: Filters) -> tuple[str, ...]:
    """Give the ids of the scenarios that pass every filter, in order.

    Raises `UsageError` for a name that is not known and for filters that together match nothing.
    """
    require_known("specification", filters.specifications, [one.id for one in catalogue.specifications])
    require_known("surface", filters.surfaces, surfaces(catalogue))
    scenarios = list(catalogue.scenarios())
    tests: list[Callable[[Scenario], bool]] = []
    if filters.specifications:
        tests.append(lambda scenario: scenario.id.partition("/")[0] in filters.specifications)
    if filters.kinds:
        tests.append(lambda scenario: scenario.kind in filters.kinds)
    if filters.surfaces:
        given = set(filters.surfaces)
        allowed = given.union(*(_builds_on(name, scenarios) for name in given))
        tests.append(lambda scenario: bool(given & set(scenario.surfaces)) and set(scenario.surfaces) <= allowed)
    if filters.ids:
        named = {one.id for name in filters.ids for one in find(catalogue, name)}
        tests.append(lambda scenario: scenario.id in named)
    if filters.only is not None:
        only = filters.only
        tests.append(lambda scenario: scenario.id in only)
    found = tuple(scenario.id for scenario in scenarios if all(test(scenario) for test in tests))
    if not found:
        raise UsageError("no scenario matches all of these filters; `specassay list` with the same filters shows less")
    return found


def surfaces(catalogue: Catalogue) -> tuple[str, ...]:
    """Give every surface that the suite tests."""
    return tuple(sorted({surface for scenario in catalogue.scenarios() for surface in scenario.surfaces}))


def find(catalogue: Catalogue, name: str) -> tuple[Scenario, ...]:
    """Give the scenarios of a requirement, a statement or a scenario by its id, in full or without its specification.

    A scenario outline's id without its case means every case of it; a statement that restates others, theirs.
    Raises `UsageError` where nothing is called so, where two specifications have it, and where it has no scenario.
    """
    full = resolve(catalogue, name)
    found = tuple(scenario for scenario in catalogue.scenarios() if _within(scenario, full))
    if found:
        return found
    statement = next((one for one in catalogue.statements() if one.id == full), None)
    linked = tuple(scenario for other in statement.restates for scenario in find(catalogue, other)) if statement else ()
    if linked:
        return linked
    raise UsageError(f"{full} has no scenario{_why(statement)}")


def resolve(catalogue: Catalogue, name: str) -> str:
    """Give the full id of a requirement, a statement or a scenario. Raises `UsageError` as `find` does."""
    known = _ids(catalogue)
    if name in known:
        return name
    found = sorted(one for one in known if one.partition("/")[2] == name)
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{name!r} is not clear: it may be {' or '.join(found)}")
    raise UsageError(
        f"no requirement, statement or scenario is called {name!r}{_meant(catalogue, name, known)}; "
        "`specassay list` shows all"
    )


def _meant(catalogue: Catalogue, name: str, known: Sequence[str]) -> str:
    """Write "; did you mean …?" with the requirements whose ids begin so, or else with the nearest ids."""
    requirements = [one.id.partition("/")[2] for one in catalogue.requirements()]
    found = [one for one in dict.fromkeys(requirements) if name and one.startswith(name)]
    if found:
        return f"; did you mean {' or '.join(found)}?"
    return nearest(name, [*known, *(one.partition("/")[2] for one in known)])


def _builds_on(surface: str, scenarios: Iterable[Scenario]) -> frozenset[str]:
    """Give the surfaces that every scenario of a surface needs: an orchestrator takes the stores, say."""
    needed = [frozenset(scenario.surfaces) for scenario in scenarios if surface in scenario.surfaces]
    return frozenset.intersection(*needed)


def _ids(catalogue: Catalogue) -> list[str]:
    ids: list[str] = []
    for requirement in catalogue.requirements():
        ids.append(requirement.id)
        for statement in requirement.statements:
            ids.append(statement.id)
            ids += [one.id for one in statement.scenarios]
            ids += sorted({outline(one) for one in statement.scenarios if one.case is not None})
    return ids


def _within(scenario: Scenario, name: str) -> bool:
    requirement = scenario.path.removesuffix(".feature")
    return name in (scenario.id, scenario.statement, requirement, outline(scenario))


def outline(scenario: Scenario) -> str:
    """Give the id of a scenario without its case."""
    return scenario.id.removesuffix(f"[{scenario.case}]")


def require_known(what: str, names: Sequence[str], known: Iterable[str]) -> None:
    """Make sure that every name is a known one. Raises `UsageError` with the nearest."""
    names_known = tuple(known)
    for name in names:
        if name not in names_known:
            raise UsageError(
                f"no {what} is called {name!r}{nearest(name, names_known)}; known: {', '.join(names_known)}"
            )


def _why(statement: Statement | None) -> str:
    if statement is None:
        return " yet"
    if statement.by_inspection is not None:
        return f": it is by inspection, since {statement.by_inspection}"
    return f": it restates {', '.join(statement.restates)}" if statement.restates else " yet"
