"""Policies over a table: the probability of each move in each position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook import players, secrecy
from duelbook.errors import DuelbookError
from duelbook.players import Player
from duelbook.players.levels import LEVELS, slips
from duelbook.position import CHANCE, Position
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution
from duelbook.solver.oracle import VALUE_TOLERANCE
from duelbook.solver.solve import AnySolution, solve_table
from duelbook.solver.tables.position_table import Table

Shares = NDArray[np.float64]
"""A probability for each move of a table; in each position, they add up to 1."""
Chooser = Callable[[Position], Mapping[str, float] | str]
"""A function from a view to a move, or to the probability of each move."""
Policy = str | Chooser | NDArray[Any]
"""A name, a chooser, or an array: one number per move of the table, or positions by actions."""
ROUNDING = 1e-6


def shares(table: Table, policy: Policy) -> Shares:
    """Return a policy as probabilities, or refuse it."""
    if isinstance(policy, str):
        return with_chance(table, _from_name(table, policy))
    if callable(policy):
        return with_chance(table, _from_chooser(table, policy))
    return with_chance(table, _from_array(table, np.asarray(policy)))


def with_chance(table: Table, policy: Shares) -> Shares:
    """Return a policy with the probabilities of chance outcomes at chance nodes."""
    return np.where(table.chance_moves, table.chances, policy) if table.has_chance else policy


def joint_policy(table: Table, players: tuple[Policy, Policy]) -> Shares:
    """Return the joint policy of two seats with a policy each."""
    if len(players) != 2:
        raise DuelbookError("Give two policies, one for each player.")
    first, second = players
    joint = shares(table, first)
    if second is first or (isinstance(first, str) and isinstance(second, str) and first == second):
        return joint
    return np.where(table.mover[table.sources] == 0, joint, shares(table, second))


def is_random(table: Table, players: tuple[Policy, Policy]) -> bool:
    """Return whether both policies are named `random` and the table has no chance."""
    names = [player.strip().lower() for player in players if isinstance(player, str)]
    return names == ["random", "random"] and not table.has_chance


def at_random(table: Table) -> Shares:
    """Return the policy that makes every legal move equally likely."""
    counts = np.diff(table.rows)
    return np.repeat(1 / np.maximum(counts, 1), counts)


def perfect(table: Table, solution: AnySolution) -> Shares:
    """Return best play; equally good moves are equally likely, and hidden choices are mixed."""
    if secrecy.keeps_secrets(table.game) or isinstance(solution, EquilibriumSolution):
        return _from_chooser(table, solution.strategy)
    scores = table.to_movers(solution.scores)
    if solution.mixed is None:
        return _per_position(table, scores == _maximum_by_position(table, scores)[table.sources])
    # Compare values first, then the distance to the end.
    values = table.to_movers(solution.mixed)
    fit = values >= _maximum_by_position(table, values)[table.sources] - VALUE_TOLERANCE
    scores = np.where(fit, scores, np.iinfo(scores.dtype).min)
    return _per_position(
        table, fit & (scores == _maximum_by_position(table, scores)[table.sources])
    )


def _maximum_by_position(table: Table, of_moves: NDArray[Any]) -> NDArray[Any]:
    """Return the largest number among the moves of each position."""
    busy = np.flatnonzero(np.diff(table.rows))
    maximum = np.zeros(len(table), of_moves.dtype)
    maximum[busy] = np.maximum.reduceat(of_moves, table.rows[busy])
    return maximum


def _from_name(table: Table, name: str) -> Shares:
    kind, _, argument = name.strip().lower().partition(":")
    if kind == "random" and not argument:
        return at_random(table)
    if kind not in LEVELS:
        return _from_chooser(table, chooser_of(players.make(name)))
    slip = slips(kind, argument)
    best = perfect(table, solve_table(table))
    return slip * at_random(table) + (1 - slip) * best if slip else best


def chooser_of(player: Player) -> Chooser:
    """Return a computer player as a policy: its best moves, or one choice from a fixed seed."""

    def choose(view: Position) -> Mapping[str, float] | str:
        moves = player.best(view)
        if moves is None:
            return player.choose(view, Random(repr(view)))
        return dict.fromkeys(moves, 1 / len(moves))

    return choose


def _from_chooser(table: Table, chooser: Chooser) -> Shares:
    """Call a chooser once for each information set of the player to move."""
    probabilities = np.zeros(len(table.after))
    answers: dict[int, NDArray[np.float64]] = {}
    for number in np.flatnonzero((np.diff(table.rows) > 0) & (table.mover != CHANCE)).tolist():
        infoset = int(table.infosets[number])
        row = slice(table.rows[number], table.rows[number + 1])
        if infoset not in answers:
            position = table.positions[number]
            answers[infoset] = _answer(table, chooser(position.view(position.to_move)), row)
        probabilities[row] = answers[infoset]
    return _from_array(table, probabilities)


def _answer(table: Table, answer: Mapping[str, float] | str, row: slice) -> NDArray[np.float64]:
    legal = [table.game.ACTIONS[action] for action in table.actions[row]]
    return move_probabilities(answer, legal)


def move_probabilities(
    answer: Mapping[str, float] | str, legal: Sequence[str]
) -> NDArray[np.float64]:
    """Return the probability of each legal move in a policy's answer, or refuse the answer."""
    probabilities = {answer: 1.0} if isinstance(answer, str) else answer
    if not isinstance(probabilities, Mapping):
        raise DuelbookError(
            f"A policy must return a move, or moves and their probabilities, not {answer!r:.40}."
        )
    for move, share in probabilities.items():
        if move not in legal and share:
            raise DuelbookError(f"The policy chooses {move!r:.40}, which is not legal there.")
    return np.array([probabilities.get(move, 0.0) for move in legal])


