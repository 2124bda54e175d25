"""Rules over arrays: the interface of a game's `vectors` module, and a check against the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from duelbook.position import DRAW, LUCK, Position, has_scores

Ints = NDArray[np.int32]
CodeArray = NDArray[Any]
"""Codes of 32 bits if SIZE is at most `DENSE`, and of 64 bits otherwise."""
DENSE = 1 << 28
"""The largest SIZE for which an array has room for every code, which is faster."""
GOES_ON, DRAWN = -1, 2
"""What stands for nobody in an array of winners: the game goes on, or it is a draw."""
CHUNK = 1 << 16
"""The number of positions to process at once."""


class Vectors(Protocol):
    """A game's rules over arrays of positions, each packed into one number below SIZE.

    `first` is the seat that moved first, for codes that do not contain the seat to move. `moves`
    must list moves in the order of ACTIONS, or of CHANCES where luck is to move. A game with luck
    also has `weights`, and a game with scores has `paid`.
    """

    SIZE: int

    def pack(self, position: Position) -> int:
        """Return the code of a position."""

    def unpack(self, code: int, first: int) -> Position:
        """Return the position with a code."""

    def expand(self, codes: CodeArray, first: int) -> tuple[NDArray[np.bool_], CodeArray]:
        """Return for each position and move whether it is legal, and the code after it.

        There is a column for each of ACTIONS, and then one for each of CHANCES.
        """

    def weights(self, codes: CodeArray, first: int) -> NDArray[np.int64]:
        """Return the weight of each move where luck is to move, and 0 for the other moves."""

    def paid(self, codes: CodeArray, first: int) -> NDArray[np.float64]:
        """Return what terminal positions pay to Player 1, and 0 for the others."""

    def fields(self, codes: CodeArray, first: int) -> Mapping[str, NDArray[np.int8]]:
        """Return the fields of positions: -1 for None; a subset has 1 for each number in it.

        An array has an axis for the positions, and one more for each level of tuples.
        """

    def outcome(
        self, codes: CodeArray, first: int
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]:
        """Return the seat to move, the winner (or DRAWN or GOES_ON), and where a ruling decides."""


def vectors_of(game: type[Position]) -> Vectors | None:
    """Return a game's rules over arrays, if it has them."""
    return import_module(game.vectors) if game.vectors else None


def code_type(vectors: Vectors) -> type[np.int32 | np.int64]:
    """Return the type of a game's codes."""
    return np.int32 if vectors.SIZE <= DENSE else np.int64


def winner_number(position: Position) -> int:
    """Return the winner of a position as tables have it."""
    winner = position.winner()
    return GOES_ON if winner is None else DRAWN if winner is DRAW else winner


def compare_vectors(
    vectors: Vectors, positions: Sequence[Position], first: int
) -> tuple[int, str] | None:
    """Return the first position on which vectors and rules disagree, and the subject."""
    for begin in range(0, len(positions), CHUNK):
        chunk = positions[begin : begin + CHUNK]
        codes = np.array([vectors.pack(position) for position in chunk], code_type(vectors))
        legal, leads = vectors.expand(codes, first)
        mover, winner, ruled = vectors.outcome(codes, first)
        game = type(chunk[0])
        weights = vectors.weights(codes, first) if game.CHANCES else None
        paid = vectors.paid(codes, first) if has_scores(game) else None
        for at, position in enumerate(chunk):
            moves = position.moves()
            actions = [(*position.ACTIONS, *position.CHANCES).index(move) for move in moves]
            odds = position.odds() if position.to_move == LUCK else {}
            wrong = {
                "the position of a code": vectors.unpack(int(codes[at]), first) != position,
                "the legal moves": np.flatnonzero(legal[at]).tolist() != actions,
                "the position after a move": any(
                    leads[at, action] != vectors.pack(position.play(move))
                    for action, move in zip(actions, moves, strict=True)
                ),
                "the seat to move": mover[at] != position.to_move,
                "the winner": winner[at] != winner_number(position),
                "a ruling": bool(ruled[at]) != bool(position.ruling()),
                "the odds": weights is not None
                and weights[at, actions].tolist() != [odds.get(move, 0) for move in moves],
                "the payoff": paid is not None and paid[at] != (position.payoff() or 0),
            }
            if any(wrong.values()):
                return begin + at, next(what for what, is_wrong in wrong.items() if is_wrong)
    return None
