"""Enumeration of all reachable positions of a game and the moves between them."""

from __future__ import annotations

from duelbook.position import Position
from duelbook.solver.enumeration.breadth_first import BreadthFirstEnumerator
from duelbook.solver.enumeration.checkpoints import Checkpoints
from duelbook.solver.enumeration.dense_codes import DenseEnumerator
from duelbook.solver.enumeration.interface import EnumerationTask, Enumerator, Progress
from duelbook.solver.resources import PLAIN, Resources
from duelbook.solver.tables.array_rules import DENSE, vectors_of
from duelbook.solver.tables.packing import Packing
from duelbook.solver.tables.position_table import Coding, Table, VectorCoding


def enumerate_game(  # noqa: PLR0913 # the game, its limits and the resources
    game: type[Position],
    *,
    first: int = 0,
    max_positions: int | None = None,
    progress: Progress | None = None,
    resources: Resources = PLAIN,
    checkpoints: Checkpoints | None = None,
) -> Table:
    """Return the table of a game.

    Refuse more than `max_positions` positions; the default is the game's own limit. Checkpoints
    store an interrupted search and resume it.
    """
    max_positions = game.max_positions if max_positions is None else max_positions
    task = EnumerationTask(game, first, _coding(game, first), max_positions, progress)
    return _enumerator(task.coding, resources, checkpoints).enumerate(task)


def _enumerator(
    coding: Coding, resources: Resources, checkpoints: Checkpoints | None
) -> Enumerator:
    """Choose the enumerator: the fastest one that can enumerate these codes."""
    if isinstance(coding, VectorCoding) and coding.vectors.SIZE <= DENSE:
        return DenseEnumerator(resources.space)
    return BreadthFirstEnumerator(resources, checkpoints)


def _coding(game: type[Position], first: int) -> Coding:
    """Return the coding of a game; a packing knows only the values of the start position."""
    vectors = vectors_of(game)
    if vectors is not None:
        return VectorCoding(vectors, first)
    return Packing(game).learned([game.start(first)])
