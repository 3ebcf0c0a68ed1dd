"""The HTML report: one file that opens anywhere, asks nobody for anything, and runs nothing but its own scripts.

Everything that a specification or a driver wrote travels as JSON in a data block; the scripts set it as text.
"""

import base64
import hashlib
import html
import json
import re
from importlib.resources import files

from specassay.report.html.data import page_data
from specassay.report.html.evidence import pack
from specassay.results.model import Results
from specassay.trace.record import Trace
from specassay.visible import visible

BUDGET = 4_900_000
"""Bytes that a page may have; evidence is left out where it would be more, the least telling first."""

_SCRIPTS = ("dom.js", "model.js", "filters.js", "specification.js", "tables.js", "drift.js", "evidence.js", "page.js")
_UNSAFE = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def render(results: Results, budget: int = BUDGET, trace: Trace | None = None) -> str:
    """Write the page, with the trace where there is one.

    `budget` is its size in bytes, as far as evidence can be left out to keep it.
    """
    style = _file("page.css")
    scripts = [_file(name) for name in _SCRIPTS]
    data = page_data(results, trace)
    rest = budget - sum(len(text.encode()) for text in (style, *scripts, _file("page.html"), _json(data)))
    whole = _json({**data, "evidence": pack(results, rest)})
    parts = {
        "policy": html.escape(_policy(scripts, style)),
        "title": html.escape(visible(data["title"])),
        "style": f"<style>{style}</style>",
        "spoken": "".join(f"<li>{html.escape(visible(one.conclusion))}</li>" for one in results.implementations),
        "data": f'<script type="application/json" id="data">{whole}</script>',
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _file("page.html"))


def _policy(scripts: list[str], style: str) -> str:
    """Allow these very scripts and this style, and nothing else at all."""
    allowed = " ".join(_hash(script) for script in scripts)
    return f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(data: object) -> str:
    """Write JSON that no HTML parser can take for anything else."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda found: _UNSAFE[found[0]], text)


def _file(name: str) -> str:
    return files(__name__).joinpath(name).read_text("utf-8")
