"""Endless play: positions from which both players together can avoid the end of a game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duelbook.position import CHANCE
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table


def can_be_endless(table: Table) -> NDArray[np.bool_]:
    """Return for each position whether both players together can avoid the end, despite chance."""
    if table.steps_forward:
        return np.zeros(len(table), np.bool_)
    going: NDArray[np.bool_] = table.winner == ONGOING
    by_chance = table.mover == CHANCE
    busy = np.flatnonzero(np.diff(table.rows))
    going[np.diff(table.rows) == 0] = False
    while True:
        later = going[table.after]
        some, every = going.copy(), going.copy()
        some[busy] = np.logical_or.reduceat(later, table.rows[busy])
        every[busy] = np.logical_and.reduceat(later, table.rows[busy])
        still = going & np.where(by_chance, every, some)
        if (still == going).all():
            return going
        going = still
