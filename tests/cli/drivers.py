"""Drivers for the tests of `specassay run`, each a short script with one habit."""

import shlex
import sys
from pathlib import Path

REFERENCE = f"{shlex.quote(sys.executable)} -m specassay.drivers.reference"

_LOOP = """\
import json, os, socket, sys

def answer(message, **said):
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method", "")
    if method == "initialize":
        answer(message, result={
            "protocolVersion": "1.0",
            "implementation": {"name": "made-up", "version": "1", "language": "python"},
            "surfaces": SURFACES,
        })
    elif ".x" in method:
        answer(message, error={"code": -32601, "message": "no such operation"})
    elif method in ("scenario.begin", "scenario.end", "shutdown"):
        answer(message, result={})
    else:
        HABIT
"""

# Says that a call has come, and then neither answers nor notices that its input was closed.
_HANG = """
        caller = socket.create_connection(("127.0.0.1", int(os.environ["CALL_PORT"])))
        while True:
            import signal
            signal.pause()
"""


def script(folder: Path, habit: str, surfaces: str = '["chat-store"]') -> str:
    """Write a driver that answers every call by `habit`, and give its command."""
    file = folder / "made_up.py"
    file.write_text(_LOOP.replace("SURFACES", surfaces).replace("HABIT", habit.strip()), "utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"


def answering(folder: Path, result: str, surfaces: str = '["chat-store"]') -> str:
    """Write a driver that answers every call with `result`, a Python expression."""
    return script(folder, f"answer(message, result={result})", surfaces)


def declaring(folder: Path, **conventions: str) -> str:
    """Write a driver of the reference that declares these conventions, whatever the reference does."""
    file = folder / "declaring.py"
    made = f"made = driver()\nmade.conventions = {conventions!r}\nmade.serve()\n"
    file.write_text(f"from specassay.drivers.reference import driver\n{made}", "utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"


def hanging(folder: Path) -> str:
    """Write a driver that calls `CALL_PORT` when it is first asked something, and then hangs."""
    return script(folder, _HANG)
