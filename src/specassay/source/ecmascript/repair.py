"""Rewrites what is valid and what the grammars do not know yet, byte for byte, so that the rest can be read."""

import re

from specassay.source.model import Form, Import

_TYPES_OF = re.compile(rb"""export\s+type\s+\*\s*(?:as\s+(?P<name>[\w$]+)\s+)?from\s*(["'])(?P<of>[^"'\n]+)\2""")
_TYPE_OF = re.compile(rb"""\bimport\(\s*(["'])(?P<of>[^"'\n]+)\1\s*\)(?=(?:\s*\.\s*[\w$]+)+\s*[<\[])""")
_WORDS = re.compile(rb"(?<=\bimport )defer(?=\s*\*)|(?<=[<,\s])in\s+out(?=\s+[\w$]+\s*[,>=])")


def repair(source: bytes) -> tuple[bytes, list[Import]]:
    """Give the source of a file that has errors as it can be read, and the imports that it then lacks.

    These are `export type * from "m"` and the type `import("m").T` before `<` or `[`.
    """
    lacking: list[Import] = []

    def types_of(found: re.Match[bytes]) -> bytes:
        note(found, (found["name"] or b"*").decode())
        return re.sub(rb"[^\n]", b" ", found[0])

    def type_of(found: re.Match[bytes]) -> bytes:
        note(found)
        return b"_" * len(found[0])

    def note(found: re.Match[bytes], *given: str) -> None:
        line = found.string.count(b"\n", 0, found.start()) + 1
        lacking.append(Import(found["of"].decode("utf-8", "replace"), Form.TYPE_ONLY, line, ("*",), given))

    source = _TYPE_OF.sub(type_of, _TYPES_OF.sub(types_of, source))
    return _WORDS.sub(lambda found: b" " * len(found[0]), source), lacking
