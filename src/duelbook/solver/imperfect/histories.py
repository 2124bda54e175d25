"""Histories: the tree of all games, and the knowledge of each seat in them.

With private information, the history determines what a player knows; the position alone does not.
Two histories are in one information set of a seat if the seat has seen and heard the same in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError, TooLarge
from duelbook.position import CHANCE, Position
from duelbook.secrecy import SeatRecord
from duelbook.solver.enumeration.interface import Progress

Ints = NDArray[np.int32]
MAX_HISTORIES = 2_000_000
OVER = 3
"""The entry of `mover` where nobody moves, because the game is over."""
Step = tuple[int, str, str, Position]
"""A seat's knowledge before a move, the move if its own, the announcement, and the view after."""


@dataclass(frozen=True, eq=False)
class Tree:
    """All histories of a game, in order of their length; history 0 is the start.

    One numbering covers the information sets of both seats, and another one their choices. A choice
    is a move in an information set.
    """

    game: type[Position]
    first: int
    mover: NDArray[np.int8]
    """The seat to move, CHANCE, or OVER."""
    parent: Ints
    choice: Ints
    """The choice that led to each history; -1 for chance's moves and the start."""
    chance: NDArray[np.float64]
    """The probability of the move that led to each history; 1 for the players' moves."""
    paid: NDArray[np.float64]
    """The payoff to seat 0 of each history that is over; 0 for the others."""
    layers: tuple[int, ...]
    """The first history of each length, and the number of all histories."""
    infoset: Ints
    """The information set of the player to move, or -1."""
    choices: tuple[tuple[str, ...], ...]
    """The moves of each information set."""
    seats: NDArray[np.int8]
    """The seat of each information set."""
    looks: tuple[Position, ...]
    """The view of each information set."""
    known: dict[Step, int] = field(repr=False)
    """The number of a seat's knowledge after a step."""
    set_of: dict[tuple[int, int], int] = field(repr=False)
    """The information set of each pair of a seat and the number of its knowledge."""

    def __len__(self) -> int:
        return len(self.mover)

    @cached_property
    def first_choice(self) -> NDArray[np.int64]:
        """The number of the first choice of each information set, and the number of all choices."""
        return np.concatenate([[0], np.cumsum([len(moves) for moves in self.choices])])

    @cached_property
    def set_of_choice(self) -> NDArray[np.int64]:
        """The information set of each choice."""
        return np.repeat(np.arange(len(self.choices)), np.diff(self.first_choice))

    @cached_property
    def last_choices(self) -> tuple[Ints, Ints]:
        """For each seat, its last choice before each history; -1 if it has made none."""
        by_seat = []
        for seat in (0, 1):
            last = np.full(len(self), -1, np.int32)
            for begin, end in self.spans:
                above = self.parent[begin:end]
                chosen_by_seat = self.mover[above] == seat
                last[begin:end] = np.where(chosen_by_seat, self.choice[begin:end], last[above])
            by_seat.append(last)
        return by_seat[0], by_seat[1]

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The first history of each length above 0 and the end of that length."""
        return list(zip(self.layers[1:-1], self.layers[2:], strict=True))

    @cached_property
    def a_history(self) -> NDArray[np.intp]:
        """A history of each information set."""
        sets, histories = np.unique(self.infoset, return_index=True)
        return histories[sets >= 0]

    @cached_property
    def choice_before(self) -> NDArray[np.int64]:
        """The last choice of its own seat before each information set; -1 if there is none."""
        histories = self.a_history
        first, second = self.last_choices
        return np.where(self.seats == 0, first[histories], second[histories]).astype(np.int64)

    @cached_property
    def set_spans(self) -> list[tuple[int, int]]:
        """The ranges of information sets with equal length; sets are in order of length."""
        lengths = np.searchsorted(self.layers, self.a_history, side="right")
        cuts = [0, *(np.flatnonzero(np.diff(lengths)) + 1).tolist(), len(lengths)]
        return list(pairwise(cuts)) if len(lengths) else []

    def set_at(self, record: SeatRecord) -> int | None:
        """Return the information set of a seat that has this record, or None if there is none."""
        know: int | None = record.seat
        for own_move, text, look in record.steps:
            if know is None:
                return None
            know = self.known.get((know, own_move, text, look))
        return None if know is None else self.set_of.get((record.seat, know))

    @cached_property
    def sets_by_look(self) -> dict[Position, list[int]]:
        """The information sets with the same view."""
        sets: dict[Position, list[int]] = {}
        for number, look in enumerate(self.looks):
            sets.setdefault(look, []).append(number)
        return sets


@dataclass
class _TreeBuilder:
    """The lists that become the arrays of a tree."""

    game: type[Position]
    mover: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    choice: list[int] = field(default_factory=list)
    chance: list[float] = field(default_factory=list)
    paid: list[float] = field(default_factory=list)
    infoset: list[int] = field(default_factory=list)
    choices: list[tuple[str, ...]] = field(default_factory=list)
    first_choice: list[int] = field(default_factory=lambda: [0])
    seats: list[int] = field(default_factory=list)
    looks: list[Position] = field(default_factory=list)
    known: dict[Step, int] = field(default_factory=dict)
    set_of: dict[tuple[int, int], int] = field(default_factory=dict)

    def add(
        self, position: Position, parent: int, choice: int, chance: float, knows: tuple[int, int]
    ) -> int:
        """Add a history, and return its number."""
        outcome = position.outcome()
        self.parent.append(parent)
        self.choice.append(choice)
        self.chance.append(chance)
        self.paid.append(0.0 if outcome is None else outcome.payoffs[0])
        seat = position.to_move
        self.mover.append(OVER if outcome is not None else seat)
        is_choice = outcome is None and seat != CHANCE
        self.infoset.append(self._set(position, (seat, knows[seat])) if is_choice else -1)
        return len(self.mover) - 1

    def _set(self, position: Position, key: tuple[int, int]) -> int:
        moves = tuple(position.moves())
        number = self.set_of.setdefault(key, len(self.choices))
        if number == len(self.choices):
            self.choices.append(moves)
            self.first_choice.append(self.first_choice[-1] + len(moves))
            self.seats.append(position.to_move)
            self.looks.append(position.view(position.to_move))
        elif self.choices[number] != moves:
            raise DuelbookError(f"In {self.game.title} the legal moves reveal a secret.")
        return number

    def knows_after(
        self, knows: tuple[int, int], before: Position, move: str, after: Position
    ) -> tuple[int, int]:
        """Return the numbers of the knowledge of both seats after a move."""
        text = before.tell(move, after)
        numbers = []
        for seat in (0, 1):
            own_move = move if before.to_move == seat else ""
            step = (knows[seat], own_move, text, after.view(seat))
            numbers.append(self.known.setdefault(step, len(self.known) + 2))
        return numbers[0], numbers[1]

    def steps(self, position: Position, number: int) -> Iterator[tuple[str, int, float]]:
        """Yield the moves of a position, with their choices and probabilities."""
        if position.to_move == CHANCE:
            odds = position.odds()
            total = sum(odds.values())
            yield from ((move, -1, weight / total) for move, weight in odds.items())
        else:
            begin = self.first_choice[self.infoset[number]]
            for at, move in enumerate(position.moves()):
                yield move, begin + at, 1.0


def tree_of(
    game: type[Position],
    *,
    first: int = 0,
    max_histories: int = MAX_HISTORIES,
    progress: Progress | None = None,
) -> Tree:
    """Return all histories of a game; refuse more than `max_histories`."""
    builder = _TreeBuilder(game)
    start = game.start(first)
    knows = (0, 1)
    layer = [(builder.add(start, -1, -1, 1.0, knows), start, knows)]
    layers = [0, 1]
    while layer:
        below = []
        for number, position, knows in layer:
            for move, choice, chance in builder.steps(position, number):
                after = position.apply(move)
                later = builder.knows_after(knows, position, move, after)
                reached = builder.add(after, number, choice, chance, later)
                if builder.mover[reached] != OVER:
                    below.append((reached, after, later))
            if len(builder.mover) > max_histories:
                raise TooLarge(
                    f"{game.title} has private information and more than "
                    f"{max_histories:,} histories; a solution would need all of them in memory."
                )
        if len(builder.mover) > layers[-1]:
            layers.append(len(builder.mover))
        if progress:
            progress(len(builder.mover))
        layer = below
    return Tree(
        game,
        first,
        np.array(builder.mover, np.int8),
        np.array(builder.parent, np.int32),
        np.array(builder.choice, np.int32),
        np.array(builder.chance),
        np.array(builder.paid),
        tuple(layers),
        np.array(builder.infoset, np.int32),
        tuple(builder.choices),
        np.array(builder.seats, np.int8),
        tuple(builder.looks),
        builder.known,
        builder.set_of,
    )
