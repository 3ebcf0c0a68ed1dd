"""The sources of the implementation: what its modules import, declare and name."""

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import parsers, then

from specassay.port import Implementation, ImplementationError, Inapplicable, NotRunnable, Undecided
from specassay.source import Import, Module, SourceError, Tree, cannot_read
from specassay.source.reading import SUFFIXES
from specassay.steps.expected import rows
from specassay.suite.checks import Check, at, items, show

_ASKED = "source-layout.getSources"
_TYPES = ("ChatMessage", "ToolCall", "ToolResult", "ExecutionState", "AgentContext", "ToolDefinition")
_TYPECHECK_SECONDS = 300

_ROLES = {
    "types": "types",
    "chat store": "chatStore",
    "agent store": "agentStore",
    "tool registry": "toolRegistry",
    "orchestrator": "orchestrator",
    "chat route": "chatRoute",
    "system prompt": "systemPrompt",
    "context adapter": "contextAdapter",
    "context mapper": "contextMapper",
}


class Sources:
    """The sources as the driver says where they lie; every path is relative to their root."""

    def __init__(self, layout: Any) -> None:
        language = self._text(layout, "language")
        if language not in SUFFIXES:
            raise Inapplicable(str(cannot_read(language)))
        if reason := cannot_read(language):
            raise NotRunnable(reason)
        self._layout = layout
        self.root = Path(self._text(layout, "root"))
        aliases = at(layout, "aliases")
        patterns = [str(pattern) for pattern in items(at(layout, "testPatterns"))]
        self._tree = Tree(self.root, language, aliases if isinstance(aliases, dict) else {}, patterns)
        self.agent = self._text(layout, "agentDirectory")
        self._core = self._text(layout, "coreDirectory")

    def module(self, words: str) -> str:
        """Give the file of a role: "chat route", say."""
        return self._existing(at(self._layout, "modules", _ROLES[words]), f"modules.{_ROLES[words]}")

    def entries(self, side: str) -> list[str]:
        """Give the files where the modules of the server or the client begin."""
        files = [self._existing(file, f"{side}Entries") for file in items(at(self._layout, f"{side}Entries"))]
        if not files:
            raise Inapplicable(f"the implementation names no {side} entry")
        return files

    def typecheck(self) -> tuple[list[str], Path]:
        """Give the type-check command, and where it is run."""
        command = [str(word) for word in items(at(self._layout, "typecheck", "command"))]
        if not command:
            raise Inapplicable("the implementation names no type-check command")
        directory = at(self._layout, "typecheck", "directory")
        return command, self.root / (directory if isinstance(directory, str) else ".")

    def agent_modules(self) -> list[str]:
        """List the files of the agent directory, but for tests, the core and the context adapter."""
        found = [file for file in self._tree.files(self.agent) if not self.is_core(file)]
        return [file for file in found if file != self.module("context adapter")]

    def is_core(self, file: str) -> bool:
        """Say whether a path lies in the core directory."""
        return Path(file).is_relative_to(self._core)

    def read(self, file: str) -> Module:
        """Read a file. Raises `Undecided` where it cannot be parsed."""
        try:
            return self._tree.read(file)
        except SourceError as error:
            raise Undecided(str(error)) from None

    def closure(self, files: Iterable[str]) -> list[str]:
        """Give files and all that they load."""
        try:
            return sorted({reached for file in files for reached in self._tree.closure(file)})
        except SourceError as error:
            raise Undecided(str(error)) from None

    def read_closure(self, files: Iterable[str]) -> Iterable[tuple[str, Module]]:
        """Read files and all that they load."""
        reached = (file for file in self.closure(files) if file.endswith(SUFFIXES[self._tree.language]))
        return ((file, self.read(file)) for file in reached)

    def leads_to(self, file: str, one: Import, *, through: bool = False) -> tuple[str, ...]:
        """Give the files that an import leads to; `through` those, too, from which these hand on what it takes."""
        self.read(file)
        try:
            return (self._tree.origins if through else self._tree.targets)(file, one)
        except SourceError as error:
            raise Undecided(str(error)) from None

    def _existing(self, file: Any, what: str) -> str:
        if not isinstance(file, str) or not (self.root / file).is_file():
            raise ImplementationError(_ASKED, 0, f"{what} is {show(file)}, and there is no such file in {self.root}")
        return file

    @staticmethod
    def _text(layout: Any, key: str) -> str:
        value = at(layout, key)
        if not isinstance(value, str) or not value:
            raise ImplementationError(_ASKED, 0, f"{key} is {show(value)}, and no text")
        return value


@pytest.fixture
def sources(iut: Implementation) -> Sources:
    return Sources(iut.call(_ASKED))


