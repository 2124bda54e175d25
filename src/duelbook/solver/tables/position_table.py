"""Tables: all positions and moves of a game in flat arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.errors import DuelbookError, PrivateInformationError
from duelbook.position import CHANCE, Position
from duelbook.solver.tables.array_rules import DRAWN, ONGOING, Ints, Vectors
from duelbook.solver.tables.numbering import Numbers, find_row, lexical_order
from duelbook.solver.tables.packing import BLOCK, Codes, UnknownValueError

MAX_DECODED_POSITIONS = 50_000
"""The maximum number of positions of a table that stays decoded in memory after first use."""


class Coding(Protocol):
    """A conversion of positions to codes and back."""

    def encode(self, positions: Sequence[Position]) -> Codes:
        """Return the codes of positions, or raise UnknownValueError."""

    def decode(self, codes: Codes) -> list[Position]:
        """Return the positions with these codes."""


@dataclass(frozen=True)
class VectorCoding:
    """The coding of a game with vectors."""

    vectors: Vectors
    first: int

    def encode(self, positions: Sequence[Position]) -> Codes:
        """Return the codes of positions."""
        return np.array([[self.vectors.pack(position)] for position in positions], np.int64)

    def decode(self, codes: Codes) -> list[Position]:
        """Return the positions with these codes."""
        return [self.vectors.unpack(code, self.first) for code in codes[:, 0].tolist()]


@dataclass(frozen=True, eq=False)
class PositionIndex:
    """The positions of a table by number, and their numbers by position."""

    coding: Coding | None = None
    codes: Codes = field(default_factory=lambda: np.empty((0, 1), np.int64))
    """The code of each position: a row of one or more words."""
    stored_order: Numbers | None = None
    """The numbers of the positions in the order of their codes, if known."""

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, number: int) -> Position:
        return self.known[number] if len(self) <= MAX_DECODED_POSITIONS else self.at([number])[0]

    def __iter__(self) -> Iterator[Position]:
        for begin in range(0, len(self), BLOCK):
            yield from self.at(slice(begin, begin + BLOCK))

    def at(self, numbers: slice | Sequence[int] | NDArray[Any]) -> list[Position]:
        """Return the positions with these numbers."""
        chosen = self.codes[numbers]
        return self.coding.decode(chosen) if self.coding and len(chosen) else []

    @cached_property
    def known(self) -> tuple[Position, ...]:
        """All positions; only for tables of moderate size."""
        return tuple(self)

    def find(self, position: Position) -> int | None:
        """Return the number of a position, or None if it is not in the table."""
        if len(self) <= MAX_DECODED_POSITIONS or self.coding is None:
            return self._numbers.get(position)
        try:
            (code,) = self.coding.encode([position]).tolist()
        except UnknownValueError:
            return None
        number = find_row(self.codes, self.order, code)
        return number if number is not None and self[number] == position else None

    @property
    def vectors(self) -> VectorCoding | None:
        """The rules over arrays that made the codes, if there are any."""
        return self.coding if isinstance(self.coding, VectorCoding) else None

    def after(self, position: Position) -> tuple[Numbers, NDArray[np.int8]] | None:
        """Return the position after each move and the seat to move there; None without vectors."""
        if self.vectors is None or self.find(position) is None:
            return None
        rules, first = self.vectors.vectors, self.vectors.first
        leads = rules.expand(self.vectors.encode([position])[:, 0], first)[2].astype(np.int64)
        at = np.searchsorted(self._sorted, leads)
        return self.order[at], rules.outcome(leads, first)[0]

    @cached_property
    def order(self) -> Numbers:
        """The numbers of the positions in the order of their codes."""
        return lexical_order(self.codes) if self.stored_order is None else self.stored_order

    @cached_property
    def _sorted(self) -> Codes:
        return np.asarray(self.codes[self.order, 0])

    @cached_property
    def _numbers(self) -> dict[Position, int]:
        return {position: number for number, position in enumerate(self.known)}


@dataclass(frozen=True, eq=False)
class Table:
    """Every position that is reachable from the start, and every move between them.

    Position 0 is the start. The moves of position p are the entries `rows[p]` to `rows[p + 1]`
    of `actions` (indices into `Game.ACTIONS`, then into `Game.CHANCE_MOVES`) and of `after`
    (numbers of positions). Positions are ordered by distance from the start; `layers` holds
    the first position of each distance.
    """

    game: type[Position]
    first: int
    positions: PositionIndex
    mover: NDArray[np.int8]
    """The seat to move, or CHANCE."""
    winner: NDArray[np.int8]
    """The seat that has won, DRAWN, or ONGOING."""
    rows: NDArray[np.int64]
    actions: NDArray[np.uint8 | np.uint16]
    after: Ints
    layers: tuple[int, ...]
    ruled: NDArray[np.bool_]
    """Whether only a ruling decides a terminal position."""
    steps_forward: bool
    """Whether every move leads from one layer to the next, so that there are no cycles."""
    weights: NDArray[np.int64] | None = None
    """The weight of each move of chance, and 0 for the players' moves; None without chance."""
    paid: NDArray[np.float64] | None = None
    """The payoff of each terminal position to seat 0, if the game has scores."""

    def __len__(self) -> int:
        return len(self.mover)

    def __repr__(self) -> str:
        size = f"{len(self):,} positions, {len(self.after):,} moves"
        return f"<Table of {self.game.title}: {size}>"

    @cached_property
    def sources(self) -> Ints:
        """The position before each move."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.rows))

    @cached_property
    def move_names(self) -> tuple[str, ...]:
        """The names of the numbers in `actions`: first the players' moves, then those of chance."""
        return (*self.game.ACTIONS, *self.game.CHANCE_MOVES)

    @property
    def has_chance(self) -> bool:
        """Return whether chance moves somewhere in the table."""
        return self.weights is not None

    @cached_property
    def chance_moves(self) -> NDArray[np.bool_]:
        """The mask of the moves of chance."""
        if self.weights is None:
            return np.zeros(len(self.after), np.bool_)
        return self.weights > 0

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """The probability of each move of chance, and 0 for the players' moves."""
        if self.weights is None:
            return np.zeros(len(self.after))
        totals = np.bincount(self.sources, self.weights, len(self))
        return self.weights / np.maximum(totals, 1)[self.sources]

    def same_mover(self, begin: int = 0, end: int | None = None) -> NDArray[np.int8]:
        """Return 1 for each move of these positions whose player moves again after it, else -1.

        Chance counts as seat 0, because the values of chance nodes are for seat 0.
        """
        rows = self.rows[begin : None if end is None else end + 1]
        mover = np.repeat(self.mover[begin:end] == 1, np.diff(rows))
        again = (self.mover[self.after[rows[0] : rows[-1]]] == 1) == mover
        return np.where(again, np.int8(1), np.int8(-1))

    def to_movers(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the value of each move for its player, given values for the player to move."""
        return values[self.after] * self.same_mover()

    @property
    def dead_ends(self) -> list[int]:
        """The positions with neither a move nor an outcome, which are errors in the rules."""
        idle = np.flatnonzero(self.rows[1:] == self.rows[:-1])
        stuck: list[int] = idle[self.winner[idle] == ONGOING].tolist()
        return stuck

    @property
    def draws(self) -> list[int]:
        """The drawn terminal positions."""
        return np.flatnonzero(self.winner == DRAWN).tolist()

    def pays(self, seat: int) -> NDArray[np.float64]:
        """Return the payoff of each terminal position to a seat; 0 for other positions."""
        if self.paid is not None:
            return self.paid if seat == 0 else 0.0 - self.paid
        won, lost = self.winner == seat, self.winner == 1 - seat
        return np.where(won, 1.0, np.where(lost, -1.0, 0.0))

    @cached_property
    def infosets(self) -> Ints:
        """The information set of the player to move: a number for each position.

        Two positions are in the same set if the player to move has the same view of both.
        """
        if not secrecy.keeps_secrets(self.game):
            return np.arange(len(self), dtype=np.int32)
        numbers: dict[Position, int] = {}
        looks = (
            position if position.to_move == CHANCE else position.view(position.to_move)
            for position in self.positions
        )
        return np.array([numbers.setdefault(look, len(numbers)) for look in looks], np.int32)

    @cached_property
    def secret_sets(self) -> list[NDArray[np.intp]]:
        """The information sets with several positions; each answers a hidden choice."""
        if not secrecy.keeps_secrets(self.game):
            return []
        order = np.argsort(self.infosets, kind="stable")
        sets = np.split(order, np.flatnonzero(np.diff(self.infosets[order])) + 1)
        several = [members for members in sets if len(members) > 1]
        for members in several:
            _check_one_answer(self, members)
        return several


def _check_one_answer(table: Table, group: NDArray[np.intp]) -> None:
    """Refuse private information other than one hidden choice that its answer reveals."""
    parents = {int(p) for member in group for p in table.sources[table.after == member]}
    looks = {
        table.positions[int(p)].view(s) == table.positions[int(p)] for p in parents for s in (0, 1)
    }
    after = np.concatenate([table.after[table.rows[m] : table.rows[m + 1]] for m in group])
    open_again = all(
        table.positions[int(a)].view(seat) == table.positions[int(a)]
        for a in after
        for seat in (0, 1)
    )
    moves = {table.actions[table.rows[m] : table.rows[m + 1]].tobytes() for m in group}
    if len(moves) != 1:
        raise DuelbookError(f"In {table.game.title} the legal moves reveal a secret.")
    by_chance = any(table.mover[p] == CHANCE for p in parents)
    if len(parents) != 1 or looks != {True} or not open_again or by_chance:
        raise PrivateInformationError(
            f"{table.game.title} has private information that lasts longer than one answer: its "
            "positions alone do not determine what a player knows."
        )


def check_can_be_played(table: Table) -> None:
    """Refuse a game whose start is terminal, or with a position without a move or an outcome."""
    if table.rows[1] == 0:
        raise DuelbookError(f"{table.game.title} is over before it begins.")
    if table.dead_ends:
        raise DuelbookError(
            f"{table.game.title} has positions with neither a move nor an outcome, "
            "and Duelbook cannot play such games over a table."
        )
