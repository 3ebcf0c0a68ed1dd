"""Where imports lead, in trees that are planted."""

from pathlib import Path

import pytest

from specassay.source import Form, SourceError, Tree
from tests.source.planted import forms_into, plant

TYPESCRIPT = {
    "src/core/index.ts": "export class EditorCore {}",
    "src/core/media/manager.ts": "export class MediaManager {}",
    "src/agent/static.ts": 'import { EditorCore } from "@/core";',
    "src/agent/dynamic.ts": 'const core = await import("../core/media/manager");',
    "src/agent/required.ts": 'const core = require("@/core/media/manager.js");',
    "src/agent/again.ts": 'export { EditorCore } from "../core/index.js";',
    "src/agent/types.ts": 'import type { EditorCore } from "../../src/core";',
    "src/agent/effect.ts": 'import "@/agent/../core";',
    "src/agent/tools/climb.ts": 'import { EditorCore } from "../../core";',
    "src/agent/absent.ts": 'import { EditorCore } from "@/core/absent";',
    "src/agent/core.ts": "export const core = 1;",
    "src/agent/neighbour.ts": 'import "./core"; import "../core-free"; import "@/cores"; import "core"; f("@/core");',
    "src/core-free.ts": "",
    "src/cores/index.ts": "",
}

PYTHON = {
    "app/__init__.py": "",
    "app/core/__init__.py": "class EditorCore: ...",
    "app/core/media.py": "class MediaManager: ...",
    "app/agent/__init__.py": "",
    "app/agent/static.py": "from app.core import EditorCore",
    "app/agent/module.py": "import app.core.media",
    "app/agent/relative.py": "from ..core.media import MediaManager",
    "app/agent/submodule.py": "from app import core",
    "app/agent/climb.py": "from .. import core",
    "app/agent/dynamic.py": "import importlib\nimportlib.import_module('app.core')",
    "app/agent/again.py": "from app.core import EditorCore as EditorCore",
    "app/agent/types.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from app.core import EditorCore",
    "app/agent/absent.py": "from app.core.absent import x",
    "app/agent/core.py": "",
    "app/agent/neighbour.py": "from .core import x\nfrom app.core_free import y\nimport core\nz = 'import app.core'",
    "app/core_free.py": "",
}


@pytest.mark.parametrize(
    ("file", "form"),
    {
        "static": Form.STATIC,
        "dynamic": Form.DYNAMIC,
        "required": Form.REQUIRE,
        "again": Form.RE_EXPORT,
        "types": Form.TYPE_ONLY,
        "effect": Form.SIDE_EFFECT,
        "tools/climb": Form.STATIC,
        "absent": Form.STATIC,
    }.items(),
)
@pytest.mark.parametrize("language", ["typescript", "javascript"])
def test_every_form_leads_into_a_directory_by_alias_and_by_climbing(
    tmp_path: Path, language: str, file: str, form: Form
) -> None:
    ending = "ts"
    files = TYPESCRIPT
    if language == "javascript":
        ending = "mjs"
        files = {name.replace(".ts", ".mjs"): text.replace(".js", ".mjs") for name, text in TYPESCRIPT.items()}
        files["src/agent/types.mjs"] = '/** @typedef {import("../../src/core").EditorCore} EditorCore */'
    tree = Tree(plant(tmp_path, files), language, {"@/": "src/"})

    assert forms_into(tree, f"src/agent/{file}.{ending}", "src/core") == {form}


@pytest.mark.parametrize(
    ("file", "form"),
    {
        "static": Form.STATIC,
        "module": Form.STATIC,
        "relative": Form.STATIC,
        "submodule": Form.STATIC,
        "climb": Form.STATIC,
        "dynamic": Form.DYNAMIC,
        "again": Form.RE_EXPORT,
        "types": Form.TYPE_ONLY,
        "absent": Form.STATIC,
    }.items(),
)
def test_every_form_of_python_leads_into_a_directory(tmp_path: Path, file: str, form: Form) -> None:
    tree = Tree(plant(tmp_path, PYTHON), "python")

    assert forms_into(tree, f"app/agent/{file}.py", "app/core") == {form}


