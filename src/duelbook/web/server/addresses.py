"""Addresses: the server limits the connections and requests of each."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address

from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

UNKNOWN_ADDRESS = "nowhere"
"""The address that stands for clients without one, such as those at a Unix socket."""
IPV6_PREFIX_BITS = 64
"""The leading bits of an IPv6 address that identify a network.

One machine can use every address of its network, so the network counts as one address.
"""


@lru_cache(maxsize=10_000)
def limit_key(host: str) -> str:
    """Return the key for the limits of a host: its address, or its network for IPv6."""
    try:
        ip = ip_address(host.partition("%")[0])  # without the name of the interface
    except ValueError:
        return host[:100] or UNKNOWN_ADDRESS  # the proxy's name for its client
    if isinstance(ip, IPv4Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(IPv6Network((ip, IPV6_PREFIX_BITS), strict=False))


def address(scope: Scope) -> str:
    """Return the key for the limits of the client of a request."""
    client = scope.get("client")
    return limit_key(client[0]) if client else UNKNOWN_ADDRESS


def peer(transport: asyncio.BaseTransport) -> str:
    """Return the host at the other end of a connection."""
    name = transport.get_extra_info("peername")
    return str(name[0]) if isinstance(name, tuple) and name else UNKNOWN_ADDRESS


class Proxies:
    """The trusted proxies: the server believes the client addresses that they forward."""

    def __init__(self, names: str) -> None:
        self._middleware = ProxyHeadersMiddleware(_nothing, trusted_hosts=names)  # type: ignore[arg-type] # its types are its own

    def __contains__(self, host: str) -> bool:
        return host in self._middleware.trusted_hosts

    def resolve_client(self, scope: Scope) -> None:
        """Replace the client of a scope by the address that a trusted proxy forwards."""
        with suppress(StopIteration):  # the middleware awaits nothing
            self._middleware(scope, None, None).send(None)  # type: ignore[arg-type] # unused


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer nothing."""
