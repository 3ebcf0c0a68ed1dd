"""The fake provider: scripts of several turns in both families, its journal, egress, trap and isolation."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from specassay.provider.answers import Call, Failure, Play, Reply
from specassay.provider.endpoints import Endpoints
from specassay.provider.fake import FakeProvider
from specassay.provider.journal import Answer, Request, json_answer
from specassay.provider.player import Player
from specassay.provider.script import LIMIT, RAN_OUT
from specassay.provider.secrets import Secrets
from tests.provider.loopback import CHAT, CONTENTS, GEMINI, OPENAI, asked

TEXT = Reply("Hello!")
CALLS = Reply(calls=(Call("f", {"a": {"b": [1]}}), Call("g")))


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/custom/v1/chat/completions", "/chat/completions"])
def test_chat_completions_are_served_under_any_prefix(path: str) -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    [response] = asked(fake.handle, (path, CHAT))
    assert response.json()["choices"][0]["message"]["content"] == "Hello!"
    assert response.json()["model"] == "model-1"
    assert [one.request.path for one in fake.posts] == [path]


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_generate_content_is_served_in_both_versions(version: str) -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    [response] = asked(fake.handle, (f"/{version}/models/m%2F1:generateContent", CONTENTS))
    assert response.json()["candidates"][0]["content"] == {"role": "model", "parts": [{"text": "Hello!"}]}
    assert response.json()["modelVersion"] == "m/1"


def test_one_script_answers_both_families_in_turn() -> None:
    fake = FakeProvider()
    fake.script.then(TEXT, CALLS, Failure(429, "Slow down."), Play("text"))
    responses = asked(fake.handle, (GEMINI, CONTENTS), (OPENAI, CHAT), (GEMINI, CONTENTS), (OPENAI, CHAT))
    assert responses[0].json()["candidates"][0]["finishReason"] == "STOP"
    assert [call["function"]["name"] for call in responses[1].json()["choices"][0]["message"]["tool_calls"]] == [
        "f",
        "g",
    ]
    assert responses[2].json() == {"error": {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED"}}
    assert responses[3].json()["choices"][0]["message"]["content"] == "Hello!"
    assert [one.note for one in fake.posts] == [None] * 4


def test_openai_calls_have_arguments_as_text_and_ids_that_are_unique_across_turns() -> None:
    fake = FakeProvider()
    fake.script.then(CALLS, CALLS)
    bodies = [response.json() for response in asked(fake.handle, (OPENAI, CHAT), (OPENAI, CHAT))]
    calls = [call for body in bodies for call in body["choices"][0]["message"]["tool_calls"]]
    assert len({call["id"] for call in calls}) == 4
    assert json.loads(calls[0]["function"]["arguments"]) == {"a": {"b": [1]}}
    assert bodies[0]["choices"][0]["message"]["content"] is None
    assert bodies[0]["choices"][0]["finish_reason"] == "tool_calls"


def test_gemini_calls_have_args_as_an_object_and_an_id_only_where_one_is_given() -> None:
    fake = FakeProvider()
    fake.script.then(Reply("So.", (Call("f", {"a": 1}), Call("g", id="id-1")), signature="c2ln"))
    [response] = asked(fake.handle, (GEMINI, CONTENTS))
    assert response.json()["candidates"][0]["content"]["parts"] == [
        {"text": "So."},
        {"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": "c2ln"},
        {"functionCall": {"name": "g", "args": {}, "id": "id-1"}},
    ]
    assert response.json()["candidates"][0]["finishMessage"] == "Model generated function call(s)."


def test_an_id_that_is_given_is_kept_even_if_it_is_empty() -> None:
    fake = FakeProvider()
    fake.script.then(Reply(calls=(Call("f", id=""), Call("f", id="x"))))
    [response] = asked(fake.handle, (OPENAI, CHAT))
    assert [call["id"] for call in response.json()["choices"][0]["message"]["tool_calls"]] == ["", "x"]


@pytest.mark.parametrize(("path", "body"), [(OPENAI, CHAT), (GEMINI, CONTENTS)])
def test_a_script_that_runs_out_answers_500_in_the_shape_of_the_family_and_says_so(path: str, body: Any) -> None:
    fake = FakeProvider()
    [response] = asked(fake.handle, (path, body))
    assert response.status_code == 500
    assert response.json()["error"]["message"] == RAN_OUT
    assert ("status" in response.json()["error"]) == (path == GEMINI)
    assert fake.posts[0].note == RAN_OUT


def test_an_answer_for_ever_ends_at_the_limit() -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    fake.script.always(CALLS)
    responses = asked(fake.handle, *[(OPENAI, CHAT)] * (LIMIT + 1))
    assert [response.status_code for response in responses] == [200] * LIMIT + [500]


def test_errors_tell_the_sdks_not_to_retry_and_answers_do_not() -> None:
    fake = FakeProvider()
    own = Answer(429, b"{}", (("x-should-retry", "true"),))
    fake.script.then(TEXT, Failure(503), Play("error-rate-limit"), own)
    responses = asked(fake.handle, *[(OPENAI, CHAT)] * 4)
    assert [response.headers.get("x-should-retry") for response in responses] == [None, "false", "false", "true"]


def test_a_turn_may_be_made_of_the_request() -> None:
    fake = FakeProvider()
    fake.script.always(lambda request: Reply(request.json["messages"][0]["content"]))
    [response] = asked(fake.handle, (OPENAI, CHAT))
    assert response.json()["choices"][0]["message"]["content"] == "Hi."


def test_an_exchange_that_there_is_not_is_answered_as_a_fault_and_noted() -> None:
    fake = FakeProvider()
    fake.script.then(Play("no-such"))
    [response] = asked(fake.handle, (OPENAI, CHAT))
    assert response.status_code == 500
    assert "there is no exchange 'openai/no-such'" in (fake.posts[0].note or "")


def test_the_journal_keeps_bytes_and_headers_as_they_came() -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    asked(fake.handle, (OPENAI, {**CHAT, "n": "ä\u202e"}), headers={"X-Mine": "a b"})
    request = fake.posts[0].request
    assert request.body == json.dumps({**CHAT, "n": "ä\u202e"}).encode()
    assert request.header("x-mine") == "a b"
    assert request.header("authorization") == "Bearer key-1"
    assert fake.posted(1)["n"] == "ä\u202e"
    assert fake.posted(2) is None


@pytest.mark.parametrize("path", ["/", "/v1/models", "/v1/chat/completionsx", "/v1beta/models/m:streamGenerateContent"])
def test_another_path_is_answered_404_noted_and_takes_no_turn(path: str) -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    responses = asked(fake.handle, (path, CHAT), (OPENAI, CHAT))
    assert [response.status_code for response in responses] == [404, 200]
    assert [one.note for one in fake.exchanges] == ["no provider serves this", None]


@pytest.mark.parametrize("target", ["*", "//", "//[", "//x/y", "http://[::1/", "?", "/%zz?%"])
def test_an_odd_target_is_answered_404_and_can_be_shown(target: str) -> None:
    shown: list[str] = []
    player = Player([], lambda exchange, played: shown.append(Secrets().clean_url(exchange.url)))
    assert asyncio.run(player.handle(Request("POST", target, (), b""))).status == 404
    assert len(shown) == 1


def test_a_get_is_no_call() -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    answer = asyncio.run(fake.handle(Request("GET", OPENAI, (), b"")))
    assert answer.status == 404
    assert fake.posts == []


@pytest.mark.parametrize(
    ("url", "body", "key"),
    [
        ("https://api.openai.com/v1/chat/completions", CHAT, "choices"),
        ("https://generativelanguage.googleapis.com/v1beta/models/m:generateContent?key=k", CONTENTS, "candidates"),
    ],
)
def test_egress_answers_as_the_family_of_the_original_url_and_keeps_that_url(url: str, body: Any, key: str) -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    [response] = asked(fake.handle, ("/egress", body), headers={"x-specassay-url": url})
    assert key in response.json()
    assert [one.url for one in fake.came_to("egress")] == [url]
    assert fake.posts == fake.came_to("egress")


def test_egress_keeps_what_is_no_call_of_a_model() -> None:
    fake = FakeProvider()
    [response] = asked(fake.handle, ("/egress", {}), headers={"x-specassay-url": "https://telemetry.example.org/v1"})
    assert response.status_code == 404
    assert [one.url for one in fake.came_to("egress")] == ["https://telemetry.example.org/v1"]
    assert fake.posts == []


def test_an_original_url_counts_at_the_egress_only() -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    asked(fake.handle, (OPENAI, CHAT), headers={"x-specassay-url": "https://elsewhere.example.org/"})
    assert fake.posts[0].url == OPENAI


def test_the_trap_keeps_what_came_and_takes_no_turn() -> None:
    fake = FakeProvider()
    fake.script.then(TEXT)
    [response] = asked(fake.handle, ("/trap/v1/chat/completions", CHAT))
    assert response.status_code == 404
    assert [one.request.path for one in fake.came_to("trap")] == ["/trap/v1/chat/completions"]
    assert fake.posts == []


def test_two_scenarios_at_once_share_nothing() -> None:
    async def play() -> tuple[list[Any], list[int]]:
        scenes = [Endpoints(_silent), Endpoints(_silent)]
        addresses = [await scene.start() for scene in scenes]
        for number, scene in enumerate(scenes):
            scene.provider.script.then(Reply(f"answer {number}"))
        async with httpx.AsyncClient(trust_env=False) as client:
            bodies = [
                (await client.post(f"{at['provider']}/chat/completions", json=CHAT)).json()
                for at in reversed(addresses)
            ]
        for scene in scenes:
            await scene.close()
        return [body["choices"][0]["message"]["content"] for body in bodies], [len(one.exchanges) for one in scenes]

    assert asyncio.run(play()) == (["answer 1", "answer 0"], [1, 1])


async def _silent(request: Request) -> Answer:
    return json_answer({})
