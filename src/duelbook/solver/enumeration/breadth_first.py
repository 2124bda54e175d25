"""Breadth-first search for all positions of a game, one layer of codes after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError, TooLarge
from duelbook.position import Position
from duelbook.solver.backends.backend import Backend, LostError
from duelbook.solver.enumeration.expansion import Expansion, NewValuesError
from duelbook.solver.enumeration.interface import EnumerationTask
from duelbook.solver.enumeration.table_columns import TableColumns
from duelbook.solver.resources import Resources
from duelbook.solver.tables.array_rules import CHUNK
from duelbook.solver.tables.array_storage import ArrayStorage, GrowableArray
from duelbook.solver.tables.numbering import Numbers
from duelbook.solver.tables.packing import BLOCK, Codes, Packing
from duelbook.solver.tables.position_table import Coding, PositionIndex, Table

MAX_LOSSES = 5
"""The maximum number of losses of the numberer in a row, without progress between them."""
LOST = (
    f"The cluster lost its partitions {MAX_LOSSES} times in a row. It may have too little memory."
)


class SearchStore(Protocol):
    """Stores interrupted searches."""

    def load(self, coding: Coding, space: ArrayStorage, workers: Backend) -> SearchState | None:
        """Return the interrupted search, or None."""

    def __call__(self, state: SearchState) -> None:
        """Store a search at intervals."""

    def store(self, state: SearchState) -> None:
        """Store a search."""


class SearchState:
    """The state of a search; positions are numbered in the order of discovery."""

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
        self._number(start, coding, start.shape[1])

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
        """Learn the values of these positions, and convert all codes to the new packing."""
        assert isinstance(self.coding, Packing)  # noqa: S101 # only a packing learns
        old = self.coding
        new = old.learned(positions)
        if new.writes_as(old):
            self.coding = new
            return
        if new.shape() != old.shape():  # the new parts must learn all positions
            for known in old.blocks(self.codes):
                new = new.learned(known)
        self._number(self.codes, new, new.words, lambda codes: new.repack(codes, old))

    def number_again(self) -> None:
        """Assign all numbers again, after the loss of the numberer."""
        self._number(self.codes, self.coding, self.codes.shape[1])

    def _number(
        self,
        codes: Codes,
        coding: Coding,
        words: int,
        repack: Callable[[Codes], Codes] = lambda codes: codes,
    ) -> None:
        """Assign numbers to these codes in this order, and replace all earlier numbers."""
        for _ in range(MAX_LOSSES):
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
        self._number(arrays["codes"], self.coding, arrays["codes"].shape[1])
        self.layers, self.steps_forward = list(layers), steps_forward
        self._columns.restore(arrays)

    def _order(self) -> Numbers:
        """Return the numbers of all positions in the order of their codes."""
        for _ in range(MAX_LOSSES):
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


class BreadthFirstEnumerator:
    """Enumerates any game, with the backend of the resources.

    Checkpoints store an interrupted search and resume it.
    """

    def __init__(self, resources: Resources, checkpoints: SearchStore | None = None) -> None:
        self._resources, self._checkpoints = resources, checkpoints

    def enumerate(self, task: EnumerationTask) -> Table:
        """Return the table of a game."""
        store, space = self._checkpoints, self._resources.space
        with self._resources.workers(task.game) as workers:
            state = store.load(task.coding, space, workers) if store else None
            if state is None:
                state = SearchState(task.game, task.first, task.coding, space, workers)
            try:
                return _search(state, workers, task, store or (lambda _: None))
            except BaseException as error:
                if store and not isinstance(error, TooLarge):
                    store.store(state)
                raise


def _search(
    state: SearchState,
    workers: Backend,
    task: EnumerationTask,
    checkpoint: Callable[[SearchState], object],
) -> Table:
    """Continue a search until every position is expanded."""
    lost_at: list[int] = []
    while state.done < len(state):
        if state.done == state.layers[-1]:
            state.layers.append(len(state))
        end = state.layers[-1]
        begins = range(state.done, end, BLOCK)
        slices = (state.codes[begin : min(begin + BLOCK, end)] for begin in begins)
        try:
            for expansion in _expansions(state, workers, slices):
                state.add(expansion)
                task.report(len(state))
                checkpoint(state)
        except LostError as error:
            lost_at.append(state.done)
            if lost_at[-MAX_LOSSES:] == [state.done] * MAX_LOSSES:
                raise DuelbookError(LOST) from error
            state.number_again()
    return state.table()


def _expansions(
    state: SearchState, workers: Backend, slices: Iterable[Codes]
) -> Iterator[Expansion]:
    """Yield the expansions of slices up to and including the first one with unknown values.

    The search learns these values, which changes the codes of all positions.
    """
    try:
        yield from workers.expand(state.coding, slices)
    except NewValuesError as error:
        state.learn(error.reached)
        yield error.expansion(state.coding)
