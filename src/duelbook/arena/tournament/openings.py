"""Openings: positions that are reached by play, half of them won for the player to move."""

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
TRIES = 200
"""Random games that are tried for each position that is wanted."""


def openings(game: type[Position], wanted: Openings, oracle: Oracle, seed: str) -> list[Moves]:
    """Return the openings of a game as moves from its start; the same seed gives the same ones."""
    found = [START] if wanted.start else []
    if not wanted.positions:
        return found
    if oracle.has_private_information or game.CHANCE_MOVES:
        if wanted.start:  # what was dealt before a drawn position would be an opening's chance
            return found
        raise DuelbookError(
            f"{game.title} has hidden hands or chance, so its only opening is the start."
        )
    return found + _drawn(game, wanted, oracle, Random(f"{seed} {game.slug}"))


def _drawn(game: type[Position], wanted: Openings, oracle: Oracle, random: Random) -> list[Moves]:
    """Draw positions until both halves are full, and fill up with whatever was met."""
    half = {True: wanted.positions // 2, False: wanted.positions - wanted.positions // 2}
    kept: dict[bool, list[Moves]] = {True: [], False: []}
    spare: list[Moves] = []
    met: set[Position] = set()
    for moves, position in _met(game, wanted, random):
        if position in met:
            continue
        met.add(position)
        value = oracle.value(position)
        side = kept[value > 0]
        if abs(value) > VALUE_TOLERANCE and len(side) < half[value > 0]:
            side.append(moves)
        else:
            spare.append(moves)
        if all(len(kept[won]) == half[won] for won in kept):
            break
    chosen = kept[True] + kept[False]
    chosen += spare[: wanted.positions - len(chosen)]
    if not chosen:
        raise DuelbookError(f"{game.title} has no position at this depth: choose another `depth`.")
    return sorted(chosen, key=lambda moves: (len(moves), moves))


def _met(
    game: type[Position], wanted: Openings, random: Random
) -> Iterator[tuple[Moves, Position]]:
    """Play random games to a random depth; leave out what is over, or hides something."""
    least, most = wanted.depth
    for _ in range(TRIES * wanted.positions):
        position, moves = game.start(), list[str]()
        for _ in range(random.randint(least, most)):
            legal = position.moves()
            if not legal:
                break
            moves.append(random.choice(legal))
            position = position.apply(moves[-1])
        hides = secrecy.public_view(position) != position
        if position.moves() and position.to_move != CHANCE and len(moves) >= least and not hides:
            yield tuple(moves), position