def test_a_neighbour_with_a_similar_name_does_not(tmp_path: Path) -> None:
    script = Tree(plant(tmp_path / "ts", TYPESCRIPT), "typescript", {"@/": "src/"})
    python = Tree(plant(tmp_path / "py", PYTHON), "python")

    assert forms_into(script, "src/agent/neighbour.ts", "src/core") == set()
    assert forms_into(python, "app/agent/neighbour.py", "app/core") == set()


def targets(tree: Tree, file: str) -> list[str]:
    return [target for one in tree.read(file).imports for target in tree.targets(file, one)]


@pytest.mark.parametrize(
    ("specifier", "target"),
    [
        ("./b", "a/b.ts"),
        ("./b.js", "a/b.ts"),
        ("./c.jsx", "a/c.tsx"),
        ("./d", "a/d/index.tsx"),
        (".", "a/index.ts"),
        ("..", "index.js"),
        ("./data.json", "a/data.json"),
        ("./x.wasm?init", "a/x.wasm"),
        ("./absent", "a/absent"),
        ("@/b", "a/b.ts"),
        ("@b", "a/b.ts"),
        ("@long/b", "other/b.ts"),
        ("#inner/b", "a/b.ts"),
    ],
)
def test_a_specifier_leads_where_a_bundler_goes(tmp_path: Path, specifier: str, target: str) -> None:
    names = ["a/b.ts", "a/c.tsx", "a/d/index.tsx", "a/index.ts", "index.js", "a/data.json", "a/x.wasm", "other/b.ts"]
    plant(tmp_path, {**dict.fromkeys(names, ""), "a/m.ts": f'import "{specifier}";'})
    aliases = {"@/": "a/", "@b": "a/b.ts", "@long/*": "other/*", "#inner": "a", "": "."}

    assert targets(Tree(tmp_path, "typescript", aliases), "a/m.ts") == [target]


@pytest.mark.parametrize("specifier", ["react", "@scope/b", "node:fs", "@bb"])
def test_a_package_leads_out_of_the_tree(tmp_path: Path, specifier: str) -> None:
    plant(tmp_path, {"a/m.ts": f'import "{specifier}";', "a/b.ts": ""})

    assert targets(Tree(tmp_path, "typescript", {"@/": "a/", "@b": "a/b.ts", "": "a/"}), "a/m.ts") == []


def test_absolute_imports_of_python_begin_where_an_alias_says(tmp_path: Path) -> None:
    plant(tmp_path, {"src/app/x.py": "import app.y, json\nfrom app import z\nfrom lib.w import v", "src/app/y.py": ""})
    plant(tmp_path, {"src/app/z/__init__.py": "", "vendor/w.py": ""})

    found = targets(Tree(tmp_path, "python", {"": "src/", "lib": "vendor"}), "src/app/x.py")
    assert found == ["src/app/y.py", "src/app/z/__init__.py", "vendor/w.py"]


def test_a_closure_holds_all_that_is_loaded_and_no_more(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "a.ts": 'import "./b"; import type { T } from "./types"; import "react";',
            "b.ts": 'export * from "./c"; import "./a";',
            "c.ts": 'const d = () => import("./d.json"); require("./e.js");',
            "d.json": "{}",
            "e.js": "",
            "types.ts": "",
            "other.ts": "",
        },
    )

    assert set(Tree(tmp_path, "typescript").closure("a.ts")) == {"a.ts", "b.ts", "c.ts", "d.json", "e.js"}


def test_a_closure_of_python_holds_the_packages_on_the_way(tmp_path: Path) -> None:
    tree = Tree(plant(tmp_path, {**PYTHON, "app/agent/__init__.py": "from app import core_free"}), "python")

    assert set(tree.closure("app/agent/relative.py")) == {
        "app/__init__.py",
        "app/agent/__init__.py",
        "app/agent/relative.py",
        "app/core/__init__.py",
        "app/core/media.py",
        "app/core_free.py",
    }


