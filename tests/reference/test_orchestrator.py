"""The orchestrator's loop, against a scripted chat route."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import httpx
import pytest

from specassay.reference.orchestrator import LIMIT_MESSAGE, MAX_ITERATIONS, Orchestrator, RunInProgressError
from specassay.reference.registry import default_registry
from specassay.reference.stores import AgentState, AgentStore, ChatState, ChatStore
from specassay.reference.types import EMPTY_CONTEXT, AgentContext, ChatMessage, ToolDefinition, ToolParameter

Json = Any
Answer = Json | httpx.Response | Exception
QUESTION = ChatMessage.new(role="user", content="Hello")
CONTEXT = AgentContext.model_validate(
    {
        "projectId": "p1",
        "activeSceneId": None,
        "mediaAssets": [{"id": "a1", "name": "Ü😀.mp4", "type": "video", "duration": 1.5}],
        "playbackTimeMs": 7,
    }
)


def text(content: str) -> Json:
    return {"content": content}


def calls(*names: str, **args: Json) -> Json:
    return {
        "content": "",
        "toolCalls": [{"id": f"c{number}", "name": name, "args": args} for number, name in enumerate(names, 1)],
    }


class Shell:
    """A client with a chat route that gives `answers` in turn, the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.before_answer: Callable[[], Awaitable[None] | None] = lambda: None
        self.storage: dict[str, str] = {}
        self.chat = ChatStore(self.storage)
        self.agent = AgentStore()
        self.registry = default_registry()
        self.executed: list[tuple[str, Json, AgentContext]] = []
        self.chat_history: list[ChatState] = []
        self.agent_history: list[AgentState] = []
        self.chat.subscribe(self.chat_history.append)
        self.agent.subscribe(self.agent_history.append)
        client = httpx.AsyncClient(transport=httpx.MockTransport(self.respond))
        self.orchestrator = Orchestrator(self.chat, self.agent, self.registry, "http://chat.test", client)

    async def respond(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        waiting = self.before_answer()
        if waiting:
            await waiting
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    def add_tool(self, name: str, run: Callable[[Json], Any], *parameters: ToolParameter) -> None:
        def execute(args: Json, context: AgentContext) -> Any:
            self.executed.append((name, args, context))
            return run(args)

        self.registry.register(ToolDefinition(name=name, description="", parameters=parameters, execute=execute))

    def run(self, messages: Sequence[ChatMessage] = (QUESTION,), context: AgentContext = CONTEXT) -> None:
        asyncio.run(self.orchestrator.run(messages, context))

    def posted(self, number: int) -> Json:
        """Give the messages of the request of this number, from 1."""
        return json.loads(self.requests[number - 1].content)["messages"]

    @property
    def stored(self) -> list[Json]:
        messages: list[Json] = self.chat.state.to_json()["messages"]
        return messages

    @property
    def results(self) -> dict[str, Json]:
        """The stored tool results by the id of their call."""
        return {
            message["toolCallId"]: json.loads(message["content"])
            for message in self.stored
            if message["role"] == "tool"
        }

    def ended(self) -> tuple[str, str | None, bool]:
        state = self.agent.state
        return state.status, state.active_tool, self.chat.state.loading


def fail(message: str) -> Any:
    raise RuntimeError(message)


async def forever() -> None:
    await asyncio.Event().wait()


# The loop


@pytest.mark.parametrize("no_calls", [{}, {"toolCalls": None}, {"toolCalls": []}])
def test_an_answer_without_calls_is_the_one_new_message(no_calls: Json) -> None:
    shell = Shell({"content": "Hello!", **no_calls})
    shell.run()
    (message,) = shell.stored
    assert (message["role"], message["content"]) == ("assistant", "Hello!")
    assert "toolCalls" not in message
    assert shell.ended() == ("idle", None, False)


def test_the_messages_and_the_context_given_are_posted_not_the_stores() -> None:
    shell = Shell(calls("probe"), text("Done"))
    shell.add_tool("probe", lambda args: None)
    shell.chat.add_message({"role": "user", "content": "Another"})
    shell.run()
    for request in shell.requests:
        assert (request.method, str(request.url)) == ("POST", "http://chat.test/api/agent/chat")
        assert json.loads(request.content)["context"] == CONTEXT.to_json()
    assert shell.posted(1) == [QUESTION.to_json()]


def test_the_status_is_sending_and_loading_is_true_before_the_first_post() -> None:
    shell = Shell(text("Hello!"))
    seen: list[tuple[str, bool]] = []
    shell.before_answer = lambda: seen.append((shell.agent.state.status, shell.chat.state.loading))
    shell.run()
    assert seen == [("sending", True)]


def test_every_call_of_an_answer_runs_once_with_its_arguments_and_the_context() -> None:
    shell = Shell(
        {
            "content": "",
            "toolCalls": [{"id": "c1", "name": "a", "args": {"x": 1}}, {"id": "c2", "name": "b", "args": {"y": 2}}],
        },
        text("Done"),
    )
    shell.add_tool("a", lambda args: "from a")
    shell.add_tool("b", lambda args: "from b")
    shell.run()
    assert shell.executed == [("a", {"x": 1}, CONTEXT), ("b", {"y": 2}, CONTEXT)]
    assert shell.results == {
        "c1": {"toolCallId": "c1", "name": "a", "result": "from a"},
        "c2": {"toolCallId": "c2", "name": "b", "result": "from b"},
    }


def test_calls_are_answered_in_call_order_with_their_own_tool_active() -> None:
    shell = Shell(calls("a", "b"), text("Done"))
    seen: list[tuple[str, str | None]] = []

    async def look() -> None:
        seen.append((shell.agent.state.status, shell.agent.state.active_tool))

    shell.add_tool("a", lambda args: look())
    shell.add_tool("b", lambda args: look())
    shell.run()
    assert seen == [("processing", "a"), ("processing", "b")]
    assert [message.get("toolCallId") for message in shell.posted(2)] == [None, None, "c1", "c2"]
    assert shell.ended() == ("idle", None, False)


def test_each_post_carries_the_whole_history_and_each_call_is_answered_once() -> None:
    rounds = [{"content": "", "toolCalls": [{"id": f"r{n}", "name": "probe", "args": {"n": n}}]} for n in range(3)]
    shell = Shell(*rounds, text("Done"))
    shell.add_tool("probe", lambda args: f"result {args['n']}")
    shell.run()
    for number in range(1, 4):
        earlier, later = shell.posted(number), shell.posted(number + 1)
        assert later[: len(earlier)] == earlier
        asked, answered = later[len(earlier) :]
        assert asked["toolCalls"] == rounds[number - 1]["toolCalls"]
        assert answered["toolCallId"] == f"r{number - 1}"
        assert f"result {number - 1}" in answered["content"]
    assert shell.stored[:-1] == shell.posted(4)[1:]
    assert shell.stored[-1]["content"] == "Done"


def test_every_message_of_the_loop_has_an_id_and_a_timestamp() -> None:
    shell = Shell(calls("probe"), text("Done"))
    shell.add_tool("probe", lambda args: None)
    shell.run()
    assert len({message["id"] for message in shell.stored}) == 3
    assert all(isinstance(message["timestamp"], int) for message in shell.stored)


def test_a_call_and_its_results_are_stored_as_one_unit() -> None:
    shell = Shell(calls("a", "b"), text("Done"))
    stored_while_running: list[str] = []
    shell.add_tool("a", lambda args: stored_while_running.append(shell.storage.get("chat-store", "")))
    shell.add_tool("b", lambda args: stored_while_running.append(shell.storage.get("chat-store", "")))
    shell.run()
    assert stored_while_running == ["", ""]
    assert {len(state.messages) for state in shell.chat_history} == {0, 3, 4}
    assert ChatStore(shell.storage).state.messages == shell.chat.state.messages


def test_a_second_run_has_a_context_of_its_own_and_clears_the_error_of_the_first() -> None:
    shell = Shell(httpx.Response(502), text("Done"))
    shell.run()
    shell.run(context=EMPTY_CONTEXT)
    assert json.loads(shell.requests[1].content)["context"] == EMPTY_CONTEXT.to_json()
    assert shell.chat.state.error is None
    assert shell.ended() == ("idle", None, False)


# Tools that fail


def test_a_throwing_tool_is_captured_and_costs_the_others_nothing() -> None:
    shell = Shell(calls("a", "b"), text("Recovered"))
    shell.add_tool("a", lambda args: fail("boom-7f3a"))
    shell.add_tool("b", lambda args: "fine")
    shell.run()
    assert shell.results["c1"] == {"toolCallId": "c1", "name": "a", "result": None, "error": "boom-7f3a"}
    assert shell.results["c2"] == {"toolCallId": "c2", "name": "b", "result": "fine"}
    assert shell.stored[-1]["content"] == "Recovered"
    assert all(state.error is None for state in shell.chat_history)
    assert all(state.status != "error" for state in shell.agent_history)
    assert shell.ended() == ("idle", None, False)


@pytest.mark.parametrize(
    ("result", "error"),
    [
        ({1, 2}, "not JSON serializable"),
        (float("nan"), "not JSON compliant"),
        ("\udcff", "surrogates not allowed"),
    ],
)
def test_a_result_that_json_cannot_hold_is_an_error_of_its_call(result: Any, error: str) -> None:
    shell = Shell(calls("probe"), text("Done"))
    shell.add_tool("probe", lambda args: result)
    shell.run()
    assert error in shell.results["c1"]["error"]
    assert shell.ended() == ("idle", None, False)


@pytest.mark.parametrize(("message", "error"), [("", "RuntimeError"), ("no file \udcff", "no file ?")])
def test_an_error_without_a_readable_text_still_says_something(message: str, error: str) -> None:
    shell = Shell(calls("probe"), text("Done"))
    shell.add_tool("probe", lambda args: fail(message))
    shell.run()
    assert shell.results["c1"]["error"] == error


def test_an_unknown_tool_is_an_error_result_that_names_the_available_ones() -> None:
    shell = Shell(calls("generic_command"), text("Done"))
    shell.run()
    assert "generic_command" in shell.results["c1"]["error"]
    assert "transcribe_video" in shell.results["c1"]["error"]
    assert shell.stored[-1]["content"] == "Done"


def test_a_badly_called_tool_does_not_run_and_its_neighbour_does() -> None:
    shell = Shell(
        {
            "content": "",
            "toolCalls": [
                {"id": "c1", "name": "bad", "args": {"assetId": 123}},
                {"id": "c2", "name": "good", "args": {}},
            ],
        },
        text("Done"),
    )
    shell.add_tool("bad", lambda args: None, ToolParameter(key="assetId", type="string", required=True))
    shell.add_tool("good", lambda args: None)
    shell.run()
    assert [name for name, _, _ in shell.executed] == ["good"]
    assert "assetId" in shell.results["c1"]["error"]
    assert "error" not in shell.results["c2"]


def test_a_tool_that_changes_its_arguments_changes_no_message() -> None:
    shell = Shell(calls("probe", x=[1]), text("Done"))
    shell.add_tool("probe", lambda args: args["x"].append(2))
    shell.run()
    assert shell.stored[0]["toolCalls"][0]["args"] == {"x": [1]}


# Answers as servers really send them


def test_ids_that_are_empty_absent_or_double_are_replaced_and_every_call_runs() -> None:
    ids: list[Json] = [{"id": "c"}, {"id": "c"}, {"id": ""}, {}]
    shell = Shell(
        {"content": "", "toolCalls": [{**call_id, "name": "probe", "args": {}} for call_id in ids]}, text("Ok")
    )
    shell.add_tool("probe", lambda args: None)
    shell.run()
    given = [call["id"] for call in shell.stored[0]["toolCalls"]]
    assert len(shell.executed) == 4
    assert len(set(given)) == 4
    assert all(given)
    assert [message["toolCallId"] for message in shell.stored[1:5]] == given


@pytest.mark.parametrize(("args", "given"), [('{"x": 1}', {"x": 1}), ("", {}), (None, {})])
def test_arguments_given_as_text_or_not_at_all_reach_the_tool_as_an_object(args: Json, given: Json) -> None:
    shell = Shell({"content": "", "toolCalls": [{"id": "c1", "name": "probe", "args": args}]}, text("Done"))
    shell.add_tool("probe", lambda args: None)
    shell.run()
    assert shell.executed == [("probe", given, CONTEXT)]


@pytest.mark.parametrize("args", ['{"path": "a', "[1]", [1], 5])
def test_arguments_that_are_no_object_are_an_error_result_without_a_run(args: Json) -> None:
    shell = Shell({"content": "", "toolCalls": [{"id": "c1", "name": "probe", "args": args}]}, text("Done"))
    shell.add_tool("probe", lambda args: None)
    shell.run()
    assert shell.executed == []
    assert "must be an object" in shell.results["c1"]["error"]
    assert shell.stored[-1]["content"] == "Done"


# A chat route that fails

FAILURES: dict[str, Answer] = {
    "provider error": httpx.Response(502, json={"error": "LLM provider error"}),
    "error with an answer's body": httpx.Response(500, json={"content": "Hello!"}),
    "redirect": httpx.Response(302, headers={"location": "http://chat.test/"}, json={"content": "Hello!"}),
    "no body": httpx.Response(204),
    "invalid JSON": httpx.Response(200, text="{"),
    "not UTF-8": httpx.Response(200, content=b'{"content": "\xff"}'),
    "HTML": httpx.Response(200, html="<p>Hello!</p>"),
    "no object": httpx.Response(200, json=["Hello!"]),
    "no content": httpx.Response(200, json={"error": "Upstream error"}),
    "content null": httpx.Response(200, json={"content": None}),
    "calls of another form": httpx.Response(200, json={"content": "", "toolCalls": "x"}),
    "call without a name": httpx.Response(200, json={"content": "", "toolCalls": [{"id": "c1", "args": {}}]}),
    "refused": httpx.ConnectError("refused"),
    "reset without a text": httpx.ReadError(""),
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())
def test_a_failure_of_the_first_post_is_in_both_stores_and_adds_no_message(failure: Answer) -> None:
    shell = Shell(failure)
    shell.run()
    assert shell.chat.state.error
    assert shell.stored == []
    assert len(shell.requests) == 1
    assert shell.ended() == ("error", None, False)


def test_a_failure_after_a_tool_round_ends_in_error_and_keeps_the_round() -> None:
    shell = Shell(calls("probe"), httpx.Response(502, json={"error": "LLM provider error"}))
    shell.add_tool("probe", lambda args: "found")
    shell.run()
    assert shell.chat.state.error == "The chat route answered 502: LLM provider error"
    assert [message["role"] for message in shell.stored] == ["assistant", "tool"]
    assert shell.ended() == ("error", None, False)


def test_a_fault_of_the_client_itself_is_raised_and_ends_in_error_too() -> None:
    shell = Shell(RuntimeError("the client is closed"))
    with pytest.raises(RuntimeError, match="closed"):
        shell.run()
    assert shell.chat.state.error == "the client is closed"
    assert shell.ended() == ("error", None, False)


# The iteration guard


@pytest.mark.parametrize(
    "answer",
    [calls("good"), calls("throws"), calls("unknown"), calls("strict"), calls("good", "good", "good")],
    ids=["good", "throwing", "unknown", "badly called", "three calls"],
)
def test_a_ninth_post_is_never_made_and_the_limit_is_said_once(answer: Json) -> None:
    shell = Shell(*[answer] * MAX_ITERATIONS, text("Too late"))
    shell.add_tool("good", lambda args: None)
    shell.add_tool("throws", lambda args: fail("boom"))
    shell.add_tool("strict", lambda args: None, ToolParameter(key="q", type="string", required=True))
    shell.run()
    assert len(shell.requests) == 8
    assert [message["content"] for message in shell.stored].count(LIMIT_MESSAGE) == 1
    assert (shell.stored[-1]["role"], shell.stored[-1]["content"]) == ("assistant", "Reached maximum iteration limit")
    assert shell.chat.state.error is None
    assert shell.ended() == ("idle", None, False)


def test_no_tool_runs_after_the_last_answer_and_no_call_stays_open() -> None:
    shell = Shell(calls("probe"))
    shell.add_tool("probe", lambda args: None)
    shell.run()
    assert len(shell.executed) == 7
    assert [message["role"] for message in shell.stored] == ["assistant", "tool"] * 7 + ["assistant"]


def test_each_run_has_the_whole_cap() -> None:
    shell = Shell(calls("probe"))
    shell.add_tool("probe", lambda args: None)
    shell.run()
    shell.run()
    assert len(shell.requests) == 16


@pytest.mark.parametrize("number", [3, 8])
def test_a_text_within_the_cap_is_a_normal_end(number: int) -> None:
    shell = Shell(*[calls("probe")] * (number - 1), text("Done"))
    shell.add_tool("probe", lambda args: None)
    shell.run()
    assert len(shell.requests) == number
    assert LIMIT_MESSAGE not in [message["content"] for message in shell.stored]
    assert shell.stored[-1]["content"] == "Done"


# One run at a time, and its abort


def test_a_second_run_is_rejected_while_the_first_is_open_and_disturbs_it_not() -> None:
    shell = Shell(calls("probe"), text("Done"))

    async def run_again() -> str:
        with pytest.raises(RunInProgressError, match="wait for its end"):
            await shell.orchestrator.run([QUESTION], CONTEXT)
        return "rejected"

    shell.add_tool("probe", lambda args: run_again())
    shell.run()
    assert shell.results["c1"]["result"] == "rejected"
    assert len(shell.requests) == 2
    assert shell.stored[-1]["content"] == "Done"


def test_an_abort_answers_every_open_call_with_cancelled_and_ends_idle() -> None:
    shell = Shell(calls("a", "b", "unknown"), text("Never asked"))

    async def abort() -> None:
        shell.orchestrator.abort()
        await forever()

    shell.add_tool("a", lambda args: "done")
    shell.add_tool("b", lambda args: abort())
    shell.run()
    assert shell.results["c1"]["result"] == "done"
    assert [shell.results[call]["error"] for call in ("c2", "c3")] == ["cancelled", "cancelled"]
    assert [message["role"] for message in shell.stored] == ["assistant", "tool", "tool", "tool"]
    assert len(shell.requests) == 1
    assert shell.chat.state.error is None
    assert shell.ended() == ("idle", None, False)


def test_an_abort_while_the_route_is_asked_adds_no_message_and_the_next_run_works() -> None:
    shell = Shell(text("Hello!"))

    async def abort() -> None:
        shell.orchestrator.abort()
        await forever()

    shell.before_answer = abort
    shell.run()
    assert shell.stored == []
    assert shell.ended() == ("idle", None, False)
    shell.before_answer = lambda: None
    shell.run()
    assert shell.stored[-1]["content"] == "Hello!"


def test_an_abort_before_the_first_post_sends_nothing() -> None:
    shell = Shell(text("Hello!"))
    shell.agent.subscribe(lambda state: shell.orchestrator.abort())
    shell.run()
    assert shell.requests == []
    assert shell.ended() == ("idle", None, False)


def test_an_abort_without_a_run_changes_nothing() -> None:
    shell = Shell(text("Hello!"))
    shell.orchestrator.abort()
    shell.run()
    assert shell.stored[-1]["content"] == "Hello!"


def test_a_task_that_is_cancelled_from_outside_closes_its_calls_and_stays_cancelled() -> None:
    shell = Shell(calls("a", "b"), text("Never asked"))

    async def cancel() -> bool:
        started = asyncio.Event()

        async def wait() -> None:
            started.set()
            await forever()

        shell.add_tool("a", lambda args: wait())
        shell.add_tool("b", lambda args: "never run")
        task = asyncio.create_task(shell.orchestrator.run([QUESTION], CONTEXT))
        await started.wait()
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(cancel())
    assert [result["error"] for result in shell.results.values()] == ["cancelled", "cancelled"]
    assert len(shell.requests) == 1
    assert shell.ended() == ("idle", None, False)
