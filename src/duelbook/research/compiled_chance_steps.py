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
from duelbook.research.compiled_random import draw_below, mixed
from duelbook.research.compiled_steps import Part, State
from duelbook.research.random_streams import GOLDEN
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table

_64 = np.uint64
UNIT = 2.0**-53


class ChanceStepTable(NamedTuple):
    """The table of a game, with the moves of each position sorted by action number."""

    rows: NDArray[np.int64]
    actions: NDArray[Any]
    after: NDArray[np.int32]
    weights: NDArray[np.int64]
    """The cumulative weights of the chance outcomes in each position."""
    mover: NDArray[np.int8]
    winner: NDArray[np.int8]
    paid: NDArray[np.float32]
    """The payoff of each terminal position to seat 0."""
    forfeit: np.float32
    """The cost of an illegal action for its player."""


def rules_of(table: Table) -> ChanceStepTable:
    """Return the rules of a table."""
    order = np.lexsort((table.actions, table.sources))
    weights = np.zeros(len(order), np.int64) if table.weights is None else table.weights[order]
    before = np.concatenate([[0], np.cumsum(weights)])
    sums = before[1:] - np.repeat(before[table.rows[:-1]], np.diff(table.rows))
    return ChanceStepTable(
        table.rows,
        table.actions[order],
        table.after[order],
        sums,
        table.mover,
        table.winner,
        table.pays(0).astype(np.float32),
        np.float32(table.game.largest_payoff),
    )


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
def draw_chance(
    rules: ChanceStepTable,
    limit: int,
    here: NDArray[np.int32],
    plies: NDArray[np.int32],
    states: NDArray[np.uint64],
) -> None:
    """Draw chance outcomes until a player is to move, or the game is over or at its limit."""
    for at in range(len(here)):
        spot = here[at]
        while rules.mover[spot] == CHANCE and rules.winner[spot] == ONGOING and plies[at] < limit:
            states[at] += GOLDEN
            word = mixed(states[at])
            begin, end = rules.rows[spot], rules.rows[spot + 1]
            drawn = np.int64(float(word >> _64(11)) * UNIT * rules.weights[end - 1])
            spot = rules.after[_find(rules.weights, begin, end, drawn + 1)]
            plies[at] += 1
        here[at] = spot


@njit(cache=True, nogil=True)
def show(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    rules: ChanceStepTable,
    limit: int,
    here: NDArray[np.int32],
    plies: NDArray[np.int32],
    seats: NDArray[np.int8],
    masks: NDArray[np.bool_],
) -> None:
    """Write the legal actions and the seat to move of each game; seat 0 if nobody can move."""
    masks[:] = False
    for at in range(len(here)):
        spot = here[at]
        seats[at] = 0
        if rules.mover[spot] != CHANCE:
            seats[at] = rules.mover[spot]
            if plies[at] < limit:
                for edge in range(rules.rows[spot], rules.rows[spot + 1]):
                    masks[at, rules.actions[edge]] = True


@njit(cache=True, nogil=True)
def step(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    rules: ChanceStepTable,
    limit: int,
    here: NDArray[np.int32],
    plies: NDArray[np.int32],
    states: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    seats: NDArray[np.int8],
    masks: NDArray[np.bool_],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    illegal: NDArray[np.bool_],
    reached: NDArray[np.int32],
) -> None:
    """Make a move in each game.

    If chance ended a game before a player could move, any action ends it.
    """
    terminated[:] = truncated[:] = illegal[:] = False
    rewards[:] = 0
    for at in range(len(here)):
        spot = here[at]
        mover = rules.mover[spot]
        if mover != CHANCE and rules.winner[spot] == ONGOING and plies[at] < limit:
            end = rules.rows[spot + 1]
            edge = _find(rules.actions, rules.rows[spot], end, chosen[at])
            if edge < end and rules.actions[edge] == chosen[at]:
                here[at] = rules.after[edge]
                plies[at] += 1
            else:
                terminated[at] = illegal[at] = True
                rewards[at, mover] = -rules.forfeit
    draw_chance(rules, limit, here, plies, states)
    reached[:] = here
    for at in range(len(here)):
        spot = here[at]
        if rules.winner[spot] != ONGOING:
            terminated[at] = True
            rewards[at, 0], rewards[at, 1] = rules.paid[spot], 0 - rules.paid[spot]
        elif not illegal[at]:
            truncated[at] = plies[at] >= limit
        if terminated[at] or truncated[at]:
            here[at] = plies[at] = 0
    draw_chance(rules, limit, here, plies, states)
    show(rules, limit, here, plies, seats, masks)


@njit(cache=True, nogil=True)
def pick_actions(
    rules: ChanceStepTable,
    here: NDArray[np.int32],
    seed: int,
    begin: int,
    chosen: NDArray[np.int64],
) -> None:
    """Choose a random legal action in each game, or action 0 if there is none."""
    key = mixed(_64(seed))
    for at in range(len(here)):
        spot = here[at]
        first = rules.rows[spot]
        count = _64(rules.rows[spot + 1] - first)
        chosen[at] = 0
        if count and rules.mover[spot] != CHANCE:
            chosen[at] = rules.actions[first + np.int64(draw_below(key, _64(begin + at), count))]


class ChanceSteps:
    """Steps games with chance or scores."""

    def __init__(
        self, rules: ChanceStepTable, limit: int, state: State, random: NDArray[np.uint64]
    ) -> None:
        self._rules, self._limit, self._state = rules, limit, (*state, random)

    def prepared(self, *arrays: NDArray[Any]) -> Part:
        """Return the arrays of a batch as `step` takes them."""
        return arrays

    def begin(self, part: Part) -> None:
        """Restart the games, draw the chance outcomes at the start, and show the positions."""
        here, plies, random = self._state
        here.fill(0)
        plies.fill(0)
        draw_chance(self._rules, self._limit, here, plies, random)
        seats, masks, *_ = part
        show(self._rules, self._limit, here, plies, seats, masks)

    def step(self, chosen: NDArray[np.int64], part: Part) -> None:
        """Make a move in each game."""
        step(self._rules, self._limit, *self._state, chosen, *part)

    def pick(self, seed: int, begin: int, chosen: NDArray[np.int64]) -> None:
        """Choose a random legal action in each game, given the number of the first game."""
        pick_actions(self._rules, self._state[0], seed, begin, chosen)


def steps_of(table: Table, limit: int, states: list[State], seed: int) -> list[ChanceSteps]:
    """Return the steps of each slice of the games."""
    ends = np.cumsum([len(here) for here, _ in states])
    parts = np.split(streams(seed, int(ends[-1])), ends[:-1])
    rules = rules_of(table)
    return [ChanceSteps(rules, limit, *both) for both in zip(states, parts, strict=True)]
