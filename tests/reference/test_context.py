"""The context bridge: what the agent sees of the editor, and what it does not."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from specassay.reference import context_mapper
from specassay.reference.context import EditorContextAdapter
from specassay.reference.context_mapper import EditorState, build_context_from_editor_state
from specassay.reference.core import EditorCore, MediaAsset, Project, Scene
from specassay.reference.types import EMPTY_CONTEXT


def editor() -> EditorCore:
    core = EditorCore()
    core.project.active = Project("proj-1")
    core.scenes.active = Scene("scene-1")
    core.media.assets = [asset(core, "a1", "video", 30), asset(core, "a2", "video", 1.5), asset(core, "a3", "image")]
    core.playback.time_ms = 12345
    return core


def asset(core: EditorCore, asset_id: str, kind: str, duration: float | None = None) -> MediaAsset:
    return MediaAsset(asset_id, f"{asset_id}.bin", kind, duration, handle=object(), editor=core)


def test_every_field_comes_from_the_editor() -> None:
    assert EditorContextAdapter(editor()).get_context().to_json() == {
        "projectId": "proj-1",
        "activeSceneId": "scene-1",
        "mediaAssets": [
            {"id": "a1", "name": "a1.bin", "type": "video", "duration": 30},
            {"id": "a2", "name": "a2.bin", "type": "video", "duration": 1.5},
            {"id": "a3", "name": "a3.bin", "type": "image", "duration": None},
        ],
        "playbackTimeMs": 12345,
    }


def test_the_adapter_has_the_single_method_get_context() -> None:
    assert [name for name in dir(EditorContextAdapter) if not name.startswith("_")] == ["get_context"]


def test_every_call_reads_the_editor_anew() -> None:
    core = editor()
    adapter = EditorContextAdapter(core)
    before = adapter.get_context()
    core.project.active, core.scenes.active = Project("proj-2"), None
    core.media.assets.pop()
    core.playback.time_ms = 1
    after = adapter.get_context()
    assert (before.project_id, before.active_scene_id, len(before.media_assets)) == ("proj-1", "scene-1", 3)
    assert (after.project_id, after.active_scene_id, len(after.media_assets)) == ("proj-2", None, 2)
    assert after.playback_time_ms == 1


def test_without_a_project_the_context_is_empty_whatever_the_other_managers_hold() -> None:
    core = editor()
    core.project.active = None
    assert EditorContextAdapter(core).get_context() == EMPTY_CONTEXT
    assert EditorContextAdapter(EditorCore()).get_context() == EMPTY_CONTEXT


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_json_does_not_have_become_null_and_zero(number: float) -> None:
    core = editor()
    core.media.assets = [asset(core, "a1", "video", number)]
    core.playback.time_ms = number
    context = EditorContextAdapter(core).get_context().to_json()
    assert json.loads(json.dumps(context, allow_nan=False)) == context
    assert (context["mediaAssets"][0]["duration"], context["playbackTimeMs"]) == (None, 0)


def test_the_mapper_is_pure() -> None:
    core = editor()
    assets = tuple(core.media.assets)
    state = EditorState(core.project.active, core.scenes.active, assets, 12345)
    before = [dict(vars(asset)) for asset in assets]
    assert build_context_from_editor_state(state) == build_context_from_editor_state(state)
    assert build_context_from_editor_state(state) == EditorContextAdapter(core).get_context()
    assert [vars(asset) for asset in assets] == before


def test_only_the_adapter_imports_the_editor() -> None:
    folder = Path(context_mapper.__file__).parent
    importers = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("specassay.reference.core"):
                importers.add(file.name)
    assert importers == {"context.py"}


@pytest.mark.parametrize("module", ["context_mapper", "prompt", "route"])
def test_mapper_prompt_and_route_load_without_the_editor(module: str) -> None:
    code = f"import sys, specassay.reference.{module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert f"specassay.reference.{module}" in loaded
    assert not [name for name in loaded if name.startswith("specassay.reference.core")]
