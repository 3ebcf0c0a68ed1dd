"""The client's loop: ask the chat route, run the tools that the model calls, feed their results back."""

import asyncio
import copy
import inspect
import json
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx

from specassay.reference.calls import read_calls
from specassay.reference.registry import ToolRegistry
from specassay.reference.stores import AgentStore, ChatStore
from specassay.reference.types import AgentContext, ChatMessage, ChatResponse, ToolCall, ToolDefinition, ToolResult
from specassay.reference.validation import argument_problems

CHAT_PATH = "/api/agent/chat"
MAX_ITERATIONS = 8
LIMIT_MESSAGE = "Reached maximum iteration limit"

T = TypeVar("T")


class RunInProgressError(RuntimeError):
    """A chat has one run at a time: a second one would mix its messages with the first one's and run tools twice."""


class ChatRouteError(Exception):
    """The chat route could not be reached, or gave no answer."""


class ToolCallError(Exception):
    """A tool call names no tool, or its arguments are not what the tool declares."""


class Orchestrator:
    """Runs one chat. The `client` is the caller's, with its time limits, and stays open."""

    def __init__(
        self,
        chat_store: ChatStore,
        agent_store: AgentStore,
        registry: ToolRegistry,
        chat_origin: str,
        client: httpx.AsyncClient,
    ) -> None:
        self._chat = chat_store
        self._agent = agent_store
        self._registry = registry
        self._url = chat_origin.rstrip("/") + CHAT_PATH
        self._client = client
        self._running = False
        self._aborted = False
        self._pending: asyncio.Task[Any] | None = None

    async def run(self, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        """Answer `messages`; what is said on the way goes to the chat store (agent-session-shell/orchestrator-shell.1).

        The context is a snapshot: every request and every tool of the run is given this one. If the chat route fails,
        the run ends without another try, and the stores say so. Raises `RunInProgressError`, and leaves the stores
        alone, while another run is open.
        """
        if self._running:
            raise RunInProgressError("A run of this chat is open; wait for its end or abort it.")
        self._running, self._aborted = True, False
        try:
            self._begin()
            await self._loop(tuple(messages), context)
            self._agent.set_status("idle")
        except asyncio.CancelledError:
            self._agent.set_status("idle")
            if _is_being_cancelled():
                raise
        except ChatRouteError as error:
            self._fail(error)
        except Exception as error:
            self._fail(error)
            raise
        finally:
            self._chat.set_loading(False)
            self._running = False

    def abort(self) -> None:
        """End the open run: what it waits for is cancelled, and every open call is answered "cancelled"."""
        self._aborted = True
        if self._pending:
            self._pending.cancel()

    def _begin(self) -> None:
        """Keep agent-session-shell/orchestrator-shell.2."""
        self._chat.set_error(None)
        self._chat.set_loading(True)
        self._agent.set_status("sending")

    async def _loop(self, history: tuple[ChatMessage, ...], context: AgentContext) -> None:
        """Keep agent-session-shell/orchestrator-shell.9 and .10 and max-iteration-guard.1 to .7.

        The calls of the last answer are not run: nobody would be told their results.
        """
        for iteration in range(1, MAX_ITERATIONS + 1):
            answer = await self._ask(history, context)
            if not answer.tool_calls:
                return self._finish(answer.content)
            if iteration < MAX_ITERATIONS:
                history += await self._take_turn(answer, answer.tool_calls, context)
        return self._finish(LIMIT_MESSAGE)

    async def _ask(self, history: tuple[ChatMessage, ...], context: AgentContext) -> ChatResponse:
        """Keep agent-session-shell/orchestrator-shell.3, .13 and .14."""
        body = {"messages": [message.to_json() for message in history], "context": context.to_json()}
        try:
            response = await self._unless_aborted(self._client.post(self._url, json=body))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ChatRouteError(f"The chat route cannot be reached: {_text_of(error)}") from error
        return read_response(response)

    async def _take_turn(
        self, answer: ChatResponse, calls: Sequence[ToolCall], context: AgentContext
    ) -> tuple[ChatMessage, ...]:
        """Resolve the calls one after another, each to one result, and store them with their results as one unit.

        Keeps agent-session-shell/orchestrator-shell.5, .8 and .17.
        """
        asked = ChatMessage.new(role="assistant", content=answer.content, tool_calls=calls)
        results = [await self._resolve(call, context) for call in calls]
        turn = (asked, *(result_message(result) for result in results))
        self._chat.add_messages(turn)
        return turn

    async def _resolve(self, call: ToolCall, context: AgentContext) -> ToolResult:
        """Give the call's result; whatever goes wrong is captured in it (agent-session-shell/orchestrator-shell.6)."""
        try:
            result = await self._unless_aborted(self._execute(call, context))
        except asyncio.CancelledError:
            return self._failure(call, "cancelled")
        except Exception as error:
            return self._failure(call, _text_of(error))
        return ToolResult(tool_call_id=call.id, name=call.name, result=result)

    def _failure(self, call: ToolCall, error: str) -> ToolResult:
        return ToolResult(tool_call_id=call.id, name=call.name, result=None, error=error)

    async def _execute(self, call: ToolCall, context: AgentContext) -> Any:
        tool = self._find_tool(call.name)
        self._validate(tool, call)
        with self._showing(tool):
            result = tool.execute(copy.deepcopy(call.args), context)
            if inspect.isawaitable(result):
                result = await result
        return _as_json(result)

    def _find_tool(self, name: str) -> ToolDefinition:
        tool = self._registry.get(name)
        if tool is None:
            available = ", ".join(known.name for known in self._registry.get_all()) or "none"
            raise ToolCallError(f'There is no tool "{name}". Available tools: {available}.')
        return tool

    def _validate(self, tool: ToolDefinition, call: ToolCall) -> None:
        """Keep agent-session-shell/tool-argument-validation.3."""
        if problems := argument_problems(tool.parameters, call.args):
            raise ToolCallError(" ".join(problems))

    @contextmanager
    def _showing(self, tool: ToolDefinition) -> Iterator[None]:
        """Keep agent-session-shell/agent-store.9 while the tool runs."""
        self._agent.set_active_tool(tool.name)
        self._agent.set_status("processing")
        try:
            yield
        finally:
            self._agent.set_active_tool(None)

    def _finish(self, content: str) -> None:
        """Keep agent-session-shell/orchestrator-shell.10 and .11."""
        self._agent.set_status("responding")
        self._chat.add_message(ChatMessage.new(role="assistant", content=content))

    def _fail(self, error: Exception) -> None:
        """Keep agent-session-shell/orchestrator-shell.13 to .15."""
        self._chat.set_error(_text_of(error))
        self._agent.set_status("error")

    async def _unless_aborted(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for `work`; `abort` cancels it, and what begins after an abort is cancelled before its first step."""
        task = asyncio.create_task(work)
        self._pending = task
        if self._aborted or _is_being_cancelled():
            task.cancel()
        try:
            return await task
        finally:
            self._pending = None


def read_response(response: httpx.Response) -> ChatResponse:
    """Read the chat route's answer; raises `ChatRouteError` if its status is not 2xx or its body is no answer."""
    try:
        body = response.json()
    except (ValueError, RecursionError):
        body = None
    said = body if isinstance(body, dict) else {}
    if not response.is_success:
        raise ChatRouteError(f"The chat route answered {response.status_code}: {said.get('error', 'no error text')}")
    try:
        return ChatResponse(content=said["content"], tool_calls=read_calls(said.get("toolCalls")))
    except (KeyError, ValueError) as error:
        raise ChatRouteError("The chat route's answer is not of the form {content, toolCalls?}.") from error


def result_message(result: ToolResult) -> ChatMessage:
    """Make the message that tells the model a result: its content is the ToolResult's JSON text."""
    text = json.dumps(result.to_json(), ensure_ascii=False)
    return ChatMessage.new(role="tool", content=text, tool_call_id=result.tool_call_id)


def _as_json(value: Any) -> Any:
    """Give a tool's result as plain JSON; raises `TypeError` or `ValueError` for what JSON cannot hold."""
    return json.loads(json.dumps(value, allow_nan=False, ensure_ascii=False).encode())


def _text_of(error: Exception) -> str:
    # A file name that is no UTF-8 may stand in the text; it could neither be stored nor sent.
    return str(error).encode(errors="replace").decode() or type(error).__name__


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
