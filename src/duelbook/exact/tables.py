"""Tables: a game enumerated once into flat arrays, for all that wants to know everything."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from duelbook import secrecy
from duelbook.catalog.registry import game_of
from duelbook.errors import DuelbookError, TooLarge
from duelbook.position import Position, check_first, player

Ints = NDArray[np.int32]
Progress = Callable[[int], object]
"""Called with the number of positions found so far."""
CHUNK = 1 << 16


class Vectors(Protocol):
    """A game's rules over arrays of positions, each packed into one number below SIZE.

    `first` is the seat that began the game, for numbers that leave open whose turn it is. Turns
    alternate strictly, and `moves` lists moves in the order of ACTIONS.
    """

    SIZE: int

    def pack(self, position: Position) -> int:
        """Return the number of a position."""

    def unpack(self, code: int, first: int) -> Position:
        """Return the position of a number."""

    def expand(self, codes: Ints, first: int) -> tuple[NDArray[np.bool_], Ints]:
        """Return for each position and action whether it is legal, and where it leads."""

    def fields(self, codes: Ints, first: int) -> Mapping[str, NDArray[np.int8]]:
        """Return the fields of positions: -1 for None, and for a subset 1 where a number is in it.

        An array has an axis for the positions, and one more for each level of tuples.
        """

    def outcome(
        self, codes: Ints, first: int
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]:
        """Return the seat to move, the winner or -1, and whether that is by a ruling alone."""


def vectors_of(game: type[Position]) -> Vectors | None:
    """Return the vectorised rules that a game offers, if any."""
    return import_module(game.vectors) if game.vectors else None


@dataclass(frozen=True, eq=False)
class Places:
    """The positions of a table, by number and back."""

    known: tuple[Position, ...] = ()
    codes: Ints | None = None
    vectors: Vectors | None = None
    first: int = 0

    def __len__(self) -> int:
        return len(self.known) if self.codes is None else len(self.codes)

    def __getitem__(self, number: int) -> Position:
        if self.codes is None or self.vectors is None:
            return self.known[number]
        return self.vectors.unpack(int(self.codes[number]), self.first)

    def __iter__(self) -> Iterator[Position]:
        return (self[number] for number in range(len(self)))

    def find(self, position: Position) -> int | None:
        """Return the number of a position, or None if it is not in the table."""
        if self.codes is None or self.vectors is None:
            return self._numbers.get(position)
        code = self.vectors.pack(position)
        at = int(np.searchsorted(self._sorted, np.int32(code)))  # of the same type: no copy
        here = int(self._order[min(at, len(self) - 1)])
        return here if self[here] == position else None

    def after(self, position: Position) -> NDArray[np.intp] | None:
        """Return the numbers of the positions after each move, if that is to be had at once."""
        if self.vectors is None or self.codes is None or self.find(position) is None:
            return None
        code = np.array([self.vectors.pack(position)], np.int32)
        legal, leads = self.vectors.expand(code, self.first)
        return self._order[np.searchsorted(self._sorted, leads[legal])]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the positions as arrays that can be kept."""
        if self.codes is not None:
            return {"codes": self.codes}
        text = json.dumps([position.to_json() for position in self.known])
        return {"known": np.frombuffer(text.encode(), np.uint8)}

    @classmethod
    def from_arrays(
        cls, game: type[Position], first: int, arrays: Mapping[str, NDArray[Any]]
    ) -> Places:
        """Return the positions that `to_arrays` gave."""
        if "codes" in arrays:
            return cls(codes=arrays["codes"], vectors=vectors_of(game), first=first)
        known = json.loads(arrays["known"].tobytes())
        return cls(tuple(game.from_json(position) for position in known))

    @cached_property
    def _numbers(self) -> dict[Position, int]:
        return {position: number for number, position in enumerate(self.known)}

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        return np.argsort(self.codes) if self.codes is not None else np.empty(0, np.intp)

    @cached_property
    def _sorted(self) -> Ints:
        return self.codes[self._order] if self.codes is not None else np.empty(0, np.int32)


