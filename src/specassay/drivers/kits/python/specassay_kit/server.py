"""The surfaces of the server, and of the sources: the chat route on a real port, the provider adapter, the layout."""

import asyncio
import contextlib
import socket
import threading
import wsgiref.simple_server
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from .driver import Scenario
from .values import Operations, camel, pick, public_methods, settled

Serve = Callable[[Any], contextlib.AbstractAsyncContextManager[str]]
"""Serves an application while its context is open, and gives the origin, `http://127.0.0.1:<port>`."""


@contextlib.asynccontextmanager
async def serve_asgi(app: Any, host: str = "127.0.0.1") -> AsyncIterator[str]:
    """Serve an ASGI application with uvicorn, in this event loop, on a port that the system chose.

    Whatever the headers say, the application is told who the peer really is.
    """
    try:
        import uvicorn
    except ImportError:
        message = "serve_asgi needs uvicorn: install it, or give chat_route another `serve`"
        raise RuntimeError(message) from None
    config = uvicorn.Config(app, interface="asgi3", log_config=None, access_log=False, ws="none", proxy_headers=False)
    config.load()
    server, listener = uvicorn.Server(config), _listener(host)
    server.lifespan = config.lifespan_class(config)
    try:
        await server.startup([listener])
    except SystemExit:  # uvicorn would end the process
        listener.close()
        raise RuntimeError("the application refused to start; its log says why") from None
    try:
        yield f"http://{'[::1]' if host == '::1' else '127.0.0.1'}:{listener.getsockname()[1]}"
    finally:  # not server.shutdown, nor server.serve: they look for the end every 100 ms
        for listening in server.servers:
            listening.close()
        for connection in list(server.server_state.connections):
            connection.transport.close()
        for task in (tasks := list(server.server_state.tasks)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.lifespan.shutdown()


def _listener(host: str) -> socket.socket:
    if ":" in host:
        return socket.create_server((host, 0), family=socket.AF_INET6, dualstack_ipv6=host == "::")
    return socket.create_server((host, 0))


@contextlib.asynccontextmanager
async def serve_wsgi(app: Any) -> AsyncIterator[str]:
    """Serve a WSGI application in a thread, on a loopback port that the system chose."""
    with wsgiref.simple_server.make_server("127.0.0.1", 0, app, handler_class=_QuietHandler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _QuietHandler(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing of a request."""


def chat_route(scenario: Scenario, start: Callable[..., Any], *, serve: Serve = serve_asgi) -> Operations:
    """Make the surface `chat-route` of `start(environment, tools)`, which gives the application to serve.

    `environment` is the complete set of `LLM_*`, which the process has too where it is the driver's own. `tools` are
    dicts `{name, description, parameters, execute}`, to be registered beside what the product ships.
    """
    running = scenario._running  # also after a reload of the client

    async def begin(environment: dict[str, str], tools: Sequence[dict[str, Any]] | None = None) -> dict[str, Any]:
        await running.aclose()
        scenario._driver._set_environment(environment)
        running.callback(scenario._driver._set_environment, scenario.environment)
        defined = [tool | {"execute": partial(scenario.execute_tool, tool["name"])} for tool in tools or ()]
        return {"origin": await running.enter_async_context(serve(await settled(start(environment, defined))))}

    return {"start": begin, "stop": running.aclose}


def provider_adapter(
    create: Callable[[dict[str, Any]], Any], chat: Callable[..., Any], interface: Any = None
) -> Operations:
    """Make the surface `provider-adapter` of the factory, `create(config)`, with `{provider, model, apiKey, baseUrl?}`.

    `chat(adapter, messages, system_prompt, tool_schemas)` makes one call, and gives what has `content` and `tool_calls`
    or `toolCalls`; `tool_schemas` is None where there are none. `interface` is the class whose public methods are the
    adapter's interface; without one they are the adapter's own. All may be async.
    """

    async def make(config: dict[str, Any]) -> None:
        await settled(create(config))

    async def call(
        config: dict[str, Any], messages: Any, system_prompt: str, tool_schemas: Any = None
    ) -> dict[str, Any]:
        adapter = await settled(create(config))
        response = await settled(chat(adapter, messages, system_prompt, tool_schemas))
        return pick(response, ("content", "toolCalls"))

    async def describe(config: dict[str, Any]) -> dict[str, Any]:
        return {"methods": public_methods(interface or await settled(create(config)))}

    return {"create": make, "chat": call, "describe": describe}


def source_layout(
    *,
    root: str,
    agent_directory: str,
    core_directory: str,
    modules: Mapping[str, str],
    language: str = "python",
    aliases: Mapping[str, str] | None = None,
    test_patterns: Sequence[str] = (),
    server_entries: Sequence[str] = (),
    client_entries: Sequence[str] = (),
    typecheck: Sequence[str] | None = None,
) -> Operations:
    """Make the surface `source-layout`; every path but `root` is relative to it.

    `modules` names a file for each role, `types`, `chatStore` and so on; `typecheck` is the command, run in `root`.
    """
    sources = {
        "root": root,
        "language": language,
        "agent_directory": agent_directory,
        "core_directory": core_directory,
        "aliases": aliases or {},
        "test_patterns": test_patterns,
        "server_entries": server_entries,
        "client_entries": client_entries,
        "modules": modules,
        "typecheck": {"command": typecheck, "directory": "."} if typecheck else None,
    }
    return {"getSources": lambda: {camel(name): value for name, value in sources.items()}}
