"""JSON-RPC with one running driver: calls both ways, every message observed, and one reason why it ended."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any, Literal

from specassay.drivers.protocol import IMPLEMENTATION_ERROR, NO_SUCH_OPERATION
from specassay.port import ImplementationError, Undecided

Sender = Literal["harness", "driver"]
Observe = Callable[[Sender, Any], None]
"""Is told of every message as it passes."""

Serve = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Answers a request of the driver. Raises `Refused` where the answer is an error."""

REQUEST_ID: ContextVar[Any] = ContextVar("REQUEST_ID", default=None)
"""The JSON-RPC id of the driver's request that is being served."""


class Refused(Exception):  # noqa: N818 - it is an answer
    """The answer to a request of the driver is this error."""

    def __init__(self, message: str, code: int = IMPLEMENTATION_ERROR, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = {"message": message, **(data or {})}


class Connection:
    """The harness's end of the conversation with one driver.

    `lost` is None while the driver can be spoken with, and then for ever the reason why not; `timed_out` says whether
    that was a time limit.
    """

    def __init__(self, send: Callable[[Any], None], serve: Serve, observe: Observe) -> None:
        self._send = send
        self._serve = serve
        self._observe = observe
        self._calls: dict[int, tuple[str, asyncio.Future[Any]]] = {}
        self._served: dict[asyncio.Task[None], str] = {}
        self._abandoned: set[int] = set()
        self._count = 0
        self.lost: str | None = None
        self.timed_out = False

    async def call(self, method: str, params: dict[str, Any], seconds: float | None) -> Any:
        """Call the driver, and give back its result.

        Raises `ImplementationError` where it answers with an error, `Undecided` where it does not answer.
        """
        if self.lost is not None:
            raise Undecided(self.lost)
        self._count += 1
        number = self._count
        future = asyncio.get_running_loop().create_future()
        self._calls[number] = method, future
        try:
            self._put({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            async with asyncio.timeout(seconds):
                reply = await future
        except TimeoutError:
            self.timed_out = True
            self.lose(f"no answer to {method} within {seconds:g} s; {self._turn()}")
            raise Undecided(self.lost) from None
        except asyncio.CancelledError:
            self._abandoned.add(number)
            raise
        finally:
            self._calls.pop(number, None)
        return _result(method, reply)

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send the driver what it does not answer."""
        if self.lost is None:
            self._put({"jsonrpc": "2.0", "method": method, "params": params})

    def receive(self, message: Any) -> None:
        """Take one message of the driver; one that is no JSON-RPC loses the connection."""
        self._observe("driver", message)
        if self.lost is not None:
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.lose("the driver sent a message that is no JSON-RPC 2.0")
        elif isinstance(message.get("method"), str):
            self._take_request(message)
        elif ("result" in message) != ("error" in message):
            self._take_answer(message)
        else:
            self.lose("the driver sent a message that is neither a request nor an answer")

    def lose(self, reason: str) -> None:
        """End the conversation: every open call, and every later one, is undecided for this reason."""
        if self.lost is not None:
            return
        self.lost = reason
        for _, future in self._calls.values():
            if not future.done():
                future.set_exception(Undecided(reason))
        for task in self._served:
            task.cancel()

    def _put(self, message: dict[str, Any]) -> None:
        self._observe("harness", message)
        self._send(message)

    def _take_answer(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        known = isinstance(number, int | float) and not isinstance(number, bool)
        if known and number in self._abandoned:
            self._abandoned.discard(number)
        elif known and number in self._calls:
            _, future = self._calls[number]
            if not future.done():
                future.set_result(message)
        elif number is None and "error" in message:
            text = _object(message["error"]).get("message", "no message")
            self.lose(f"the driver could not read what it was sent: {text}")
        else:
            self.lose(f"the driver answered a call that nobody made (id {json.dumps(number)})")

    def _take_request(self, message: dict[str, Any]) -> None:
        params, number = message.get("params", {}), message.get("id")
        if not isinstance(params, dict):
            self.lose(f"the driver called {message['method']} with parameters that are no object")
            return
        if isinstance(number, bool | list | dict):
            self.lose(f"the driver called {message['method']} with an id that is neither a number nor a string")
            return
        task = asyncio.ensure_future(self._answer(message["method"], params, number))
        self._served[task] = message["method"]
        task.add_done_callback(lambda done: self._served.pop(done, None))

    async def _answer(self, method: str, params: dict[str, Any], number: Any) -> None:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": number}
        REQUEST_ID.set(number)
        try:
            answer["result"] = await self._serve(method, params)
        except Refused as refused:
            answer["error"] = {"code": refused.code, "message": str(refused), "data": refused.data}
        except Exception as error:  # nobody awaits this task, and the driver would wait for ever
            self.lose(f"a fault of specassay in answering {method}: {type(error).__name__}: {error}")
        if number is not None and self.lost is None:
            self._put(answer)

    def _turn(self) -> str:
        if self._served:
            return f"the harness was still answering {', '.join(sorted(set(self._served.values())))}"
        return "it was the driver's turn to speak"


def _result(method: str, reply: dict[str, Any]) -> Any:
    if "result" in reply:
        return reply["result"]
    error = _object(reply["error"])
    data = _object(error.get("data"))
    code = error.get("code")
    message = data.get("message", error.get("message", "no message"))
    kind = data.get("kind")
    raise ImplementationError(
        method,
        code if isinstance(code, int) else IMPLEMENTATION_ERROR,
        str(message),
        kind if isinstance(kind, str) else None,
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def unknown_method(method: str) -> Refused:
    """Give the answer to a request that the harness does not know."""
    return Refused(f"no such method: {method}", NO_SUCH_OPERATION)
