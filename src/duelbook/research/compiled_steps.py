"""One step of many games at once, compiled.

A position is a row of machine words: bits for the legal actions, then a word with the index of its
first move, its winner and the seat to move. So a step reads three places in memory, and no branch
depends on the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from duelbook.exact.tables import Table

Words = NDArray[np.uint64]
State = tuple[NDArray[np.int32], NDArray[np.int32]]
"""The position of each game, by number, and its plies so far."""
Result = tuple[
    NDArray[np.int32],
    NDArray[np.float32],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.int8],
]
"""Where a step writes: positions reached, rewards, ends, masks, seats."""
WORD = 64
_NOT_USED = (0, 0)
_REWARDS = [(0, 0), (1, -1), (-1, 1), (0, 0)]  # goes on, seat 0 wins, seat 1 wins, drawn
_REWARDS += [(-1, 0), *[_NOT_USED] * 3, (0, -1)]  # an illegal action of seat 0, of seat 1
PAIRS = np.array(_REWARDS, np.float32).view(np.uint64).ravel()
"""The rewards of both seats in a word: no winner yet, a win, a draw, or an illegal action."""
BLOCK = 512
ROW, WINNER = 3, 1  # bit offsets in the last word; bit 0 is the seat to move


def in_order(table: Table) -> NDArray[np.int32]:
    """Return the positions after each move, sorted by action number within each position."""
    rising, same = np.diff(table.actions.astype(np.int32)) > 0, np.diff(table.sources) == 0
    if (rising | ~same).all():
        return table.after
    return table.after[np.lexsort((table.actions, table.sources))]


def words_of(table: Table) -> Words:
    """Return the positions of a table as words."""
    size, wide = len(table), -(-len(table.game.ACTIONS) // WORD)
    words = np.zeros((size, wide + 1), np.uint64)
    counts = np.diff(table.rows)
    for word in range(wide):
        here = (table.actions >= word * WORD) & (table.actions < (word + 1) * WORD)
        bits = np.left_shift(np.uint64(1), (table.actions % WORD).astype(np.uint64))
        bits[~here] = 0
        words[counts > 0, word] = np.bitwise_or.reduceat(bits, table.rows[:-1][counts > 0])
    words[:, wide] = (table.rows[:-1] << ROW) | ((table.winner + 1) << WINNER) | table.mover
    return words


@njit(cache=True, inline="always")
def _ones(word: np.uint64) -> np.uint64:
    """Return the number of set bits."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@njit(cache=True, nogil=True)
def show(
    words: Words, here: NDArray[np.int32], masks: NDArray[np.bool_], seats: NDArray[np.int8]
) -> None:
    """Write the legal actions and the seat to move of each game."""
    last = words.shape[1] - 1
    one = np.uint64(1)
    for at in range(len(here)):
        spot = here[at]
        for word in range(last):
            bits, begin = words[spot, word], word * WORD
            for bit in range(min(WORD, masks.shape[1] - begin)):
                masks[at, begin + bit] = (bits >> np.uint64(bit)) & one != 0
        seats[at] = words[spot, last] & one


@njit(cache=True, nogil=True)
def step(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    words: Words,
    after: NDArray[np.int32],
    limit: int,
    here: NDArray[np.int32],
    plies: NDArray[np.int32],
    chosen: NDArray[np.int64],
    reached: NDArray[np.int32],
    rewards: Words,
    ended: NDArray[np.bool_],
    masks: NDArray[np.bool_],
    seats: NDArray[np.int8],
) -> None:
    """Make a move in each game; the rows of `ended` are terminated, truncated, illegal.

    Each block of games passes three short loops with one look-up each, so that the processor
    overlaps many look-ups.
    """
    wide = words.shape[1] - 1
    last, one, bits_in_all = np.uint64(wide), np.uint64(1), np.uint64(wide * WORD)
    edges, losers, facts = np.empty((3, BLOCK), np.uint64)
    nobody = np.uint64(2)
    for begin in range(0, len(here), BLOCK):
        block = slice(begin, min(begin + BLOCK, len(here)))
        spots, actions, news = here[block], chosen[block], reached[block]
        for at in range(len(spots)):
            spot, action = np.uint64(spots[at]), np.uint64(actions[at])
            inside = action < bits_in_all  # a negative action is a very large unsigned number
            action = action if inside else np.uint64(0)
            word, bit = action >> np.uint64(6), action & np.uint64(63)
            legal = inside & ((words[spot, word] >> bit) & one != 0)
            before = _ones(words[spot, word] & ((one << bit) - one))
            for earlier in range(word):
                before += _ones(words[spot, np.uint64(earlier)])
            edge = (words[spot, last] >> np.uint64(ROW)) + before
            edges[at] = edge if legal else np.uint64(0)
            losers[at] = nobody if legal else words[spot, last] & one
        for at in range(len(spots)):
            spot = after[edges[at]]
            news[at] = spot if losers[at] == nobody else spots[at]
        for at in range(len(spots)):
            facts[at] = words[np.uint64(news[at]), last]
        done, cut, wrong = ended[0][block], ended[1][block], ended[2][block]
        given, counts = rewards[block], plies[block]
        for at in range(len(spots)):
            won = (facts[at] >> np.uint64(WINNER)) & np.uint64(3)
            came_to = won + np.uint64(4) * ((losers[at] + one) % np.uint64(3))
            given[at] = PAIRS[came_to]
            over = came_to != 0
            late = (counts[at] + 1 >= limit) & (not over)
            done[at], cut[at], wrong[at] = over, late, losers[at] != nobody
            goes_on = np.int32(not (over | late))
            spots[at] = news[at] * goes_on
            counts[at] = (counts[at] + 1) * goes_on
        show(words, spots, masks[block], seats[block])


@njit(cache=True, nogil=True)
def pick(
    rows: NDArray[np.int64],
    actions: NDArray[Any],
    here: NDArray[np.int32],
    draws: NDArray[np.uint32],
    chosen: NDArray[np.int64],
) -> None:
    """Choose a random legal action in each game."""
    for at in range(len(here)):
        begin = rows[here[at]]
        count = np.uint64(rows[here[at] + 1] - begin)
        chosen[at] = actions[begin + np.int64((np.uint64(draws[at]) * count) >> np.uint64(32))]


class PlainSteps:
    """The steps of a game without luck and scores."""

    def __init__(self, table: Table, limit: int) -> None:
        self._words, self._after, self._limit = words_of(table), in_order(table), limit
        self._rows, self._actions = table.rows, table.actions

    def begin(self, state: State, masks: NDArray[np.bool_], seats: NDArray[np.int8]) -> None:
        """Show the start."""
        show(self._words, state[0], masks, seats)

    def step(self, games: slice, state: State, chosen: NDArray[np.int64], result: Result) -> None:
        """Make a move in some of the games."""
        here, plies = state
        reached, rewards, ended, masks, seats = result
        step(
            self._words,
            self._after,
            self._limit,
            here[games],
            plies[games],
            chosen[games],
            reached[games],
            rewards.view(np.uint64).ravel()[games],
            ended[:, games],
            masks[games],
            seats[games],
        )

    def pick(
        self, games: slice, state: State, draws: NDArray[np.uint32], chosen: NDArray[np.int64]
    ) -> None:
        """Choose random legal actions in some of the games."""
        pick(self._rows, self._actions, state[0][games], draws[games], chosen[games])
