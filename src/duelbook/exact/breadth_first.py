"""Breadth-first search for all positions of a game, from the codes of one layer to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from duelbook.errors import TooLarge
from duelbook.exact.expansion import Expansion, NewValuesError, action_type
from duelbook.exact.numbering import Numbering
from duelbook.exact.packing import BLOCK, Codes, Packing
from duelbook.exact.space import Column, Space
from duelbook.exact.tables import Coding, PositionIndex, Table
from duelbook.position import Position, has_scores

Expander = Callable[[Coding, Iterable[Codes]], Iterator[Expansion]]
"""Asks the rules about slices of positions, and yields the answers in order."""
Progress = Callable[[int], object]
"""Called with the number of positions found so far."""


def report(found: int, most: int | None, progress: Progress | None) -> None:
    """Refuse more positions than there may be, and tell how many there are."""
    if most is not None and found > most:
        raise TooLarge(f"The game has more than {most:,} positions.")
    if progress is not None:
        progress(found)


class Found:
    """What a search has found so far; positions have numbers in the order of discovery."""

    def __init__(self, game: type[Position], first: int, coding: Coding, space: Space) -> None:
        self.game, self.first, self.space, self.coding = game, first, space, coding
        self._keep(coding.encode([game.start(first)]))
        self.layers = [0]
        self._mover = Column(space, np.int8)
        self._winner = Column(space, np.int8)
        self._ruled = Column(space, np.bool_)
        self._counts = Column(space, np.int32)
        self._actions = Column(space, action_type(game))
        self._weights = Column(space, np.int64)
        self._paid = Column(space, np.float64)
        self._after = Column(space, np.int32)
        self._steps_forward = True

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def done(self) -> int:
        """The number of positions that the rules were asked about."""
        return len(self._mover)

    @property
    def codes(self) -> Codes:
        """The codes of all positions so far."""
        return self._codes.all

    def _keep(self, codes: Codes) -> None:
        """Give these codes their numbers, in this order, and forget all others."""
        words = codes.shape[1]
        self._codes, self._numbering = (
            Column(self.space, np.int64, words),
            Numbering(words, self.space),
        )
        for begin in range(0, len(codes), BLOCK):
            self._codes.add(codes[begin : begin + BLOCK])
            self._numbering.number(codes[begin : begin + BLOCK])

    def learn(self, positions: list[Position]) -> None:
        """Learn the values of these positions, and write all codes in the new packing."""
        assert isinstance(self.coding, Packing)  # noqa: S101 # only a packing learns
        old = self.coding
        new = old.learned(positions)
        if new.shape() != old.shape():  # other parts are numbered now, and of all positions
            for known in old.blocks(self.codes):
                new = new.learned(known)
        self.coding = new
        self._keep(new.repack(self.codes, old))

    def add(self, expansion: Expansion) -> None:
        """Add what the rules say about the next positions."""
        numbers, new = self._numbering.number(expansion.leads)
        self._codes.add(expansion.leads[new])
        self._steps_forward = self._steps_forward and not (numbers < self.layers[-1]).any()
        self._after.add(numbers)
        self._mover.add(expansion.mover)
        self._winner.add(expansion.winner)
        self._ruled.add(expansion.ruled)
        self._counts.add(expansion.counts)
        self._actions.add(expansion.actions)
        if expansion.weights is not None:
            self._weights.add(expansion.weights)
        if expansion.paid is not None:
            self._paid.add(expansion.paid)

    def table(self) -> Table:
        """Return all positions and moves as a table."""
        rows = self.space.empty((len(self) + 1,), np.int64)
        rows[0] = 0
        np.cumsum(self._counts.all, out=rows[1:])
        return Table(
            self.game,
            self.first,
            PositionIndex(self.coding, self.codes, self._numbering.order(self.codes)),
            self._mover.all,
            self._winner.all,
            rows,
            self._actions.all,
            self._after.all,
            tuple(self.layers),
            self._ruled.all,
            self._steps_forward,
            self._weights.all if self._weights.all.any() else None,
            self._paid.all if has_scores(self.game) else None,
        )


def search(
    found: Found,
    expander: Expander,
    *,
    most: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Go on with a search until every position was asked about."""
    while found.done < len(found):
        end = len(found)
        found.layers.append(end)
        while found.done < end:
            begins = range(found.done, end, BLOCK)
            slices = (found.codes[begin : min(begin + BLOCK, end)] for begin in begins)
            try:
                for expansion in expander(found.coding, slices):
                    found.add(expansion)
                    report(len(found), most, progress)
            except NewValuesError as error:
                found.learn(error.positions)
    return found.table()
