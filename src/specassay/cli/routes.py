"""The options of `specassay run` for a server that is tested without a driver."""

import socket
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from specassay.drivers.server import FIXED, origin_of, usual_environment
from specassay.errors import UsageError
from specassay.results import drivers
from specassay.results.drivers import Driver
from specassay.results.plan import Route
from specassay.visible import visible

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--route-cmd",
        multiple=True,
        metavar="[NAME=]COMMAND",
        help="Test the chat route of the server that this command starts, or a configured one by its name, "
        "without a driver; repeatable.",
    ),
    click.option(
        "--route-url", metavar="URL", help="Test the chat route of a server that is up already at this origin."
    ),
    click.option(
        "--provider-port",
        type=click.IntRange(1, 65535),
        metavar="N",
        help="Be the provider of that server on this port, to which its LLM_BASE_URL points.",
    ),
    click.option(
        "--allow-remote", is_flag=True, help="Let --route-url be another machine's, and send faults to its server."
    ),
    click.option("--tool-result-role", metavar="ROLE", help="Post tool results with this role [default: tool]."),
    click.option(
        "--tool-call-id-field",
        metavar="FIELD",
        help="Post the id of the call that a tool result answers in this field [default: toolCallId].",
    ),
)


def route_options(command: Command) -> Command:
    """Give a command the options of a server without a driver."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def routes(options: Mapping[str, Any], configured: Mapping[str, Driver]) -> tuple[Driver, ...]:
    """Give the servers that the options name. Raises `UsageError` for options that make no sense together."""
    _refuse_idle(options)
    said = {key: options[key] for key in ("tool_result_role", "tool_call_id_field") if options[key] is not None}
    route = Route(provider_port=options["provider_port"] or 0, **said)
    started = drivers.started(options["route_cmd"], configured, Route(**said))
    if options["route_url"] is None:
        return started
    origin = origin_of(options["route_url"], remote=options["allow_remote"])
    _require_free(route.provider_port)
    environment = usual_environment(FIXED, f"http://127.0.0.1:{route.provider_port}/v1")
    words = " ".join(f"{name}={value}" for name, value in environment.items())
    click.echo(f"{visible(origin)} must have been started with {words}", err=True)
    return (*started, drivers.running(origin, route))


def _refuse_idle(options: Mapping[str, Any]) -> None:
    """Refuse an option that says something about what is not tested, or cannot be done."""
    url, port = options["route_url"], options["provider_port"]
    if (url is None) != (port is None):
        raise UsageError(
            "--route-url and --provider-port belong together: the server that is up already must find its provider"
        )
    if options["allow_remote"] and url is None:
        raise UsageError("--allow-remote is for --route-url")
    if options["isolate"] and url is not None:
        raise UsageError("--isolate starts a new process for each scenario, which --route-url cannot")
    for name in ("tool_result_role", "tool_call_id_field"):
        if options[name] is not None and url is None and not options["route_cmd"]:
            raise UsageError(f"--{name.replace('_', '-')} is for --route-cmd and --route-url; a driver declares it")
        if options[name] == "":
            raise UsageError(f"--{name.replace('_', '-')} is empty")


def _require_free(port: int) -> None:
    try:
        with socket.create_server(("127.0.0.1", port)):
            pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"--provider-port {port}: cannot listen there: {reason}; end what does, or choose another"
        ) from None
