"""One step of many games at once with luck or scores, compiled.

What falls by luck is drawn within the step, so that a player is to move after it. Each game has a
random stream of its own, so that the number of threads changes nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from duelbook.exact.tables import Table
from duelbook.exact.vectors import GOES_ON
from duelbook.position import LUCK
from duelbook.research.compiled_steps import Result, State
from duelbook.research.random_streams import GOLDEN, MIX

_64 = np.uint64
UNIT = 2.0**-53


class Rules(NamedTuple):
    """The table of a game, its moves sorted by action number within each position."""

    rows: NDArray[np.int64]
    actions: NDArray[Any]
    after: NDArray[np.int32]
    weights: NDArray[np.int64]
    """The sum of the weights of luck's moves in a position, up to each."""
    mover: NDArray[np.int8]
    winner: NDArray[np.int8]
    paid: NDArray[np.float32]
    """What each terminal position pays to seat 0."""
    forfeit: np.float32
    """What an illegal action costs its player."""


def rules_of(table: Table) -> Rules:
    """Return the rules of a table."""
    order = np.lexsort((table.actions, table.sources))
    given = np.zeros(len(order), np.int64) if table.weights is None else table.weights[order]
    before = np.concatenate([[0], np.cumsum(given)])
    sums = before[1:] - np.repeat(before[table.rows[:-1]], np.diff(table.rows))
    return Rules(
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
def _find(numbers: NDArray[Any], begin: np.int64, end: np.int64, wanted: np.int64) -> np.int64:
    """Return the first place from begin to end that holds at least a number."""
    while begin < end:
        middle = (begin + end) // 2
        if numbers[middle] < wanted:
            begin = middle + 1
        else:
            end = middle
    return begin


@njit(cache=True, nogil=True)
def fall(
    rules: Rules,
    limit: int,
    here: NDArray[np.int32],
    plies: NDArray[np.int32],
    states: NDArray[np.uint64],
) -> None:
    """Draw what falls by luck until a player is to move, the game is over or at its limit."""
    for at in range(len(here)):
        spot = here[at]
        while rules.mover[spot] == LUCK and rules.winner[spot] == GOES_ON and plies[at] < limit:
            states[at] += GOLDEN
            word = states[at]
            word = (word ^ (word >> _64(30))) * MIX[0]
            word = (word ^ (word >> _64(27))) * MIX[1]
            word ^= word >> _64(31)
            begin, end = rules.rows[spot], rules.rows[spot + 1]
            drawn = np.int64(float(word >> _64(11)) * UNIT * rules.weights[end - 1])
            spot = rules.after[_find(rules.weights, begin, end, drawn + 1)]
            plies[at] += 1
        here[at] = spot


@njit(cache=True, nogil=True)
def show(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    rules: Rules,
    limit: int,
    here: NDArray[np.int32],
    plies: NDArray[np.int32],
    masks: NDArray[np.bool_],
    seats: NDArray[np.int8],
) -> None:
    """Write the legal actions and the seat to move of each game; seat 0 if nobody can move."""
    masks[:] = False
    for at in range(len(here)):
        spot = here[at]
        seats[at] = 0
        if rules.mover[spot] != LUCK:
            seats[at] = rules.mover[spot]
            if plies[at] < limit:
                for edge in range(rules.rows[spot], rules.rows[spot + 1]):
                    masks[at, rules.actions[edge]] = True


@njit(cache=True, nogil=True)
def step(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    rules: Rules,
    limit: int,
    here: NDArray[np.int32],
    plies: NDArray[np.int32],
    states: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    reached: NDArray[np.int32],
    rewards: NDArray[np.float32],
    ended: NDArray[np.bool_],
    masks: NDArray[np.bool_],
    seats: NDArray[np.int8],
) -> None:
    """Make a move in each game; the rows of `ended` are terminated, truncated, illegal.

    If luck has ended a game before anyone could move, any action ends it.
    """
    ended[:] = False
    rewards[:] = 0
    for at in range(len(here)):
        spot = here[at]
        mover = rules.mover[spot]
        if mover != LUCK and rules.winner[spot] == GOES_ON and plies[at] < limit:
            end = rules.rows[spot + 1]
            edge = _find(rules.actions, rules.rows[spot], end, chosen[at])
            if edge < end and rules.actions[edge] == chosen[at]:
                here[at] = rules.after[edge]
                plies[at] += 1
            else:
                ended[0, at] = ended[2, at] = True
                rewards[at, mover] = -rules.forfeit
    fall(rules, limit, here, plies, states)
    reached[:] = here
    for at in range(len(here)):
        spot = here[at]
        if rules.winner[spot] != GOES_ON:
            ended[0, at] = True
            rewards[at, 0], rewards[at, 1] = rules.paid[spot], 0 - rules.paid[spot]
        elif not ended[2, at]:
            ended[1, at] = plies[at] >= limit
        if ended[0, at] or ended[1, at]:
            here[at] = plies[at] = 0
    fall(rules, limit, here, plies, states)
    show(rules, limit, here, plies, masks, seats)


@njit(cache=True, nogil=True)
def pick(
    rules: Rules,
    here: NDArray[np.int32],
    draws: NDArray[np.uint32],
    chosen: NDArray[np.int64],
) -> None:
    """Choose a random legal action in each game, or action 0 if there is none."""
    for at in range(len(here)):
        spot = here[at]
        begin = rules.rows[spot]
        count = _64(rules.rows[spot + 1] - begin)
        chosen[at] = 0
        if count and rules.mover[spot] != LUCK:
            chosen[at] = rules.actions[begin + np.int64((_64(draws[at]) * count) >> _64(32))]


class LuckySteps:
    """The steps of a game with luck or scores."""

    def __init__(self, table: Table, limit: int, games: int, seed: int) -> None:
        self._rules, self._limit = rules_of(table), limit
        self._states = streams(seed, games)

    def begin(self, state: State, masks: NDArray[np.bool_], seats: NDArray[np.int8]) -> None:
        """Draw what falls at the start, and show it."""
        fall(self._rules, self._limit, *state, self._states)
        show(self._rules, self._limit, *state, masks, seats)

    def step(self, games: slice, state: State, chosen: NDArray[np.int64], result: Result) -> None:
        """Make a move in some of the games."""
        here, plies = state
        reached, rewards, ended, masks, seats = result
        step(
            self._rules,
            self._limit,
            here[games],
            plies[games],
            self._states[games],
            chosen[games],
            reached[games],
            rewards[games],
            ended[:, games],
            masks[games],
            seats[games],
        )

    def pick(
        self, games: slice, state: State, draws: NDArray[np.uint32], chosen: NDArray[np.int64]
    ) -> None:
        """Choose random legal actions in some of the games."""
        pick(self._rules, state[0][games], draws[games], chosen[games])
