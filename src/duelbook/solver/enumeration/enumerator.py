"""Enumeration of all reachable positions of a game and the moves between them."""

from __future__ import annotations

from duelbook.errors import TooLarge
from duelbook.position import Position
from duelbook.solver.enumeration.breadth_first import Progress, SearchState, search
from duelbook.solver.enumeration.checkpoints import Checkpoints
from duelbook.solver.enumeration.dense_codes import enumerate_densely
from duelbook.solver.resources import PLAIN, Resources
from duelbook.solver.tables.array_rules import DENSE, vectors_of
from duelbook.solver.tables.packing import Packing
from duelbook.solver.tables.position_table import Table, VectorCoding


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
    coding = _coding(game, first)
    if isinstance(coding, VectorCoding) and coding.vectors.SIZE <= DENSE:
        return enumerate_densely(game, coding, resources.space, max_positions, progress)
    with resources.workers(game) as workers:
        state = checkpoints.load(coding, resources.space, workers) if checkpoints else None
        if state is None:
            state = SearchState(game, first, coding, resources.space, workers)
        try:
            checkpoint = checkpoints or (lambda _: None)
            return search(
                state,
                workers,
                max_positions=max_positions,
                progress=progress,
                checkpoint=checkpoint,
            )
        except BaseException as error:
            if checkpoints and not isinstance(error, TooLarge):
                checkpoints.store(state)
            raise


def _coding(game: type[Position], first: int) -> Packing | VectorCoding:
    """Return the coding of a game; a packing knows only the values of the start position."""
    vectors = vectors_of(game)
    if vectors is not None:
        return VectorCoding(vectors, first)
    return Packing(game).learned([game.start(first)])
