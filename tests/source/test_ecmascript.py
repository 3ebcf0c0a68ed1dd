"""What is read of a module in JavaScript or TypeScript."""

from pathlib import Path

import pytest

from specassay.source import Form, Import, Module, SourceError, imports, read
from tests.source.planted import plant

ENDINGS = {"javascript": "m.mjs", "typescript": "m.ts"}
in_both = pytest.mark.parametrize("language", ENDINGS)


def module(folder: Path, source: str, language: str = "typescript", name: str | None = None) -> Module:
    name = name or ENDINGS[language]
    return read(plant(folder, {name: source}) / name, language)


def import_of(folder: Path, source: str, language: str = "typescript") -> Import:
    (one,) = module(folder, source, language).imports
    return one


@pytest.mark.parametrize(
    ("source", "form", "names"),
    [
        ('import x from "@/m";', Form.STATIC, ("default",)),
        ("import x, { a as b, c } from '@/m';", Form.STATIC, ("default", "a", "c")),
        ('import * as x from "@/m";', Form.STATIC, ("*",)),
        ('import x, * as y from "@/m";', Form.STATIC, ("default", "*")),
        ('import "@/m";', Form.SIDE_EFFECT, ()),
        ('const x = await import("@/m");', Form.DYNAMIC, ("*",)),
        ("function f() { return import(`@/m`).then(g); }", Form.DYNAMIC, ("*",)),
        ('const { a } = require("@/m");', Form.REQUIRE, ("*",)),
        ('if (y) { module.require("@/m").z(); }', Form.REQUIRE, ("*",)),
        ('export { a, b as c } from "@/m";', Form.RE_EXPORT, ("a", "b")),
        ('export * from "@/m";', Form.RE_EXPORT, ("*",)),
        ('export * as x from "@/m";', Form.RE_EXPORT, ("*",)),
        ('export { default } from "@/m";', Form.RE_EXPORT, ("default",)),
        ('export { default as x, y as default } from "@/m";', Form.RE_EXPORT, ("default", "y")),
        ('import { default as x } from "@/m";', Form.STATIC, ("default",)),
        ('import x from "@/m" with { type: "json" };', Form.STATIC, ("default",)),
        ('import defer * as x from "@/m";', Form.STATIC, ("*",)),
    ],
)
@in_both
def test_every_form_of_an_import_is_found(
    tmp_path: Path, language: str, source: str, form: Form, names: tuple[str, ...]
) -> None:
    one = import_of(tmp_path, f"// a line\n{source}\n", language)

    assert (one.specifier, one.form, one.line, one.names) == ("@/m", form, 2, names)


@pytest.mark.parametrize(
    "source",
    [
        'import type { T } from "@/m";',
        'import type T from "@/m";',
        'import type * as t from "@/m";',
        'import { type T, type U as V } from "@/m";',
        'export type { T } from "@/m";',
        'export type * from "@/m";',
        'export type * as t from "@/m";',
        'let x: Map<import("@/m").T["a"][], string>;',
        'type A<in out T> = import("@/m").T<T>;',
        'type T = import("@/m").T;',
        'let x: Promise<import("@/m").T<string>>;',
        'function f(x: typeof import("@/m")): void {}',
        'const x = y as import("@/m").T;',
        'interface A { b: import("@/m").T }',
        'import type x = require("@/m");',
    ],
)
def test_an_import_of_types_alone_is_told_from_one_that_loads(tmp_path: Path, source: str) -> None:
    one = import_of(tmp_path, source)

    assert (one.specifier, one.form) == ("@/m", Form.TYPE_ONLY)


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ('import { type T, a } from "@/m";', Form.STATIC),
        ('import x, { type T } from "@/m";', Form.STATIC),
        ('const x = (await import("@/m")) as T;', Form.DYNAMIC),
        ('import x = require("@/m");', Form.REQUIRE),
        ("import {} from '@/m';", Form.STATIC),
    ],
)
def test_what_only_looks_like_types_alone_loads(tmp_path: Path, source: str, form: Form) -> None:
    assert import_of(tmp_path, source).form == form


@pytest.mark.parametrize(
    "comment",
    [
        '/** @typedef {import("@/m").T} T */',
        '/** @param {Array<import("@/m").T>} x */',
        '/** @import { T } from "@/m" */',
    ],
)
def test_javascript_imports_types_in_comments(tmp_path: Path, comment: str) -> None:
    one = import_of(tmp_path, f"// a line\n{comment}\nf();", "javascript")

    assert (one.specifier, one.form, one.line) == ("@/m", Form.TYPE_ONLY, 2)
    assert module(tmp_path, comment, "typescript").imports == ()


