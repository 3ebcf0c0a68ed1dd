"""A driver of a chat store, by hand: honest, but for the faults that its environment names.

`FAULTS` is a JSON object: by the id of a scenario, which fault to commit in it; by "start", one before the handshake.
`STATEMENT` is what it declares otherwise than it should. Every process that it starts is noted in the folder `PIDS`,
and in `STRAYS` those that only their starter can end.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

FAULTS: dict[str, str] = json.loads(os.environ.get("FAULTS", "{}"))
STATEMENT: dict[str, Any] = json.loads(os.environ.get("STATEMENT", "{}"))
FOREVER = "import time; time.sleep(1000)"


def note(pid: int, folder: str = "PIDS") -> None:
    if folder in os.environ:
        Path(os.environ[folder], str(pid)).touch()


def say(message: Any) -> None:
    write(json.dumps(message).encode() + b"\n")


def write(data: bytes) -> None:
    with open(1, "wb", closefd=False) as output:
        output.write(data)


def answer(number: Any, result: Any) -> None:
    say({"jsonrpc": "2.0", "id": number, "result": result})


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def child(folder: str = "PIDS", **options: Any) -> None:
    note(subprocess.Popen([sys.executable, "-c", FOREVER], **options).pid, folder)


class Store:
    def __init__(self, storage: dict[str, str]) -> None:
        self.storage = storage
        self.messages: list[Any] = json.loads(storage.get("chat", "[]"))
        self.loading = False
        self.error: str | None = None
        self.entries: list[Any] = []
        self.changed()

    def changed(self) -> None:
        self.storage["chat"] = json.dumps(self.messages)
        self.entries.append({"at": time.time() * 1000, "state": self.state()})

    def state(self) -> dict[str, Any]:
        return {"messages": list(self.messages), "loading": self.loading, "error": self.error}

    def perform(self, operation: str, params: dict[str, Any]) -> Any:
        match operation:
            case "addMessage":
                self.messages.append({"id": str(uuid.uuid4()), "timestamp": time.time() * 1000, **params["message"]})
            case "setLoading":
                self.loading = params["loading"]
            case "setError":
                self.error = params["error"]
                self.loading = self.loading and self.error is None
            case "clearMessages":
                self.messages.clear()
            case "getState":
                return self.state()
            case "getHistory":
                return {"entries": self.entries}
            case "getStorage":
                return {"storage": self.storage}
            case "reload":
                return self.__init__(self.storage)  # type: ignore[misc]
        self.changed()
        return {}


OPERATIONS = ["addMessage", "setLoading", "setError", "clearMessages", "getState", "getHistory", "getStorage", "reload"]


# Each is called instead of answering; what it gives back says whether the call is to be answered after all.
def killed(number: Any) -> bool:
    die()
    return False


def ended(number: Any) -> bool:
    os._exit(0)


def hung(number: Any) -> bool:
    return False


def deaf_to_term(number: Any) -> bool:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return False


def long_line(number: Any) -> bool:
    answer(number, "x" * (17 * 2**20))
    return False


def half_message(number: Any) -> bool:
    write(b'{"jsonrpc": "2.0", "id"')
    os._exit(0)


def broken_message(number: Any) -> bool:
    write(b'{"jsonrpc": "2.0", "id": %d, "result": NaN}\n' % number)
    return False


def deep_message(number: Any) -> bool:
    write(b'{"jsonrpc": "2.0", "id": %d, "result": ' % number + b"[" * 100_000 + b"]" * 100_000 + b"}\n")
    return False


def nested_message(number: Any) -> bool:
    write(b'{"jsonrpc": "2.0", "id": %d, "result": ' % number + b"[" * 900 + b"]" * 900 + b"}\n")
    return False


def wrong_id(number: Any) -> bool:
    answer(number + 1000, {})
    return False


def no_json_rpc(number: Any) -> bool:
    say({"hello": "world"})
    return False


def strange_request(number: Any) -> bool:
    say({"jsonrpc": "2.0", "id": 1, "method": "tool.execute", "params": [1]})
    return False


def closed_output(number: Any) -> bool:
    os.close(1)
    return False


def orphan(number: Any) -> bool:
    child()
    die()
    return False


def stray(number: Any) -> bool:
    """Leave a child in a session of its own, where no signal to the group reaches it, with all pipes open."""
    child("STRAYS", start_new_session=True)
    die()
    return False


def late(number: Any) -> bool:
    threading.Timer(1.7, answer, (number, {})).start()
    return False


def late_but_right(number: Any) -> bool:
    time.sleep(0.3)
    return True


def strange_text(number: Any) -> bool:
    write(b'{"jsonrpc": "2.0", "id": %d, "result": {"messages": "\\ud83c \\u0000"}}\n' % number)
    return False


def early_request(number: Any) -> bool:
    say({"jsonrpc": "2.0", "id": 1, "method": "tool.execute", "params": {"name": "probe", "args": {}}})
    return True


def empty_result(number: Any) -> bool:
    answer(number, {})
    return False


def no_operation(number: Any) -> bool:
    say({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "no such operation"}})
    return False


def own_error(number: Any) -> bool:
    say(
        {
            "jsonrpc": "2.0",
            "id": number,
            "error": {"code": -32000, "message": "x", "data": {"message": "broken\x1b[2J"}},
        }
    )
    return False


def kept_child(number: Any) -> bool:
    child()
    return True


def apart(number: Any) -> bool:
    child("STRAYS", start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return True


def many_lines(number: Any) -> bool:
    sys.stderr.write("".join(f"line {line}\n" for line in range(100)))
    return True


def prints(number: Any) -> bool:
    write(b"a print\n\n[not json\n\xff\xfe\x1b[31m\n")
    return True


def noisy(number: Any) -> bool:
    with open(2, "wb", closefd=False) as log:
        for _ in range(100):
            log.write(b"x" * 2**20)
    return True


COMMIT: dict[str, Callable[[Any], bool]] = {
    fault.__name__: fault
    for fault in (
        *(killed, ended, hung, deaf_to_term, long_line, half_message, broken_message, deep_message, wrong_id),
        *(apart, many_lines, nested_message, no_json_rpc, strange_request, closed_output, orphan, stray, late),
        *(
            late_but_right,
            strange_text,
            early_request,
            empty_result,
            no_operation,
            own_error,
            kept_child,
            prints,
            noisy,
        ),
    )
}


def main() -> None:
    note(os.getpid())
    fault = FAULTS.get("start")
    if fault == "slow":
        time.sleep(0.3)
    elif fault is not None:
        sys.stderr.write("about to go wrong\x1b[31m\n")
        sys.stderr.flush()
        COMMIT[fault](1)
    store, fault, poisoned = Store({}), None, False
    for line in sys.stdin:
        message = json.loads(line)
        if "method" not in message:
            continue  # the answer to a request of ours
        number, method, params = message["id"], message["method"], message["params"]
        surface, _, operation = method.partition(".")
        if method == "initialize":
            answer(
                number,
                {
                    "protocolVersion": "1.0",
                    "implementation": {"name": "by-hand", "version": "1", "language": "python"},
                    "surfaces": ["chat-store"],
                    **STATEMENT,
                },
            )
        elif method == "scenario.begin":
            fault = FAULTS.get(params["id"])
            if poisoned or fault == "killed_in_begin":
                die()
            if FAULTS.get("begin") != "keeps":
                store = Store(params.get("storage") or {})
            poisoned = fault == "poison"
            answer(number, {})
        elif method == "scenario.end":
            if fault == "killed_in_end":
                die()
            if fault != "hung_in_end":
                answer(number, {})
            if fault == "ended_after":
                os._exit(0)
        elif method == "shutdown":
            answer(number, {})
            if FAULTS.get("end") == "clings":
                signal.signal(signal.SIGTERM, lambda *_: Path(os.environ["PIDS"]).with_name("termed").touch())
            if FAULTS.get("end") in ("stays", "clings"):
                time.sleep(1000)
            sys.exit(3 if FAULTS.get("end") == "fails" else 0)
        elif surface == "chat-store" and operation in OPERATIONS:
            if fault is not None and fault in COMMIT:
                if not COMMIT[fault](number):
                    continue
                fault = None
            answer(number, store.perform(operation, params))
        else:
            say({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "no such operation"}})


if __name__ == "__main__":
    main()
