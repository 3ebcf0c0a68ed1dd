"""JSON-RPC with a driver: calls both ways at once, and one reason why a conversation ended."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from specassay.drivers.connection import Connection, Refused, Sender, unknown_method
from specassay.port import ImplementationError, Undecided


class Peer:
    """The other end of a connection, in hand: what it was sent, and what it sends."""

    def __init__(self, serve: Callable[[str, dict[str, Any]], Coroutine[Any, Any, Any]] | None = None) -> None:
        self.sent: list[Any] = []
        self.seen: list[tuple[Sender, Any]] = []
        self.connection = Connection(
            self.sent.append, serve or self._refuse, lambda sender, message: self.seen.append((sender, message))
        )

    async def call(self, method: str = "chat-store.getState", seconds: float | None = None) -> asyncio.Task[Any]:
        """Let the harness call, and give the open call."""
        task = asyncio.ensure_future(self.connection.call(method, {}, seconds))
        await turns()
        return task

    def say(self, **message: Any) -> None:
        self.connection.receive({"jsonrpc": "2.0", **message})

    async def _refuse(self, method: str, params: dict[str, Any]) -> Any:
        raise unknown_method(method)


async def turns(count: int = 5) -> None:
    """Let everything that is ready run."""
    for _ in range(count):
        await asyncio.sleep(0)


def played(play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(play())


def test_answers_may_come_in_any_order() -> None:
    async def play() -> None:
        peer = Peer()
        first, second = await peer.call("a.b"), await peer.call("a.c")
        assert [(message["id"], message["method"]) for message in peer.sent] == [(1, "a.b"), (2, "a.c")]
        peer.say(id=2, result="second")
        peer.say(id=1, result="first")
        assert (await first, await second) == ("first", "second")

    played(play)


def test_both_sides_count_their_own_ids() -> None:
    async def play() -> None:
        async def serve(method: str, params: dict[str, Any]) -> Any:
            return {"ran": params["name"]}

        peer = Peer(serve)
        run = await peer.call("orchestrator.run")
        peer.say(id=1, method="tool.execute", params={"name": "probe"})
        await turns()
        assert peer.sent[-1] == {"jsonrpc": "2.0", "id": 1, "result": {"ran": "probe"}}
        assert not run.done()
        peer.say(id=1, result={"rejected": None})
        assert await run == {"rejected": None}

    played(play)


def test_the_harness_may_call_while_it_serves_and_serve_several_at_once() -> None:
    async def play() -> None:
        async def serve(method: str, params: dict[str, Any]) -> Any:
            return await peer.connection.call(f"agent-store.{params['name']}", {}, None)

        peer = Peer(serve)
        peer.say(id="a", method="tool.execute", params={"name": "one"})
        peer.say(id="b", method="tool.execute", params={"name": "two"})
        await turns()
        assert [message["method"] for message in peer.sent] == ["agent-store.one", "agent-store.two"]
        peer.say(id=2, result=2)
        await turns()
        peer.say(id=1, result=1)
        await turns()
        assert [(message["id"], message["result"]) for message in peer.sent[2:]] == [("b", 2), ("a", 1)]

    played(play)


@pytest.mark.parametrize(
    ("error", "code", "message", "kind"),
    [
        ({"code": -32000, "message": "no", "data": {"message": "guard", "kind": "past"}}, -32000, "guard", "past"),
        ({"code": -32601, "message": "no such operation"}, -32601, "no such operation", None),
        ({"code": "x", "data": {"message": 7, "kind": 7}}, -32000, "7", None),
        ("text", -32000, "no message", None),
        (None, -32000, "no message", None),
    ],
)
def test_an_error_is_the_implementation_s(error: Any, code: int, message: str, kind: str | None) -> None:
    async def play() -> None:
        peer = Peer()
        call = await peer.call()
        peer.say(id=1, error=error)
        with pytest.raises(ImplementationError) as caught:
            await call
        assert (caught.value.code, caught.value.message, caught.value.kind) == (code, message, kind)
        assert peer.connection.lost is None

    played(play)


def test_a_request_that_is_refused_is_answered_with_an_error() -> None:
    async def play() -> None:
        async def serve(method: str, params: dict[str, Any]) -> Any:
            raise Refused("the tool broke") if method == "tool.execute" else unknown_method(method)

        peer = Peer(serve)
        peer.say(id=7, method="tool.execute", params={})
        peer.say(id=8, method="tool.undo")
        await turns()
        assert [message["error"] for message in peer.sent] == [
            {"code": -32000, "message": "the tool broke", "data": {"message": "the tool broke"}},
            {
                "code": -32601,
                "message": "no such method: tool.undo",
                "data": {"message": "no such method: tool.undo"},
            },
        ]

    played(play)


def test_a_notification_is_served_and_not_answered() -> None:
    async def play() -> None:
        heard = []

        async def serve(method: str, params: dict[str, Any]) -> Any:
            heard.append(method)

        peer = Peer(serve)
        peer.say(method="control.aborted", params={"requestId": "r"})
        await turns()
        assert (heard, peer.sent) == (["control.aborted"], [])

    played(play)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ([], "no JSON-RPC 2.0"),
        (None, "no JSON-RPC 2.0"),
        ({"id": 1, "result": 1}, "no JSON-RPC 2.0"),
        ({"jsonrpc": "1.0", "id": 1, "result": 1}, "no JSON-RPC 2.0"),
        ({"jsonrpc": "2.0", "id": 1}, "neither a request nor an answer"),
        ({"jsonrpc": "2.0", "id": 1, "result": 1, "error": {}}, "neither a request nor an answer"),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, "neither a request nor an answer"),
        ({"jsonrpc": "2.0", "id": 2, "result": 1}, "a call that nobody made (id 2)"),
        ({"jsonrpc": "2.0", "id": "1", "result": 1}, 'a call that nobody made (id "1")'),
        ({"jsonrpc": "2.0", "id": True, "result": 1}, "a call that nobody made (id true)"),
        ({"jsonrpc": "2.0", "id": [1], "result": 1}, "a call that nobody made (id [1])"),
        ({"jsonrpc": "2.0", "result": 1}, "a call that nobody made (id null)"),
        ({"jsonrpc": "2.0", "id": None, "error": {"message": "parse error"}}, "could not read what it was sent: parse"),
        ({"jsonrpc": "2.0", "id": 1, "method": "tool.execute", "params": []}, "parameters that are no object"),
        ({"jsonrpc": "2.0", "id": {}, "method": "tool.execute"}, "an id that is neither a number nor a string"),
    ],
)
def test_a_message_that_breaks_the_protocol_ends_the_conversation(message: Any, reason: str) -> None:
    async def play() -> None:
        peer = Peer()
        call = await peer.call()
        peer.connection.receive(message)
        with pytest.raises(Undecided) as caught:
            await call
        assert reason in str(caught.value)
        assert peer.seen[-1] == ("driver", message)
        with pytest.raises(Undecided) as later:
            await peer.connection.call("chat-store.getState", {}, None)
        assert str(later.value) == str(caught.value)
        assert len(peer.sent) == 1

    played(play)


def test_an_id_that_comes_back_as_another_spelling_of_the_number_is_the_same() -> None:
    async def play() -> None:
        peer = Peer()
        call = await peer.call()
        peer.say(id=1.0, result="yes")
        assert await call == "yes"

    played(play)


def test_a_second_answer_to_one_call_breaks_the_protocol() -> None:
    async def play() -> None:
        peer = Peer()
        call = await peer.call()
        peer.say(id=1, result="yes")
        assert await call == "yes"
        peer.say(id=1, result="no")
        assert peer.connection.lost == "the driver answered a call that nobody made (id 1)"

    played(play)


def test_a_call_that_is_not_answered_in_time_says_whose_turn_it_was() -> None:
    async def play() -> None:
        peer = Peer()
        with pytest.raises(Undecided, match=r"no answer to a\.b within 0\.01 s; it was the driver's turn to speak"):
            await peer.connection.call("a.b", {}, 0.01)
        assert peer.connection.timed_out
        peer.say(id=1, result="late")
        assert peer.connection.lost is not None
        assert peer.connection.lost.startswith("no answer")

    played(play)


def test_a_call_that_ran_out_while_the_harness_was_answering_says_so() -> None:
    async def play() -> None:
        async def serve(method: str, params: dict[str, Any]) -> Any:
            await asyncio.Event().wait()

        peer = Peer(serve)
        peer.say(id=1, method="tool.execute", params={})
        with pytest.raises(Undecided, match=r"the harness was still answering tool\.execute"):
            await peer.connection.call("orchestrator.run", {}, 0.01)

    played(play)


def test_the_answer_to_a_call_that_was_given_up_is_no_fault() -> None:
    async def play() -> None:
        peer = Peer()
        call = await peer.call()
        call.cancel()
        await turns()
        peer.say(id=1, result="late")
        assert peer.connection.lost is None
        peer.say(id=1, result="again")
        assert peer.connection.lost == "the driver answered a call that nobody made (id 1)"

    played(play)


def test_a_fault_of_the_harness_in_serving_ends_the_conversation_and_leaves_nobody_waiting() -> None:
    async def play() -> None:
        async def serve(method: str, params: dict[str, Any]) -> Any:
            raise KeyError("name")

        peer = Peer(serve)
        call = await peer.call("orchestrator.run")
        peer.say(id=1, method="tool.execute", params={})
        with pytest.raises(Undecided, match=r"a fault of specassay in answering tool\.execute: KeyError: 'name'"):
            await call

    played(play)


def test_the_first_reason_is_the_one_that_is_kept() -> None:
    peer = Peer()
    peer.connection.lose("first")
    peer.connection.lose("second")
    assert peer.connection.lost == "first"