@pytest.mark.parametrize(
    "source",
    [
        '// import x from "@/m";',
        '/* require("@/m") */',
        "const text = 'import x from \"@/m\"';",
        "const text = `require('@/m')`;",
        "import(name);",
        "import(`@/m/${name}`);",
        "require(name);",
        "require();",
        'load.require2("@/m");',
        'requires("@/m");',
        "export const a = 1; export default a; export { a as b };",
        "import.meta.url;",
    ],
)
@in_both
def test_what_is_no_import_is_none(tmp_path: Path, language: str, source: str) -> None:
    assert module(tmp_path, source, language).imports == ()


@pytest.mark.parametrize(
    ("source", "given"),
    [
        ('export { a, b as c } from "m";', ("a", "c")),
        ('export * from "m";', ("*",)),
        ('export * as x from "m";', ("x",)),
        ('import { a } from "m"; export { a };', ("a",)),
        ('import { a } from "m"; export { a as b, a as c };', ("b", "c")),
        ('import a from "m"; export default a;', ("default",)),
        ('import * as m from "m"; export const a = m.a;', ("a",)),
        ('import * as m from "m"; export const { a, b: [c] } = m;', ("a", "c")),
        ('const m = require("m"); module.exports = m;', ("*",)),
        ('module.exports = require("m");', ("*",)),
        ('module.exports.a = require("m").a;', ("a",)),
        ('const { a } = require("m"); module.exports = { a, b: a };', ("*", "a", "b")[1:]),
        ('module.exports = { ...require("m"), z: 1 };', ("*",)),
        ('const m = await import("m"); export default m.a;', ("default",)),
        ('export const a = (await import("m")).a;', ("a",)),
    ],
)
@in_both
def test_what_is_exported_again_is_known_by_its_name(
    tmp_path: Path, language: str, source: str, given: tuple[str, ...]
) -> None:
    one = import_of(tmp_path, source, language)

    assert (one.form, one.given) == (Form.RE_EXPORT, given)


@pytest.mark.parametrize(
    "source",
    [
        'import { a } from "m"; export const b = a();',
        'import { a } from "m"; export function f() { return a; }',
        'import { a } from "m"; const b = a; export { c };',
        'const m = require("m"); module.exports = { f() { return m; } };',
        'const m = require("m"); other.exports2 = m;',
    ],
)
@in_both
def test_what_is_only_used_is_not_exported_again(tmp_path: Path, language: str, source: str) -> None:
    one = import_of(tmp_path, source, language)

    assert (one.form == Form.RE_EXPORT, one.given) == (False, ())


@pytest.mark.parametrize(
    "source",
    [
        "class ChatMessage {}",
        "export class ChatMessage {}",
        "const ChatMessage = z.object({});",
        "export const ChatMessage = { id: 1 };",
        "function f() { class ChatMessage {} }",
    ],
)
@in_both
def test_a_declaration_is_found(tmp_path: Path, language: str, source: str) -> None:
    assert module(tmp_path, source, language).declares("ChatMessage")


@pytest.mark.parametrize(
    "source",
    [
        "interface ChatMessage { id: string }",
        "type ChatMessage = { id: string };",
        "export type ChatMessage = z.infer<typeof schema>;",
        "enum ChatMessage { A }",
        "abstract class ChatMessage {}",
        "declare module 'x' { interface ChatMessage {} }",
    ],
)
def test_a_declaration_of_typescript_is_found(tmp_path: Path, source: str) -> None:
    assert module(tmp_path, source).declares("ChatMessage")


@pytest.mark.parametrize("of", ["Object", "{id: string, of: {a: string}}", ""])
def test_a_declaration_in_a_comment_of_javascript_is_found(tmp_path: Path, of: str) -> None:
    source = f"/**\n * @typedef {f'{{{of}}}' if of else ''} ChatMessage\n * @property {{string}} id\n */"

    assert [one.line for one in module(tmp_path, source, "javascript").declarations if one.name == "ChatMessage"] == [2]


@pytest.mark.parametrize(
    "source",
    [
        'import { ChatMessage } from "./types";',
        "f(ChatMessage);",
        "const ChatMessages = [];",
        "function f() { const ChatMessage = g(); }",
        "const x = { ChatMessage: 1 };",
        'const ChatMessage = require("./types").ChatMessage;',
        'const { ChatMessage } = require("./types");',
        "const ChatMessage = types.ChatMessage;",
    ],
)
@in_both
def test_what_only_uses_a_name_does_not_declare_it(tmp_path: Path, language: str, source: str) -> None:
    assert not module(tmp_path, source, language).declares("ChatMessage")


@pytest.mark.parametrize(
    "source",
    [
        "type ChatMessage = types.ChatMessage;",
        "export type ChatMessage = Message;",
        'type ChatMessage = import("./types").ChatMessage;',
    ],
)
def test_another_name_of_a_type_is_no_declaration(tmp_path: Path, source: str) -> None:
    assert not module(tmp_path, source).declares("ChatMessage")


