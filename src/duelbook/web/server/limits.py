"""The limits of one address and of one connection."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from duelbook.web.server.serve_option import ServeOption

if sys.platform != "win32":
    import resource

CHEAP_RATE_FACTOR = 5
"""The factor by which the rate limit of cheap requests is higher."""
RESERVED_DESCRIPTORS = 100
"""File descriptors reserved for the database, for files and for the processes of engines."""


@dataclass(frozen=True)
class ServerLimits:
    """The limits of a server. It refuses a request beyond a limit and gives the reason."""

    rate: Annotated[
        int,
        ServeOption("Maximum per second: frames per WebSocket, requests per address."),
    ] = 20
    connections: Annotated[
        int,
        ServeOption(
            "Maximum open WebSockets per address. An address may have twice as many connections in"
            " all."
        ),
    ] = 40
    total: Annotated[int, ServeOption("Maximum open connections of all addresses together.")] = (
        4_000
    )
    """The limit is lower if the system allows fewer file descriptors."""
    games: Annotated[int, ServeOption("Maximum new games an hour per address.")] = 120
    message: int = 4_096
    """Maximum bytes of a message."""
    body: int = 262_144
    """Maximum bytes of a request body, which may contain a saved game."""
    unsent: int = 1_048_576
    """Maximum bytes in the write buffer of a WebSocket whose client does not read."""
    timeout: Annotated[
        float,
        ServeOption("Timeout of reading a request or sending its response, in seconds.", 0.1),
    ] = 30.0
    ping: Annotated[
        float,
        ServeOption("Seconds between pings; a WebSocket that misses one is closed.", 0.1),
    ] = 20.0


class Bucket:
    """A token bucket: it allows a rate per second, and a burst after a pause."""

    __slots__ = ("_at", "_full", "_left", "_rate")

    def __init__(self, rate: float, full: float, now: float) -> None:
        self._rate, self._full = rate, full
        self._left, self._at = full, now

    def take(self, now: float, cost: float = 1) -> bool:
        """Take `cost` tokens, at most a full bucket, and return whether there were enough."""
        self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now
        cost = min(cost, self._full)
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def overdraw(self, now: float) -> float:
        """Take one token even from an empty bucket; return the seconds until it is repaid."""
        self._left = min(self._full, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        return -self._left / self._rate if self._left < 0 else 0.0

    def is_full(self, now: float) -> bool:
        """Return whether the bucket is full again, so that the limiter can drop it."""
        return self._left + (now - self._at) * self._rate >= self._full


class Limiter:
    """Counts the use of each address."""

    def __init__(self, limits: ServerLimits, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.clock = clock
        self._requests: dict[str, Bucket] = {}
        self._cheap_requests: dict[str, Bucket] = {}
        self._seats: dict[str, Bucket] = {}
        self._new_connections: dict[str, Bucket] = {}
        self._games: dict[str, Bucket] = {}
        self._sockets: Counter[str] = Counter()
        self._connections: Counter[str] = Counter()
        self._total = 0
        self._max_connections = min(limits.total, max_descriptors() - RESERVED_DESCRIPTORS)

    def new_frame_bucket(self) -> Bucket:
        """Return the bucket for the frames of a new WebSocket."""
        return Bucket(self.limits.rate, 2 * self.limits.rate, self.clock())

    def allow_request(self, address: str, cost: float = 1) -> bool:
        """Count a request of an address, and return whether it is allowed.

        A costly request counts as several.
        """
        return self._allow(self._requests, address, self.limits.rate, 2 * self.limits.rate, cost)

    def allow_seat_request(self, seat: str) -> bool:
        """Count a request for a seat, from any address, and return whether it is allowed."""
        return self._allow(self._seats, seat, self.limits.rate, 2 * self.limits.rate)

    def allow_cheap_request(self, address: str) -> bool:
        """Count a cheap request of an address, and return whether it is allowed."""
        rate = CHEAP_RATE_FACTOR * self.limits.rate
        return self._allow(self._cheap_requests, address, rate, 2 * rate)

    def open_connection(self, address: str | None) -> bool:
        """Count a new connection, and return whether it is allowed.

        The address of a trusted proxy is None.
        """
        if self._total >= self._max_connections:
            return False
        if address is not None:
            limit = 2 * self.limits.connections
            if self._connections[address] >= limit or not self._allow(
                *(self._new_connections, address, CHEAP_RATE_FACTOR * self.limits.rate, 2 * limit)
            ):
                return False
            self._connections[address] += 1
        self._total += 1
        return True

    def close_connection(self, address: str | None) -> None:
        """Stop counting a connection."""
        self._total -= 1
        if address is not None:
            _uncount(self._connections, address)

    def allow_new_game(self, address: str) -> bool:
        """Count a new game of an address, and return whether it is allowed."""
        return self._allow(self._games, address, self.limits.games / 3600, self.limits.games)

    def open_websocket(self, address: str) -> bool:
        """Count a new WebSocket of an address, and return whether it is allowed."""
        if self._sockets[address] >= self.limits.connections:
            return False
        self._sockets[address] += 1
        return True

    def close_websocket(self, address: str) -> None:
        """Stop counting a WebSocket of an address."""
        _uncount(self._sockets, address)

    def drop_idle(self) -> None:
        """Drop the buckets of idle addresses."""
        for buckets in (
            self._requests,
            self._cheap_requests,
            self._seats,
            self._new_connections,
            self._games,
        ):
            for key in [key for key, b in buckets.items() if b.is_full(self.clock())]:
                del buckets[key]

    def _allow(
        self, buckets: dict[str, Bucket], address: str, rate: float, full: float, cost: float = 1
    ) -> bool:
        bucket = buckets.get(address)
        if bucket is None:
            bucket = buckets[address] = Bucket(rate, full, self.clock())
        return bucket.take(self.clock(), cost)


def _uncount(counts: Counter[str], address: str) -> None:
    counts[address] -= 1
    if not counts[address]:
        del counts[address]


def max_descriptors() -> int:
    """Return the maximum number of file descriptors of this process."""
    if sys.platform == "win32":
        return sys.maxsize
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


def raise_descriptor_limit() -> None:
    """Raise the limit of file descriptors to the hard limit, for this process and its children."""
    if sys.platform != "win32":
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):  # some systems allow less than their hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
