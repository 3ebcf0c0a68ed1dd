"""Contexts that are not of the shape that was agreed on, or do not get where they should."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

import pytest

from specassay.reference.context import EditorContextAdapter
from specassay.reference.orchestrator import Orchestrator
from specassay.reference.route import ChatRoute, Reply, error_reply
from specassay.reference.types import AgentContext, ChatMessage, ChatResponse, ToolCall
from tests.impostors.contexts import gives
from tests.impostors.impostor import impostor

REQUIREMENT = "agent-context-bridge/agentcontext-contract"

Json = dict[str, Any]


@impostor(
    f"{REQUIREMENT}.1",
    elsewhere=dict.fromkeys(
        (
            "agentcontext-contract.2",
            "agentcontext-contract.5",
            "agentcontext-contract.6",
            "editorcontext-adapter.1",
            "editorcontext-adapter.2",
            "editorcontext-adapter.3",
            "editorcontext-adapter.4",
            "editorcontext-adapter.5",
            "editorcontext-adapter.11",
            "editorcontext-adapter/robustness/without-a-project-the-rest-is-empty-although-other-managers-are-stale",
        ),
        "No scene, or no project, is open there.",
    ),
)
def leaves_out_what_is_null(patch: pytest.MonkeyPatch) -> None:
    """Leave out the fields that are null."""
    gives(patch, lambda context: {key: value for key, value in context.items() if value is not None})


@impostor(
    f"{REQUIREMENT}.1",
    elsewhere=dict.fromkeys(
        ("editorcontext-adapter.4", "editorcontext-adapter.10"),
        "A scene is active there, and no asset is loaded.",
    ),
)
def tells_no_scene_without_assets(patch: pytest.MonkeyPatch) -> None:
    """Tell of the scene only where there are assets in it."""
    gives(patch, lambda context: context | ({} if context["mediaAssets"] else {"activeSceneId": None}))


@impostor(
    f"{REQUIREMENT}.1",
    elsewhere=dict.fromkeys(
        (
            "agentcontext-contract.2",
            "agentcontext-contract.6",
            "editorcontext-adapter.2",
            "editorcontext-adapter.3",
            "editorcontext-adapter.4",
            "editorcontext-adapter.11",
            "editorcontext-adapter/robustness/without-a-project-the-rest-is-empty-although-other-managers-are-stale",
        ),
        "The playhead is at the start there.",
    ),
)
def tells_the_start_in_text(patch: pytest.MonkeyPatch) -> None:
    """Give the start of a scene as text."""
    gives(patch, lambda context: context | ({} if context["playbackTimeMs"] else {"playbackTimeMs": "0:00"}))


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere={
        "agentcontext-contract.5": "The route takes no asset without the key.",
        "editorcontext-adapter.10": "An image is among the assets.",
    },
)
def leaves_out_an_unknown_duration(patch: pytest.MonkeyPatch) -> None:
    """Leave out the duration of an asset that has none."""

    def change(context: Json) -> Json:
        assets = [{key: value for key, value in asset.items() if value is not None} for asset in context["mediaAssets"]]
        return context | {"mediaAssets": assets}

    gives(patch, change)


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere=dict.fromkeys(
        ("agentcontext-contract.4", "editorcontext-adapter.6", "editorcontext-adapter.9", "editorcontext-adapter.10"),
        "A handle is no plain data, and assets are loaded there.",
    ),
)
def passes_handles_on(patch: pytest.MonkeyPatch) -> None:
    """Pass the file handle of each asset on."""

    def change(context: Json, adapter: EditorContextAdapter) -> Json:
        pairs = zip(context["mediaAssets"], adapter._editor.media.get_assets(), strict=False)
        return context | {"mediaAssets": [summary | {"file": asset.handle} for summary, asset in pairs]}

    gives(patch, change)


@impostor(f"{REQUIREMENT}.3")
def keeps_the_first_context(patch: pytest.MonkeyPatch) -> None:
    """Run every time with the context of the first run."""
    original = Orchestrator.run

    async def run(self: Orchestrator, messages: Sequence[ChatMessage], context: AgentContext) -> None:
        kept = vars(self).setdefault("_first_context", context)
        await original(self, messages, kept)

    patch.setattr(Orchestrator, "run", run)


@impostor(f"{REQUIREMENT}.3")
def posts_the_context_once(patch: pytest.MonkeyPatch) -> None:
    """Post the context with the first iteration of a run, and the empty one afterwards."""
    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: Sequence[ChatMessage], context: AgentContext) -> ChatResponse:
        nothing = AgentContext(project_id=None, active_scene_id=None, media_assets=(), playback_time_ms=0)
        later = history[-1].role == "tool"
        return await original(self, tuple(history), nothing if later else context)

    patch.setattr(Orchestrator, "_ask", ask)


@impostor(f"{REQUIREMENT}.3")
def gives_tools_no_context(patch: pytest.MonkeyPatch) -> None:
    """Run the tools with the empty context."""
    original = Orchestrator._execute

    async def execute(self: Orchestrator, call: ToolCall, context: AgentContext) -> Any:
        nothing = AgentContext(project_id=None, active_scene_id=None, media_assets=(), playback_time_ms=0)
        return await original(self, call, nothing)

    patch.setattr(Orchestrator, "_execute", execute)


@impostor(
    f"{REQUIREMENT}.4",
    elsewhere=dict.fromkeys(
        ("editorcontext-adapter.6", "editorcontext-adapter.9", "editorcontext-adapter.10"),
        "What is no JSON is no plain data, and a scene is active there.",
    ),
)
def names_its_exporter(patch: pytest.MonkeyPatch) -> None:
    """Put a function beside a context with a scene."""
    gives(patch, lambda context: context | ({"exportedBy": gives} if context["activeSceneId"] else {}))


@impostor(f"{REQUIREMENT}.5")
def posts_ascii(patch: pytest.MonkeyPatch) -> None:
    """Post the names of assets in ASCII."""
    original = Orchestrator._ask

    async def ask(self: Orchestrator, history: tuple[ChatMessage, ...], context: AgentContext) -> ChatResponse:
        return await original(self, history, AgentContext.model_validate(_in_ascii(context.to_json())))

    patch.setattr(Orchestrator, "_ask", ask)


def _in_ascii(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _in_ascii(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_in_ascii(item) for item in value]
    return value.encode("ascii", "replace").decode() if isinstance(value, str) else value


def _checks(patch: pytest.MonkeyPatch, is_wrong: Callable[[AgentContext], bool]) -> None:
    original = ChatRoute._params

    def params(self: ChatRoute, request: Any) -> Any:
        if request.context and is_wrong(request.context):
            raise ValueError("This context cannot be used.")
        return original(self, request)

    patch.setattr(ChatRoute, "_params", params)
    chat = ChatRoute._chat

    async def answer(self: ChatRoute, body: bytes) -> Reply:
        try:
            return await chat(self, body)
        except ValueError as error:
            return error_reply(HTTPStatus.BAD_REQUEST, str(error))

    patch.setattr(ChatRoute, "_chat", answer)


@impostor(f"{REQUIREMENT}.5")
def takes_ascii_alone(patch: pytest.MonkeyPatch) -> None:
    """Refuse a context with a name beyond ASCII."""
    _checks(patch, lambda context: not all(asset.name.isascii() for asset in context.media_assets))


@impostor(f"{REQUIREMENT}.5")
def insists_on_durations(patch: pytest.MonkeyPatch) -> None:
    """Refuse a context with an asset whose duration is null."""
    _checks(patch, lambda context: any(asset.duration is None for asset in context.media_assets))


@impostor(f"{REQUIREMENT}.6", elsewhere=dict.fromkeys(("editorcontext-adapter.3",), "Two videos are loaded there."))
def tells_one_of_a_type(patch: pytest.MonkeyPatch) -> None:
    """Tell of one asset of each type."""
    _picks(patch, lambda asset: asset["type"])


@impostor(f"{REQUIREMENT}.6")
def tells_one_of_a_name(patch: pytest.MonkeyPatch) -> None:
    """Tell of one asset of each name."""
    _picks(patch, lambda asset: asset["name"])


def _picks(patch: pytest.MonkeyPatch, key: Callable[[Json], Any]) -> None:
    gives(patch, lambda context: context | {"mediaAssets": [*{key(a): a for a in context["mediaAssets"]}.values()]})
