"""Enumeration of all reachable positions of a game and the moves between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from duelbook.catalog.registry import game_of
from duelbook.errors import DuelbookError, TooLarge
from duelbook.exact.tables import PositionIndex, Table
from duelbook.exact.vectors import CHUNK, Ints, Vectors, vectors_of, winner_number
from duelbook.position import LUCK, Position, check_first, has_scores, player

Progress = Callable[[int], object]
"""Called with the number of positions found so far."""


def enumerate_game(
    game: type[Position],
    *,
    first: int = 0,
    most: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Return the table of a game; refuse more than `most` positions, or the game's own limit."""
    most = game.most_positions if most is None else most
    vectors = vectors_of(game)
    if vectors is not None:
        return _by_vectors(game, first, vectors, most, progress)
    return _by_rules(game, first, most, progress)


def table_of(game: Table | type[Position] | str, first: int | None = None) -> Table:
    """Return the table of a game with a given first seat; a table is returned as it is."""
    if isinstance(game, Table):
        if first not in (None, game.first):
            raise DuelbookError(f"In this table {player(game.first)} moves first.")
        return game
    first = first or 0
    chosen = game_of(game)
    check_first(chosen, first)
    return enumerate_game(chosen, first=first)


def _by_rules(
    game: type[Position], first: int, most: int | None, progress: Progress | None
) -> Table:
    number_of = {move: number for number, move in enumerate((*game.ACTIONS, *game.CHANCES))}
    found = {game.start(first): 0}
    rows, actions, after, layers = [0], [], [], [0]
    weights: list[int] = []
    layer, steps_forward = list(found), True
    while layer:
        fresh: list[Position] = []
        layers.append(layers[-1] + len(layer))
        for position in layer:
            legal = position.moves()
            if game.CHANCES:
                weights += _weights(position, legal)
            for move in legal:
                reached = position.play(move)
                number = found.setdefault(reached, len(found))
                if number == layers[-1] + len(fresh):
                    fresh.append(reached)
                steps_forward = steps_forward and number >= layers[-1]
                actions.append(number_of[move])
                after.append(number)
            rows.append(len(after))
            _report(len(found), most, progress)
        layer = fresh
    positions = tuple(found)
    return Table(
        game,
        first,
        PositionIndex(positions),
        np.array([position.to_move for position in positions], np.int8),
        np.array([winner_number(position) for position in positions], np.int8),
        np.array(rows, np.int64),
        np.array(actions, _smallest(len(number_of))),
        np.array(after, np.int32),
        tuple(layers),
        np.array([bool(position.ruling()) for position in positions], np.bool_),
        steps_forward,
        np.array(weights, np.int64) if any(weights) else None,
        np.array([position.payoff() or 0.0 for position in positions])
        if has_scores(game)
        else None,
    )


def _weights(position: Position, legal: list[str]) -> list[int]:
    """Return the weight of each move of luck; 0 for the moves of a player."""
    if position.to_move != LUCK:
        return [0] * len(legal)
    odds = position.odds()
    if sorted(odds) != sorted(legal) or min(odds.values(), default=1) < 1:
        raise DuelbookError(
            f"The odds of {position.title} do not give a weight above 0 to each move: {position}."
        )
    return [odds[move] for move in legal]


def _by_vectors(
    game: type[Position], first: int, vectors: Vectors, most: int | None, progress: Progress | None
) -> Table:
    number = np.zeros(vectors.SIZE, np.int32)  # of each code, from 1; 0 means not found yet
    reached = np.zeros(vectors.SIZE, np.bool_)
    every_action = np.arange(len(game.ACTIONS), dtype=_smallest(len(game.ACTIONS)))
    layer: Ints = np.array([vectors.pack(game.start(first))], np.int32)
    number[layer] = 1
    layers, codes = [0], [layer]
    counts, actions, after = (
        _GrowingArray(np.int64),
        _GrowingArray(every_action.dtype),
        _GrowingArray(np.int32),
    )
    steps_forward = True
    while len(layer):
        layers.append(layers[-1] + len(layer))
        edges = len(after)
        for chunk in _chunks(layer):
            legal, leads = vectors.expand(chunk, first)
            counts.add(np.count_nonzero(legal, axis=1))
            actions.add(np.broadcast_to(every_action, legal.shape)[legal])
            after.add(leads[legal])
        leads = after.all[edges:]
        reached[leads] = True
        layer = np.flatnonzero(reached).astype(np.int32)
        reached[layer] = False
        fresh = number[layer] == 0
        steps_forward = steps_forward and bool(fresh.all())
        layer = layer[fresh]
        number[layer] = np.arange(layers[-1] + 1, layers[-1] + len(layer) + 1, dtype=np.int32)
        np.subtract(number[leads], 1, out=leads)
        codes.append(layer)
        _report(layers[-1] + len(layer), most, progress)
    positions = np.concatenate(codes)
    mover, winner, ruled = vectors.outcome(positions, first)
    return Table(
        game,
        first,
        PositionIndex(codes=positions, vectors=vectors, first=first),
        mover,
        winner,
        np.concatenate([[0], np.cumsum(counts.all)]),
        actions.all,
        after.all,
        tuple(layers),
        ruled,
        steps_forward,
    )


class _GrowingArray:
    """An array that grows at its end; the system allocates memory only when it is used."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._room = np.empty(1 << 26, dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, values: NDArray[Any]) -> None:
        end = self._used + len(values)
        while end > len(self._room):
            self._room = np.concatenate([self._room, np.empty_like(self._room)])
        self._room[self._used : end] = values
        self._used = end

    @property
    def all(self) -> NDArray[Any]:
        return self._room[: self._used]


def _smallest(size: int) -> type[np.uint8 | np.uint16]:
    """Return the smallest type for integers below a size."""
    return np.uint8 if size <= 256 else np.uint16


def _chunks(layer: Ints) -> Iterable[Ints]:
    return (layer[at : at + CHUNK] for at in range(0, len(layer), CHUNK))


def _report(found: int, most: int | None, progress: Progress | None) -> None:
    if most is not None and found > most:
        raise TooLarge(f"The game has more than {most:,} positions.")
    if progress is not None:
        progress(found)
