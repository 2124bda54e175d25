"""Compiled steps of many games at once.

A position is one machine word: the index of its first move, the number of its set of legal actions,
its winner and the seat to move. Most games have few such sets. The mask and the place of an action
among the legal ones depend only on the set, so they come from small tables that stay in the
processor's cache. Each game stores its word. So a step reads two entries of the large arrays: the
position after the move, and its word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from duelbook.research.kernels.compiled_random import draw_below, mixed
from duelbook.solver.tables.position_table import Table

Words = NDArray[np.uint64]
State = tuple[NDArray[np.int32], NDArray[np.int32]]
"""The number of each game's position, and its plies so far."""
Part = tuple[NDArray[Any], ...]
"""The arrays of a batch in the order and form in which a step writes them."""
_64 = np.uint64
_REWARDS = [(0, 0), (1, -1), (-1, 1), (0, 0)]  # ongoing, seat 0 wins, seat 1 wins, drawn
_REWARDS += [(-1, 0), (0, -1)]  # an illegal action of seat 0, of seat 1
PAIRS = np.array(_REWARDS, np.float32).view(_64).ravel()
"""The rewards of both seats in one word, for each result in `_REWARDS`."""
FORFEIT = _64(4)
BLOCK = 512
ROW, SET, WINNER = 31, 3, 1  # bit offsets in a word; bit 0 is the seat to move
ILLEGAL = 2**16 - 1


@dataclass(frozen=True, eq=False)
class StepTable:
    """The table of a game for steps; small tables have a row for each set of legal actions."""

    words: Words
    after: NDArray[np.int32]
    """The positions after each move, sorted by action number within each position."""
    places: NDArray[np.uint16]
    """The place of each action among the legal ones, or ILLEGAL; the last column is ILLEGAL too."""
    legal: NDArray[np.uint16]
    """The legal actions in order."""
    counts: Words
    """The number of legal actions."""
    masks: NDArray[np.bool_]

    @classmethod
    def of(cls, table: Table) -> StepTable:
        """Return the rules of a table."""
        number, masks = legal_sets(table)
        ordered = np.argsort(~masks, axis=1, kind="stable").astype(np.uint16)
        none = np.zeros((len(masks), 1), np.bool_)
        inside = np.hstack([masks, none])
        places = np.where(inside, np.cumsum(inside, axis=1) - 1, ILLEGAL).astype(np.uint16)
        words = (table.rows[:-1] << ROW) | (number << SET)
        words |= ((table.winner + 1) << WINNER) | (table.mover == 1)
        counts = masks.sum(axis=1).astype(_64)
        order = move_order(table)
        after = table.after if order is None else table.after[order]
        return cls(words.astype(_64), after, places, ordered, counts, masks)


