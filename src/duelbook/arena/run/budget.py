"""The budget of a run: how many calls may be made, and what they may cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from duelbook.players.failures import ProviderError


class Spent(ProviderError):  # noqa: N818 # an end, not an error
    """No more calls can be made, and no player is to blame for it."""


@dataclass
class Budget:
    """Counts the calls of all threads, and stops them at a limit."""

    max_calls: int | None = None
    max_cost: float | None = None
    calls: int = 0
    cost: float = 0.0
    stopped: str = ""
    """Why no more calls are made."""
    failed: str = ""
    """Why the last game of a model could not be played, if one could not."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def ask(self, ceiling: float | None) -> None:
        """Set aside what a call costs at most, if that is known, or refuse it for good."""
        with self._lock:
            if self.max_cost is not None and ceiling is None:
                self.stopped = "What a call costs at most is not known: give `prices`."
            elif self.max_calls is not None and self.calls >= self.max_calls:
                self.stopped = f"The limit of {self.max_calls} calls is reached."
            elif self.max_cost is not None and self.cost + (ceiling or 0) > self.max_cost:
                self.stopped = f"Another call could cost more than the limit of {self.max_cost:g}."
            if self.stopped:
                raise Spent(self.stopped)
            self.calls += 1
            self.cost += ceiling or 0

    def settle(self, ceiling: float | None, cost: float | None) -> None:
        """Replace what was set aside by what the call has cost, if the provider says."""
        with self._lock:
            if ceiling is not None and cost is not None:
                self.cost += cost - ceiling

    def stop(self, why: str) -> None:
        """Let no more calls be made."""
        with self._lock:
            self.stopped = self.stopped or why
