"""What is known of a source file."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from specassay.errors import SpecassayError

WASM = re.compile(r"(?<![a-z])wasm", re.IGNORECASE)
SETTING = re.compile(r"(?<![A-Za-z0-9_])LLM_[A-Za-z0-9_]*")


class SourceError(SpecassayError):
    """A file that cannot be read; the text names it, and the line where there is one."""


class Form(StrEnum):
    """How a module imports another."""

    STATIC = "static"
    DYNAMIC = "dynamic"
    REQUIRE = "require"
    RE_EXPORT = "re-export"
    TYPE_ONLY = "type-only"
    SIDE_EFFECT = "side-effect"


@dataclass(frozen=True)
class Import:
    """One import, with its specifier as it is written; in Python a dotted name, with a dot in front for each level.

    `names` are what it takes from the module, "*" for all of it. `given` are the names under which the importing
    module hands it on to others: what it exports again, and in Python every name of the module's own.
    """

    specifier: str
    form: Form
    line: int
    names: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mention:
    """A name, and the line where it stands."""

    name: str
    line: int


@dataclass(frozen=True)
class Module:
    """What one file imports, declares and names; comments and docstrings name nothing.

    `declarations` are types: classes, interfaces, aliases of a new type, enumerations, and values of the module that
    a type is read from (a schema, a named tuple). `settings` are names that begin with `LLM_`, in code and in texts.
    `browser_globals` are names that only a browser has, where nothing in the file declares them. `wasm` are imports of
    WebAssembly and its global.
    """

    imports: tuple[Import, ...] = ()
    declarations: tuple[Mention, ...] = ()
    settings: tuple[Mention, ...] = ()
    browser_globals: tuple[Mention, ...] = ()
    wasm: tuple[Mention, ...] = ()

    def declares(self, name: str) -> bool:
        """Say whether the file declares a type of this name."""
        return any(mention.name == name for mention in self.declarations)


def settings_in(text: str, line: int) -> Iterable[Mention]:
    """Give the names in a text that begin with `LLM_`."""
    return (Mention(name, line) for name in SETTING.findall(text))


def wasm_in(imports: Iterable[Import]) -> Iterable[Mention]:
    """Give the imports whose specifier speaks of WebAssembly, but for those of types alone."""
    loaded = (one for one in imports if one.form != Form.TYPE_ONLY)
    return (Mention(one.specifier, one.line) for one in loaded if WASM.search(one.specifier))
