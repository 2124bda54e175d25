"""Markov decision processes: what one seat can expect at most when everything else is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from duelbook.errors import DuelbookError

Values = NDArray[np.float64]
EXACT = 1e-10


@dataclass(frozen=True, eq=False)
class Decisions:
    """The choices of one seat: a row of `leads` is a choice at the position `at`.

    A row has the probabilities of the next positions. Where the seat does not choose there is one
    row.
    """

    title: str
    at: NDArray[np.int32]
    leads: csr_array[np.float64]
    ends: Values
    """What terminal positions pay to the seat."""
    is_end: NDArray[np.bool_]

    def values(self) -> Values:
        """Return the least values that no choice can improve.

        They are least so that a cycle by itself has no value; but where the seat can go on
        forever, its value is at least 0.
        """
        size, rows = len(self.ends), len(self.at)
        here = csr_array((np.ones(rows), (np.arange(rows), self.at)), shape=(rows, size))
        least, most = min(-1.0, float(self.ends.min())), max(1.0, float(self.ends.max()))
        low = np.where(self.is_end, self.ends, np.where(self._can_go_on_forever(), 0.0, least))
        gains: Any = (
            self.leads - here
        )  # Any, because linprog's type stubs do not support sparse arrays
        high = np.where(self.is_end, self.ends, most)
        solved = linprog(
            np.ones(size),
            A_ub=gains,
            b_ub=np.zeros(rows),
            bounds=list(zip(low.tolist(), high.tolist(), strict=True)),
            options={"primal_feasibility_tolerance": EXACT, "dual_feasibility_tolerance": EXACT},
        )
        if not solved.success:
            raise DuelbookError(f"No best reply was found in {self.title}: {solved.message}")
        return np.asarray(solved.x, np.float64)

    def _can_go_on_forever(self) -> NDArray[np.bool_]:
        """Return for each position whether the seat can force endless play."""
        going = ~self.is_end
        while True:
            safe = self.leads @ (~going).astype(np.float64) == 0
            still = going & (np.bincount(self.at, safe, len(going)) > 0)
            if (still == going).all():
                return going
            going = still
