"""Paths through a table: the shortest game to a position, cycles, and the longest game."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table


def moves_to(table: Table, number: int) -> list[str]:
    """Return the moves of a shortest game from the start to a position.

    Each layer is one move further from the start, so the last move starts in the layer before.
    """
    moves: list[str] = []
    while number:
        layer = int(np.searchsorted(table.layers, number, side="right")) - 1
        before, end = table.rows[[table.layers[layer - 1], table.layers[layer]]]
        edge = int(before + np.argmax(table.after[before:end] == number))
        number = int(np.searchsorted(table.rows, edge, side="right")) - 1
        moves.append(table.move_names[table.actions[edge]])
    return moves[::-1]


def can_reach_cycle(table: Table) -> NDArray[np.bool_]:
    """Return for each position whether a cycle can be reached from it."""
    alive = np.ones(len(table), np.bool_)
    if table.steps_forward:
        return ~alive
    source = table.sources
    while True:
        reaches_cycle = np.zeros(len(table), np.bool_)
        reaches_cycle[source[alive[table.after] & alive[source]]] = True
        if (reaches_cycle == alive).all():
            return alive
        alive = reaches_cycle


def shortest_cycle(
    table: Table, within: NDArray[np.bool_] | None = None
) -> tuple[list[str], list[str]] | None:
    """Return the shortest game that repeats a position: the moves to the cycle, and the cycle.

    With `within`, the cycle stays within these positions.
    """
    alive = can_reach_cycle(table) if within is None else within
    if not alive.any():
        return None
    best: tuple[int, int, list[int]] | None = None
    for number in np.flatnonzero(alive).tolist():
        layer = int(np.searchsorted(table.layers, number, side="right")) - 1
        if best and layer + 1 >= best[0]:  # all later positions are further from the start
            break
        around = _cycle_through(table, number, alive, best[0] - layer if best else None)
        if around and (best is None or layer + len(around) < best[0]):
            best = layer + len(around), number, around
    if best is None:
        return None
    _, number, edges = best
    return moves_to(table, number), [table.move_names[table.actions[edge]] for edge in edges]


def _cycle_through(
    table: Table, start: int, alive: NDArray[np.bool_], limit: int | None
) -> list[int] | None:
    """Return the edges of a shortest cycle through a position, shorter than a limit, or None."""
    origins: dict[int, tuple[int, int]] = {}
    todo = deque([(start, 1)])
    while todo:
        number, length = todo.popleft()
        if limit is not None and length >= limit:
            return None
        for edge in range(table.rows[number], table.rows[number + 1]):
            target = int(table.after[edge])
            if target == start:
                path = [edge]
                while number != start:
                    number, edge_before = origins[number]
                    path.append(edge_before)
                return path[::-1]
            if alive[target] and target not in origins:
                origins[target] = number, edge
                todo.append((target, length + 1))
    return None


def shortest_game(table: Table) -> int | None:
    """Return the plies of the shortest game that ends, or None if no game ends."""
    ends = np.flatnonzero(table.winner != ONGOING)
    return int(np.searchsorted(table.layers, ends[0], side="right")) - 1 if len(ends) else None


def longest_game(table: Table) -> int | None:
    """Return the plies of the longest game, or None if play can be endless."""
    if table.steps_forward:
        return len(table.layers) - 2
    if can_reach_cycle(table).any():
        return None
    longest = np.zeros(len(table), np.int64)
    busy = np.flatnonzero(np.diff(table.rows))
    while True:
        further = longest.copy()
        further[busy] = np.maximum.reduceat(longest[table.after], table.rows[busy]) + 1
        if (further == longest).all():
            return int(longest[0])
        longest = further
