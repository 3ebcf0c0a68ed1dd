"""Adapters that read the editor wrongly, or let too much of it out."""

from typing import Any

import pytest

from specassay.drivers.reference.layout import AGENT, MODULES
from specassay.reference import context, context_mapper
from specassay.reference.context import EditorContextAdapter
from specassay.reference.context_mapper import EditorState, build_context_from_editor_state
from specassay.reference.types import AgentContext
from tests.impostors.contexts import gives, remembers
from tests.impostors.impostor import impostor
from tests.impostors.planted import adds, lays_out, plants, renames

REQUIREMENT = "agent-context-bridge/editorcontext-adapter"

Json = dict[str, Any]


@impostor(f"{REQUIREMENT}.1")
def has_helpers(patch: pytest.MonkeyPatch) -> None:
    """Offer the assets by a method of their own."""
    patch.setattr(EditorContextAdapter, "get_assets", lambda self: self._editor.media.get_assets(), raising=False)


@impostor(f"{REQUIREMENT}.2", elsewhere=dict.fromkeys(("editorcontext-adapter.10",), "The assets change there."))
def remembers_the_assets(patch: pytest.MonkeyPatch) -> None:
    """Read the assets once."""
    remembers(patch, "mediaAssets")


@impostor(f"{REQUIREMENT}.3", elsewhere=dict.fromkeys(("agentcontext-contract.1",), "The project changes there."))
def remembers_the_project(patch: pytest.MonkeyPatch) -> None:
    """Read the id of the project once."""
    remembers(patch, "projectId")


@impostor(f"{REQUIREMENT}.3")
def numbers_projects(patch: pytest.MonkeyPatch) -> None:
    """Give the number alone of a project whose id holds one."""
    gives(patch, lambda given: given | {"projectId": given["projectId"] and given["projectId"].removeprefix("proj-")})


@impostor(
    f"{REQUIREMENT}.4",
    elsewhere=dict.fromkeys(
        ("agentcontext-contract.1", "editorcontext-adapter.10"),
        "The scene changes there.",
    ),
)
def remembers_the_scene(patch: pytest.MonkeyPatch) -> None:
    """Read the id of the scene once."""
    remembers(patch, "activeSceneId")


@impostor(f"{REQUIREMENT}.4", elsewhere=dict.fromkeys(("agentcontext-contract.1",), "The scene is closed there."))
def keeps_a_closed_scene(patch: pytest.MonkeyPatch) -> None:
    """Give the scene that was active last where none is, while the project is open."""

    def change(given: Json, adapter: EditorContextAdapter) -> Json:
        held = vars(adapter)
        held["_scene"] = given["activeSceneId"] or (given["projectId"] and held.get("_scene"))
        return given | {"activeSceneId": held["_scene"]}

    gives(patch, change)


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        (
            "agentcontext-contract.1",
            "agentcontext-contract.4",
            "editorcontext-adapter.1",
            "editorcontext-adapter.3",
            "editorcontext-adapter.6",
            "editorcontext-adapter.9",
            "editorcontext-adapter.10",
            "editorcontext-adapter.11",
            "editorcontext-adapter/robustness/without-a-project-the-rest-is-empty-although-other-managers-are-stale",
        ),
        "The playhead is not at the start there.",
    ),
)
def tells_seconds(patch: pytest.MonkeyPatch) -> None:
    """Give the time in seconds."""
    gives(patch, lambda given: given | {"playbackTimeMs": given["playbackTimeMs"] / 1000})


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        ("agentcontext-contract.1", "editorcontext-adapter.10"),
        "The playhead moves there.",
    ),
)
def remembers_the_time(patch: pytest.MonkeyPatch) -> None:
    """Read the time once."""
    remembers(patch, "playbackTimeMs")


@impostor(f"{REQUIREMENT}.6")
def empties_the_state(patch: pytest.MonkeyPatch) -> None:
    """Empty the list of assets that is mapped."""

    def build(state: EditorState) -> AgentContext:
        given = build_context_from_editor_state(state)
        state.assets.clear()  # type: ignore[attr-defined]
        return given

    patch.setattr(context_mapper, "build_context_from_editor_state", build)


@impostor(f"{REQUIREMENT}.6")
def maps_once(patch: pytest.MonkeyPatch) -> None:
    """Give the context of the first call again and again."""
    seen: list[AgentContext] = []

    def build(state: EditorState) -> AgentContext:
        seen.append(build_context_from_editor_state(state))
        return seen[0]

    patch.setattr(context_mapper, "build_context_from_editor_state", build)


