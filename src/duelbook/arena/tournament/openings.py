"""Openings: positions from random games.

If possible, half are won and half are lost for the player to move.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from duelbook import secrecy
from duelbook.arena.tournament.tournament_file import Openings
from duelbook.errors import DuelbookError
from duelbook.position import CHANCE, Position
from duelbook.solver.oracle import VALUE_TOLERANCE, Oracle

Moves = tuple[str, ...]
START: Moves = ()
TRIES_PER_POSITION = 200
"""The maximum number of random games for each opening position."""


def openings(game: type[Position], settings: Openings, oracle: Oracle, seed: str) -> list[Moves]:
    """Return the openings of a game as moves from its start; a seed gives the same openings."""
    start_only = [START] if settings.start else []
    if not settings.positions:
        return start_only
    if oracle.has_private_information or game.CHANCE_MOVES:
        if settings.start:  # a dealt position would make chance part of the opening
            return start_only
        raise DuelbookError(
            f"{game.title} has private information or chance, so its only opening is the start."
        )
    return start_only + _sample_openings(game, settings, oracle, Random(f"{seed} {game.slug}"))


def _sample_openings(
    game: type[Position], settings: Openings, oracle: Oracle, random: Random
) -> list[Moves]:
    """Sample positions until half are won and half are lost; fill up with other positions."""
    half = {True: settings.positions // 2, False: settings.positions - settings.positions // 2}
    chosen_by_side: dict[bool, list[Moves]] = {True: [], False: []}
    spare: list[Moves] = []
    seen: set[Position] = set()
    for moves, position in _random_positions(game, settings, random):
        if position in seen:
            continue
        seen.add(position)
        value = oracle.value(position)
        side = chosen_by_side[value > 0]
        if abs(value) > VALUE_TOLERANCE and len(side) < half[value > 0]:
            side.append(moves)
        else:
            spare.append(moves)
        if all(len(chosen_by_side[won]) == half[won] for won in chosen_by_side):
            break
    chosen = chosen_by_side[True] + chosen_by_side[False]
    chosen += spare[: settings.positions - len(chosen)]
    if not chosen:
        raise DuelbookError(f"{game.title} has no position at this depth: choose another `depth`.")
    return sorted(chosen, key=lambda moves: (len(moves), moves))


def _random_positions(
    game: type[Position], settings: Openings, random: Random
) -> Iterator[tuple[Moves, Position]]:
    """Yield positions after random moves.

    Skip terminal positions, chance nodes and positions with hidden information.
    """
    min_depth, max_depth = settings.depth
    for _ in range(TRIES_PER_POSITION * settings.positions):
        position, moves = game.start(), list[str]()
        for _ in range(random.randint(min_depth, max_depth)):
            legal = position.moves()
            if not legal:
                break
            moves.append(random.choice(legal))
            position = position.apply(moves[-1])
        hides = secrecy.public_view(position) != position
        if (
            position.moves()
            and position.to_move != CHANCE
            and len(moves) >= min_depth
            and not hides
        ):
            yield tuple(moves), position
