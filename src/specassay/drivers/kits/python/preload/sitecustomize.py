"""Preloads the egress, whose address SPECASSAY_EGRESS holds, into a server that has this folder on its PYTHONPATH."""

import importlib.util
import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path


def _load(name: str, file: str | Path) -> object:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_here = Path(__file__).parent
_egress = _load("specassay_egress", _here.parent / "specassay_kit" / "egress.py")
_egress.install()  # type: ignore[attr-defined]
_egress.send_to(os.environ.get("SPECASSAY_EGRESS") or None)  # type: ignore[attr-defined]

# Python loads one module of this name: hand on to the one that would have been it without us.
_others = [folder for folder in sys.path if Path(folder).resolve() != _here.resolve()]
_next = PathFinder.find_spec("sitecustomize", _others)
if _next is not None and _next.origin is not None:
    _load("sitecustomize", _next.origin)
