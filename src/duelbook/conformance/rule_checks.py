"""Faults of moves, results, odds and payoffs at one position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import isfinite

from duelbook.position import CHANCE, DRAW, Position

Fault = tuple[str, str]
"""The kind of a breach, and a sentence about it."""


def faults_of_class(game: type[Position]) -> Iterator[Fault]:
    """Yield the faults of a game's lists of moves, and of its starts."""
    shared = sorted(set(game.ACTIONS) & set(game.CHANCE_MOVES))
    if shared:
        yield "overlap", f"{shared[0]!r} is in ACTIONS and in CHANCE_MOVES; no move may be in both."
    start = game.start(0)
    if not game.player_1_starts and start.to_move == CHANCE and game.start(1) == start:
        yield (
            "start",
            "the game begins with chance, and start(1) equals start(0): say that player_1_starts, "
            "or define start so that Player 2 can move first.",
        )


def faults_of_moves(position: Position, moves: list[str]) -> Iterator[Fault]:
    """Yield the faults of the moves of a position."""
    is_chance = position.to_move == CHANCE
    known, name = (
        (position.CHANCE_MOVES, "CHANCE_MOVES") if is_chance else (position.ACTIONS, "ACTIONS")
    )
    for move in moves:
        if move not in known:
            yield "action", f"{move!r} is not in {name}."
        elif not move or move != " ".join(move.split()).lower():
            yield "spelling", f"{move!r} is not lower-case words."
    if len(set(moves)) < len(moves):
        yield "twice", f"a move is listed twice: {moves}."
    words = sorted(tuple(move.split()) for move in set(moves))
    for shorter, longer in pairwise(words):
        if longer[: len(shorter)] == shorter:
            yield "ambiguous", f"{' '.join(shorter)!r} is a prefix of {' '.join(longer)!r}."


def faults_of_result(position: Position, moves: list[str], winner: object) -> Iterator[Fault]:
    """Yield the faults of the seat to move and the winner of a position."""
    if position.to_move not in (0, 1, CHANCE) or winner not in (None, 0, 1, DRAW):
        yield "seats", f"a seat must be 0 or 1: {position!r}, winner {winner!r}."
    if not moves and winner is None:
        yield (
            "stuck",
            f"there is no move, and winner() is None: {position!r}. A drawn game returns DRAW.",
        )
    if winner is not None and moves:
        yield "over", f"the game is over, but there are legal moves: {position!r}."
    elif winner is not None and position.to_move == CHANCE:
        yield "over", f"the game is over, but chance is to move: {position!r}."


def faults_of_odds(moves: list[str], odds: object) -> Iterator[Fault]:
    """Yield the faults of the odds of a chance node."""
    if not isinstance(odds, Mapping) or set(odds) != set(moves):
        yield "odds", f"odds must give a weight to each move and no other: {odds!r:.80}."
        return
    for move, weight in odds.items():
        if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
            yield "odds", f"the weight of {move!r} must be a whole number above 0, not {weight!r}."


def faults_of_payoff(position: Position, winner: object, payoff: object) -> Iterator[Fault]:
    """Yield the faults of the payoff of a position, in a game with scores."""
    if payoff is None or winner is None:
        if payoff is not winner:
            yield "payoff", f"winner() is {winner}, but payoff() is {payoff}: {position!r}."
        return
    if not isinstance(payoff, (int, float)) or isinstance(payoff, bool) or not isfinite(payoff):
        yield "payoff", f"payoff() must be a number, not {payoff!r:.40}: {position!r}."
        return
    wins = DRAW if payoff == 0 else int(payoff < 0)
    if wins != winner:
        yield "payoff", f"winner() is {winner}, but payoff() is {payoff:g}: {position!r}."
    if abs(payoff) > position.largest_payoff:
        limit = f"{position.largest_payoff:g}"
        yield "payoff", f"payoff() is {payoff:g}, more than largest_payoff = {limit}: {position!r}."
