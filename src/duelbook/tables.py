"""Tables: a game enumerated once into flat arrays, for all that wants to know everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.position import Position

Ints = NDArray[np.int32]
Progress = Callable[[int], object]
"""Called with the number of positions found so far."""
CHUNK = 1 << 16


class Vectors(Protocol):
    """A game's rules over arrays of positions, each packed into one number below SIZE."""

    SIZE: int

    def pack(self, position: Position) -> int:
        """Return the number of a position."""

    def unpack(self, code: int) -> Position:
        """Return the position of a number."""

    def expand(self, codes: Ints) -> tuple[NDArray[np.bool_], Ints]:
        """Return for each position and action whether it is legal, and where it leads."""

    def outcome(self, codes: Ints) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the seat to move and the winner, or -1, of each position."""


def vectors_of(game: type[Position]) -> Vectors | None:
    """Return the vectorised rules that a game offers, if any."""
    return import_module(game.vectors) if game.vectors else None


@dataclass(frozen=True)
class Places:
    """The positions of a table, by number and back."""

    known: tuple[Position, ...] = ()
    codes: Ints | None = None
    vectors: Vectors | None = None

    def __len__(self) -> int:
        return len(self.known) if self.codes is None else len(self.codes)

    def __getitem__(self, number: int) -> Position:
        if self.codes is None or self.vectors is None:
            return self.known[number]
        return self.vectors.unpack(int(self.codes[number]))

    def find(self, position: Position) -> int | None:
        """Return the number of a position, or None if it is not in the table."""
        if self.codes is None or self.vectors is None:
            return self._numbers.get(position)
        code = self.vectors.pack(position)
        at = int(np.searchsorted(self._sorted, code))
        here = int(self._order[min(at, len(self) - 1)])
        return here if self.codes[here] == code else None

    @cached_property
    def _numbers(self) -> dict[Position, int]:
        return {position: number for number, position in enumerate(self.known)}

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        return np.argsort(self.codes) if self.codes is not None else np.empty(0, np.intp)

    @cached_property
    def _sorted(self) -> Ints:
        return self.codes[self._order] if self.codes is not None else np.empty(0, np.int32)


@dataclass(frozen=True)
class Table:
    """Every position that can be reached from a start, and every move between them.

    Position 0 is the start. The moves of position p are the entries `rows[p]` to `rows[p + 1]` of
    `actions` (numbers of `Game.ACTIONS`) and `after` (numbers of positions). Positions come in
    the order of their least distance from the start; `layers` says where each distance begins.
    """

    game: type[Position]
    first: int
    places: Places
    mover: NDArray[np.int8]
    winner: NDArray[np.int8]
    rows: NDArray[np.int64]
    actions: NDArray[np.int16]
    after: Ints
    layers: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.mover)

    @cached_property
    def steps_forward(self) -> bool:
        """Whether every move leads from one layer to the next, so that no position comes back."""
        layer = np.repeat(np.arange(len(self.layers) - 1), np.diff(self.layers))
        source = np.repeat(layer, np.diff(self.rows))
        return bool((layer[self.after] == source + 1).all())

    @cached_property
    def infosets(self) -> Ints:
        """The information set of the player to move, a number for each position.

        Two positions share one when the player to move sees the same in both.
        """
        if not secrecy.keeps_secrets(self.game):
            return np.arange(len(self), dtype=np.int32)
        numbers: dict[Position, int] = {}
        looks = (place.view(place.to_move) for place in self.places.known)
        return np.array([numbers.setdefault(look, len(numbers)) for look in looks], np.int32)


def enumerate_game(
    game: type[Position],
    *,
    first: int = 0,
    most: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Return the table of a game; refuse one with more than `most` positions."""
    vectors = vectors_of(game)
    if vectors is not None:
        return _by_vectors(game, first, vectors, most, progress)
    return _by_rules(game, first, most, progress)


def _by_rules(
    game: type[Position], first: int, most: int | None, progress: Progress | None
) -> Table:
    number_of = {move: number for number, move in enumerate(game.ACTIONS)}
    found = {game.start(first): 0}
    rows, actions, after, layers = [0], [], [], [0]
    layer = list(found)
    while layer:
        fresh: list[Position] = []
        for position in layer:
            for move in position.moves():
                reached = position.play(move)
                number = found.setdefault(reached, len(found))
                if number == len(found) - 1 and number >= layers[-1] + len(layer) + len(fresh):
                    fresh.append(reached)
                actions.append(number_of[move])
                after.append(number)
            rows.append(len(after))
        layers.append(layers[-1] + len(layer))
        _report(len(found), most, progress)
        layer = fresh
    places = tuple(found)
    winners = (place.winner() for place in places)
    return Table(
        game,
        first,
        Places(places),
        np.array([place.to_move for place in places], np.int8),
        np.array([-1 if winner is None else winner for winner in winners], np.int8),
        np.array(rows, np.int64),
        np.array(actions, np.int16),
        np.array(after, np.int32),
        tuple(layers),
    )


def _by_vectors(
    game: type[Position], first: int, vectors: Vectors, most: int | None, progress: Progress | None
) -> Table:
    number = np.zeros(vectors.SIZE, np.int32)  # of each code, counted from 1; 0 is not found yet
    layer: Ints = np.array([vectors.pack(game.start(first))], np.int32)
    number[layer] = 1
    layers, codes = [0], [layer]
    counts: list[NDArray[np.int64]] = []
    actions: list[NDArray[np.int16]] = []
    after: list[Ints] = []
    while len(layer):
        layers.append(layers[-1] + len(layer))
        reached = np.zeros(vectors.SIZE, np.bool_)
        for chunk in _chunks(layer):
            legal, leads = vectors.expand(chunk)
            counts.append(legal.sum(1))
            actions.append(np.nonzero(legal)[1].astype(np.int16))
            after.append(leads[legal])
            reached[after[-1]] = True
        layer = np.flatnonzero(reached).astype(np.int32)
        layer = layer[number[layer] == 0]
        number[layer] = np.arange(layers[-1] + 1, layers[-1] + len(layer) + 1, dtype=np.int32)
        codes.append(layer)
        _report(layers[-1] + len(layer), most, progress)
    places = np.concatenate(codes)
    mover, winner = vectors.outcome(places)
    rows = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    for leads in after:
        leads[:] = number[leads] - 1
    return Table(
        game,
        first,
        Places(codes=places, vectors=vectors),
        mover,
        winner,
        rows,
        np.concatenate(actions),
        np.concatenate(after),
        tuple(layers),
    )


def _chunks(layer: Ints) -> Iterable[Ints]:
    return (layer[at : at + CHUNK] for at in range(0, len(layer), CHUNK))


def _report(found: int, most: int | None, progress: Progress | None) -> None:
    if most is not None and found > most:
        raise DuelbookError(f"The game has more than {most:,} positions.")
    if progress is not None:
        progress(found)