@dataclass(frozen=True, eq=False)
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
    actions: NDArray[np.uint8 | np.uint16]
    after: Ints
    layers: tuple[int, ...]
    ruled: NDArray[np.bool_]
    """Whether a ruling alone decides an end."""
    steps_forward: bool
    """Whether every move leads from one layer to the next, so that no position comes back."""

    def __len__(self) -> int:
        return len(self.mover)

    def __repr__(self) -> str:
        size = f"{len(self):,} positions, {len(self.after):,} moves"
        return f"<Table of {self.game.title}: {size}>"

    @cached_property
    def sources(self) -> Ints:
        """The position in which each move is made."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.rows))

    @property
    def dead_ends(self) -> list[int]:
        """The positions without a move and without a winner: draws, or mistakes of the rules."""
        return np.flatnonzero((np.diff(self.rows) == 0) & (self.winner < 0)).tolist()

    @cached_property
    def infosets(self) -> Ints:
        """The information set of the player to move, a number for each position.

        Two positions share one when the player to move sees the same in both.
        """
        if not secrecy.keeps_secrets(self.game):
            return np.arange(len(self), dtype=np.int32)
        numbers: dict[Position, int] = {}
        looks = (place.view(place.to_move) for place in self.places)
        return np.array([numbers.setdefault(look, len(numbers)) for look in looks], np.int32)

    @cached_property
    def secret_sets(self) -> list[NDArray[np.intp]]:
        """The information sets with several positions: a hidden choice, and one answer to it."""
        if not secrecy.keeps_secrets(self.game):
            return []
        order = np.argsort(self.infosets, kind="stable")
        sets = np.split(order, np.flatnonzero(np.diff(self.infosets[order])) + 1)
        found = [members for members in sets if len(members) > 1]
        for members in found:
            _check_one_answer(self, members)
        return found


def _check_one_answer(table: Table, group: NDArray[np.intp]) -> None:
    """Refuse a secret that is not one choice, answered once and then open to both."""
    parents = {int(p) for member in group for p in table.sources[table.after == member]}
    looks = {table.places[int(p)].view(s) == table.places[int(p)] for p in parents for s in (0, 1)}
    after = np.concatenate([table.after[table.rows[m] : table.rows[m + 1]] for m in group])
    open_again = all(
        table.places[int(a)].view(seat) == table.places[int(a)] for a in after for seat in (0, 1)
    )
    moves = {table.actions[table.rows[m] : table.rows[m + 1]].tobytes() for m in group}
    if len(moves) != 1:
        raise DuelbookError(f"{table.game.title} lets a secret show in what a player may do.")
    if len(parents) != 1 or looks != {True} or not open_again:
        raise DuelbookError(
            f"{table.game.title} keeps a secret for longer than one answer, "
            "and such games cannot be solved exactly yet."
        )


def enumerate_game(
    game: type[Position],
    *,
    first: int = 0,
    most: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Return the table of a game; refuse one with more than `most` positions, or as it says."""
    most = game.most_positions if most is None else most
    vectors = vectors_of(game)
    if vectors is not None:
        return _by_vectors(game, first, vectors, most, progress)
    return _by_rules(game, first, most, progress)


def table_of(game: Table | type[Position] | str, first: int | None = None) -> Table:
    """Return the table of a game begun by a seat, by default the first, if it is not one yet."""
    if isinstance(game, Table):
        if first not in (None, game.first):
            raise DuelbookError(f"That table is of games that {player(game.first)} begins.")
        return game
    first = first or 0
    chosen = game_of(game)
    check_first(chosen, first)
    return enumerate_game(chosen, first=first)


def check_can_be_played(table: Table) -> None:
    """Refuse a game that is over before it begins, or that may end without a winner."""
    if table.rows[1] == 0:
        raise DuelbookError(f"{table.game.title} is over before it begins.")
    if table.dead_ends:
        raise DuelbookError(
            f"{table.game.title} has positions without a move and without a winner, "
            "and such games cannot be played over a table yet."
        )


