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

from duelbook.position import CHANCE
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table
from duelbook.solver.values.backward_induction import Layer, layers_backward
from duelbook.solver.values.matrix_games import mixture
from duelbook.solver.values.scoring import (
    BackupRunner,
    Values,
    back_up_values,
    layer_by_layer,
    run_locally,
)

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
        value = layer_by_layer(table, run, back_up_values, table.pays(0).copy())
        return Bounds(value, value)
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
    layers = [_Step.of(table, layer, in_sets) for layer in layers_backward(table)]
    open_ = np.ones(len(layers), np.bool_)
    for _ in range(MAX_SWEEPS):
        before = float((high - low).sum())
        for number in np.flatnonzero(open_):
            step = layers[number]
            step.back_up(low)
            step.back_up(high)
            for members in step.sets:
                _play_matrix_game(table, members, low)
                _play_matrix_game(table, members, high)
            open_[number] = (high[step.here] - low[step.here]).max() > tolerance
        if not open_.any() or float((high - low).sum()) >= before:
            return


def _first_bounds(table: Table) -> tuple[Values, Values, Values]:
    """Return the payoffs of terminal positions, and the first bounds of all values."""
    ends = table.pays(0)
    over = table.winner != ONGOING
    lowest, highest = min(0.0, ends[over].min(initial=0.0)), max(0.0, ends[over].max(initial=0.0))
    return ends, np.where(over, ends, lowest), np.where(over, ends, highest)


class _Step(NamedTuple):
    """The computation of the values of one layer from the values after its moves."""

    table: Table
    layer: Layer
    here: NDArray[np.intp]
    """The non-terminal positions of the layer."""
    plain: NDArray[np.intp]
    """The positions outside information sets with several positions, as indices into `here`."""
    chance: NDArray[np.float64] | None
    sets: tuple[NDArray[np.intp], ...]
    """The information sets with several positions in this layer."""

    @classmethod
    def of(cls, table: Table, layer: Layer, in_sets: NDArray[np.bool_]) -> _Step:
        here = layer.busy
        chance = None
        if table.has_chance and (table.mover[here] == CHANCE).any():
            chance = table.chances[layer.edges]
        # The members of a set answer one choice, so they have the same distance from the start.
        sets = tuple(s for s in table.secret_sets if layer.begin <= s[0] < layer.end)
        return cls(table, layer, here, np.flatnonzero(~in_sets[here]), chance, sets)

    def back_up(self, values: Values) -> None:
        """Compute the values of the layer from the values after its moves."""
        later = values[self.table.after[self.layer.edges]]
        mover, starts = self.table.mover[self.here], self.layer.starts
        best = np.where(
            mover == 0, np.maximum.reduceat(later, starts), np.minimum.reduceat(later, starts)
        )
        if self.chance is not None:
            expected = np.add.reduceat(later * self.chance, starts)
            best = np.where(mover == CHANCE, expected, best)
        values[self.here[self.plain]] = best[self.plain]


def _play_matrix_game(table: Table, members: NDArray[np.intp], values: Values) -> None:
    """Give a hidden choice and its answers the value of their matrix game."""
    width = int(table.rows[members[0] + 1] - table.rows[members[0]])
    payoffs = values[table.after[table.rows[members][:, None] + np.arange(width)]]
    if table.mover[members[0]] == 1:  # the choices are seat 0's
        values[members] = mixture(payoffs)[0]
    else:
        values[members] = -mixture(-payoffs)[0]