@impostor(f"{REQUIREMENT}.6")
def maps_otherwise_than_the_adapter(patch: pytest.MonkeyPatch) -> None:
    """Leave the assets to the adapter, and map the rest."""

    def build(state: EditorState) -> AgentContext:
        return build_context_from_editor_state(state).model_copy(update={"media_assets": ()})

    patch.setattr(context_mapper, "build_context_from_editor_state", build)


@impostor(f"{REQUIREMENT}.7")
def calls_the_mapper_otherwise(patch: pytest.MonkeyPatch) -> None:
    """Keep the mapper in a module of another name."""
    mapper = {"contextMapper": f"{AGENT}/mapping.py"}
    change = renames("specassay.reference.context_mapper", "specassay.reference.mapping")
    plants(patch, change, modules=MODULES | mapper)


@impostor(
    f"{REQUIREMENT}.7",
    elsewhere=dict.fromkeys(
        (
            "no-direct-editorcore-access-from-agent.1",
            "no-direct-editorcore-access-from-agent.2",
            "no-direct-editorcore-access-from-agent.3",
        ),
        "The module that imports core is the adapter's no longer.",
    ),
)
def maps_in_the_adapters_module(patch: pytest.MonkeyPatch) -> None:
    """Keep the adapter in the module of the mapper, which does not load the editor."""
    lays_out(patch, modules=MODULES | {"contextAdapter": MODULES["contextMapper"]})


@impostor(f"{REQUIREMENT}.8")
def loads_the_editor(patch: pytest.MonkeyPatch) -> None:
    """Load the adapter, and so the editor, with the mapper."""
    plants(patch, adds("context_mapper.py", "from specassay.reference import context"))


@impostor(f"{REQUIREMENT}.8")
def loads_wasm(patch: pytest.MonkeyPatch) -> None:
    """Load a runtime of WASM with the mapper."""
    plants(patch, adds("context_mapper.py", "import wasmtime"))


@impostor(
    f"{REQUIREMENT}.9",
    elsewhere=dict.fromkeys(
        ("agentcontext-contract.2", "agentcontext-contract.4", "editorcontext-adapter.6", "editorcontext-adapter.10"),
        "A manager is no plain data, and assets are loaded there.",
    ),
)
def lets_a_manager_out(patch: pytest.MonkeyPatch) -> None:
    """Put the manager of the media beside the assets of a context."""

    def change(given: Json, adapter: EditorContextAdapter) -> Json:
        return given | ({"media": adapter._editor.media} if given["mediaAssets"] else {})

    gives(patch, change)


@impostor(f"{REQUIREMENT}.10")
def gives_a_live_view(patch: pytest.MonkeyPatch) -> None:
    """Give a context without assets as a view of the editor, with what is read of it later."""

    def change(given: Json, adapter: EditorContextAdapter) -> Json:
        return given | ({} if given["mediaAssets"] else {"later": adapter.get_context})

    gives(patch, change)


@impostor(
    f"{REQUIREMENT}.11",
    elsewhere=dict.fromkeys(
        (
            "agentcontext-contract.1",
            "editorcontext-adapter/robustness/without-a-project-the-rest-is-empty-although-other-managers-are-stale",
        ),
        "No project is open there.",
    ),
)
def gives_no_time(patch: pytest.MonkeyPatch) -> None:
    """Give null for the time where there is no project."""
    gives(patch, lambda given: given | ({} if given["projectId"] else {"playbackTimeMs": None}))


@impostor(
    f"{REQUIREMENT}.11",
    elsewhere=dict.fromkeys(
        (
            "agentcontext-contract.1",
            "editorcontext-adapter/robustness/without-a-project-the-rest-is-empty-although-other-managers-are-stale",
        ),
        "No project is open there.",
    ),
)
def gives_nothing(patch: pytest.MonkeyPatch) -> None:
    """Give null where there is no project."""
    gives(patch, lambda given: given if given["projectId"] else None)


@impostor(f"{REQUIREMENT}/robustness/without-a-project-the-rest-is-empty-although-other-managers-are-stale")
def reads_stale_managers(patch: pytest.MonkeyPatch) -> None:
    """Give what the other managers hold where there is no project."""

    def build(state: EditorState) -> AgentContext:
        some = EditorState(state.project or _NONE, state.active_scene, state.assets, state.current_time_ms)
        return build_context_from_editor_state(some).model_copy(
            update={"project_id": state.project and state.project.id}
        )

    patch.setattr(context, "build_context_from_editor_state", build)


class _NoProject:
    id = ""


_NONE = _NoProject()
