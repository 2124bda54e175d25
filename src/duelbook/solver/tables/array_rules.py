"""Rules over arrays: the interface of a game's `vectors` module, and a check against the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from duelbook.catalog import loader
from duelbook.position import CHANCE, Draw, Position, has_scores

Ints = NDArray[np.int32]
CodeArray = NDArray[np.int64]
MoveArray = NDArray[np.integer]
DENSE = 1 << 28
"""The largest SIZE for which enumeration uses an array with an entry for every code."""
ONGOING, DRAWN = -1, 2
"""The entries without a winner in an array of winners: the game continues, or it is a draw."""
CHUNK = 1 << 16
"""The number of positions to process at once."""


class Vectors(Protocol):
    """A game's rules over arrays of positions; a position is a code, a number below SIZE.

    `first` is the seat that moved first; a game needs it if codes do not contain the seat to move.
    A game with chance also has `weights`, and a game with scores has `paid`; `fields` is optional.
    """

    SIZE: int

    def pack(self, position: Position) -> int:
        """Return the code of a position."""

    def unpack(self, code: int, first: int) -> Position:
        """Return the position with a code."""

    def expand(self, codes: CodeArray, first: int) -> tuple[MoveArray, MoveArray, MoveArray]:
        """Return the number of moves of each position, and each move with the code after it.

        The moves of the first position come first, in the order of `moves`. A move is its index in
        ACTIONS; the indices of CHANCE_MOVES follow.
        """

    def outcome(
        self, codes: CodeArray, first: int
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]:
        """Return the seat to move, the winner, DRAWN or ONGOING, and whether a ruling decides."""

    def weights(self, codes: CodeArray, actions: MoveArray, first: int) -> MoveArray:
        """Return the weight of each chance outcome, given its position and its number."""

    def paid(self, codes: CodeArray, first: int) -> NDArray[np.float64]:
        """Return the payoffs of terminal positions to Player 1."""

    def fields(self, codes: CodeArray, first: int) -> Mapping[str, NDArray[np.int8]]:
        """Return the fields of positions; None is -1, and a subset has 1 for each number in it.

        An array has an axis for the positions, and one more for each level of tuples.
        """


def vectors_of(game: type[Position]) -> Vectors | None:
    """Return a game's rules over arrays, from beside its file or by name; None without them."""
    if not game.vectors:
        return None
    return loader.beside(game, game.vectors) or import_module(game.vectors)


def vectors_names(game: type[Position]) -> list[str]:
    """Load a game's rules over arrays, and return the name of their module, if there is one."""
    module: Any = vectors_of(game)
    return [] if module is None else [module.__name__]


def winner_number(winner: int | Draw | None) -> int:
    """Return the number of a winner in a table."""
    if winner is None:
        return ONGOING
    return DRAWN if isinstance(winner, Draw) else winner


def chance_weights(
    game: type[Position], vectors: Vectors, codes: CodeArray, actions: MoveArray, first: int
) -> NDArray[np.int64]:
    """Return the weight of each move, given its position; 0 for the moves of a player."""
    weights = np.zeros(len(actions), np.int64)
    is_chance = actions >= len(game.ACTIONS)
    if is_chance.any():
        weights[is_chance] = vectors.weights(codes[is_chance], actions[is_chance], first)
    return weights


def paid_at_the_end(
    vectors: Vectors, codes: CodeArray, terminal: NDArray[np.bool_], first: int
) -> NDArray[np.float64]:
    """Return the payoff of each position to Player 1; 0 where the game continues."""
    paid = np.zeros(len(codes))
    if terminal.any():
        paid[terminal] = vectors.paid(codes[terminal], first)
    return paid


def compare_vectors(
    vectors: Vectors, positions: Sequence[Position], first: int
) -> tuple[int, str] | None:
    """Return the index of the first position where vectors and rules disagree, and the subject."""
    for begin in range(0, len(positions), CHUNK):
        differences = _differences(vectors, positions[begin : begin + CHUNK], first)
        if (difference := next(differences, None)) is not None:
            return begin + difference[0], difference[1]
    return None


def _differences(
    vectors: Vectors, positions: Sequence[Position], first: int
) -> Iterator[tuple[int, str]]:
    """Yield the index of each position where vectors and rules disagree, and the subject."""
    game = type(positions[0])
    numbers = {move: number for number, move in enumerate((*game.ACTIONS, *game.CHANCE_MOVES))}
    codes = np.array([vectors.pack(position) for position in positions], np.int64)
    counts, actions, leads = vectors.expand(codes, first)
    mover, winner, ruled = vectors.outcome(codes, first)
    ends = np.cumsum(counts)
    if not len(counts) == len(mover) == len(winner) == len(ruled) == len(codes):
        yield 0, "the number of positions"
    if not len(actions) == len(leads) == ends[-1]:
        yield 0, "the number of moves"
        return
    weights = chance_weights(game, vectors, np.repeat(codes, counts), actions, first)
    paid = paid_at_the_end(vectors, codes, winner != ONGOING, first) if has_scores(game) else None
    for at, (position, end) in enumerate(zip(positions, ends.tolist(), strict=True)):
        moves, row = position.moves(), slice(end - int(counts[at]), end)
        odds = position.odds() if position.to_move == CHANCE else {}
        wrong = {
            "the size of codes": not 0 <= codes[at] < vectors.SIZE,
            "the position of a code": vectors.unpack(int(codes[at]), first) != position,
            "the legal moves": actions[row].tolist() != [numbers[move] for move in moves],
            "the position after a move": leads[row].tolist()
            != [vectors.pack(position.apply(move)) for move in moves],
            "the seat to move": mover[at] != position.to_move,
            "the winner": winner[at] != winner_number(position.winner()),
            "a ruling": bool(ruled[at]) != bool(position.ruling()),
            "the odds": weights[row].tolist() != [odds.get(move, 0) for move in moves],
            "the payoff": paid is not None and paid[at] != (position.payoff() or 0),
        }
        yield from ((at, subject) for subject, is_wrong in wrong.items() if is_wrong)
