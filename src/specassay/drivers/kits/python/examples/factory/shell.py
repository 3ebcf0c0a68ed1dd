"""Makes a whole shell: two stores, a registry, and the loop that ties them together. Nothing is shared between two."""

import asyncio
import json
import urllib.request
import uuid
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any

from specassay.drivers.kits.python.examples.factory.stores import AgentStore, ChatMessage, ChatStore
from specassay.drivers.kits.python.examples.factory.tools import ToolRegistry

MAX_CALLS = 8


@dataclass
class Shell:
    """A chat, its agent and its tools; `run` answers messages."""

    origin: str
    chat: ChatStore
    agent: AgentStore = field(default_factory=AgentStore)
    tools: ToolRegistry = field(default_factory=ToolRegistry)
    _one_run: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, messages: list[ChatMessage], context: Any) -> None:
        """Answer `messages`, after a run that is open; what is said on the way goes to the chat."""
        async with self._one_run:
            try:
                self.agent.set_status("sending")
                await self._loop(messages, context)
                self.agent.set_status("idle")
            except Exception as error:
                self.chat.set_error(str(error) or type(error).__name__)
                self.agent.set_status("error")

    async def _loop(self, messages: list[ChatMessage], context: Any) -> None:
        history = list(messages)
        for _ in range(MAX_CALLS):
            body = {"messages": [message.as_json() for message in history], "context": context}
            answer = await asyncio.to_thread(post, f"{self.origin}/api/agent/chat", body)
            calls = [{**call, "id": call.get("id") or uuid.uuid4().hex} for call in answer.get("toolCalls") or []]
            said = ChatMessage("assistant", answer.get("content") or "", calls or None)
            turn = [said, *[await self._result(call, context) for call in calls]]
            for message in turn:
                self.chat.add_message(message)
            if not calls:
                return
            history += turn
        self.chat.add_message(ChatMessage("assistant", "Reached maximum iteration limit"))

    async def _result(self, call: dict[str, Any], context: Any) -> ChatMessage:
        try:
            content = json.dumps({"result": await self._execute(call["name"], call.get("args"), context)})
        except Exception as error:  # the model is told, and may try otherwise
            content = json.dumps({"error": str(error)})
        finally:
            self.agent.set_active_tool(None)
        return ChatMessage("tool", content, tool_call_id=call["id"])

    async def _execute(self, name: str, args: Any, context: Any) -> Any:
        tool = self.tools.get(name)
        if tool is None:
            known = ", ".join(tool.name for tool in self.tools.get_all())
            raise LookupError(f'There is no tool "{name}". There are: {known}.')
        given = {} if args in (None, "") else args
        tool.check(given)
        self.agent.set_active_tool(name)
        self.agent.set_status("processing")
        return await tool.execute(given, context)


def post(url: str, body: Any) -> dict[str, Any]:
    """Send JSON and give the object that comes back; blocks. Raises OSError, HTTPException or ValueError."""
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310 - the origin is configuration
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
        answer = json.load(response)
    if not isinstance(answer, dict):
        raise ValueError("The chat route sent no object.")
    return answer


def create_shell(*, origin: str, storage: MutableMapping[str, str]) -> Shell:
    """Make a shell that asks the chat route of `origin` and keeps its chat in `storage`."""
    return Shell(origin, ChatStore(storage))
