"""The strength of the levels: each level plays every other level from both seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random

from duelbook.outcome import Outcome
from duelbook.play.names import LEVELS
from duelbook.players import Player
from duelbook.players.levels import level
from duelbook.players.play_out import play_out
from duelbook.position import Position
from duelbook.solver.oracle import Oracle

MAX_PLIES = 400  # a longer game counts as unfinished, not as a win
DRAWN, UNFINISHED = "drawn", "unfinished"


@dataclass(frozen=True)
class Score:
    """The games between a weaker and a stronger level."""

    weaker: str
    stronger: str
    lost: int
    won: int
    unfinished: int
    drawn: int = 0

    @property
    def p_value(self) -> float:
        """The probability of at least as many wins if both levels were equally strong."""
        games = self.won + self.lost
        as_good: int = sum(comb(games, n) for n in range(self.won, games + 1))
        return float(as_good / 2**games)


def round_robin(
    game: type[Position],
    oracle: Oracle,
    *,
    games: int = 1000,
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> list[Score]:
    """Play games between all pairs of levels, half of them from each seat."""
    players: dict[str, Player] = {name: level(name, oracle=oracle) for name in LEVELS}
    scores, done = [], 0
    pairs = list(combinations(LEVELS, 2))
    for weaker, stronger in pairs:
        counts = {weaker: 0, stronger: 0, DRAWN: 0, UNFINISHED: 0}
        for number in range(games):
            seats = (weaker, stronger) if number % 2 else (stronger, weaker)
            random = Random(f"{seed} {weaker} {stronger} {number}")
            pair = players[seats[0]], players[seats[1]]
            outcome = play_out(game, pair, random, limit=MAX_PLIES).outcome()
            counts[_result(outcome, seats)] += 1
            done += 1
            if progress:
                progress(done, games * len(pairs))
        scores.append(
            Score(
                weaker,
                stronger,
                lost=counts[weaker],
                won=counts[stronger],
                unfinished=counts[UNFINISHED],
                drawn=counts[DRAWN],
            )
        )
    return scores


def _result(outcome: Outcome | None, seats: tuple[str, str]) -> str:
    """Return the name of the winner, DRAWN or UNFINISHED."""
    if outcome is None:
        return UNFINISHED
    return DRAWN if outcome.winner is None else seats[outcome.winner]


def as_text(scores: list[Score]) -> str:
    """Return the results as text."""
    draws = any(score.drawn for score in scores)
    drawn = f"{DRAWN:>7}" if draws else ""
    lines = [f"{'':<18}{'won':>6}{'lost':>6}{drawn}{UNFINISHED:>12}   p-value"]
    for s in scores:
        pair, drawn = f"{s.stronger} v. {s.weaker}", f"{s.drawn:>7}" if draws else ""
        row = f"{pair:<18}{s.won:>6}{s.lost:>6}{drawn}{s.unfinished:>12}"
        lines.append(f"{row}   {s.p_value:.1e}")
    return "\n".join(lines)
