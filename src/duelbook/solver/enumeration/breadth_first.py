"""Breadth-first search for all positions of a game, from the codes of one layer to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError, TooLarge
from duelbook.position import Position
from duelbook.solver.backends.backend import Backend, LostError
from duelbook.solver.enumeration.expansion import Expansion, NewValuesError
from duelbook.solver.enumeration.table_columns import TableColumns
from duelbook.solver.tables.array_rules import CHUNK
from duelbook.solver.tables.array_storage import ArrayStorage, GrowableArray
from duelbook.solver.tables.numbering import Numbers
from duelbook.solver.tables.packing import BLOCK, Codes, Packing
from duelbook.solver.tables.position_table import Coding, PositionIndex, Table

Progress = Callable[[int], object]
"""Called with the number of positions found so far."""
LOSSES = 5
"""How often the numbers of all codes may be lost before the search gets any further."""
LOST = (
    f"The cluster lost its partitions {LOSSES} times in a row; perhaps there is too little memory."
)


def report(found: int, max_positions: int | None, progress: Progress | None) -> None:
    """Refuse more positions than there may be, and tell how many there are."""
    if max_positions is not None and found > max_positions:
        raise TooLarge(f"The game has more than {max_positions:,} positions.")
    if progress is not None:
        progress(found)


class SearchState:
    """What a search has found so far; positions have numbers in the order of discovery."""

    def __init__(
        self,
        game: type[Position],
        first: int,
        coding: Coding,
        space: ArrayStorage,
        workers: Backend,
    ) -> None:
        self.game, self.first, self.space, self.coding = game, first, space, coding
        self._workers = workers
        self.layers = [0]
        self.steps_forward = True
        self._columns = TableColumns(game, space)
        start = coding.encode([game.start(first)])
        self._keep(start, coding, start.shape[1])

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def done(self) -> int:
        """The number of expanded positions."""
        return len(self._columns)

    @property
    def codes(self) -> Codes:
        """The codes of all positions so far."""
        return self._codes.all

    def add(self, expansion: Expansion) -> None:
        """Add the expansion of the next positions."""
        numbers, new = self._numberer.number(expansion.leads)
        self._codes.add(new)
        self.steps_forward = self.steps_forward and not (numbers < self.layers[-1]).any()
        self._columns.add(expansion, numbers)

    def learn(self, positions: list[Position]) -> None:
        """Learn the values of these positions, and write all codes in the new packing."""
        assert isinstance(self.coding, Packing)  # noqa: S101 # only a packing learns
        old = self.coding
        new = old.learned(positions)
        if new.writes_as(old):
            self.coding = new
            return
        if new.shape() != old.shape():  # other parts are numbered now, and of all positions
            for known in old.blocks(self.codes):
                new = new.learned(known)
        self._keep(self.codes, new, new.words, lambda codes: new.repack(codes, old))

    def number_again(self) -> None:
        """Give all codes their numbers once more, after what knew them was lost."""
        self._keep(self.codes, self.coding, self.codes.shape[1])

    def _keep(
        self,
        codes: Codes,
        coding: Coding,
        words: int,
        repack: Callable[[Codes], Codes] = lambda codes: codes,
    ) -> None:
        """Give these codes their numbers, in this order, and forget all others."""
        for _ in range(LOSSES):
            column = GrowableArray(self.space, np.int64, words)
            try:
                numberer = self._workers.numberer(words)
                for begin in range(0, len(codes), CHUNK):
                    column.add(numberer.number(repack(codes[begin : begin + CHUNK]))[1])
            except LostError:
                continue
            # One statement: an interrupt leaves the old state or the new one, never a mixture.
            self.coding, self._codes, self._numberer = coding, column, numberer
            return
        raise DuelbookError(LOST)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that `resume` continues from."""
        return {"codes": self.codes, **self._columns.arrays()}

    def resume(
        self, arrays: Mapping[str, NDArray[Any]], layers: list[int], *, steps_forward: bool
    ) -> None:
        """Continue from the arrays of another search."""
        self._keep(arrays["codes"], self.coding, arrays["codes"].shape[1])
        self.layers, self.steps_forward = list(layers), steps_forward
        self._columns.restore(arrays)

    def _order(self) -> Numbers:
        """Return the numbers of all positions in the order of their codes."""
        for _ in range(LOSSES):
            try:
                return self._numberer.order(self.codes)
            except LostError:
                self.number_again()
        raise DuelbookError(LOST)

    def table(self) -> Table:
        """Return all positions and moves as a table."""
        positions = PositionIndex(self.coding, self.codes, self._order())
        return self._columns.table(
            self.first, positions, self.layers, steps_forward=self.steps_forward
        )


def search(
    found: SearchState,
    workers: Backend,
    *,
    max_positions: int | None = None,
    progress: Progress | None = None,
    checkpoint: Callable[[SearchState], object] = lambda _: None,
) -> Table:
    """Go on with a search until every position was asked about."""
    lost_at: list[int] = []
    while found.done < len(found):
        if found.done == found.layers[-1]:
            found.layers.append(len(found))
        end = found.layers[-1]
        begins = range(found.done, end, BLOCK)
        slices = (found.codes[begin : min(begin + BLOCK, end)] for begin in begins)
        try:
            for expansion in _answers(found, workers, slices):
                found.add(expansion)
                report(len(found), max_positions, progress)
                checkpoint(found)
        except LostError as error:
            lost_at.append(found.done)
            if lost_at[-LOSSES:] == [found.done] * LOSSES:
                raise DuelbookError(LOST) from error
            found.number_again()
    return found.table()


def _answers(found: SearchState, workers: Backend, slices: Iterable[Codes]) -> Iterator[Expansion]:
    """Yield what the rules say about slices, as far as the packing knows the values, and one more.

    The one more is an answer with new values, which are learned: the codes of all are others then.
    """
    try:
        yield from workers.expand(found.coding, slices)
    except NewValuesError as error:
        found.learn(error.reached)
        yield error.expansion(found.coding)
