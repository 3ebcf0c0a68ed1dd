"""A driver without an implementation: it shakes hands, declares everything, and answers by its kind."""

import json
import sys
from collections.abc import Callable
from typing import Any

STORE = {"messages": [], "loading": False, "error": None}
AGENT = {"status": "idle", "activeTool": None, "context": None}
PROBE = {"name": "probe", "description": "A probe.", "parameters": [], "executable": True}
MESSAGES = [
    {"id": "m1", "role": "user", "content": "Hello", "timestamp": 1764500000000},
    {"id": "m2", "role": "assistant", "content": "Hello", "toolCalls": [], "timestamp": 1764500000001},
]
BUSY_STORE = {"messages": MESSAGES, "loading": True, "error": "error"}
BUSY_AGENT = {"status": "processing", "activeTool": "probe", "context": {"projectId": "p"}}
RUN = {"orchestrator.run": {"rejected": None}}


def states(store: Any, agent: Any) -> dict[str, Any]:
    return {
        "chat-store.getState": store,
        "agent-store.getState": agent,
        "chat-store.getHistory": {"entries": [{"at": 1764500000000, "state": store}]},
        "agent-store.getHistory": {"entries": [{"at": 1764500000000, "state": agent}]},
        "chat-store.getStorage": {"storage": {}},
        **RUN,
    }


INITIAL = {
    **states(STORE, AGENT),
    "tool-registry.get": {"definition": None},
    "tool-registry.has": {"result": False},
    "tool-registry.getAll": {"definitions": []},
    "tool-registry.toToolSchemas": {"schemas": []},
}
CONSTANT = {
    **states(BUSY_STORE, BUSY_AGENT),
    "tool-registry.get": {"definition": PROBE},
    "tool-registry.has": {"result": True},
    "tool-registry.getAll": {"definitions": [PROBE]},
    "tool-registry.toToolSchemas": {"schemas": [{"type": "function", "function": PROBE}]},
}

previous: list[Any] = [{}]


def again(message: Any) -> Any:
    """Give what the call before was given, as if it were a state."""
    previous.append(message["params"])
    return previous[-2]


ANSWERS: dict[str, Callable[[Any], Any]] = {
    "null": lambda message: {"result": None},
    "object": lambda message: {"result": {}},
    "list": lambda message: {"result": []},
    "error": lambda message: {"error": {"code": -32000, "message": "no", "data": {"message": "no"}}},
    "echo": lambda message: {"result": message},
    "constant": lambda message: {"result": CONSTANT.get(message["method"], {})},
    "initial": lambda message: {"result": INITIAL.get(message["method"], {})},
    "again": lambda message: {"result": again(message)},
}


def main(kind: str, declared: Any) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        method = message["method"]
        if method == "initialize":
            answer = {
                "result": {
                    "protocolVersion": "1.0",
                    "implementation": {"name": f"null-{kind}", "version": "0", "language": "python"},
                    "surfaces": sorted({operation.partition(".")[0] for operation in declared["operations"]}),
                    "operations": declared["optional"],
                }
            }
        elif method in ("scenario.begin", "scenario.end", "shutdown"):
            answer = {"result": {}}
        elif method not in declared["operations"]:
            answer = {"error": {"code": -32601, "message": "no such operation"}}
        else:
            answer = ANSWERS[kind](message)
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
        if method == "shutdown":
            return


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
