"""Compiled steps of many games at once, with chance or scores.

A step also draws the chance outcomes that follow the move, until a player is to move. Each game has
its own random stream, so the number of threads does not change the results.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from duelbook.position import CHANCE
from duelbook.research.kernels.compiled_random import mixed
from duelbook.research.kernels.compiled_steps import (
    CompiledSteps,
    Part,
    State,
    StepTable,
    Words,
    apply_actions,
    as_words,
    move_order,
    show,
)
from duelbook.research.random_streams import GOLDEN
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table

_64 = np.uint64
UNIT = 2.0**-53


class ChanceStepTable(NamedTuple):
    """The chance outcomes and payoffs of a game, beside its `StepTable`."""

    rows: NDArray[np.int64]
    weights: NDArray[np.int64]
    """The cumulative weights of the chance outcomes in each position."""
    mover: NDArray[np.int8]
    winner: NDArray[np.int8]
    paid: NDArray[np.float32]
    """The payoff of each terminal position to seat 0."""
    forfeit: np.float32
    """The cost of an illegal action for its player."""
    stuck: Words
    """The word of a position without legal actions, if there is one."""

    @classmethod
    def of(cls, table: Table, rules: StepTable) -> ChanceStepTable:
        """Return the chance outcomes and payoffs of a table."""
        order = move_order(table)
        weights = np.zeros(len(table.after), np.int64) if table.weights is None else table.weights
        before = np.concatenate([[0], np.cumsum(weights if order is None else weights[order])])
        sums = before[1:] - np.repeat(before[table.rows[:-1]], np.diff(table.rows))
        paid = table.pays(0).astype(np.float32)
        forfeit = np.float32(table.game.largest_payoff)
        stuck = rules.words[(table.winner != ONGOING) | (table.mover == CHANCE)][:1] & ~_64(1)
        return cls(table.rows, sums, table.mover, table.winner, paid, forfeit, stuck)


def streams(seed: int, games: int) -> NDArray[np.uint64]:
    """Return the state of each game's random stream."""
    return np.random.SeedSequence(seed).generate_state(games, np.uint64).astype(np.uint64)


@njit(cache=True, inline="always")
def _find(numbers: NDArray[Any], begin: np.int64, end: np.int64, least: np.int64) -> np.int64:
    """Return the first index from begin to end with an entry of at least `least`."""
    while begin < end:
        middle = (begin + end) // 2
        if numbers[middle] < least:
            begin = middle + 1
        else:
            end = middle
    return begin


@njit(cache=True, nogil=True)
def draw_chance(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    rules: ChanceStepTable,
    after: NDArray[np.int32],
    limit: int,
    positions: NDArray[np.int32],
    plies: NDArray[np.int32],
    states: NDArray[np.uint64],
) -> None:
    """Draw chance outcomes until a player is to move, or the game is over or at its limit."""
    for at in range(len(positions)):
        position = positions[at]
        while (
            rules.mover[position] == CHANCE
            and rules.winner[position] == ONGOING
            and plies[at] < limit
        ):
            states[at] += GOLDEN
            word = mixed(states[at])
            begin, end = rules.rows[position], rules.rows[position + 1]
            drawn = np.int64(float(word >> _64(11)) * UNIT * rules.weights[end - 1])
            position = after[_find(rules.weights, begin, end, drawn + 1)]
            plies[at] += 1
        positions[at] = position


@njit(cache=True, nogil=True)
def read_words(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    rules: ChanceStepTable,
    words: Words,
    limit: int,
    positions: NDArray[np.int32],
    plies: NDArray[np.int32],
    facts: Words,
) -> None:
    """Write the word of each game's position; at the limit, a word without legal actions."""
    for at in range(len(positions)):
        facts[at] = words[positions[at]]
        if plies[at] >= limit:
            facts[at] = rules.stuck[0] | (facts[at] & _64(1))


@njit(cache=True, nogil=True)
def step(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    rules: ChanceStepTable,
    words: Words,
    after: NDArray[np.int32],
    places: NDArray[np.uint16],
    rows: NDArray[Any],
    limit: int,
    positions: NDArray[np.int32],
    plies: NDArray[np.int32],
    facts: Words,
    states: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    seats: NDArray[np.int8],
    masks: NDArray[Any],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    illegal: NDArray[np.bool_],
    reached: NDArray[np.int32],
) -> None:
    """Make a move in each game.

    If chance ended a game before a player could move, any action ends it.
    """
    rewards[:] = 0
    apply_actions(
        after, places, facts, chosen, positions, reached, illegal, np.empty(len(positions), _64)
    )
    for at in range(len(positions)):
        mover = rules.mover[positions[at]]
        if mover == CHANCE or rules.winner[positions[at]] != ONGOING or plies[at] >= limit:
            illegal[at] = False
        elif illegal[at]:
            rewards[at, mover] = -rules.forfeit
        else:
            plies[at] += 1
        terminated[at], truncated[at] = illegal[at], False
        positions[at] = reached[at]
    draw_chance(rules, after, limit, positions, plies, states)
    reached[:] = positions
    for at in range(len(positions)):
        position = positions[at]
        if rules.winner[position] != ONGOING:
            terminated[at] = True
            rewards[at, 0], rewards[at, 1] = rules.paid[position], 0 - rules.paid[position]
        elif not illegal[at]:
            truncated[at] = plies[at] >= limit
        if terminated[at] or truncated[at]:
            positions[at] = plies[at] = 0
    draw_chance(rules, after, limit, positions, plies, states)
    read_words(rules, words, limit, positions, plies, facts)
    show(rows, facts, seats, masks)


class ChanceSteps(CompiledSteps):
    """Steps games with chance or scores."""

    def __init__(
        self,
        rules: StepTable,
        chance: ChanceStepTable,
        limit: int,
        state: State,
        random: NDArray[np.uint64],
    ) -> None:
        super().__init__(rules, limit, state)
        self._chance, self._after, self._limit, self._random = chance, rules.after, limit, random

    def prepared(self, *arrays: NDArray[Any]) -> Part:
        """Return the arrays of a batch as `step` takes them."""
        seats, masks, *rest = arrays
        return seats, as_words(masks), *rest

    def _draw(self) -> None:
        positions, plies, facts = self._state
        draw_chance(self._chance, self._after, self._limit, positions, plies, self._random)
        read_words(self._chance, self._tables[0], self._limit, positions, plies, facts)

    def step(self, chosen: NDArray[np.int64], part: Part) -> None:
        """Make a move in each game."""
        step(self._chance, *self._tables, *self._state, self._random, chosen, *part)


def steps_of(table: Table, limit: int, states: list[State], seed: int) -> list[ChanceSteps]:
    """Return the steps of each slice of the games."""
    ends = np.cumsum([len(positions) for positions, _ in states])
    parts = np.split(streams(seed, int(ends[-1])), ends[:-1])
    rules = StepTable.of(table)
    chance = ChanceStepTable.of(table, rules)
    return [ChanceSteps(rules, chance, limit, *both) for both in zip(states, parts, strict=True)]
