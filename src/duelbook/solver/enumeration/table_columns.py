"""The columns of a table while enumeration fills them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook.position import Position, has_scores
from duelbook.solver.enumeration.expansion import Expansion, action_type
from duelbook.solver.tables.array_storage import ArrayStorage, GrowableArray
from duelbook.solver.tables.position_table import PositionIndex, Table


class TableColumns:
    """The arrays of all positions and moves so far; `Table` describes them."""

    def __init__(
        self, game: type[Position], storage: ArrayStorage, *, in_place: bool = False
    ) -> None:
        self._game, self._storage = game, storage
        move_types = {"after": np.int32, "actions": action_type(game), "weights": np.int64}
        position_types = {
            "mover": np.int8,
            "winner": np.int8,
            "ruled": np.bool_,
            "paid": np.float64,
            "counts": np.int32,  # `add` appends to it last
        }
        self._by_move = {
            name: GrowableArray(storage, dtype, in_place=in_place)
            for name, dtype in move_types.items()
        }
        self._by_position = {
            name: GrowableArray(storage, dtype, in_place=in_place)
            for name, dtype in position_types.items()
        }

    def __len__(self) -> int:
        """Return the number of positions whose moves are known."""
        return len(self._by_position["counts"])

    @property
    def after(self) -> GrowableArray:
        """The position after each move."""
        return self._by_move["after"]

    def add(self, expansion: Expansion, after: NDArray[Any]) -> None:
        """Add the expansion of the next positions, and the positions after their moves."""
        answers = vars(expansion) | {"after": after}
        for name, column in (self._by_move | self._by_position).items():
            if answers[name] is not None:
                column.add(answers[name])

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Add the arrays that `arrays` returned in an earlier run."""
        for name, column in (self._by_move | self._by_position).items():
            column.add(arrays[name])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays, without an expansion that `add` did not complete."""
        positions, moves = len(self), int(self._by_position["counts"].all.sum())
        return {
            **{name: column.all[:moves] for name, column in self._by_move.items()},
            **{name: column.all[:positions] for name, column in self._by_position.items()},
        }

    def table(
        self, first: int, positions: PositionIndex, layers: list[int], *, steps_forward: bool
    ) -> Table:
        """Return the table of these columns."""
        arrays = self.arrays()
        rows = self._storage.row(len(positions) + 1, np.int64)
        rows[0] = 0
        np.cumsum(arrays["counts"], out=rows[1:])
        return Table(
            self._game,
            first,
            positions,
            arrays["mover"],
            arrays["winner"],
            rows,
            arrays["actions"],
            arrays["after"],
            tuple(layers),
            arrays["ruled"],
            steps_forward,
            arrays["weights"] if arrays["weights"].any() else None,
            arrays["paid"] if has_scores(self._game) else None,
        )
