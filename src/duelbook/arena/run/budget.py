"""The budget of a run: the maximum number of calls and their maximum cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from duelbook.players.failures import ProviderError


class BudgetSpent(ProviderError):  # noqa: N818 # an end, not an error
    """The budget allows no more calls; no player is to blame."""


@dataclass
class Budget:
    """Counts the calls of all threads, and stops them at a limit."""

    max_calls: int | None = None
    max_cost: float | None = None
    calls: int = 0
    cost: float = 0.0
    stopped: str = ""
    """The reason why all later calls are refused; empty before."""
    failed: str = ""
    """The reason of the last failed game of a model, if any."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def reserve(self, ceiling: float | None) -> None:
        """Reserve the maximum cost of a call, or refuse this and all later calls."""
        with self._lock:
            if self.max_cost is not None and ceiling is None:
                self.stopped = "The maximum cost of a call is not known: give `prices`."
            elif self.max_calls is not None and self.calls >= self.max_calls:
                self.stopped = f"The limit of {self.max_calls} calls is reached."
            elif self.max_cost is not None and self.cost + (ceiling or 0) > self.max_cost:
                self.stopped = f"Another call could cost more than the limit of {self.max_cost:g}."
            if self.stopped:
                raise BudgetSpent(self.stopped)
            self.calls += 1
            self.cost += ceiling or 0

    def settle(self, ceiling: float | None, cost: float | None) -> None:
        """Replace the reserved amount by the cost of the call, if the cost is known."""
        with self._lock:
            if ceiling is not None and cost is not None:
                self.cost += cost - ceiling

    def stop(self, why: str) -> None:
        """Refuse all later calls."""
        with self._lock:
            self.stopped = self.stopped or why
