"""System prompts that say too little, too much, or something else each time."""

from collections.abc import Callable, Sequence
from itertools import count

import pytest

from specassay.drivers.reference.layout import MODULES
from specassay.reference import prompt, route
from specassay.reference.prompt import build_system_prompt
from specassay.reference.registry import shipped_tools
from specassay.reference.types import AgentContext, MediaSummary
from tests.impostors.impostor import impostor
from tests.impostors.planted import adds, lays_out, plants

REQUIREMENT = "agent-context-bridge/context-injection-into-system-prompt"

Assets = Sequence[MediaSummary]


def _says(patch: pytest.MonkeyPatch, change: Callable[[str, AgentContext], object]) -> None:
    """Change the whole prompt, which the route sends too."""
    original = prompt.build_system_prompt
    for module in (prompt, route):
        patch.setattr(module, "build_system_prompt", lambda context: change(original(context), context))


def _summarises(patch: pytest.MonkeyPatch, change: Callable[[str, Assets], str]) -> None:
    """Change the summary of the assets, which the route's prompt holds too."""
    original = prompt.media_summary
    patch.setattr(prompt, "media_summary", lambda assets: change(original(assets), assets))


@impostor(
    f"{REQUIREMENT}.1",
    elsewhere=dict.fromkeys(
        (
            "context-injection-into-system-prompt.2",
            "context-injection-into-system-prompt.3",
            "context-injection-into-system-prompt.4",
            "context-injection-into-system-prompt.5",
            "context-injection-into-system-prompt.6",
            "context-injection-into-system-prompt.7",
            "context-injection-into-system-prompt.9",
            "context-injection-into-system-prompt/robustness/an-asset-whose-duration-is-not-known-is-told-of-without-one",
            "context-injection-into-system-prompt/robustness/assets-of-one-name-are-told-apart-by-their-ids",
        ),
        "An asset is loaded there, and the text is looked at.",
    ),
)
def returns_messages(patch: pytest.MonkeyPatch) -> None:
    """Give a list of messages where an asset is loaded."""

    def build(context: AgentContext) -> object:
        text = build_system_prompt(context)
        return [{"role": "system", "content": text}] if context.media_assets else text

    patch.setattr(prompt, "build_system_prompt", build)


@impostor(
    f"{REQUIREMENT}.2",
    elsewhere=dict.fromkeys(
        ("context-injection-into-system-prompt/robustness/assets-of-one-name-are-told-apart-by-their-ids",),
        "Two assets are loaded there.",
    ),
)
def tells_the_first_asset(patch: pytest.MonkeyPatch) -> None:
    """Tell of the first asset only."""
    original = prompt.media_summary
    patch.setattr(prompt, "media_summary", lambda assets: original(assets[:1]))


@impostor(f"{REQUIREMENT}.2")
def tells_no_types(patch: pytest.MonkeyPatch) -> None:
    """Leave the types of several assets out."""
    original = prompt.media_summary

    def summary(assets: Assets) -> str:
        several = len(assets) > 1
        return original([asset.model_copy(update={"type": "media"}) for asset in assets] if several else assets)

    patch.setattr(prompt, "media_summary", summary)


@impostor(f"{REQUIREMENT}.3")
def guides_only_without_media(patch: pytest.MonkeyPatch) -> None:
    """Speak of "the tools" alone where an asset is loaded and no project is open."""
    _says(
        patch,
        lambda text, context: (
            text.replace("transcribe_video", "the tool") if context.media_assets and not context.project_id else text
        ),
    )


@impostor(
    f"{REQUIREMENT}.3",
    elsewhere=dict.fromkeys(
        ("context-injection-into-system-prompt.4", "context-injection-into-system-prompt.6"),
        "The tool is looked for there too.",
    ),
)
def leaves_the_guidance_to_its_caller(patch: pytest.MonkeyPatch) -> None:
    """Name no tool that the caller does not pass."""
    nameless = [tool.model_copy(update={"name": "a tool"}) for tool in shipped_tools()]
    patch.setattr(prompt, "shipped_tools", lambda: nameless)


@impostor(
    f"{REQUIREMENT}.4",
    elsewhere=dict.fromkeys(
        (
            "context-injection-into-system-prompt.5",
            "context-injection-into-system-prompt.6",
            "context-injection-into-system-prompt.7",
        ),
        "No asset is loaded there.",
    ),
)
def says_nothing_without_media(patch: pytest.MonkeyPatch) -> None:
    """Give an empty text where no asset is loaded."""
    _says(patch, lambda text, context: text if context.media_assets else "")


@impostor(
    f"{REQUIREMENT}.4",
    elsewhere=dict.fromkeys(
        (
            "context-injection-into-system-prompt/robustness/an-asset-whose-duration-is-not-known-is-told-of-without-one",
        ),
        "It looks for the word too.",
    ),
)
def shows_undefined(patch: pytest.MonkeyPatch) -> None:
    """Say "undefined" for a scene that is not there."""
    _says(patch, lambda text, context: f"{text}\nScene: {context.active_scene_id or 'undefined'}")


