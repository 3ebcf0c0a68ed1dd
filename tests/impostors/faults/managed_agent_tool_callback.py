"""Callbacks that let in what they must not, with one fault each."""

import asyncio
import base64
import hmac
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest

from specassay.drivers.reference import agent_tool as surface
from specassay.reference.agent_tool import actions, callback, plugin
from specassay.reference.agent_tool.callback import Callback, CallbackRequest, Refusal, failed
from specassay.reference.agent_tool.environment import ManagedTool
from tests.impostors.faults.managed_agent_tool_description import serves
from tests.impostors.faults.managed_agent_tool_preparation import SPECIFICATION, Prepare, javascript, preparing
from tests.impostors.impostor import impostor

SECURITY = f"{SPECIFICATION}/security-invariants"
ROBUST = f"{SECURITY}/robustness"
TOO_LARGE = "a-request-that-is-too-deep-or-too-large-is-refused-and-costs-nobody-else-anything"

Headers = Iterable[tuple[bytes, bytes]]
Scope = Any

SOUGHT = "The token is sought there too."
SOUGHT_EVERYWHERE = {
    "security-invariants.1": SOUGHT,
    "security-invariants.2": SOUGHT,
    "security-invariants.8": SOUGHT,
    "security-invariants.10": SOUGHT,
}


def _knows(patch: pytest.MonkeyPatch, holds: Callable[[dict[bytes, bytes], str], bool]) -> None:
    """Compare by `holds(headers, token)` as well, where there is one Authorization header."""
    original = callback.holds

    def known(headers: Headers, token: str) -> bool:
        headers = list(headers)
        one = [name for name, _ in headers].count(b"authorization") == 1
        return original(headers, token) or (one and holds(dict(headers), token))

    patch.setattr(callback, "holds", known)


def _given(headers: dict[bytes, bytes]) -> bytes:
    return headers.get(b"authorization", b"").partition(b" ")[2]


def _admits(patch: pytest.MonkeyPatch, may_pass: Callable[[dict[bytes, bytes], Scope], bool]) -> None:
    """Admit what `may_pass(headers, scope)` says, without looking further."""
    original = callback.admit

    def admit(scope: Scope, token: str | None) -> None:
        if not may_pass(dict(scope["headers"]), scope):
            original(scope, token)

    patch.setattr(callback, "admit", admit)


# the peer


@impostor(f"{SECURITY}.1")
def looks_at_no_peer(patch: pytest.MonkeyPatch) -> None:
    """Let every peer in that has the token."""
    patch.setattr(callback, "is_loopback", lambda host: True)


@impostor(f"{SECURITY}.1")
def believes_a_header(patch: pytest.MonkeyPatch) -> None:
    """Take a peer for what X-Forwarded-For says that it is."""
    original = callback.admit

    def admit(scope: Scope, token: str | None) -> None:
        said = dict(scope["headers"]).get(b"x-forwarded-for")
        original({**scope, "client": (said.decode(), 0)} if said else scope, token)

    patch.setattr(callback, "admit", admit)


@impostor(f"{SECURITY}.1")
def trusts_loopback(patch: pytest.MonkeyPatch) -> None:
    """Need no token where a header says that a proxy of this machine has seen to it."""
    _admits(patch, lambda headers, scope: headers.get(b"x-forwarded-for") == b"127.0.0.1" and _is_local(scope))


@impostor(f"{SECURITY}.1")
def knows_one_loopback(patch: pytest.MonkeyPatch) -> None:
    """Take 127.0.0.1 alone for this machine."""
    patch.setattr(callback, "is_loopback", lambda host: host == "127.0.0.1")


def _is_local(scope: Scope) -> bool:
    return bool(callback.is_loopback(scope["client"][0]))


# the token


@impostor(f"{SECURITY}.2")
def takes_any_token(patch: pytest.MonkeyPatch) -> None:
    """Take whatever is not empty for the token."""
    _knows(patch, lambda headers, token: _given(headers) != b"")


@impostor(f"{SECURITY}.2")
def compares_beginnings(patch: pytest.MonkeyPatch) -> None:
    """Compare as many characters as were given."""
    _knows(patch, lambda headers, token: _given(headers) != b"" and token.encode().startswith(_given(headers)))