def test_another_name_in_a_comment_is_no_declaration(tmp_path: Path) -> None:
    source = '/** @typedef {import("./types").ChatMessage} ChatMessage */\n/** @typedef {types.ToolCall} ToolCall */'

    assert module(tmp_path, source, "javascript").declarations == ()


@in_both
def test_settings_are_found_in_code_and_texts_and_not_in_comments(tmp_path: Path, language: str) -> None:
    source = """// LLM_COMMENT
process.env.LLM_MODEL;
process.env["LLM_API_KEY"];
const { LLM_PROVIDER } = process.env;
const LLM_X = `LLM_Y ${LLM_Z}`;
const name = "MY_LLM_NAME" + XLLM_NAME + llm_name;
"""
    found = module(tmp_path, source, language).settings

    assert [(one.name, one.line) for one in found] == [
        ("LLM_MODEL", 2),
        ("LLM_API_KEY", 3),
        ("LLM_PROVIDER", 4),
        ("LLM_X", 5),
        ("LLM_Y", 5),
        ("LLM_Z", 5),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "window.x = 1;",
        "const x = () => document.title;",
        "if (typeof window !== 'undefined') { window.x(); }",
        "globalThis.window.x;",
        "const x = { window };",
        "function f(window) {} window.x();",
        "{ const document = 1; } document.x;",
    ],
)
@in_both
def test_a_global_of_the_browser_is_found(tmp_path: Path, language: str, source: str) -> None:
    assert len(module(tmp_path, source, language).browser_globals) == 1


@pytest.mark.parametrize(
    "source",
    [
        "if (typeof window === 'undefined') f();",
        "const window = make(); window.x();",
        "function f(document, { history }, [location] = []) { return document + history + location; }",
        "const f = document => document.x;",
        'import { window as document } from "x"; document.x();',
        "try { f(); } catch (window) { g(window); }",
        "for (const document of documents) f(document);",
        "x.window.y; const z = { window: 1, document() {} };",
        "class window {} new window();",
        "f('window'); // window",
        "function document() {} document();",
    ],
)
@in_both
def test_a_name_that_is_declared_or_only_a_property_is_no_global(tmp_path: Path, language: str, source: str) -> None:
    assert module(tmp_path, source, language).browser_globals == ()


def test_a_type_of_the_browser_is_no_global(tmp_path: Path) -> None:
    assert module(tmp_path, "let x: typeof window; let y: HTMLElement;").browser_globals == ()


@pytest.mark.parametrize(
    "source",
    ['import x from "./a.wasm";', 'await import("opencut-wasm");', 'import "@x/wasm-y/z";', "WebAssembly.compile(x);"],
)
@in_both
def test_webassembly_is_found(tmp_path: Path, language: str, source: str) -> None:
    assert len(module(tmp_path, source, language).wasm) == 1


@pytest.mark.parametrize(
    "source", ['import x from "./swasmp";', "const WebAssembly = {}; WebAssembly.x;", "f('a.wasm');"]
)
@in_both
def test_what_only_looks_like_webassembly_is_none(tmp_path: Path, language: str, source: str) -> None:
    assert module(tmp_path, source, language).wasm == ()


def test_jsx_is_read_in_both_languages(tmp_path: Path) -> None:
    source = 'import x from "./x";\nexport const y = () => <x.Y z={require("./z")}>LLM_TEXT</x.Y>;'

    for name, language in (("m.jsx", "javascript"), ("m.tsx", "typescript")):
        found = module(tmp_path, source, language, name)
        assert [one.specifier for one in found.imports] == ["./x", "./z"]
        assert [one.name for one in found.settings] == ["LLM_TEXT"]


@pytest.mark.parametrize(
    ("source", "line"),
    [("const a = 1;\nconst = ;\n", 2), ("f(\n\n", 1), ("import { a from 'x';", 1), ("const a = 1;\n\n}\n", 3)],
)
@in_both
def test_a_syntax_error_names_file_and_line(tmp_path: Path, language: str, source: str, line: int) -> None:
    with pytest.raises(SourceError) as error:
        module(tmp_path, source, language)

    assert str(error.value).startswith(f"{tmp_path / ENDINGS[language]}:{line}: is no ")


def test_an_expression_of_any_depth_is_read(tmp_path: Path) -> None:
    source = "x = " + "+".join(["1"] * 5000) + '; require("m");'

    assert [one.specifier for one in module(tmp_path, source).imports] == ["m"]


def test_imports_gives_the_imports_of_a_file(tmp_path: Path) -> None:
    plant(tmp_path, {"m.ts": 'import a from "a";\nimport("b");'})

    assert [one.specifier for one in imports(tmp_path / "m.ts", "typescript")] == ["a", "b"]