@impostor(f"{REQUIREMENT}.4")
def shows_an_object(patch: pytest.MonkeyPatch) -> None:
    """Say "[object Object]" for a project."""
    _says(patch, lambda text, context: f"{text}\nProject: [object Object]" if context.project_id else text)


@impostor(f"{REQUIREMENT}.5")
def says_always_that_nothing_is_loaded(patch: pytest.MonkeyPatch) -> None:
    """Say that no asset is loaded, whatever is."""
    _summarises(patch, lambda text, assets: f"{text}\n{prompt.NO_MEDIA}")


@impostor(
    f"{REQUIREMENT}.5",
    elsewhere=dict.fromkeys(
        ("context-injection-into-system-prompt.4",),
        "The specification's own scenario of an empty context looks for it.",
    ),
)
def never_says_that_nothing_is_loaded(patch: pytest.MonkeyPatch) -> None:
    """List no assets where none is loaded, and say no more."""
    _summarises(patch, lambda text, assets: text if assets else "Media assets: none")


@impostor(f"{REQUIREMENT}.6")
def names_a_tool_that_is_not_there(patch: pytest.MonkeyPatch) -> None:
    """Name a tool that is not registered."""
    _says(patch, lambda text, context: f"{text}\n- echo_context: Gives the context back.")


@impostor(
    f"{REQUIREMENT}.6",
    elsewhere=dict.fromkeys(("context-injection-into-system-prompt.4",), "A project without a scene is open there."),
)
def names_no_tool_for_a_project(patch: pytest.MonkeyPatch) -> None:
    """Name no tool where a project without a scene is open."""

    def change(text: str, context: AgentContext) -> str:
        in_doubt = context.project_id and not context.active_scene_id
        return text.replace("transcribe_video", "the tool") if in_doubt else text

    _says(patch, change)


@impostor(f"{REQUIREMENT}.7")
def does_not_speak_of_text(patch: pytest.MonkeyPatch) -> None:
    """Do not say how to answer where no tool is needed."""
    _says(patch, lambda text, context: text.replace("When no tool is needed, respond in plain text.", ""))


@impostor(f"{REQUIREMENT}.8")
def builds_the_prompt_in_the_orchestrator(patch: pytest.MonkeyPatch) -> None:
    """Build the prompt where the loop is."""
    lays_out(patch, modules=MODULES | {"systemPrompt": MODULES["orchestrator"]})


@impostor(f"{REQUIREMENT}.8")
def loads_the_orchestrator(patch: pytest.MonkeyPatch) -> None:
    """Load the loop with the prompt."""
    plants(patch, adds("prompt.py", "from specassay.reference.orchestrator import MAX_ITERATIONS"))


@impostor(f"{REQUIREMENT}.9")
def counts_its_texts(patch: pytest.MonkeyPatch) -> None:
    """Give each text a number of its own."""
    numbers = count(1)
    _summarises(patch, lambda text, assets: f"{text}\n({next(numbers)})")


@impostor(f"{REQUIREMENT}.9")
def remembers_assets(patch: pytest.MonkeyPatch) -> None:
    """Tell of every asset that was ever in a project."""
    seen: dict[str | None, Assets] = {None: ()}

    def build(context: AgentContext) -> str:
        assets = (*seen.get(context.project_id, ()), *context.media_assets)
        if context.project_id:
            seen[context.project_id] = assets
        return build_system_prompt(context.model_copy(update={"media_assets": assets}))

    patch.setattr(prompt, "build_system_prompt", build)


@impostor(f"{REQUIREMENT}.10")
def loads_the_editor(patch: pytest.MonkeyPatch) -> None:
    """Load the adapter of the editor with the prompt."""
    plants(patch, adds("prompt.py", "from specassay.reference.context import EditorContextAdapter"))


@impostor(f"{REQUIREMENT}.10")
def loads_wasm_on_the_server(patch: pytest.MonkeyPatch) -> None:
    """Load a runtime of WASM with the route."""
    plants(patch, adds("route.py", "import wasmtime"))


@impostor(f"{REQUIREMENT}/robustness/an-asset-whose-duration-is-not-known-is-told-of-without-one")
def shows_none(patch: pytest.MonkeyPatch) -> None:
    """Write out a duration that is not known."""
    patch.setattr(prompt, "media_line", lambda asset: f"- {asset.name} ({asset.type}, {asset.id}, {asset.duration})")


@impostor(f"{REQUIREMENT}/robustness/assets-of-one-name-are-told-apart-by-their-ids")
def tells_no_ids(patch: pytest.MonkeyPatch) -> None:
    """Leave out the ids of the assets."""
    patch.setattr(prompt, "media_line", lambda asset: f"- {asset.name} ({asset.type})")
