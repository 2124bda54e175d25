"""Policies over a table: the probability of each move in each position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.exact.solver import Solution, solve_table
from duelbook.exact.tables import Table
from duelbook.players.levels import LEVELS, slips
from duelbook.position import Position

Shares = NDArray[np.float64]
"""A probability for each move of a table; those of a position add up to 1."""
Chooser = Callable[[Position], Mapping[str, float] | str]
"""Returns a move, or the probability of each move, given a view."""
Policy = str | Chooser | NDArray[Any]
"""A name, a chooser, or an array: one number per move of the table, or positions by actions."""
ROUNDING = 1e-6


def shares(table: Table, policy: Policy) -> Shares:
    """Return a policy as probabilities, or refuse it."""
    if isinstance(policy, str):
        return _named(table, policy)
    if callable(policy):
        return _asked(table, policy)
    return _given(table, np.asarray(policy))


def seated(table: Table, players: tuple[Policy, Policy]) -> Shares:
    """Return the joint policy when each seat has its own policy."""
    if len(players) != 2:
        raise DuelbookError("Give two policies, one for each player.")
    ours, theirs = players
    first = shares(table, ours)
    if theirs is ours or (isinstance(ours, str) and isinstance(theirs, str) and ours == theirs):
        return first
    return np.where(table.mover[table.sources] == 0, first, shares(table, theirs))


def at_random(table: Table) -> Shares:
    """Return the policy that makes every legal move equally likely."""
    counts = np.diff(table.rows)
    return np.repeat(1 / np.maximum(counts, 1), counts)


def perfect(table: Table, solution: Solution) -> Shares:
    """Return best play; equal moves are equally likely, and secret choices are mixed."""
    if secrecy.keeps_secrets(table.game):
        return _asked(table, solution.strategy)
    worths = table.to_movers(solution.scores)
    busy = np.flatnonzero(np.diff(table.rows))
    best = np.zeros(len(table), np.int16)
    best[busy] = np.maximum.reduceat(worths, table.rows[busy])
    is_best = (worths == best[table.sources]).astype(np.float64)
    return _per_position(table, is_best)


def _named(table: Table, name: str) -> Shares:
    kind, _, argument = name.strip().lower().partition(":")
    if kind == "random" and not argument:
        return at_random(table)
    if kind not in LEVELS:
        raise DuelbookError(
            f"There is no policy {name!r:.40}. The policies are random, {', '.join(LEVELS)}, and "
            "perfect:0.1 for a random move with probability 0.1."
        )
    slip = slips(kind, argument)
    best = perfect(table, solve_table(table))
    return slip * at_random(table) + (1 - slip) * best if slip else best


def _asked(table: Table, chooser: Chooser) -> Shares:
    """Call a chooser once for each information set of the player to move."""
    given = np.zeros(len(table.after))
    answers: dict[int, NDArray[np.float64]] = {}
    for number in np.flatnonzero(np.diff(table.rows)).tolist():
        look = int(table.infosets[number])
        row = slice(table.rows[number], table.rows[number + 1])
        if look not in answers:
            position = table.positions[number]
            answers[look] = _answer(table, chooser(position.view(position.to_move)), row)
        given[row] = answers[look]
    return _given(table, given)


def _answer(table: Table, answer: Mapping[str, float] | str, row: slice) -> NDArray[np.float64]:
    wanted = {answer: 1.0} if isinstance(answer, str) else answer
    if not isinstance(wanted, Mapping):
        raise DuelbookError(
            f"A policy must return a move, or moves and their probabilities, not {answer!r:.40}."
        )
    legal = [table.game.ACTIONS[action] for action in table.actions[row]]
    for move, share in wanted.items():
        if move not in legal and share:
            raise DuelbookError(f"The policy chooses {move!r:.40}, which is not legal there.")
    return np.array([wanted.get(move, 0.0) for move in legal])


def _given(table: Table, array: NDArray[Any]) -> Shares:
    """Check an array, and return it as probabilities."""
    moves, grid = (len(table.after),), (len(table), len(table.game.ACTIONS))
    if array.shape == grid:
        illegal = np.repeat((np.diff(table.rows) > 0)[:, None], grid[1], axis=1)
        illegal[table.sources, table.actions] = False
        if not (np.abs(array[illegal]) <= ROUNDING).all():
            raise DuelbookError("The policy gives a nonzero probability to illegal moves.")
        array = array[table.sources, table.actions]
    if array.shape != moves:
        raise DuelbookError(
            f"A policy for {table.game.title} must be an array of shape {moves} or {grid}, "
            f"not {array.shape}."
        )
    if array.dtype.kind not in "fiub":
        raise DuelbookError("The probabilities of a policy must be numbers.")
    given = array.astype(np.float64)
    here = table.sources
    totals = np.bincount(here, given, len(table))[np.diff(table.rows) > 0]
    if not (given >= 0).all() or (np.abs(totals - 1) > ROUNDING).any():
        raise DuelbookError(
            "The probabilities in each position must not be negative, and must add up to 1."
        )
    _check_information_sets(table, given)
    return _per_position(table, given)


def _per_position(table: Table, weights: NDArray[np.float64]) -> Shares:
    """Return weights normalised to probabilities in each position."""
    here = table.sources
    totals = np.bincount(here, weights, len(table)).astype(np.float64)
    return weights / totals[here]


def _check_information_sets(table: Table, given: Shares) -> None:
    if not secrecy.keeps_secrets(table.game):
        return
    _, representative = np.unique(table.infosets, return_index=True)
    like = representative[table.infosets]  # a position of the same information set
    here = table.sources
    along = np.arange(len(given)) - table.rows[here]
    if not np.allclose(given, given[table.rows[like[here]] + along], rtol=0, atol=ROUNDING):
        raise DuelbookError("The policy differs between positions of one information set.")
