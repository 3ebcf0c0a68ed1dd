"""Preloads the egress, whose address SPECASSAY_EGRESS holds, into a server that has this folder on its PYTHONPATH.

In the folder that SPECASSAY_LOADED names it leaves a file named after its process, to say that it is there.
"""

import contextlib
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


def _leave_mark(folder: str) -> None:
    """Leave the program that the process runs, where the system says (Linux): a process can become another."""
    with contextlib.suppress(OSError):
        program = os.readlink("/proc/self/exe") if sys.platform == "linux" else ""
        Path(folder, str(os.getpid())).write_text(program, "utf-8")


_here = Path(__file__).parent
_egress = _load("specassay_egress", _here.parent / "specassay_kit" / "egress.py")
_egress.install()  # type: ignore[attr-defined]
_egress.send_to(os.environ.get("SPECASSAY_EGRESS") or None)  # type: ignore[attr-defined]
if os.environ.get("SPECASSAY_LOADED"):
    _leave_mark(os.environ["SPECASSAY_LOADED"])

# Python loads one module of this name: hand on to the one that would have been it without us.
_others = [folder for folder in sys.path if Path(folder).resolve() != _here.resolve()]
_next = PathFinder.find_spec("sitecustomize", _others)
if _next is not None and _next.origin is not None:
    _load("sitecustomize", _next.origin)
