"""Limits: how much one address or one connection may use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits; whatever exceeds one is refused with a sentence."""

    rate: int = 20
    """Messages a second for each connection, and requests a second for each address."""
    connections: int = 40
    """Open connections for each address."""
    games: int = 120
    """New games an hour for each address."""
    message: int = 4_096
    """Bytes of a message."""
    body: int = 262_144
    """Bytes of a request body, which may hold a saved game."""


class Bucket:
    """A token bucket: a rate a second, and a burst after a pause."""

    __slots__ = ("_at", "_full", "_left", "_rate")

    def __init__(self, rate: float, full: float, now: float) -> None:
        self._rate, self._full = rate, full
        self._left, self._at = full, now

    def allows(self, now: float) -> bool:
        """Whether one more is allowed now."""
        self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def is_full(self, now: float) -> bool:
        """Whether the bucket has been idle so long that it may be dropped."""
        return self._left + (now - self._at) * self._rate >= self._full


class Limiter:
    """Counts the use of each address."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.clock = clock
        self._requests: dict[str, Bucket] = {}
        self._games: dict[str, Bucket] = {}
        self._connections: Counter[str] = Counter()

    def messages(self) -> Bucket:
        """Return the bucket for the messages of a new connection."""
        return Bucket(self.limits.rate, 2 * self.limits.rate, self.clock())

    def request(self, address: str) -> bool:
        """Whether an address may make one more request."""
        return self._pass(self._requests, address, self.limits.rate, 2 * self.limits.rate)

    def game(self, address: str) -> bool:
        """Whether an address may create one more game."""
        return self._pass(self._games, address, self.limits.games / 3600, self.limits.games)

    def enter(self, address: str) -> bool:
        """Whether an address may open one more connection, which then counts."""
        if self._connections[address] >= self.limits.connections:
            return False
        self._connections[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Stop counting a connection of an address."""
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]

    def forget(self) -> None:
        """Drop the buckets of idle addresses."""
        for buckets in (self._requests, self._games):
            for address in [a for a, b in buckets.items() if b.is_full(self.clock())]:
                del buckets[address]

    def _pass(self, buckets: dict[str, Bucket], address: str, rate: float, full: float) -> bool:
        bucket = buckets.get(address)
        if bucket is None:
            bucket = buckets[address] = Bucket(rate, full, self.clock())
        return bucket.allows(self.clock())