def _from_array(table: Table, array: NDArray[Any]) -> Shares:
    """Check an array, and return it as probabilities."""
    moves, grid = (len(table.after),), (len(table), len(table.game.ACTIONS))
    if array.shape == grid:
        decides = (np.diff(table.rows) > 0) & (table.mover != CHANCE)
        illegal = np.repeat(decides[:, None], grid[1], axis=1)
        by_player = ~table.chance_moves
        illegal[table.sources[by_player], table.actions[by_player]] = False
        if not (np.abs(array[illegal]) <= ROUNDING).all():
            raise DuelbookError("The policy gives a nonzero probability to illegal moves.")
        by_move = table.chances.astype(array.dtype if array.dtype.kind == "f" else np.float64)
        by_move[by_player] = array[table.sources[by_player], table.actions[by_player]]
        array = by_move
    elif array.shape == moves and table.has_chance:
        array = np.where(table.chance_moves, table.chances, array)
    if array.shape != moves:
        raise DuelbookError(
            f"A policy for {table.game.title} must be an array of shape {moves} or {grid}, "
            f"not {array.shape}."
        )
    if array.dtype.kind not in "fiub":
        raise DuelbookError("The probabilities of a policy must be numbers.")
    probabilities = array.astype(np.float64)
    sources = table.sources
    totals = np.bincount(sources, probabilities, len(table))[np.diff(table.rows) > 0]
    if not (probabilities >= 0).all() or (np.abs(totals - 1) > ROUNDING).any():
        raise DuelbookError(
            "The probabilities in each position must not be negative, and must add up to 1."
        )
    _check_information_sets(table, probabilities)
    return _per_position(table, probabilities)


def _per_position(table: Table, weights: NDArray[np.float64]) -> Shares:
    """Return weights normalised to probabilities in each position."""
    sources = table.sources
    totals = np.bincount(sources, weights, len(table)).astype(np.float64)
    return weights / totals[sources]


def _check_information_sets(table: Table, probabilities: Shares) -> None:
    if not secrecy.keeps_secrets(table.game):
        return
    _, representative = np.unique(table.infosets, return_index=True)
    same = representative[table.infosets]  # a position of the same information set
    sources = table.sources
    offsets = np.arange(len(probabilities)) - table.rows[sources]
    if not np.allclose(
        probabilities, probabilities[table.rows[same[sources]] + offsets], rtol=0, atol=ROUNDING
    ):
        raise DuelbookError("The policy differs between positions of one information set.")
