"""Sources that reach the editor on ways that they must not take."""

from pathlib import Path

import pytest

from specassay.drivers.reference.layout import MODULES
from tests.impostors.impostor import impostor
from tests.impostors.planted import adds, lays_out, plants

REQUIREMENT = "agent-context-bridge/no-direct-editorcore-access-from-agent"

_DIRECT = {
    "no-direct-editorcore-access-from-agent.2": "What is imported from core itself is taken from it in any case.",
    "no-direct-editorcore-access-from-agent.3": "Its agent modules must not import core either.",
}
_SERVED = {"context-injection-into-system-prompt.10": "The route loads the module that imports it."}


@impostor(f"{REQUIREMENT}.1", elsewhere=_DIRECT)
def imports_core(patch: pytest.MonkeyPatch) -> None:
    """Import the editor in a module of the agent."""
    plants(patch, adds("stores.py", "from specassay.reference.core import EditorCore"))


@impostor(f"{REQUIREMENT}.1", elsewhere=_DIRECT | _SERVED)
def imports_core_relatively(patch: pytest.MonkeyPatch) -> None:
    """Import the editor by a relative path, inside a function of an adapter's own package."""
    plants(patch, adds("providers/factory.py", "def editor():", "    from ..core import EditorCore"))


@impostor(f"{REQUIREMENT}.1", elsewhere=_DIRECT)
def imports_core_for_types(patch: pytest.MonkeyPatch) -> None:
    """Import the editor for its types alone."""
    lines = ("from typing import TYPE_CHECKING", "if TYPE_CHECKING:", "    from specassay.reference import core")
    plants(patch, adds("validation.py", *lines))


@impostor(f"{REQUIREMENT}.1", elsewhere=_DIRECT | _SERVED)
def imports_core_by_name(patch: pytest.MonkeyPatch) -> None:
    """Import the editor through importlib, when a tool runs."""
    lines = ("import importlib", 'EDITOR = importlib.import_module("specassay.reference.core")')
    plants(patch, adds("registry.py", *lines))


@impostor(f"{REQUIREMENT}.1", elsewhere=_DIRECT)
def hands_core_on(patch: pytest.MonkeyPatch) -> None:
    """Hand the editor on from a new module of the agent."""
    plants(patch, adds("barrel.py", "from specassay.reference.core import EditorCore as EditorCore"))


@impostor(f"{REQUIREMENT}.2")
def takes_the_editor_from_a_barrel(patch: pytest.MonkeyPatch) -> None:
    """Import the editor from a module outside core that hands it on."""

    def change(agent: Path) -> None:
        adds("../shared.py", "from specassay.reference.core import EditorCore as EditorCore")(agent)
        adds("orchestrator.py", "from specassay.shared import EditorCore")(agent)

    plants(patch, change)


@impostor(f"{REQUIREMENT}.3")
def reads_a_global(patch: pytest.MonkeyPatch) -> None:
    """Take the editor's state from a global, so that no client needs the adapter."""
    lays_out(patch, client_entries=[MODULES["orchestrator"], MODULES["chatStore"]])
