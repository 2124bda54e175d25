"""Markov decision processes: the maximum expectation of one seat against known strategies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import spsolve

from duelbook.errors import DuelbookError

Values = NDArray[np.float64]
FEASIBILITY_TOLERANCE = 1e-10
IMPROVEMENT_TOLERANCE = 1e-12
MAX_POLICIES = 200


@dataclass(frozen=True, eq=False)
class Decisions:
    """The choices of one seat: a row of `leads` is a choice at the position `at`.

    A row has the probabilities of the next positions. A position where the seat does not choose has
    one row.
    """

    title: str
    at: NDArray[np.int32]
    leads: csr_array[np.float64]
    ends: Values
    """The payoffs of terminal positions to the seat."""
    is_end: NDArray[np.bool_]

    def values(self, begin: NDArray[np.intp] | None = None) -> Values:
        """Return the maximum expectation of the seat; endless play pays nothing.

        `begin` is the first policy to improve: a choice for each position that has one.
        """
        floor = np.where(self.is_end, self.ends, -np.inf)
        floor[self._can_force_endless_play()] = 0.0
        values = self._by_policies(begin)
        # No choice improves these values. If none is below the value of endless play either, then
        # no strategy is better.
        if values is not None and (values >= floor - IMPROVEMENT_TOLERANCE).all():
            return values
        return self._by_linear_program()

    def _by_policies(self, begin: NDArray[np.intp] | None) -> Values | None:
        """Return the values of a policy that no single choice improves, or None if not found."""
        positions, first = np.unique(self.at, return_index=True)
        rows = first if begin is None else begin
        for _ in range(MAX_POLICIES):
            values = self._policy_values(positions, rows)
            later = np.asarray(self.leads @ values, np.float64)
            maximum = np.maximum.reduceat(later, first) if len(first) else later
            worse = np.flatnonzero(later[rows] < maximum - IMPROVEMENT_TOLERANCE)
            if not len(worse):
                return values
            is_maximum = np.where(later >= maximum[np.searchsorted(positions, self.at)], 1, 0)
            best = np.flatnonzero(is_maximum)
            choice = np.full(len(positions), -1)
            choice[np.searchsorted(positions, self.at[best[::-1]])] = best[::-1]
            rows = rows.copy()
            rows[worse] = choice[worse]
        return None

    def _policy_values(self, positions: NDArray[np.int32], rows: NDArray[np.intp]) -> Values:
        """Return the values if the seat makes the choices of these rows."""
        step = self.leads[rows]
        reaches = self.is_end.copy()
        while True:
            more = positions[step @ reaches.astype(np.float64) > 0]
            if reaches[more].all():
                break
            reaches[more] = True
        inner = np.flatnonzero(reaches[positions] & ~self.is_end[positions])
        within = positions[inner]
        values = np.where(self.is_end, self.ends, 0.0)
        if len(within):
            chosen = step[inner]
            matrix = csc_array(eye_array(len(within)) - chosen[:, within])
            values[within] = spsolve(matrix, chosen @ values)
        return values

    def _by_linear_program(self) -> Values:
        """Return the lowest values that no choice can improve.

        In the lowest values, a cycle has no value of its own. Where the seat can force endless
        play, its value is at least 0.
        """
        size, rows = len(self.ends), len(self.at)
        stays = csr_array((np.ones(rows), (np.arange(rows), self.at)), shape=(rows, size))
        lowest, highest = min(-1.0, float(self.ends.min())), max(1.0, float(self.ends.max()))
        low = np.where(
            self.is_end, self.ends, np.where(self._can_force_endless_play(), 0.0, lowest)
        )
        gains: Any = (
            self.leads - stays
        )  # Any, because linprog's type stubs do not support sparse arrays
        high = np.where(self.is_end, self.ends, highest)
        solved = linprog(
            np.ones(size),
            A_ub=gains,
            b_ub=np.zeros(rows),
            bounds=list(zip(low.tolist(), high.tolist(), strict=True)),
            options={
                "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
                "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            },
        )
        if not solved.success:
            raise DuelbookError(f"No best response was found in {self.title}: {solved.message}")
        return np.asarray(solved.x, np.float64)

    def _can_force_endless_play(self) -> NDArray[np.bool_]:
        """Return for each position whether the seat can force endless play."""
        going = ~self.is_end
        while True:
            safe = self.leads @ (~going).astype(np.float64) == 0
            still = going & (np.bincount(self.at, safe, len(going)) > 0)
            if (still == going).all():
                return going
            going = still