def _by_rules(
    game: type[Position], first: int, most: int | None, progress: Progress | None
) -> Table:
    number_of = {move: number for number, move in enumerate(game.ACTIONS)}
    found = {game.start(first): 0}
    rows, actions, after, layers = [0], [], [], [0]
    layer, steps_forward = list(found), True
    while layer:
        fresh: list[Position] = []
        layers.append(layers[-1] + len(layer))
        for position in layer:
            for move in position.moves():
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
    places = tuple(found)
    winners = (place.winner() for place in places)
    return Table(
        game,
        first,
        Places(places),
        np.array([place.to_move for place in places], np.int8),
        np.array([-1 if winner is None else winner for winner in winners], np.int8),
        np.array(rows, np.int64),
        np.array(actions, _smallest(len(game.ACTIONS))),
        np.array(after, np.int32),
        tuple(layers),
        np.array([bool(place.ruling()) for place in places], np.bool_),
        steps_forward,
    )


def _by_vectors(
    game: type[Position], first: int, vectors: Vectors, most: int | None, progress: Progress | None
) -> Table:
    number = np.zeros(vectors.SIZE, np.int32)  # of each code, counted from 1; 0 is not found yet
    reached = np.zeros(vectors.SIZE, np.bool_)
    every_action = np.arange(len(game.ACTIONS), dtype=_smallest(len(game.ACTIONS)))
    layer: Ints = np.array([vectors.pack(game.start(first))], np.int32)
    number[layer] = 1
    layers, codes = [0], [layer]
    counts, actions, after = _Pile(np.int64), _Pile(every_action.dtype), _Pile(np.int32)
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
    places = np.concatenate(codes)
    mover, winner, ruled = vectors.outcome(places, first)
    return Table(
        game,
        first,
        Places(codes=places, vectors=vectors, first=first),
        mover,
        winner,
        np.concatenate([[0], np.cumsum(counts.all)]),
        actions.all,
        after.all,
        tuple(layers),
        ruled,
        steps_forward,
    )


class _Pile:
    """An array that grows at its end; memory that is not used yet costs nothing."""

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
    """Return the smallest type for numbers below a size."""
    return np.uint8 if size <= 256 else np.uint16


def _chunks(layer: Ints) -> Iterable[Ints]:
    return (layer[at : at + CHUNK] for at in range(0, len(layer), CHUNK))


def _report(found: int, most: int | None, progress: Progress | None) -> None:
    if most is not None and found > most:
        raise TooLarge(f"The game has more than {most:,} positions.")
    if progress is not None:
        progress(found)


def compare_vectors(
    vectors: Vectors, positions: Sequence[Position], first: int
) -> tuple[int, str] | None:
    """Return the first position about which vectors and rules disagree, and about what."""
    for begin in range(0, len(positions), CHUNK):
        chunk = positions[begin : begin + CHUNK]
        codes = np.array([vectors.pack(position) for position in chunk], np.int32)
        legal, leads = vectors.expand(codes, first)
        mover, winner, ruled = vectors.outcome(codes, first)
        for at, position in enumerate(chunk):
            moves = position.moves()
            actions = [position.ACTIONS.index(move) for move in moves]
            won = position.winner()
            wrong = {
                "which position it is": vectors.unpack(int(codes[at]), first) != position,
                "what is legal": np.flatnonzero(legal[at]).tolist() != actions,
                "where a move leads": any(
                    leads[at, action] != vectors.pack(position.play(move))
                    for action, move in zip(actions, moves, strict=True)
                ),
                "whose turn it is": mover[at] != position.to_move,
                "who has won": winner[at] != (-1 if won is None else won),
                "a ruling": bool(ruled[at]) != bool(position.ruling()),
            }
            if any(wrong.values()):
                return begin + at, next(what for what, is_wrong in wrong.items() if is_wrong)
    return None
