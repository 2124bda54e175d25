"""Chance: draws one of its moves, from a generator or from a seed that anyone can check later.

A draw from a seed depends on the seed and on the number of moves before it, and on nothing else.
So a published hash of the seed binds whoever draws, and a takeback does not change what falls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random

from duelbook.position import CHANCE, Position

WORD = 2**256


def draw(position: Position, random: Random) -> str:
    """Return a move of chance from a generator, each with its exact chance."""
    odds = position.odds()
    return _pick(odds, random.randrange(sum(odds.values())))


def draw_from_seed(position: Position, seed: str, turn: int) -> str:
    """Return the move of chance that a seed gives after this many moves, with its exact chance."""
    odds = position.odds()
    total, tries = sum(odds.values()), 0
    while True:
        word = int.from_bytes(sha256(f"{seed} {turn} {tries}".encode()).digest(), "big")
        if word < WORD - WORD % total:  # otherwise the first moves would be a little more likely
            return _pick(odds, word % total)
        tries += 1


def _pick(odds: Mapping[str, int], number: int) -> str:
    for move, weight in odds.items():
        if number < weight:
            return move
        number -= weight
    raise ValueError("The number is not below the sum of the weights.")


def commitment(seed: str) -> str:
    """Return the hash of a seed, which can be published before the game and binds the seed."""
    return sha256(seed.encode()).hexdigest()


def first_false_draw(positions: Sequence[Position], moves: Sequence[str], seed: str) -> int | None:
    """Return the number of the first move of chance that the seed does not give, or None."""
    return next(
        (
            turn
            for turn, (position, move) in enumerate(zip(positions, moves, strict=False))
            if position.to_move == CHANCE and draw_from_seed(position, seed, turn) != move
        ),
        None,
    )
