"""Sends what is meant for another host to the egress, with the URL that was meant in the header `x-specassay-url`.

Stands by itself, so that it can be preloaded into a server without a driver: `install()`, then `send_to(egress)`.
"""

import importlib.abc
import ipaddress
import socket
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

URL_HEADER = "x-specassay-url"

_egress: str | None = None


def send_to(egress: str | None) -> None:
    """Send it there from now on; None lets everything pass."""
    global _egress
    _egress = egress


@cache
def install() -> None:
    """Watch over httpx, httpx2, aiohttp, http.client (urllib) and urllib3 (requests), whenever they are imported."""
    sys.meta_path.insert(0, _Finder())
    for name, patch in _PATCHES.items():
        if name in sys.modules:
            patch(sys.modules[name])


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine, without asking a name server."""
    host = host.strip("[]").rstrip(".").lower()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified


def forward(request: Any, egress: str | None) -> Any:
    """Give a request of httpx or httpx2 as it goes to the egress; the same one, if it stays on this machine."""
    if egress is None or is_loopback(request.url.host):
        return request
    headers = [*request.headers.raw, (URL_HEADER.encode(), str(request.url).encode())]
    return type(request)(request.method, egress, headers=headers, stream=request.stream, extensions=request.extensions)


def _patch_httpx(module: Any) -> None:
    def handle(method: Callable[..., Any], transport: Any, request: Any) -> Any:
        return method(transport, forward(request, _egress))

    _wrap(module.HTTPTransport, "handle_request", handle)
    _wrap(module.AsyncHTTPTransport, "handle_async_request", handle)


def _patch_aiohttp(module: Any) -> None:
    def make(method: Callable[..., None], request: Any, verb: str, url: Any, **options: Any) -> None:
        if _egress is not None and not is_loopback(url.host or ""):
            params = options.pop("params", None)
            meant = str(url.update_query(params) if params else url)
            url, options["headers"] = type(url)(_egress), dict(options.get("headers") or {}) | {URL_HEADER: meant}
        method(request, verb, url, **options)

    _wrap(module.ClientRequest, "__init__", make)


def _patch_http_client(module: Any) -> None:
    _wrap(module.HTTPConnection, "putrequest", _put_request)
    _patch_connections(module)


def _patch_connections(module: Any) -> None:
    for connection in module.HTTPConnection, module.HTTPSConnection:
        _wrap(connection, "connect", _connect)


def _put_request(put: Callable[..., None], self: Any, method: str, url: str, *args: Any, **options: Any) -> None:
    if _egress is None or is_loopback(self.host):
        return put(self, method, url, *args, **options)
    scheme = "https" if self.default_port == 443 else "http"
    host = f"[{self.host}]" if ":" in self.host else self.host
    port = "" if self.port == self.default_port else f":{self.port}"
    put(self, method, urlsplit(_egress).path, *args, **options)
    self.putheader(URL_HEADER, f"{scheme}://{host}{port}{url}")
    return None


def _connect(connect: Callable[[Any], None], self: Any) -> None:
    if _egress is None or is_loopback(self.host):
        return connect(self)
    address = urlsplit(_egress)
    timeout = self.timeout if isinstance(self.timeout, (int, float)) else None
    self.sock = socket.create_connection((address.hostname, address.port), timeout)
    self.is_verified = True  # else urllib3 warns that there was no TLS
    return None


def _wrap(owner: Any, name: str, function: Callable[..., Any]) -> None:
    """Replace a method with `function(method, self, …)`."""
    method = getattr(owner, name)
    setattr(owner, name, lambda *args, **options: function(method, *args, **options))


_PATCHES: dict[str, Callable[[Any], None]] = {
    "httpx": _patch_httpx,
    "httpx2": _patch_httpx,
    "aiohttp": _patch_aiohttp,
    "http.client": _patch_http_client,
    "urllib3.connection": _patch_connections,
}


class _Finder(importlib.abc.MetaPathFinder):
    """Has a module patched as soon as it is loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in _PATCHES:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        spec = next(filter(None, (finder.find_spec(fullname, path, target) for finder in others)), None)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_patch(module: ModuleType) -> None:
                load(module)
                _PATCHES[fullname](module)

            spec.loader.exec_module = load_and_patch  # type: ignore[method-assign]
        return spec