def legal_sets(table: Table) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the number of each position's set of legal actions, and the sets as masks.

    The set of a chance node is empty.
    """
    actions = len(table.game.ACTIONS)
    bits = np.zeros((len(table), -(-actions // 64)), _64)
    _fill(bits, table.rows, table.actions, actions)
    _, first, number = np.unique(bits[:, 0], return_index=True, return_inverse=True)
    for word in range(1, bits.shape[1]):
        words, other = np.unique(bits[:, word], return_inverse=True)
        pairs = number * len(words) + other
        _, first, number = np.unique(pairs, return_index=True, return_inverse=True)
    octets = bits[first].astype("<u8").view(np.uint8)
    return number, np.unpackbits(octets, axis=1, count=actions, bitorder="little").view(np.bool_)


@njit(cache=True)
def _fill(bits: Words, rows: NDArray[np.int64], actions: NDArray[Any], count: int) -> None:
    """Set a bit for each legal action of each position; higher numbers are chance outcomes."""
    for spot in range(len(bits)):
        for edge in range(rows[spot], rows[spot + 1]):
            if actions[edge] < count:
                bits[spot, actions[edge] >> 6] |= _64(1) << _64(actions[edge] & 63)


def move_order(table: Table) -> NDArray[np.intp] | None:
    """Return the moves sorted by action number within each position; None if they are sorted."""
    if _rises(table.rows, table.actions):
        return None
    return np.lexsort((table.actions, table.sources))


@njit(cache=True)
def _rises(rows: NDArray[np.int64], actions: NDArray[Any]) -> bool:
    """Return whether the actions of each position are in order."""
    for spot in range(len(rows) - 1):
        for edge in range(rows[spot] + 1, rows[spot + 1]):
            if actions[edge] <= actions[edge - 1]:
                return False
    return True


@njit(cache=True, nogil=True)
def show(rows: NDArray[Any], facts: Words, seats: NDArray[np.int8], masks: NDArray[Any]) -> None:
    """Write the legal actions and the seat to move of each game."""
    for at in range(len(facts)):
        seats[at] = facts[at] & _64(1)
    which = (_64(1) << _64(ROW - SET)) - _64(1)
    if rows.shape[1] == 1:
        for at in range(len(facts)):
            masks[at, 0] = rows[(facts[at] >> _64(SET)) & which, 0]
    else:
        for at in range(len(facts)):
            row = (facts[at] >> _64(SET)) & which
            for column in range(rows.shape[1]):
                masks[at, column] = rows[row, column]


@njit(cache=True, inline="always")
def apply_actions(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    after: NDArray[np.int32],
    places: NDArray[np.uint16],
    facts: Words,
    actions: NDArray[np.int64],
    positions: NDArray[np.int32],
    reached: NDArray[np.int32],
    illegal: NDArray[np.bool_],
    lookups: Words,
) -> None:
    """Write the position after the action of each game, and whether the action is illegal.

    An illegal action does not change the position. `lookups` is memory for this function.
    """
    one, outside = _64(1), _64(places.shape[1] - 1)
    which, by_place = (one << _64(ROW - SET)) - one, places.ravel()
    for at in range(len(positions)):
        action = min(_64(actions[at]), outside)  # a negative action is a very large number
        lookups[at] = ((facts[at] >> _64(SET)) & which) * (outside + one) + action
    for at in range(len(positions)):
        lookups[at] = by_place[lookups[at]]
    for at in range(len(positions)):
        is_illegal = lookups[at] == _64(ILLEGAL)
        illegal[at] = is_illegal
        lookups[at] = ((facts[at] >> _64(ROW)) + lookups[at]) * _64(not is_illegal)
    for at in range(len(positions)):
        position = after[lookups[at]]
        reached[at] = positions[at] if illegal[at] else position


@njit(cache=True, nogil=True)
def step(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    words: Words,
    after: NDArray[np.int32],
    places: NDArray[np.uint16],
    rows: NDArray[Any],
    limit: int,
    positions: NDArray[np.int32],
    plies: NDArray[np.int32],
    facts: Words,
    chosen: NDArray[np.int64],
    seats: NDArray[np.int8],
    masks: NDArray[Any],
    rewards: Words,
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    illegal: NDArray[np.bool_],
    reached: NDArray[np.int32],
) -> None:
    """Make a move in each game.

    Each block of games passes short loops that either compute or look up. Loops that compute become
    vector instructions. In loops that look up, the processor overlaps the look-ups. No branch
    depends on the game.
    """
    lookups, results = np.empty((2, BLOCK), _64)
    one, start = _64(1), words[0]
    for begin in range(0, len(positions), BLOCK):
        block = slice(begin, min(begin + BLOCK, len(positions)))
        spots, actions, news, wrong = (
            positions[block],
            chosen[block],
            reached[block],
            illegal[block],
        )
        known, counts = facts[block], plies[block]
        apply_actions(after, places, known, actions, spots, news, wrong, lookups)
        for at in range(len(spots)):
            lookups[at] = words[_64(news[at])]
        for at in range(len(spots)):
            won = (lookups[at] >> _64(WINNER)) & _64(3)
            results[at] = won + (FORFEIT + (lookups[at] & one)) * _64(wrong[at])
        paid, done, cut = rewards[block], terminated[block], truncated[block]
        for at in range(len(spots)):
            paid[at] = PAIRS[results[at]]
            over = results[at] != _64(0)
            late = (counts[at] + 1 >= limit) & (not over)
            done[at], cut[at] = over, late
            ongoing = np.int32(not (over | late))
            spots[at] = news[at] * ongoing
            counts[at] = (counts[at] + np.int32(1)) * ongoing
            known[at] = start + (lookups[at] - start) * _64(ongoing)
        show(rows, known, seats[block], masks[block])


@njit(cache=True, nogil=True)
def pick_actions(  # noqa: PLR0913, PLR0917 # the caller allocates the memory
    legal: NDArray[np.uint16],
    number: Words,
    facts: Words,
    seed: int,
    begin: int,
    chosen: NDArray[np.int64],
) -> None:
    """Choose a random legal action in each game, or action 0 if there is none.

    `begin` is the number of the first game.
    """
    which, key = (_64(1) << _64(ROW - SET)) - _64(1), mixed(_64(seed))
    for at in range(len(facts)):
        row = (facts[at] >> _64(SET)) & which
        chosen[at] = legal[row, draw_below(key, _64(begin + at), number[row])]


class CompiledSteps:
    """Steps games; a subclass makes the moves."""

    def __init__(self, rules: StepTable, limit: int, state: State) -> None:
        self._facts = np.empty(len(state[0]), _64)
        """The word of each game's position."""
        self._state = (*state, self._facts)
        self._masks = as_words(rules.masks)
        self._tables = rules.words, rules.after, rules.places, self._masks, limit
        self._choices = rules.legal, rules.counts

    def begin(self, part: Part) -> None:
        """Restart the games, and show the start."""
        positions, plies, facts = self._state
        positions.fill(0)
        plies.fill(0)
        facts.fill(self._tables[0][0])
        self._draw()
        seats, masks, *_ = part
        show(self._masks, facts, seats, masks)

    def _draw(self) -> None:
        """Draw the chance outcomes at the start."""

    def pick(self, seed: int, begin: int, chosen: NDArray[np.int64]) -> None:
        """Choose a random legal action in each game, given the number of the first game."""
        pick_actions(*self._choices, self._facts, seed, begin, chosen)


class PlainSteps(CompiledSteps):
    """Steps games without chance and scores."""

    def prepared(self, *arrays: NDArray[Any]) -> Part:
        """Return the arrays of a batch as `step` takes them."""
        seats, masks, rewards, *rest = arrays
        return seats, as_words(masks), rewards.view(_64).ravel(), *rest

    def step(self, chosen: NDArray[np.int64], part: Part) -> None:
        """Make a move in each game."""
        step(*self._tables, *self._state, chosen, *part)


def as_words(masks: NDArray[np.bool_]) -> NDArray[Any]:
    """Return masks as the largest words that divide a row, to copy fewer entries."""
    return masks.view(next(f"u{size}" for size in (8, 4, 2, 1) if masks.shape[1] % size == 0))


def steps_of(table: Table, limit: int, states: list[State]) -> list[PlainSteps]:
    """Return the steps of each slice of the games."""
    rules = StepTable.of(table)
    return [PlainSteps(rules, limit, state) for state in states]
