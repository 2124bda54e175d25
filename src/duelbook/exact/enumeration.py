"""Enumeration of all reachable positions of a game and the moves between them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from duelbook.errors import TooLarge
from duelbook.exact.breadth_first import Found, Progress, report, search
from duelbook.exact.checkpoints import Checkpoints
from duelbook.exact.expansion import action_type
from duelbook.exact.means import PLAIN, Means
from duelbook.exact.packing import Packing
from duelbook.exact.space import Column, Space
from duelbook.exact.tables import PositionIndex, Table, VectorCoding
from duelbook.exact.vectors import CHUNK, DENSE, CodeArray, vectors_of
from duelbook.position import Position, has_scores


def enumerate_game(  # noqa: PLR0913 # what, how far, and by which means
    game: type[Position],
    *,
    first: int = 0,
    most: int | None = None,
    progress: Progress | None = None,
    means: Means = PLAIN,
    checkpoints: Checkpoints | None = None,
) -> Table:
    """Return the table of a game; refuse more than `most` positions, or the game's own limit.

    With checkpoints, a search that was stopped goes on, and one that is stopped is kept.
    """
    most = game.most_positions if most is None else most
    coding = _coding(game, first)
    if isinstance(coding, VectorCoding) and coding.vectors.SIZE <= DENSE:
        return _densely(game, coding, most, progress)
    found = checkpoints.stopped(means.space) if checkpoints else None
    if found is None:
        found = Found(game, first, coding, means.space)
    with means.expander(game) as expander:
        try:
            checkpoint = checkpoints or (lambda _: None)
            return search(found, expander, most=most, progress=progress, checkpoint=checkpoint)
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


def _densely(
    game: type[Position], coding: VectorCoding, most: int | None, progress: Progress | None
) -> Table:
    """Return the table of a game whose codes are so small that an array has room for each."""
    vectors, first, space = coding.vectors, coding.first, Space()
    number = np.zeros(vectors.SIZE, np.int32)  # of each code, from 1; 0 means not found yet
    reached = np.zeros(vectors.SIZE, np.bool_)
    every_move = np.arange(len(game.ACTIONS) + len(game.CHANCES), dtype=action_type(game))
    layer: CodeArray = np.array([vectors.pack(game.start(first))], np.int32)
    number[layer] = 1
    layers, codes = [0], [layer]
    counts, actions = Column(space, np.int64), Column(space, every_move.dtype)
    after, weights = Column(space, np.int32), Column(space, np.int64)
    steps_forward = True
    while len(layer):
        layers.append(layers[-1] + len(layer))
        edges = len(after)
        for chunk in _chunks(layer):
            legal, leads = vectors.expand(chunk, first)
            counts.add(np.count_nonzero(legal, axis=1))
            actions.add(np.broadcast_to(every_move, legal.shape)[legal])
            after.add(leads[legal])
            if game.CHANCES:
                weights.add(vectors.weights(chunk, first)[legal])
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
        report(layers[-1] + len(layer), most, progress)
    positions = np.concatenate(codes)
    mover, winner, ruled = vectors.outcome(positions, first)
    return Table(
        game,
        first,
        PositionIndex(coding, positions[:, None]),
        mover,
        winner,
        np.concatenate([[0], np.cumsum(counts.all)]),
        actions.all,
        after.all,
        tuple(layers),
        ruled,
        steps_forward,
        weights.all if weights.all.any() else None,
        vectors.paid(positions, first) if has_scores(game) else None,
    )


def _chunks(layer: CodeArray) -> Iterable[CodeArray]:
    return (layer[at : at + CHUNK] for at in range(0, len(layer), CHUNK))