@impostor(f"{SECURITY}.2")
def ignores_case(patch: pytest.MonkeyPatch) -> None:
    """Compare without regard to case."""
    _knows(patch, lambda headers, token: _given(headers).lower() == token.lower().encode())


@impostor(f"{SECURITY}.2")
def reads_the_query(patch: pytest.MonkeyPatch) -> None:
    """Take the token from the query too."""
    _admits(patch, lambda headers, scope: b"token=" in scope["query_string"])


@impostor(f"{SECURITY}.2")
def keeps_old_tokens(patch: pytest.MonkeyPatch) -> None:
    """Take the token of every child that there was."""
    known: list[str] = []

    def prepare(original: Prepare, tool: ManagedTool, *given: Any) -> Any:
        made = original(*given)
        known.append(str(tool.token))
        return made

    preparing(patch, prepare)
    _knows(patch, lambda headers, token: _given(headers).decode("latin-1") in known)


@impostor(f"{SECURITY}.2")
def breaks_at_other_alphabets(patch: pytest.MonkeyPatch) -> None:
    """Compare texts, which fails at what is no ASCII."""
    original = callback.holds

    def holds(headers: Headers, token: str) -> bool:
        headers = list(headers)
        hmac.compare_digest(_given(dict(headers)).decode("latin-1"), token)
        return original(headers, token)

    patch.setattr(callback, "holds", holds)


@impostor(
    f"{SECURITY}.2",
    elsewhere={"security-invariants/robustness/a-page-of-another-origin-is-allowed-nothing": "It is let in."},
)
def trusts_pages(patch: pytest.MonkeyPatch) -> None:
    """Need no token of a browser on this machine."""
    _admits(patch, lambda headers, scope: b"origin" in headers)


def _leaks(patch: pytest.MonkeyPatch, leak: Callable[[str, Path], object]) -> None:
    """Call `leak(token, data_directory)` for each child."""

    def prepare(original: Prepare, tool: ManagedTool, *given: Any) -> Any:
        made = original(*given)
        if made is not None:
            leak(str(tool.token), given[-1])
        return made

    preparing(patch, prepare)


@impostor(f"{SECURITY}.4", elsewhere=SOUGHT_EVERYWHERE)
def writes_the_token_down(patch: pytest.MonkeyPatch) -> None:
    """Write the token beside the plugin."""
    _leaks(patch, lambda token, data: (data / "agent-tool" / "token").write_text(token, "utf-8"))


@impostor(f"{SECURITY}.4", elsewhere=SOUGHT_EVERYWHERE)
def writes_the_token_down_in_base64(patch: pytest.MonkeyPatch) -> None:
    """Write the token into a settings file, in base64."""
    _leaks(patch, lambda token, data: (data / "settings.json").write_bytes(base64.b64encode(token.encode())))


@impostor(f"{SECURITY}.5", elsewhere={"security-invariants.2": SOUGHT})
def logs_what_it_refuses(patch: pytest.MonkeyPatch) -> None:
    """Log the headers of a request that it refuses."""
    original = callback.holds

    def holds(headers: Headers, token: str) -> bool:
        held = original(headers, token)
        if not held:
            callback.logger.warning("refused: %s", dict(headers))
        return held

    patch.setattr(callback, "holds", holds)


@impostor(f"{SECURITY}.6", elsewhere={"security-invariants.2": SOUGHT})
def explains_what_was_wrong(patch: pytest.MonkeyPatch) -> None:
    """Say in the answer which token was given, and which is needed."""
    original = callback.admit

    def admit(scope: Scope, token: str | None) -> None:
        try:
            original(scope, token)
        except Refusal as refusal:
            given = _given(dict(scope["headers"])).decode("latin-1")
            raise Refusal(refusal.status, f"{refusal} Given: {given}") from None

    patch.setattr(callback, "admit", admit)


@impostor(f"{SECURITY}.7", elsewhere={"security-invariants.4": SOUGHT, **SOUGHT_EVERYWHERE})
def writes_the_token_into_the_plugin(patch: pytest.MonkeyPatch) -> None:
    """Write the token into the plugin, for a child that loses its environment."""

    def leak(token: str, data: Path) -> None:
        with (data / "agent-tool" / "openchamber.mjs").open("a", encoding="utf-8") as file:
            file.write(f"\nconst TOKEN = '{token}';\n")

    _leaks(patch, leak)


# what may be asked for


