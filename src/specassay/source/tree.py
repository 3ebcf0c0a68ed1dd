"""A folder of sources: its files, and where their imports lead."""

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from specassay.source.model import Form, Import, Module
from specassay.source.reading import SUFFIXES, read

_FOREIGN = ("node_modules", "__pycache__", "site-packages")
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".json")


@dataclass(frozen=True)
class Tree:
    """The sources below `root`; every path that comes in or goes out is relative to it, with `/` on every system.

    `aliases` maps the beginning of a specifier to a folder, `{"@/": "src/"}`; `{"": "src/"}` has absolute imports begin
    there. `test_patterns` are globs of the files that `files` leaves out.
    """

    root: Path
    language: str
    aliases: Mapping[str, str] = field(default_factory=dict)
    test_patterns: Sequence[str] = ()
    _read: dict[str, Module] = field(default_factory=dict, repr=False, compare=False)

    def files(self, directory: str = "") -> list[str]:
        """List the source files below a directory, without tests, hidden folders and installed packages."""
        tests = [_glob(pattern) for pattern in self.test_patterns]
        found = []
        for folder, folders, names in os.walk(self.root / directory):
            folders[:] = [name for name in folders if name not in _FOREIGN and not name.startswith(".")]
            files = (Path(folder, name) for name in names if name.endswith(SUFFIXES[self.language]))
            found += [file.relative_to(self.root).as_posix() for file in files]
        return sorted(file for file in found if not any(test.fullmatch(file) for test in tests))

    def read(self, file: str) -> Module:
        """Read a file, once; raises `SourceError`."""
        file = posixpath.normpath(file)
        if file not in self._read:
            self._read[file] = read(self.root / file, self.language)
        return self._read[file]

    def targets(self, file: str, one: Import) -> tuple[str, ...]:
        """Give the files that an import of `file` leads to; none where it leads out of the tree, to a package say.

        An import by a relative path or an alias leads somewhere even if no file is there: to the path as it is written.
        """
        return tuple(
            dict.fromkeys(self._python(file, one) if self.language == "python" else self._ecmascript(file, one))
        )

    def origins(self, file: str, one: Import) -> tuple[str, ...]:
        """Give the targets of an import, and the files from which these in turn hand on the names that it takes."""
        found: dict[str, None] = {}
        seen = {(file, one)}
        left = [(file, one)]
        while left:
            importer, taken = left.pop()
            for target in self.targets(importer, taken):
                found[target] = None
                names = ("*",) if _is_submodule(target, taken) else taken.names
                imports = self.read(target).imports if self._is_source(target) else ()
                beyond = {(target, again) for again in imports if _hands_on(again, names)} - seen
                seen |= beyond
                left += beyond
        return tuple(found)

    def closure(self, file: str) -> tuple[str, ...]:
        """Give a file and all that it loads within the tree, step by step; imports of types alone load nothing."""
        found: dict[str, None] = {}
        file = posixpath.normpath(file)
        left = [*filter(self._exists, self._packages(file)), file]
        while left:
            current = left.pop()
            if current in found:
                continue
            found[current] = None
            loaded = self.read(current).imports if self._is_source(current) else ()
            targets = [path for one in loaded if one.form != Form.TYPE_ONLY for path in self.targets(current, one)]
            packages = [package for target in targets for package in self._packages(target)]
            left += [path for path in (*packages, *targets) if self._exists(path)]
        return tuple(found)

    def _exists(self, path: str) -> bool:
        return (self.root / path).is_file()

    def _first(self, paths: Iterable[str]) -> str | None:
        return next(filter(self._exists, map(posixpath.normpath, paths)), None)

    def _is_source(self, path: str) -> bool:
        return path.endswith(SUFFIXES[self.language]) and self._exists(path)

    def _aliased(self, specifier: str, separator: str) -> str | None:
        """Put its folder in the place of the longest alias that fits; the rest is kept as it is written."""
        alias = self._alias(specifier, separator)
        if alias is None:
            return None
        rest = specifier[len(alias.removesuffix("*")) :].removeprefix(separator)
        return posixpath.normpath(posixpath.join(self.aliases[alias].removesuffix("*"), rest.replace(separator, "/")))

    def _alias(self, specifier: str, separator: str) -> str | None:
        for alias in sorted(self.aliases, key=len, reverse=True):
            prefix = alias.removesuffix("*")
            begin = prefix if prefix == "" or prefix.endswith(separator) else prefix + separator
            if specifier == prefix or specifier.startswith(begin):
                return alias
        return None

    def _ecmascript(self, file: str, one: Import) -> Iterator[str]:
        specifier = re.sub(r"(?<=.)[?#].*", "", one.specifier)  # a bundler's query; the "#" of a package comes first
        is_relative = specifier.startswith(".")
        path = posixpath.join(posixpath.dirname(file), specifier) if is_relative else self._aliased(specifier, "/")
        if path is None:
            return
        path = posixpath.normpath(path)
        stem, ending = posixpath.splitext(path)
        written = [path, *(stem + other for other in _COMPILED.get(ending, ()))]
        found = self._first((*written, *(path + end for end in _ENDINGS), *(f"{path}/index{end}" for end in _ENDINGS)))
        if found is not None:
            yield found
        elif is_relative or self._alias(specifier, "/") not in ("", "*"):  # else it names a package
            yield path

    def _python(self, file: str, one: Import) -> Iterator[str]:
        name = one.specifier.lstrip(".")
        level = len(one.specifier) - len(name)
        if level:
            path = posixpath.join(posixpath.dirname(file), "../" * (level - 1), name.replace(".", "/"))
        else:
            path = self._aliased(name, ".") or name.replace(".", "/")
        path = posixpath.normpath(path)
        inner = {taken: self._first(_module_files(f"{path}/{taken}")) for taken in one.names}
        yield from (submodule for submodule in inner.values() if submodule is not None)
        if not inner or None in inner.values():
            found = self._first(_module_files(path))
            if found is not None:
                yield found
            elif level or self._is_ours(name):
                yield path

    def _is_ours(self, name: str) -> bool:
        top = name.split(".")[0]
        path = self._aliased(top, ".") or top
        return (self.root / path).is_dir() or self._exists(f"{path}.py")

    def _packages(self, target: str) -> Iterator[str]:
        """Give the packages that Python loads before a module in them."""
        if self.language == "python":
            for folder in Path(target).parents:
                yield (folder / "__init__.py").as_posix()


def _module_files(path: str) -> tuple[str, ...]:
    return (f"{path}/__init__.py", f"{path}.py", f"{path}/__init__.pyi", f"{path}.pyi")


def _is_submodule(target: str, one: Import) -> bool:
    """Say whether a target is a module that the import takes by its name from a package."""
    file = Path(target)
    name = file.parent.name if file.stem == "__init__" else file.stem
    return name in one.names and not one.specifier.endswith(name)


def _hands_on(one: Import, names: Iterable[str]) -> bool:
    """Say whether a module hands on through an import what others take from it."""
    if "*" in names:
        return bool(one.given) and one.form in (Form.RE_EXPORT, Form.TYPE_ONLY)
    return any(name in one.given or ("*" in one.given and name != "default") for name in names)


def _glob(pattern: str) -> re.Pattern[str]:
    """Read a glob of paths: `*`, `?`, `**` for any folders, `{a,b}` for either."""
    parts = re.split(r"(\*\*/|\*\*|[*?{},])", pattern)
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}
    depth, regex = 0, ""
    for part in parts:
        depth += (part == "{") - (part == "}")
        regex += "|" if part == "," and depth else signs.get(part, re.escape(part))
    return re.compile(regex)
