"""How much one address or one connection may ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The most of everything; what is beyond is refused with a sentence."""

    rate: int = 20
    """Messages a second of one connection, and requests a second of one address."""
    connections: int = 40
    """Open connections of one address."""
    games: int = 120
    """New games an hour of one address."""
    message: int = 4_096
    """Bytes of a message."""
    body: int = 262_144
    """Bytes of a request: a saved game may come with it."""


class Bucket:
    """Lets so many through a second, and twice as many at once after a pause."""

    __slots__ = ("_at", "_full", "_left", "_rate")

    def __init__(self, rate: float, full: float, now: float) -> None:
        self._rate, self._full = rate, full
        self._left, self._at = full, now

    def allows(self, now: float) -> bool:
        """Whether one more may pass now."""
        self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def is_full(self, now: float) -> bool:
        """Whether nothing has passed for so long that this bucket may be forgotten."""
        return self._left + (now - self._at) * self._rate >= self._full


class Limiter:
    """Counts what each address asks for."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.clock = clock
        self._requests: dict[str, Bucket] = {}
        self._games: dict[str, Bucket] = {}
        self._connections: Counter[str] = Counter()

    def messages(self) -> Bucket:
        """Return what counts the messages of a new connection."""
        return Bucket(self.limits.rate, 2 * self.limits.rate, self.clock())

    def request(self, address: str) -> bool:
        """Whether an address may make one more request."""
        return self._pass(self._requests, address, self.limits.rate, 2 * self.limits.rate)

    def game(self, address: str) -> bool:
        """Whether an address may begin one more game."""
        return self._pass(self._games, address, self.limits.games / 3600, self.limits.games)

    def enter(self, address: str) -> bool:
        """Whether an address may have one more connection; it has it then."""
        if self._connections[address] >= self.limits.connections:
            return False
        self._connections[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Note that a connection of an address has ended."""
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]

    def forget(self) -> None:
        """Forget the addresses that have not been heard of for long."""
        for buckets in (self._requests, self._games):
            for address in [a for a, b in buckets.items() if b.is_full(self.clock())]:
                del buckets[address]

    def _pass(self, buckets: dict[str, Bucket], address: str, rate: float, full: float) -> bool:
        bucket = buckets.get(address)
        if bucket is None:
            bucket = buckets[address] = Bucket(rate, full, self.clock())
        return bucket.allows(self.clock())
