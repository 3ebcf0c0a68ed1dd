"""Asks the chat route and runs the tools that it calls, until it answers in words. Blocks; nothing here is async."""

import json
import threading
import urllib.request
import uuid
from typing import Any

from specassay.drivers.kits.python.examples.module_stores import agent, chat, tools

MAX_CALLS = 8

origin = ""
_running = threading.Lock()


def run(messages: list[dict[str, Any]], context: dict[str, Any]) -> None:
    """Answer `messages`; what is said on the way goes to the chat. Raises RuntimeError while another run is open."""
    if not _running.acquire(blocking=False):
        raise RuntimeError("A run is open.")
    try:
        chat.set_error(None)
        agent.change(status="sending")
        _loop(list(messages), context)
        agent.change(status="idle")
    except Exception as error:
        chat.set_error(f"The chat route did not answer: {error or type(error).__name__}")
        agent.change(status="error")
    finally:
        _running.release()


def _loop(history: list[dict[str, Any]], context: dict[str, Any]) -> None:
    for _ in range(MAX_CALLS):
        answer = _post({"messages": history, "context": context})
        calls = [{**call, "id": call.get("id") or uuid.uuid4().hex} for call in answer.get("toolCalls") or []]
        said = {"role": "assistant", "content": answer.get("content") or ""}
        if not calls:
            chat.add_message(said)
            return
        turn = [{**said, "toolCalls": calls}, *[_result(call, context) for call in calls]]
        history += [chat.add_message(message) for message in turn]
    chat.add_message({"role": "assistant", "content": "Reached maximum iteration limit"})


def _post(body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310 - the origin is configuration
        f"{origin}/api/agent/chat", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
        answer = json.load(response)
    if not isinstance(answer, dict):
        raise ValueError("it sent no object")
    return answer


def _result(call: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    try:
        args = {} if call.get("args") in (None, "") else call["args"]
        content = json.dumps({"result": tools.call(call["name"], args, context, _started)})
    except Exception as error:  # the model is told, and may try otherwise
        content = json.dumps({"error": str(error)})
    finally:
        agent.change(active_tool=None)
    return {"role": "function_result", "call_id": call["id"], "content": content}


def _started(name: str) -> None:
    agent.change(status="processing", active_tool=name)
