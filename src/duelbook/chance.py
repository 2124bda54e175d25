"""Chance: draw an outcome from a random generator, or from a seed that anyone can check later.

An outcome from a seed depends only on the seed and on the number of moves before it. A takeback
does not change it. A server that has published the hash of its seed cannot choose other outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random

from duelbook.position import CHANCE, Position

HASH_VALUES = 2**256


def draw(position: Position, random: Random) -> str:
    """Return a random chance outcome with its exact probability."""
    odds = position.odds()
    return _pick(odds, random.randrange(sum(odds.values())))


def draw_from_seed(position: Position, seed: str, turn: int) -> str:
    """Return the chance outcome of a seed at a turn, with its exact probability."""
    odds = position.odds()
    total, tries = sum(odds.values()), 0
    while True:
        word = int.from_bytes(sha256(f"{seed} {turn} {tries}".encode()).digest(), "big")
        if (
            word < HASH_VALUES - HASH_VALUES % total
        ):  # other numbers would make the first outcomes a little more likely
            return _pick(odds, word % total)
        tries += 1


def _pick(odds: Mapping[str, int], number: int) -> str:
    for move, weight in odds.items():
        if number < weight:
            return move
        number -= weight
    raise ValueError("The number is not below the sum of the weights.")


def commitment(seed: str) -> str:
    """Return the hash of a seed, to publish before the game."""
    return sha256(seed.encode()).hexdigest()


def first_false_draw(positions: Sequence[Position], moves: Sequence[str], seed: str) -> int | None:
    """Return the turn of the first chance outcome that does not come from the seed, or None."""
    return next(
        (
            turn
            for turn, (position, move) in enumerate(zip(positions, moves, strict=False))
            if position.to_move == CHANCE and draw_from_seed(position, seed, turn) != move
        ),
        None,
    )