@impostor(f"{SECURITY}.8")
def finds_inherited_names(patch: pytest.MonkeyPatch) -> None:
    """Look an action up where inherited names are found too."""
    serves(patch, "constructor", "__proto__", "toString", "hasOwnProperty")


@impostor(f"{SECURITY}.8")
def tidies_the_action(patch: pytest.MonkeyPatch) -> None:
    """Take an action whatever its case and spaces are."""
    original = callback.read_request

    def read(body: bytes) -> CallbackRequest:
        request = original(body)
        return request.model_copy(update={"action": request.action.strip().lower()})

    patch.setattr(callback, "read_request", read)


@impostor(f"{SECURITY}.8")
def takes_the_action_from_the_parameters(patch: pytest.MonkeyPatch) -> None:
    """Check the action that was asked for, and do the one among the parameters."""
    original = Callback._execute

    check = callback.check_request

    def lenient(request: CallbackRequest, actions: frozenset[str]) -> None:
        others = {name: value for name, value in request.parameters.items() if name != "action"}
        check(request.model_copy(update={"parameters": others}), actions)

    async def execute(self: Callback, request: CallbackRequest) -> Any:
        smuggled = request.parameters.get("action", request.action)
        return await original(self, request.model_copy(update={"action": smuggled}))

    patch.setattr(callback, "check_request", lenient)
    patch.setattr(Callback, "_execute", execute)


@impostor(
    f"{SECURITY}.8",
    elsewhere={f"security-invariants/robustness/{TOO_LARGE}": "What cannot be read is taken for a request there too."},
)
def takes_anything_for_a_request(patch: pytest.MonkeyPatch) -> None:
    """Take a body that it cannot read for a request to list the projects."""
    original = callback.read_request

    def read(body: bytes) -> CallbackRequest:
        try:
            return original(body)
        except Refusal:
            return CallbackRequest(action="projects.list", parameters={}, directory="/")

    patch.setattr(callback, "read_request", read)


@impostor(f"{SECURITY}.9")
def has_an_open_schema(patch: pytest.MonkeyPatch) -> None:
    """Let the schema take any further parameter."""
    original = actions.input_schema
    patch.setattr(plugin, "input_schema", lambda: {**original(), "additionalProperties": True})


@impostor(f"{SECURITY}.10")
def forwards_what_it_does_not_know(patch: pytest.MonkeyPatch) -> None:
    """Hand commands and routes on to the service."""
    serves(patch, "cli.run", "shell.exec", "http.get", "/api/config")


@impostor(f"{SECURITY}.10")
def runs_a_shell(patch: pytest.MonkeyPatch) -> None:
    """Put a parameter into the command line of a shell."""
    original = Callback._execute

    async def execute(self: Callback, request: CallbackRequest) -> Any:
        title = request.parameters.get("title", "")
        if "touch" in title:
            shell = await asyncio.create_subprocess_shell(f"echo {title}", stdout=DEVNULL, stderr=DEVNULL)
            await shell.wait()
        return await original(self, request)

    patch.setattr(Callback, "_execute", execute)


@impostor(f"{SECURITY}.10")
def fetches_what_it_is_given(patch: pytest.MonkeyPatch) -> None:
    """Fetch a URL that stands in a parameter."""
    original = Callback._execute

    async def execute(self: Callback, request: CallbackRequest) -> Any:
        title = request.parameters.get("title", "")
        if title.startswith("http"):
            async with httpx.AsyncClient(trust_env=False, verify=False) as client:
                await client.get(title)
        return await original(self, request)

    patch.setattr(Callback, "_execute", execute)


@impostor(f"{SECURITY}.11")
def deletes_sessions(patch: pytest.MonkeyPatch) -> None:
    """Serve the deletion of sessions, which the agent is not shown."""
    serves(patch, "session.delete")


@impostor(f"{SECURITY}.12")
def deletes_worktrees(patch: pytest.MonkeyPatch) -> None:
    """Serve the deletion of worktrees, which the agent is not shown."""
    serves(patch, "worktree.remove")


@impostor(f"{SECURITY}.13")
def registers_projects(patch: pytest.MonkeyPatch) -> None:
    """Serve the registration of projects, which the agent is not shown."""
    serves(patch, "projects.add")


# aborts


