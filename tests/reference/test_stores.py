"""The stores: every action changes what it names, and the messages survive a reload."""

import json
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from specassay.reference.stores import STORAGE_KEY, AgentState, AgentStore, ChatState, ChatStore
from specassay.reference.types import EMPTY_CONTEXT, AgentContext, ChatMessage, ExecutionState

TURN: list[dict[str, Any]] = [
    {"id": "m1", "role": "user", "content": "Hello", "timestamp": 1},
    {
        "id": "m2",
        "role": "assistant",
        "content": "",
        "toolCalls": [{"id": "c1", "name": "probe", "args": {"x": None}}],
        "timestamp": 2,
    },
    {"id": "m3", "role": "tool", "content": '{"result": 1}', "toolCallId": "c1", "timestamp": 3},
]


def chat_store() -> ChatStore:
    return ChatStore({})


def contents(store: ChatStore) -> list[str]:
    return [message.content for message in store.state.messages]


def test_a_fresh_chat_is_empty_not_loading_and_without_error() -> None:
    assert chat_store().state.to_json() == {"messages": [], "loading": False, "error": None}


def test_messages_are_appended_in_order_equal_ones_too() -> None:
    store = chat_store()
    for content in "ABA":
        store.add_message({"role": "user", "content": content})
    assert contents(store) == ["A", "B", "A"]
    assert len({message.id for message in store.state.messages}) == 3


def test_a_given_message_is_stored_unchanged() -> None:
    store = chat_store()
    for message in TURN:
        store.add_message(message)
    assert store.state.to_json()["messages"] == TURN


def test_messages_that_belong_together_are_one_change() -> None:
    store = chat_store()
    seen: list[int] = []
    store.subscribe(lambda state: seen.append(len(state.messages)))
    store.add_messages(ChatMessage.model_validate(message) for message in TURN)
    assert seen == [3]


def test_loading_is_set_not_toggled() -> None:
    store = chat_store()
    seen = []
    for loading in (True, True, False):
        store.set_loading(loading)
        seen.append(store.state.loading)
    assert seen == [True, True, False]


def test_an_error_ends_loading_and_stays_until_it_is_cleared() -> None:
    store = chat_store()
    store.set_loading(True)
    store.set_error("API failed")
    assert (store.state.error, store.state.loading) == ("API failed", False)
    store.add_message({"role": "user", "content": "A"})
    store.set_loading(False)
    assert store.state.error == "API failed"
    store.set_error(None)
    assert store.state.error is None


def test_clearing_an_error_does_not_end_loading() -> None:
    store = chat_store()
    store.set_loading(True)
    store.set_error(None)
    assert store.state.loading is True


def test_a_reload_finds_the_messages_and_neither_loading_nor_error() -> None:
    storage: dict[str, str] = {}
    store = ChatStore(storage)
    for message in TURN:
        store.add_message(message)
    store.set_error("API failed")
    store.set_loading(True)
    assert json.loads(storage[STORAGE_KEY]) == TURN
    assert ChatStore(storage).state.to_json() == {"messages": TURN, "loading": False, "error": None}


def test_cleared_messages_are_gone_after_a_reload_too() -> None:
    storage: dict[str, str] = {}
    store = ChatStore(storage)
    store.add_message(TURN[0])
    store.clear_messages()
    assert store.state.messages == ()
    assert ChatStore(storage).state.messages == ()


def test_a_reload_answers_a_call_that_an_interruption_left_open() -> None:
    storage = {STORAGE_KEY: json.dumps([TURN[1], TURN[0]])}
    restored = [(message.role, message.tool_call_id) for message in ChatStore(storage).state.messages]
    assert restored == [("assistant", None), ("tool", "c1"), ("user", None)]


@pytest.mark.parametrize("text", ["{", '[{"role": "user"}]'])
def test_a_storage_that_holds_no_chat_is_refused_with_the_name_of_the_entry(text: str) -> None:
    with pytest.raises(ValueError, match=STORAGE_KEY):
        ChatStore({STORAGE_KEY: text})


def test_a_listener_gets_each_new_state_until_it_unsubscribes() -> None:
    store = chat_store()
    seen: list[ChatState] = []
    unsubscribe = store.subscribe(seen.append)
    store.set_loading(True)
    store.set_loading(False)
    unsubscribe()
    unsubscribe()
    store.set_loading(True)
    assert [state.loading for state in seen] == [True, False]


def test_a_state_that_was_read_does_not_change_later() -> None:
    store = chat_store()
    before = store.state
    store.add_message(TURN[0])
    assert before.messages == ()


def test_a_fresh_agent_is_idle() -> None:
    assert AgentStore().state.to_json() == {"status": "idle", "activeTool": None, "context": None}


@pytest.mark.parametrize("status", get_args(ExecutionState))
def test_each_status_is_set_alone(status: ExecutionState) -> None:
    store = AgentStore()
    store.set_active_tool("a")
    store.set_status(status)
    assert store.state == AgentState(status=status, active_tool="a", context=None)


def test_an_unknown_status_is_refused() -> None:
    store = AgentStore()
    with pytest.raises(ValidationError):
        store.set_status("busy")  # type: ignore[arg-type]
    assert store.state.status == "idle"


def test_the_active_tool_is_set_alone() -> None:
    store = AgentStore()
    store.set_status("sending")
    store.set_active_tool("a")
    assert (store.state.status, store.state.active_tool) == ("sending", "a")
    store.set_active_tool(None)
    assert store.state.active_tool is None


def test_a_context_replaces_the_one_before() -> None:
    asset = {"id": "a1", "name": "Ü.mp4", "type": "video", "duration": 1.5}
    context = {"projectId": "p", "activeSceneId": "s", "mediaAssets": [asset], "playbackTimeMs": 5}
    store = AgentStore()
    store.set_context(AgentContext.model_validate(context))
    assert store.state.to_json()["context"] == context
    store.set_context(EMPTY_CONTEXT)
    assert store.state.context == EMPTY_CONTEXT


def test_reset_returns_to_idle_from_an_error() -> None:
    store = AgentStore()
    store.set_status("error")
    store.set_active_tool("a")
    store.reset()
    assert (store.state.status, store.state.active_tool) == ("idle", None)
