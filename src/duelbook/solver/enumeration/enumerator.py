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


def enumerate_game(  # noqa: PLR0913 # what, how far, and by which means
    game: type[Position],
    *,
    first: int = 0,
    most: int | None = None,
    progress: Progress | None = None,
    means: Resources = PLAIN,
    checkpoints: Checkpoints | None = None,
) -> Table:
    """Return the table of a game; refuse more than `most` positions, or the game's own limit.

    With checkpoints, a search that was stopped goes on, and one that is stopped is kept.
    """
    most = game.most_positions if most is None else most
    coding = _coding(game, first)
    if isinstance(coding, VectorCoding) and coding.vectors.SIZE <= DENSE:
        return enumerate_densely(game, coding, means.space, most, progress)
    with means.workers(game) as workers:
        found = checkpoints.stopped(coding, means.space, workers) if checkpoints else None
        if found is None:
            found = SearchState(game, first, coding, means.space, workers)
        try:
            checkpoint = checkpoints or (lambda _: None)
            return search(found, workers, most=most, progress=progress, checkpoint=checkpoint)
        except BaseException as error:
            if checkpoints and not isinstance(error, TooLarge):
                checkpoints.keep(found)
            raise


def _coding(game: type[Position], first: int) -> Packing | VectorCoding:
    """Return how positions of a game are written as codes, as far as its start tells."""
    vectors = vectors_of(game)
    if vectors is not None:
        return VectorCoding(vectors, first)
    return Packing(game).learned([game.start(first)])