def origins(tree: Tree, file: str) -> set[str]:
    return {origin for one in tree.read(file).imports for origin in tree.origins(file, one)}


BARRELS = {
    "core.ts": "export class EditorCore {}",
    "barrel.ts": 'import { EditorCore } from "./core"; export { EditorCore }; export const free = 1;',
    "wide.ts": 'export * from "./barrel"; export * from "./wide";',
    "shared.ts": 'import { EditorCore } from "./core"; export const version = new EditorCore().version;',
}


@pytest.mark.parametrize(
    "source",
    [
        'import { EditorCore } from "./barrel";',
        'import * as all from "./barrel";',
        'import { EditorCore } from "./wide";',
        'const { EditorCore } = require("./wide");',
        'export { EditorCore as E } from "./barrel";',
    ],
)
def test_what_comes_through_a_barrel_is_traced_to_its_origin(tmp_path: Path, source: str) -> None:
    plant(tmp_path, {**BARRELS, "agent.ts": source})

    assert "core.ts" in origins(Tree(tmp_path, "typescript"), "agent.ts")


@pytest.mark.parametrize(
    "source",
    ['import { free } from "./barrel";', 'import { version } from "./shared";', 'import * as all from "./shared";'],
)
def test_a_module_that_only_uses_another_is_no_barrel_of_it(tmp_path: Path, source: str) -> None:
    plant(tmp_path, {**BARRELS, "agent.ts": source})

    assert "core.ts" not in origins(Tree(tmp_path, "typescript"), "agent.ts")


@pytest.mark.parametrize(
    ("source", "is_traced"),
    [
        ("from app.barrel import EditorCore", True),
        ("from app.wide import EditorCore", True),
        ("from app import wide", True),
        ("import app.wide", True),
        ("from app.barrel import free", False),
        ("from app import barrel", False),
    ],
)
def test_a_name_of_python_is_traced_to_its_origin(tmp_path: Path, source: str, is_traced: bool) -> None:
    plant(
        tmp_path,
        {
            "app/__init__.py": "",
            "app/core.py": "class EditorCore: ...",
            "app/barrel.py": "from app.core import EditorCore\nfree = 1",
            "app/wide.py": "from app.core import *",
            "app/agent.py": source,
        },
    )

    assert ("app/core.py" in origins(Tree(tmp_path, "python"), "app/agent.py")) is is_traced


@pytest.mark.parametrize(
    ("pattern", "tests"),
    [
        ("**/*.test.ts", {"src/a.test.ts", "b.test.ts"}),
        ("*.test.ts", {"b.test.ts"}),
        ("src/**", {"src/a.ts", "src/a.test.ts", "src/__tests__/c.ts"}),
        ("**/__tests__/**", {"src/__tests__/c.ts"}),
        ("{src,lib}/?.ts", {"src/a.ts"}),
    ],
)
def test_the_files_are_those_of_the_language_without_tests_and_foreign_ones(
    tmp_path: Path, pattern: str, tests: set[str]
) -> None:
    files = {"src/a.ts", "src/a.test.ts", "b.test.ts", "src/__tests__/c.ts"}
    others = ("node_modules/x/a.ts", ".next/a.ts", "src/a.py", "README.md")
    plant(tmp_path, dict.fromkeys((*files, *others), ""))

    assert set(Tree(tmp_path, "typescript").files()) == files
    assert set(Tree(tmp_path, "typescript", test_patterns=[pattern]).files()) == files - tests
    assert set(Tree(tmp_path, "typescript").files("src")) == {file for file in files if file.startswith("src/")}


def test_a_broken_file_in_a_closure_is_named(tmp_path: Path) -> None:
    plant(tmp_path, {"a.ts": 'import "./b";', "b.ts": "const = 1;"})

    with pytest.raises(SourceError, match=r"b\.ts:1: is no TypeScript"):
        Tree(tmp_path, "typescript").closure("a.ts")
