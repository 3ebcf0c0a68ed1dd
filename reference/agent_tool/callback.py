"""The callback: the managed child's way in, as a plain ASGI application, and the command line's beside it."""

import asyncio
import hmac
import ipaddress
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from specassay.reference.agent_tool.actions import AGENT_ACTIONS, CONTROL_ACTIONS, PARAMETERS
from specassay.reference.agent_tool.environment import CALLBACK_PATH, ManagedTool
from specassay.reference.agent_tool.result import AgentToolResult, Failed, Failure, Succeeded, to_json
from specassay.reference.agent_tool.service import ControlService, ServiceError

CONTROL_PATH = "/api/openchamber/control"
LARGEST = 1024 * 1024
"""How many bytes a request may have."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

logger = logging.getLogger(__name__)


class CallbackRequest(BaseModel):
    """What the plugin sends: the action, the agent's parameters, and the session's own directory."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    action: str
    parameters: dict[str, Any]
    directory: str


@dataclass(frozen=True)
class Entrance:
    """One way in: the token that it takes now, if any, and what may be asked for there."""

    token: str | None
    actions: frozenset[str]


class Refusal(Exception):  # noqa: N818 - it is an answer
    """A request that is answered before it reaches the service."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Callback:
    """The application. The peer is looked at first, then the token, and only then the body is read."""

    def __init__(self, tool: ManagedTool, service: ControlService, control_token: str | None = None) -> None:
        self._tool = tool
        self._service = service
        self._control_token = control_token

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one HTTP request; raises `ValueError` for anything else, as ASGI asks."""
        if scope["type"] != "http":
            raise ValueError(f'This application serves HTTP, not "{scope["type"]}".')
        action = ""
        try:
            entrance = self._entrance(scope)
            admit(scope, entrance.token)
            request = read_request(await read_body(scope, receive))
            action = request.action
            check_request(request, entrance.actions)
            await self._delegate(request, receive, send)
        except Refusal as refusal:
            logger.info("The callback refused a request: %s", refusal)
            await answer(send, refusal.status, failed(action, str(refusal)))

    def _entrance(self, scope: Message) -> Entrance:
        if scope["path"] == CALLBACK_PATH:
            return Entrance(self._tool.token, AGENT_ACTIONS)
        if scope["path"] == CONTROL_PATH:
            return Entrance(self._control_token, CONTROL_ACTIONS)
        raise Refusal(HTTPStatus.NOT_FOUND, "There is nothing here.")

    async def _delegate(self, request: CallbackRequest, receive: Receive, send: Send) -> None:
        """Hand the request to the service; where the peer goes, the service's work is cancelled.

        Keeps managed-agent-tool/runtime-flow.11 and security-invariants.14.
        """
        work = asyncio.ensure_future(self._execute(request))
        gone = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                await answer(send, *work.result())
        finally:
            work.cancel()
            gone.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)

    async def _execute(self, request: CallbackRequest) -> tuple[HTTPStatus, AgentToolResult]:
        try:
            data = await self._service.execute(request.action, request.parameters, request.directory)
            return HTTPStatus.OK, Succeeded(action=request.action, data=data)
        except ServiceError as error:
            failure = Failure(message=str(error) or "It failed.", status=error.status, partial=error.partial)
            return HTTPStatus.OK, Failed(action=request.action, error=failure)
        except Exception as error:  # whatever it is, the agent is told that it failed, and nothing else
            logger.warning("%s failed: %s", request.action, type(error).__name__)
            return HTTPStatus.INTERNAL_SERVER_ERROR, failed(request.action, "OpenChamber failed; see its log.")


def admit(scope: Message, token: str | None) -> None:
    """Let in a peer on this machine that holds the token; headers say nothing of where a peer is.

    Keeps managed-agent-tool/security-invariants.1 to .3. Raises `Refusal`.
    """
    client = scope.get("client")
    if client is None or not is_loopback(client[0]):
        raise Refusal(HTTPStatus.FORBIDDEN, "Only this machine may call.")
    if token is None or not holds(scope["headers"], token):
        raise Refusal(HTTPStatus.UNAUTHORIZED, "A valid token is needed.")
    if scope["method"] != "POST":
        raise Refusal(HTTPStatus.METHOD_NOT_ALLOWED, "Only POST is served.")


def is_loopback(host: str) -> bool:
    """Say whether an address is this machine's own."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def holds(headers: Iterable[tuple[bytes, bytes]], token: str) -> bool:
    """Say whether exactly one Authorization header brings the token; how long that takes tells nothing of it."""
    given = [value for name, value in headers if name == b"authorization"]
    if len(given) != 1:
        return False
    scheme, _, credentials = given[0].partition(b" ")
    return scheme.lower() == b"bearer" and hmac.compare_digest(credentials.strip(), token.encode())


async def read_body(scope: Message, receive: Receive) -> bytes:
    """Collect the body. Raises `Refusal` as soon as it is too large."""
    announced = dict(scope["headers"]).get(b"content-length", b"0")
    body = bytearray()
    more = True
    while more:
        if len(body) > LARGEST or int(announced) > LARGEST:
            raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A request has at most {LARGEST} bytes.")
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


def read_request(body: bytes) -> CallbackRequest:
    """Read the request. Raises `Refusal` for what is none."""
    try:
        return CallbackRequest.model_validate_json(body)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"])) or "the body"
        raise Refusal(HTTPStatus.BAD_REQUEST, f"The request is invalid: {place}: {problem['msg']}.") from None


def check_request(request: CallbackRequest, actions: frozenset[str]) -> None:
    """Keep to the fixed actions and parameters (managed-agent-tool/security-invariants.8 and .9). Raises `Refusal`."""
    if request.action not in actions:
        raise Refusal(HTTPStatus.BAD_REQUEST, "There is no such action. Use one of: " + ", ".join(sorted(actions)))
    unknown = sorted(request.parameters.keys() - PARAMETERS.keys())
    if unknown:
        raise Refusal(HTTPStatus.BAD_REQUEST, "There is no such parameter. Leave out: " + ", ".join(unknown))


def failed(action: str, message: str) -> Failed:
    """Make the envelope of a failure."""
    return Failed(action=action, error=Failure(message=message))


async def answer(send: Send, status: HTTPStatus, result: AgentToolResult) -> None:
    """Send an envelope as JSON."""
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(to_json(result)).encode()})
