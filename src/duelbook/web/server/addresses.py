"""Addresses: the limiter counts connections and requests by them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address

from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

NOWHERE = "nowhere"
"""The address that stands for clients without one, such as those at a Unix socket."""
SITE = 64
"""The leading bits of an IPv6 address that identify a site.

One machine can use every address of its site, so the site counts as one address.
"""


@lru_cache(maxsize=10_000)
def counted(host: str) -> str:
    """Return the address that a host counts as: its own, or its site for an IPv6 address."""
    try:
        found = ip_address(host.partition("%")[0])  # without the name of the interface
    except ValueError:
        return host[:100] or NOWHERE  # the proxy's name for its client
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, SITE), strict=False))


def address(scope: Scope) -> str:
    """Return the address that the client of a request counts as."""
    client = scope.get("client")
    return counted(client[0]) if client else NOWHERE


def peer(transport: asyncio.BaseTransport) -> str:
    """Return the host at the other end of a connection."""
    name = transport.get_extra_info("peername")
    return str(name[0]) if isinstance(name, tuple) and name else NOWHERE


class Proxies:
    """The trusted proxies: the server believes the client addresses that they forward."""

    def __init__(self, names: str) -> None:
        self._middleware = ProxyHeadersMiddleware(_nothing, trusted_hosts=names)  # type: ignore[arg-type] # its types are its own

    def __contains__(self, host: str) -> bool:
        return host in self._middleware.trusted_hosts

    def look_behind(self, scope: Scope) -> None:
        """Replace the client of a scope by the address that a trusted proxy forwards."""
        with suppress(StopIteration):  # the middleware awaits nothing
            self._middleware(scope, None, None).send(None)  # type: ignore[arg-type] # unused


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer nothing."""
