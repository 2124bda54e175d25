"""Interval iteration: proven bounds of the values of a table with chance or scores.

At the start, the value lies between the bounds, and every step preserves this. So the value is
known when the bounds meet. Values belong to seat 0; endless play has the value 0.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import (
    BackupRunner,
    TableSlice,
    backward_induction,
    layers_backward,
    run_locally,
)
from duelbook.solver.values.matrix_games import mixture
from duelbook.solver.values.scoring import Values, back_up_values

RELATIVE_TOLERANCE = 1e-11
"""The distance at which bounds count as equal, relative to the largest payoff."""
MAX_SWEEPS = 20_000


class Bounds(NamedTuple):
    """The bounds of the value of each position for seat 0."""

    low: Values
    high: Values

    @property
    def middle(self) -> Values:
        """The middle between the bounds, which is the best estimate of the values."""
        return (self.low + self.high) / 2

    @property
    def gap(self) -> float:
        """The largest distance between the bounds."""
        return float((self.high - self.low).max(initial=0.0))


def bounds(table: Table, run: BackupRunner = run_locally) -> Bounds:
    """Return bounds of all values; they meet if every game ends with probability 1."""
    if table.steps_forward and not table.secret_sets and not table.dead_ends:
        values = table.pays(0).copy()
        backward_induction(table, values, back_up_values, run)
        return Bounds(values, values)
    ends, low, high = _first_bounds(table)
    tolerance = RELATIVE_TOLERANCE * max(1.0, float(np.abs(ends).max(initial=0.0)))
    compiled = find_spec("numba") is not None and not table.steps_forward
    if compiled and not table.secret_sets:
        _sweep_compiled(table, low, high, tolerance)
    else:
        _sweep_layers(table, low, high, tolerance)
    return Bounds(low, high)


def _sweep_compiled(table: Table, low: Values, high: Values, tolerance: float) -> None:
    """Sweep over one component after the other, the nearest to the end first."""
    from duelbook.solver.values.compiled_sweeps import settle  # it needs numba

    component, order = _from_the_end(table)
    gap = np.inf
    while len(order) and (now := float((high[order] - low[order]).sum())) < gap:
        gap = now
        ends = np.append(np.flatnonzero(np.diff(component[order])) + 1, len(order))
        graph = table.rows, table.after, table.mover, table.chances
        settle(order, ends, *graph, low, high, tolerance, MAX_SWEEPS)
        order = order[high[order] - low[order] > tolerance]


def _from_the_end(table: Table) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the component of each position, and the positions with moves in a good order.

    A component is a set of positions that can all reach each other. In the order, a component
    follows the components that it leads to. Within a component, the positions that are farther from
    the start come first. Any order is correct; a good one saves sweeps.
    """
    size = len(table)
    graph = csr_array((np.ones(len(table.after), np.int8), table.after, table.rows), (size, size))
    _, component = connected_components(graph, connection="strong")
    order = np.lexsort((-np.arange(size), component)).astype(np.int32)
    return component, order[np.diff(table.rows)[order] > 0]


def _sweep_layers(table: Table, low: Values, high: Values, tolerance: float) -> None:
    """Sweep over whole layers."""
    in_sets = np.zeros(len(table), np.bool_)
    for members in table.secret_sets:
        in_sets[members] = True
    layers = [_Layer.of(table, positions, in_sets) for positions in layers_backward(table)]
    layers = [layer for layer in layers if len(layer.positions)]
    open_ = np.ones(len(layers), np.bool_)
    for _ in range(MAX_SWEEPS):
        before = float((high - low).sum())
        for number in np.flatnonzero(open_):
            layer = layers[number]
            layer.back_up(low)
            layer.back_up(high)
            gaps = high[layer.positions] - low[layer.positions]
            open_[number] = gaps.max() > tolerance
        if not open_.any() or float((high - low).sum()) >= before:
            return


def _first_bounds(table: Table) -> tuple[Values, Values, Values]:
    """Return the payoffs of terminal positions, and the first bounds of all values."""
    ends = table.pays(0)
    over = table.winner != ONGOING
    lowest, highest = min(0.0, ends[over].min(initial=0.0)), max(0.0, ends[over].max(initial=0.0))
    return ends, np.where(over, ends, lowest), np.where(over, ends, highest)


class _Layer(NamedTuple):
    """A layer of a table, with its hidden choices."""

    table: Table
    part: TableSlice
    positions: NDArray[np.intp]
    """The positions with moves."""
    plain: NDArray[np.bool_]
    """Whether each of them is alone in its information set."""
    sets: tuple[NDArray[np.intp], ...]
    """The information sets with several positions."""

    @classmethod
    def of(cls, table: Table, layer: slice, in_sets: NDArray[np.bool_]) -> _Layer:
        rows = table.rows[layer.start : layer.stop + 1]
        positions = np.flatnonzero(np.diff(rows)) + layer.start
        # The members of a set answer one choice, so they have the same distance from the start.
        sets = tuple(s for s in table.secret_sets if layer.start <= s[0] < layer.stop)
        return cls(table, TableSlice.of(table, layer), positions, ~in_sets[positions], sets)

    def back_up(self, values: Values) -> None:
        """Compute the values of the layer from the values after its moves."""
        values[self.positions[self.plain]] = back_up_values(self.part, values)[self.plain]
        for members in self.sets:
            _play_matrix_game(self.table, members, values)


def _play_matrix_game(table: Table, members: NDArray[np.intp], values: Values) -> None:
    """Give a hidden choice and its answers the value of their matrix game."""
    width = int(table.rows[members[0] + 1] - table.rows[members[0]])
    payoffs = values[table.after[table.rows[members][:, None] + np.arange(width)]]
    if table.mover[members[0]] == 1:  # the choices are seat 0's
        values[members] = mixture(payoffs)[0]
    else:
        values[members] = -mixture(-payoffs)[0]
