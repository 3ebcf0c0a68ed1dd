"""Preparations of a managed child with one fault each."""

import json
import os
import secrets
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from specassay.reference.agent_tool import callback, cli, environment, jsonc, plugin
from specassay.reference.agent_tool.environment import ManagedTool, PreparationError
from tests.impostors.impostor import impostor

SPECIFICATION = "managed-agent-tool"
PURPOSE = f"{SPECIFICATION}/purpose"
FLOW = f"{SPECIFICATION}/runtime-flow"
PARITY = f"{SPECIFICATION}/runtime-parity"

ALONE = "purpose.2/the-tool-is-injected-into-a-managed-child-alone"
ENDS = "purpose/robustness/a-preparation-that-injects-nothing-ends-the-token-of-the-child-before"
COMMENTS = "runtime-flow/robustness/a-configuration-may-hold-comments-and-trailing-commas"
TWICE = "runtime-flow/robustness/a-child-that-is-prepared-twice-has-the-plugin-once"

Prepare = Callable[..., dict[str, str] | None]


def javascript(patch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Change one place of the plugin."""
    source = plugin.plugin_source()
    assert source.count(old) == 1, f"{source.count(old)} times in the plugin: {old}"
    patch.setattr(plugin, "plugin_source", lambda: source.replace(old, new))


def preparing(patch: pytest.MonkeyPatch, prepare: Callable[..., Any]) -> None:
    """Prepare by `prepare(original, tool, environment, settings, launch, data_directory)`."""
    original = ManagedTool.prepare

    def changed(tool: ManagedTool, given: Any, settings: Any, launch: Any, data: Path) -> Any:
        return prepare(lambda *further: original(tool, *further), tool, given, settings, launch, data)

    patch.setattr(ManagedTool, "prepare", changed)


def _injects_for(patch: pytest.MonkeyPatch, *launches: str) -> None:
    def prepare(original: Prepare, tool: ManagedTool, given: Any, settings: Any, launch: str, data: Path) -> Any:
        return original(given, settings, "managed" if launch in launches else launch, data)

    preparing(patch, prepare)


@impostor(f"{PURPOSE}.1")
def offers_a_second_tool(patch: pytest.MonkeyPatch) -> None:
    """Offer a tool that explains the first one beside it."""
    offered = "{ description: TOOL.description, args: TOOL.inputSchema, execute } "
    javascript(patch, offered + "}", offered + ", help: { description: 'Help.', args: {}, execute } }")


@impostor(
    f"{PURPOSE}.2",
    elsewhere=dict.fromkeys(
        ("runtime-parity.3", "runtime-parity.4", "runtime-parity.5"), "Each says it of one kind of agent."
    ),
)
def injects_always(patch: pytest.MonkeyPatch) -> None:
    """Inject the tool whoever runs the agent."""
    _injects_for(patch, "external-host", "skip-start", "vscode")


@impostor(f"{PARITY}.3", elsewhere={f"{ALONE}[external-host]": "So it says."})
def injects_into_an_external_agent(patch: pytest.MonkeyPatch) -> None:
    """Inject the tool into an external agent."""
    _injects_for(patch, "external-host")


@impostor(f"{PARITY}.4", elsewhere={f"{ALONE}[skip-start]": "So it says."})
def injects_into_an_agent_that_is_not_started(patch: pytest.MonkeyPatch) -> None:
    """Inject the tool although the agent is not started."""
    _injects_for(patch, "skip-start")


@impostor(f"{PARITY}.5", elsewhere={f"{ALONE}[vscode]": "So it says."})
def injects_into_an_extension(patch: pytest.MonkeyPatch) -> None:
    """Inject the tool into the agent of an editor's extension."""
    _injects_for(patch, "vscode")


def _with_setting(patch: pytest.MonkeyPatch, is_on: Callable[[Mapping[str, Any]], bool]) -> None:
    def prepare(original: Prepare, tool: ManagedTool, given: Any, settings: Any, launch: Any, data: Path) -> Any:
        return original(given, {environment.SETTING: is_on(settings)}, launch, data)

    preparing(patch, prepare)


@impostor(f"{PURPOSE}.3")
def takes_null_for_off(patch: pytest.MonkeyPatch) -> None:
    """Ask whether the setting is true where it is there."""
    _with_setting(patch, lambda settings: bool(settings.get(environment.SETTING, True)))


@impostor(
    f"{PURPOSE}.3",
    elsewhere={
        "purpose.6": "It is never applied.",
        ENDS: "None injects nothing.",
    },
)
def ignores_the_setting(patch: pytest.MonkeyPatch) -> None:
    """Inject the tool whatever the setting is."""
    _with_setting(patch, lambda settings: True)


@impostor(
    f"{PURPOSE}.6",
    elsewhere={
        "purpose.3": "What was decided first stays.",
        ENDS: "What was on stays on.",
    },
)
def reads_the_setting_once(patch: pytest.MonkeyPatch) -> None:
    """Keep to what the setting was at the first start."""

    def prepare(original: Prepare, tool: ManagedTool, given: Any, settings: Any, launch: Any, data: Path) -> Any:
        first = tool.__dict__.setdefault("settings", settings)
        return original(given, first, launch, data)

    preparing(patch, prepare)


@impostor(f"{PURPOSE}/robustness/a-preparation-that-injects-nothing-ends-the-token-of-the-child-before")
def keeps_the_token(patch: pytest.MonkeyPatch) -> None:
    """Keep the last token where nothing is injected."""

    def prepare(original: Prepare, tool: ManagedTool, *given: Any) -> Any:
        before = tool.token
        made = original(*given)
        tool.token = tool.token or before
        return made

    preparing(patch, prepare)


@impostor(f"{FLOW}.1")
def knows_its_port_beforehand(patch: pytest.MonkeyPatch) -> None:
    """Give the configured port before the listener is bound."""
    original = ManagedTool.__init__

    def init(tool: ManagedTool) -> None:
        original(tool)
        tool.port = 4096

    patch.setattr(ManagedTool, "__init__", init)


@impostor(f"{FLOW}.1")
def gives_port_zero(patch: pytest.MonkeyPatch) -> None:
    """Give port 0 as long as there is no other."""
    original = ManagedTool.__init__

    def init(tool: ManagedTool) -> None:
        original(tool)
        tool.port = 0

    patch.setattr(ManagedTool, "__init__", init)


@impostor(f"{FLOW}.2")
def writes_the_plugin_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """Write the plugin into another folder of the data directory."""
    original = plugin.materialize
    patch.setattr(environment, "materialize", lambda data: original(data / "plugins"))


def _configures(patch: pytest.MonkeyPatch, extend: Callable[[Mapping[str, Any], str], dict[str, Any]]) -> None:
    patch.setattr(environment, "with_plugin", extend)


KEPT = {
    "runtime-flow.4": "It looks at the whole list.",
    COMMENTS: "It looks at the whole list.",
    TWICE: "It looks at the whole list.",
}


@impostor(f"{FLOW}.3", elsewhere=KEPT)
def puts_the_plugin_first(patch: pytest.MonkeyPatch) -> None:
    """Put the plugin before all others."""

    def extend(config: Mapping[str, Any], url: str) -> dict[str, Any]:
        return {**config, "plugin": [url, *(entry for entry in config.get("plugin", []) if entry != url)]}

    _configures(patch, extend)


@impostor(f"{FLOW}.3", elsewhere=KEPT)
def appends_it_twice(patch: pytest.MonkeyPatch) -> None:
    """Append the plugin two times."""
    _configures(patch, lambda config, url: {**config, "plugin": [*config.get("plugin", []), url, url]})


@impostor(
    f"{FLOW}.4",
    elsewhere={
        COMMENTS: "One of its entries is no text.",
    },
)
def keeps_only_texts(patch: pytest.MonkeyPatch) -> None:
    """Drop the entries that are no texts."""
    original = environment.with_plugin

    def extend(config: Mapping[str, Any], url: str) -> dict[str, Any]:
        return original({**config, "plugin": [e for e in config.get("plugin", []) if isinstance(e, str)]}, url)

    _configures(patch, extend)


@impostor(
    f"{FLOW}.4",
    elsewhere={
        "runtime-flow.3": "Each configuration is compared whole.",
        COMMENTS: "It has another key.",
        TWICE: "It has other entries.",
    },
)
def replaces_the_configuration(patch: pytest.MonkeyPatch) -> None:
    """Make a new configuration with the plugin alone."""
    _configures(patch, lambda config, url: {"plugin": [url]})


def _draws(patch: pytest.MonkeyPatch, draw: Callable[[int], str]) -> None:
    patch.setattr(environment, "secrets", types.SimpleNamespace(token_urlsafe=draw))


@impostor(
    f"{FLOW}.5",
    elsewhere={
        "security-invariants.2/the-tokens-of-earlier-children-are-refused": "All children have one token.",
    },
)
def has_one_token(patch: pytest.MonkeyPatch) -> None:
    """Draw the token once for all children."""
    _draws(patch, lambda length: "one-token-for-all-children-of-this-server-0")


@impostor(f"{FLOW}.5")
def counts_its_tokens(patch: pytest.MonkeyPatch) -> None:
    """Make the token of the server's own id and a number."""
    numbers = iter(range(1_000_000))
    _draws(patch, lambda length: f"server-4711-of-this-machine-{next(numbers):06}")


@impostor(f"{FLOW}.5")
def draws_short_tokens(patch: pytest.MonkeyPatch) -> None:
    """Draw tokens of eleven characters."""
    _draws(patch, lambda length: secrets.token_urlsafe(8))


@impostor(f"{FLOW}.6", elsewhere={"runtime-flow.1": "It looks at the URL too."})
def gives_the_listeners_own_host(patch: pytest.MonkeyPatch) -> None:
    """Give the address that the listener is bound to, which may be all of them."""

    def prepare(original: Prepare, tool: ManagedTool, *given: Any) -> Any:
        made = original(*given)
        return made and {name: value.replace("//127.0.0.1:", "//0.0.0.0:") for name, value in made.items()}

    preparing(patch, prepare)


@impostor(f"{FLOW}.7")
def changes_what_it_is_given(patch: pytest.MonkeyPatch) -> None:
    """Write token and URL into the environment that the child's is made of."""

    def prepare(original: Prepare, tool: ManagedTool, given: dict[str, str], *further: Any) -> Any:
        made = original(given, *further)
        given.update(made or {})
        return made

    preparing(patch, prepare)


@impostor(f"{FLOW}.7")
def sets_them_on_the_server(patch: pytest.MonkeyPatch) -> None:
    """Set token and URL in the server's own process, from which every child has them."""

    def prepare(original: Prepare, tool: ManagedTool, *given: Any) -> Any:
        made = original(*given)
        for name in (plugin.TOKEN_VARIABLE, plugin.URL_VARIABLE):
            patch.setenv(name, (made or {}).get(name, ""))
        return made

    preparing(patch, prepare)


@impostor(
    f"{FLOW}.8",
    elsewhere=dict.fromkeys(("runtime-flow.1", "runtime-flow.6"), "The path is part of the callback URL."),
)
def serves_another_path(patch: pytest.MonkeyPatch) -> None:
    """Serve the callback at a path of its own."""
    for module in (environment, callback):
        patch.setattr(module, "CALLBACK_PATH", "/agent-tool")


@impostor(f"{FLOW}.8")
def asks_first_whether_it_may(patch: pytest.MonkeyPatch) -> None:
    """Send a request of another method first."""
    declared = "  let response, text;"
    javascript(patch, declared, f"  await fetch(url, {{ method: 'HEAD' }}).catch(() => 0);\n{declared}")


@impostor(f"{FLOW}/robustness/a-configuration-may-hold-comments-and-trailing-commas")
def knows_no_comments(patch: pytest.MonkeyPatch) -> None:
    """Read the configuration as plain JSON."""
    patch.setattr(jsonc, "parse", json.loads)


@impostor(f"{FLOW}/robustness/a-child-that-is-prepared-twice-has-the-plugin-once")
def appends_again(patch: pytest.MonkeyPatch) -> None:
    """Append the plugin although it is there."""
    _configures(patch, lambda config, url: {**config, "plugin": [*config.get("plugin", []), url]})


@impostor(f"{FLOW}/robustness/a-configuration-that-cannot-be-extended-is-refused-with-nothing-written")
def begins_anew(patch: pytest.MonkeyPatch) -> None:
    """Take a configuration that it cannot extend for an empty one."""
    original = environment.read_config

    def read(text: str) -> dict[str, Any]:
        try:
            return original(text)
        except PreparationError:
            return {}

    patch.setattr(environment, "read_config", read)


@impostor(f"{FLOW}/robustness/a-configuration-that-cannot-be-extended-is-refused-with-nothing-written")
def writes_before_it_reads(patch: pytest.MonkeyPatch) -> None:
    """Write the plugin before the configuration is read."""

    def prepare(original: Prepare, tool: ManagedTool, *given: Any) -> Any:
        plugin.materialize(given[-1])
        return original(*given)

    preparing(patch, prepare)


@impostor(f"{FLOW}/robustness/the-plugins-file-is-its-owners-alone")
def lets_all_read_the_plugin(patch: pytest.MonkeyPatch) -> None:
    """Write the plugin for everybody to read."""
    original = plugin.materialize

    def materialize(data: Path) -> str:
        url = original(data)
        os.chmod(data / "agent-tool" / "openchamber.mjs", 0o644)
        return url

    patch.setattr(environment, "materialize", materialize)


@impostor(f"{FLOW}/robustness/the-command-line-reaches-the-same-service")
def has_a_service_for_the_command_line(patch: pytest.MonkeyPatch) -> None:
    """Answer the command line without the service."""

    async def run(*arguments: Any) -> tuple[int, str]:
        return 0, '{"schemaVersion": 1, "ok": true, "action": "schedule.status", "data": {}}'

    patch.setattr(cli, "run", run)
