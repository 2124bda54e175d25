"""Expansion: the moves and outcomes of many positions, as arrays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError
from duelbook.position import CHANCE, Draw, Position, has_scores
from duelbook.solver.tables.array_rules import (
    ONGOING,
    chance_weights,
    paid_at_the_end,
    winner_number,
)
from duelbook.solver.tables.packing import Codes, UnknownValueError
from duelbook.solver.tables.position_table import Coding, VectorCoding


@dataclass(frozen=True, eq=False)
class Expansion:
    """The moves and outcomes of some positions; `Table` describes the arrays."""

    mover: NDArray[np.int8]
    winner: NDArray[np.int8]
    ruled: NDArray[np.bool_]
    counts: NDArray[np.int32]
    """The number of moves of each position."""
    actions: NDArray[np.uint8 | np.uint16]
    leads: Any
    """The code of the position after each move; on a cluster, references to the codes."""
    weights: NDArray[np.int64] | None
    paid: NDArray[np.float64] | None


class NewValuesError(Exception):
    """Some moves lead to positions with values that the packing has not learned."""

    def __init__(self, answers: Expansion, reached: list[Position]) -> None:
        super().__init__(answers, reached)
        self.reached = reached
        self._answers = answers

    def expansion(self, coding: Coding) -> Expansion:
        """Return the expansion, given a coding that has learned the values."""
        return replace(self._answers, leads=coding.encode(self.reached))


def action_type(game: type[Position]) -> type[np.uint8 | np.uint16]:
    """Return the smallest type for the numbers of moves."""
    return np.uint8 if len(game.ACTIONS) + len(game.CHANCE_MOVES) <= 256 else np.uint16


def expand(game: type[Position], coding: Coding, codes: Codes) -> Expansion:
    """Expand the positions with these codes."""
    if isinstance(coding, VectorCoding):
        return _by_vectors(game, coding, codes)
    with _without_collection():
        return _by_rules(game, coding, codes)


def _by_rules(game: type[Position], packing: Coding, codes: Codes) -> Expansion:
    positions = packing.decode(codes)
    numbers = {move: number for number, move in enumerate((*game.ACTIONS, *game.CHANCE_MOVES))}
    reached: list[Position] = []
    played: list[str] = []
    counts, weights = [], []
    for position in positions:
        legal = position.moves()
        reached += map(position.apply, legal)
        played += legal
        counts.append(len(legal))
        if game.CHANCE_MOVES:
            weights += _weights(position, legal)
    winners = [position.winner() for position in positions]
    answers = Expansion(
        np.array([position.to_move for position in positions], np.int8),
        np.array(list(map(winner_number, winners)), np.int8),
        _ruled(game, positions, winners),
        np.array(counts, np.int32),
        np.array(list(map(numbers.__getitem__, played)), action_type(game)),
        codes[:0],
        np.array(weights, np.int64) if game.CHANCE_MOVES else None,
        np.array([position.payoff() or 0.0 for position in positions])
        if has_scores(game)
        else None,
    )
    try:
        return replace(answers, leads=packing.encode(reached))
    except UnknownValueError:
        raise NewValuesError(answers, reached) from None


def _by_vectors(game: type[Position], coding: VectorCoding, codes: Codes) -> Expansion:
    vectors, first, packed = coding.vectors, coding.first, codes[:, 0]
    counts, actions, leads = vectors.expand(packed, first)
    mover, winner, ruled = vectors.outcome(packed, first)
    weights = paid = None
    if game.CHANCE_MOVES:
        weights = chance_weights(game, vectors, np.repeat(packed, counts), actions, first)
    if has_scores(game):
        paid = paid_at_the_end(vectors, packed, winner != ONGOING, first)
    return Expansion(
        mover.astype(np.int8, copy=False),
        winner.astype(np.int8, copy=False),
        ruled.astype(np.bool_, copy=False),
        counts.astype(np.int32, copy=False),
        actions.astype(action_type(game), copy=False),
        leads.astype(np.int64, copy=False)[:, None],
        weights,
        paid,
    )


@contextmanager
def _without_collection() -> Iterator[None]:
    """Disable the garbage collector, since positions are short-lived and have no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _ruled(
    game: type[Position], positions: list[Position], winners: list[int | Draw | None]
) -> NDArray[np.bool_]:
    """Return for each position whether only a ruling decides the winner."""
    if game.ruling is Position.ruling:
        return np.zeros(len(positions), np.bool_)
    pairs = zip(positions, winners, strict=True)
    return np.array([winner is not None and bool(position.ruling()) for position, winner in pairs])


def _weights(position: Position, legal: list[str]) -> list[int]:
    """Return the weight of each move of chance; 0 for the moves of a player."""
    if position.to_move != CHANCE:
        return [0] * len(legal)
    odds = position.odds()
    if sorted(odds) != sorted(legal) or min(odds.values(), default=1) < 1:
        raise DuelbookError(
            f"The odds of {position.title} do not give a weight above 0 to each move: {position!r}."
        )
    return [odds[move] for move in legal]
