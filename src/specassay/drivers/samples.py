"""One harmless call of each operation, in an order in which each can work, with what its result must hold."""

from typing import Any, NamedTuple

PROBE = "specassay_probe"
"""The tool that the samples register, and that the chat route of an examination asks for."""

LEFT_BEHIND = "specassay_left_behind"
"""A tool that the next scenario must not find."""

_CONTEXT: dict[str, Any] = {"projectId": None, "activeSceneId": None, "mediaAssets": [], "playbackTimeMs": 0}
_MESSAGE = {"id": "m1", "role": "user", "content": "Hello", "timestamp": 1764500000000}
_DEFINITION = {
    "name": PROBE,
    "description": "Tries whether a tool can be run.",
    "parameters": [{"key": "q", "type": "string", "required": True}],
}
_EDITOR: dict[str, Any] = {"project": None, "activeScene": None, "assets": [], "currentTimeMs": 0}
_TRANSCRIPT = [{"role": "user", "content": "Hello"}]


class Sample(NamedTuple):
    """A call, and the fields that its result must have; none where the result is not read."""

    operation: str
    params: dict[str, Any]
    fields: tuple[str, ...] = ()


class Trace(NamedTuple):
    """A change of a surface's state, and where that shows: the field of what `read` is answered with."""

    change: Sample
    read: Sample
    field: str


TRACES = (
    Trace(
        Sample("chat-store.addMessage", {"message": {"role": "user", "content": "Left behind"}}),
        Sample("chat-store.getState", {}),
        "messages",
    ),
    Trace(Sample("agent-store.setStatus", {"status": "sending"}), Sample("agent-store.getState", {}), "status"),
    Trace(
        Sample("tool-registry.register", {"definition": {**_DEFINITION, "name": LEFT_BEHIND}}),
        Sample("tool-registry.has", {"name": LEFT_BEHIND}),
        "result",
    ),
)
"""What a scenario leaves, for the next one not to find."""


def environment(provider: str) -> dict[str, str]:
    """Give a complete set of `LLM_*` for a provider at this base URL."""
    return {
        "LLM_PROVIDER": "openai-compatible",
        "LLM_MODEL": "model-1",
        "LLM_API_KEY": "key-1",
        "LLM_BASE_URL": provider,
    }


def samples(provider: str) -> tuple[Sample, ...]:
    """Give the calls; operations that call a provider, or need what only a scenario sets up, have none."""
    return (
        Sample("chat-store.getState", {}, ("messages", "loading", "error")),
        Sample("chat-store.addMessage", {"message": {"role": "user", "content": "Hello"}}),
        Sample("chat-store.setLoading", {"loading": True}),
        Sample("chat-store.setError", {"error": None}),
        Sample("chat-store.getHistory", {}, ("entries",)),
        Sample("chat-store.getStorage", {}, ("storage",)),
        Sample("chat-store.reload", {}),
        Sample("chat-store.clearMessages", {}),
        Sample("agent-store.getState", {}, ("status", "activeTool", "context")),
        Sample("agent-store.setStatus", {"status": "sending"}),
        Sample("agent-store.setActiveTool", {"activeTool": "probe"}),
        Sample("agent-store.setContext", {"context": _CONTEXT}),
        Sample("agent-store.getHistory", {}, ("entries",)),
        Sample("agent-store.reset", {}),
        Sample("tool-registry.getAll", {}, ("definitions",)),
        Sample("tool-registry.register", {"definition": _DEFINITION}),
        Sample("tool-registry.get", {"name": PROBE}, ("definition",)),
        Sample("tool-registry.has", {"name": PROBE}, ("result",)),
        Sample("tool-registry.toToolSchemas", {}, ("schemas",)),
        Sample("tool-registry.stub", {"name": PROBE}),
        Sample("orchestrator.run", {"messages": [_MESSAGE], "context": _CONTEXT}, ("rejected",)),
        Sample("orchestrator.abort", {}),
        Sample("context-bridge.describe", {}, ("methods",)),
        Sample("context-bridge.getContext", {"editorState": _EDITOR}, ("context", "json", "notPlain")),
        Sample("context-bridge.buildContextFromEditorState", {"editorState": _EDITOR}, ("context", "inputUnchanged")),
        Sample("context-bridge.buildSystemPrompt", {"context": _CONTEXT}, ("prompt",)),
        Sample("source-layout.getSources", {}, ("root", "language", "modules")),
        Sample("chat-route.start", {"environment": environment(provider)}, ("origin",)),
        Sample("chat-route.stop", {}),
        Sample("provider-adapter.create", {"config": _config(provider)}),
        Sample("provider-adapter.describe", {"config": _config(provider)}, ("methods",)),
        Sample("transcript.validateMessage", {"message": _TRANSCRIPT[0]}, ("message",)),
        Sample("transcript.projectHistory", {"messages": _TRANSCRIPT}, ("messages",)),
    )


def _config(provider: str) -> dict[str, str]:
    return {"provider": "openai-compatible", "model": "model-1", "apiKey": "key-1", "baseUrl": provider}