@impostor(f"{SECURITY}.14")
def works_on_for_nobody(patch: pytest.MonkeyPatch) -> None:
    """Finish every request, whether anybody waits for it or not."""

    async def delegate(self: Callback, request: CallbackRequest, receive: Any, send: Any) -> None:
        work = asyncio.ensure_future(self._execute(request))
        await asyncio.shield(work)
        await callback.answer(send, *work.result())

    patch.setattr(Callback, "_delegate", delegate)


@impostor(f"{SECURITY}.14")
def aborts_at_every_end(patch: pytest.MonkeyPatch) -> None:
    """Abort each request once it has ended."""
    original = surface.Delegate.execute

    async def execute(self: surface.Delegate, *given: Any) -> Any:
        driver = self._scenario._driver
        number = driver._last_id + 1
        try:
            return await original(self, *given)
        finally:
            driver.tell("control.aborted", {"requestId": number})

    patch.setattr(surface.Delegate, "execute", execute)


@impostor(f"{SECURITY}.14", elsewhere={"result-contract.5": "The call goes on, and succeeds."})
def forgets_the_signal(patch: pytest.MonkeyPatch) -> None:
    """Let the plugin go on after the agent's signal."""
    javascript(patch, "      signal: context.abort,\n", "")


# robustness


@impostor(f"{ROBUST}/an-unknown-parameter-at-the-callback-is-refused")
def hands_unknown_parameters_on(patch: pytest.MonkeyPatch) -> None:
    """Look at the action alone."""

    def check(request: CallbackRequest, actions: frozenset[str]) -> None:
        if request.action not in actions:
            raise Refusal(HTTPStatus.BAD_REQUEST, "There is no such action.")

    patch.setattr(callback, "check_request", check)


@impostor(f"{ROBUST}/one-authorization-header-is-all-that-is-taken")
def takes_the_last_header(patch: pytest.MonkeyPatch) -> None:
    """Look at the last header of several, and take the token without a scheme too."""

    def holds(headers: Headers, token: str) -> bool:
        return dict(headers).get(b"authorization") in (token.encode(), f"Bearer {token}".encode())

    patch.setattr(callback, "holds", holds)


@impostor(f"{ROBUST}/one-authorization-header-is-all-that-is-taken")
def takes_the_first_header(patch: pytest.MonkeyPatch) -> None:
    """Look at the first header of several."""
    original = callback.holds

    def holds(headers: Headers, token: str) -> bool:
        return original([pair for pair in headers if pair[0] == b"authorization"][:1], token)

    patch.setattr(callback, "holds", holds)


@impostor(f"{ROBUST}/a-page-of-another-origin-is-allowed-nothing")
def allows_every_origin(patch: pytest.MonkeyPatch) -> None:
    """Allow every page to read the answers."""
    original = callback.answer

    async def answer(send: Any, status: HTTPStatus, result: Any) -> None:
        async def sending(message: Any) -> None:
            if "headers" in message:
                message["headers"].append((b"access-control-allow-origin", b"*"))
            await send(message)

        await original(sending, status, result)

    patch.setattr(callback, "answer", answer)


@impostor(f"{ROBUST}/the-token-is-looked-at-before-the-body")
def reads_the_body_first(patch: pytest.MonkeyPatch) -> None:
    """Read and check the request before the token is looked at."""

    async def call(self: Callback, scope: Scope, receive: Any, send: Any) -> None:
        try:
            request = callback.read_request(await callback.read_body(scope, receive))
            entrance = self._entrance(scope)
            callback.admit(scope, entrance.token)
            callback.check_request(request, entrance.actions)
            await self._delegate(request, receive, send)
        except Refusal as refusal:
            await callback.answer(send, refusal.status, failed("", str(refusal)))

    patch.setattr(Callback, "__call__", call)


@impostor(f"{ROBUST}/{TOO_LARGE}")
def takes_bodies_of_any_size(patch: pytest.MonkeyPatch) -> None:
    """Set no limit to the size of a body."""
    patch.setattr(callback, "LARGEST", 1 << 40)


@impostor(f"{ROBUST}/another-method-than-post-does-nothing")
def serves_every_method(patch: pytest.MonkeyPatch) -> None:
    """Look at the path, and at no method."""
    original = callback.admit
    patch.setattr(callback, "admit", lambda scope, token: original({**scope, "method": "POST"}, token))