@then(parsers.re(r'the module of the (?P<role>[a-z ]+) is called "(?P<name>.+)"'))
def module_is_called(check: Check, sources: Sources, role: str, name: str) -> None:
    """Compare the name without its ending; dashes and underscores are one."""
    stem = Path(sources.module(role)).name.split(".")[0]
    check(f"the name of the module of the {role}", name, stem.replace("_", "-"))


@then("the module of the types lies in the agent directory")
def types_lie_in_agent(check: Check, sources: Sources) -> None:
    inside = Path(sources.module("types")).is_relative_to(sources.agent)
    check(f"whether {sources.module('types')} lies in {sources.agent}", True, inside)


@then("each of these modules imports the types, and declares none of them itself")
def modules_share_types(check: Check, sources: Sources, datatable: list[list[str]]) -> None:
    types = sources.module("types")
    for row in rows(datatable):
        file = sources.module(row["module"])
        module = sources.read(file)
        imported = any(types in sources.leads_to(file, one, through=True) for one in module.imports)
        check(f"whether {file} imports {types}", True, imported)
        check(f"the types that {file} declares", [], [name for name in _TYPES if module.declares(name)])


@then("the type-check command ends with success")
def types_are_checked(check: Check, sources: Sources) -> None:
    command, directory = sources.typecheck()
    try:
        done = subprocess.run(  # noqa: S603 - it is the command that the implementation names
            command, cwd=directory, capture_output=True, timeout=_TYPECHECK_SECONDS, check=False
        )
    except OSError as error:
        raise NotRunnable(f"{command[0]} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise Undecided(f"the type check did not end within {_TYPECHECK_SECONDS} seconds") from None
    said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    check(
        "the outcome of the type check",
        "success",
        "success" if done.returncode == 0 else f"exit status {done.returncode}: {said[-2000:]}",
    )


@then("no module that a client entry reaches names an LLM_ variable")
def client_names_no_setting(check: Check, sources: Sources) -> None:
    reached = list(sources.read_closure(sources.entries("client")))
    check("whether a module was read", True, reached != [])
    named = [f"{file}:{mention.line}: {mention.name}" for file, module in reached for mention in module.settings]
    check("the variables that client modules name", [], named)


@then(
    parsers.re(
        r"what the (?P<role>[a-z ]+) loads holds no module of the core, no WASM"
        r"(?P<browser> and no global of a browser)?"
    )
)
def role_loads_nothing_of(check: Check, sources: Sources, role: str, browser: str | None) -> None:
    start = sources.module(role)
    check(
        f"the modules of the core that {start} loads", [], [f for f in sources.closure([start]) if sources.is_core(f)]
    )
    reached = list(sources.read_closure([start]))
    wasm = [f"{file}:{mention.line}: {mention.name}" for file, module in reached for mention in module.wasm]
    check(f"the WASM that {start} loads", [], wasm)
    if browser:
        named = [f"{file}:{m.line}: {m.name}" for file, module in reached for m in module.browser_globals]
        check(f"the globals of a browser that {start} or what it loads names", [], named)


@then(parsers.re(r"the (?P<role>[a-z ]+) and the (?P<other>[a-z ]+) are different modules"))
def modules_differ(check: Check, sources: Sources, role: str, other: str) -> None:
    files = [sources.module(role), sources.module(other)]
    check(f"how many modules the {role} and the {other} are", 2, len(set(files)))


@then(parsers.re(r"the (?P<role>[a-z ]+) does not load the (?P<other>[a-z ]+)"))
def module_does_not_load(check: Check, sources: Sources, role: str, other: str) -> None:
    start, unwanted = sources.module(role), sources.module(other)
    check(f"whether {start} loads {unwanted}", False, unwanted in sources.closure([start]))


@then(parsers.re(r"the client reaches the (?P<role>[a-z ]+)"))
def client_reaches(check: Check, sources: Sources, role: str) -> None:
    wanted = sources.module(role)
    check(f"whether a client entry reaches {wanted}", True, wanted in sources.closure(sources.entries("client")))


@then(
    parsers.re(r"no agent module but the context adapter imports from core(?P<through>, also through another module)?")
)
def agent_imports_no_core(check: Check, sources: Sources, through: str | None) -> None:
    modules = sources.agent_modules()
    check("whether an agent module was read", True, modules != [])
    found = [
        f"{file}:{one.line}: {one.specifier} ({one.form})"
        for file in modules
        for one in sources.read(file).imports
        if any(sources.is_core(target) for target in sources.leads_to(file, one, through=bool(through)))
    ]
    check("the imports from core", [], found)
