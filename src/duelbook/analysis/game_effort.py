"""The length and the difficulty of a game, measured in games between computer players."""

from __future__ import annotations

from random import Random
from statistics import median
from typing import Literal, NamedTuple

from duelbook.analysis.game_analysis import judge
from duelbook.play.match import Match
from duelbook.players import Player
from duelbook.players.levels import level, oracle_for
from duelbook.players.play_out import play_out
from duelbook.players.simple_players import RandomPlayer
from duelbook.position import CHANCE, Position, has_scores
from duelbook.solver.oracle import VALUE_TOLERANCE, Oracle

MAX_PLIES = 400
"""The maximum plies of a game; an endless game counts with this length."""
GAMES = 100

BeatsPerfect = Literal["", "first", "second", "either", "nobody"]


class GameEffort(NamedTuple):
    """The length and the difficulty of a game."""

    moves: int
    """The median number of moves in games between two players of level medium."""
    mistakes: float
    """The share of mistakes among random moves."""
    beats_perfect: BeatsPerfect = ""
    """The player who can beat perfect play: the first, the second, either by chance, or nobody."""


def measure(
    game: type[Position], oracle: Oracle | None = None, *, games: int = GAMES, seed: int = 0
) -> GameEffort:
    """Measure a game in games between computer players of level medium, and in random games."""
    oracle = oracle or oracle_for(game)
    sensible = _games(game, level("medium", oracle=oracle), games, seed)
    judged = [
        move.mark
        for match in _games(game, RandomPlayer(), games, seed)
        for move in judge(oracle, match)
    ]
    mistakes = judged.count("mistake") / len(judged) if judged else 0.0
    moves = round(median(map(_moves, sensible)))
    return GameEffort(moves, round(mistakes, 2), beats_perfect(oracle, game.start()))


def beats_perfect(oracle: Oracle, start: Position) -> BeatsPerfect:
    """Return the player who can beat perfect play from a start, if known."""
    if start.to_move == CHANCE:
        return "either"
    value = oracle.value(start)
    if abs(value) > 1 - VALUE_TOLERANCE and not has_scores(type(start)):
        return "first" if value > 0 else "second"
    if oracle.is_mixed:
        return "either"
    return "nobody" if oracle.is_certain else ""


def _games(game: type[Position], player: Player, games: int, seed: int) -> list[Match]:
    return [
        play_out(game, (player, player), Random(f"{seed} {number}"), limit=MAX_PLIES)
        for number in range(games)
    ]


def _moves(match: Match) -> int:
    """Return the number of moves of the players, without chance."""
    return sum(position.to_move != CHANCE for position in match.positions[:-1])
