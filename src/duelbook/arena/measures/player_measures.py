"""Measures: the quality of each player's play, from the exact value of every move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Literal

from duelbook.arena.measures import confidence_intervals
from duelbook.arena.measures.confidence_intervals import Interval
from duelbook.arena.measures.ratings import Ratings, ScoredGame, ratings
from duelbook.arena.measures.regret import Judge, Turn, judge
from duelbook.arena.run.game_record import GameRecord
from duelbook.catalog.registry import find
from duelbook.position import CHANCE
from duelbook.solver.oracle import VALUE_TOLERANCE

ForfeitPolicy = Literal["forfeits as losses", "legal moves only"]
FORFEIT_POLICIES: tuple[ForfeitPolicy, ...] = ("forfeits as losses", "legal moves only")
"""The two ways to count; the second excludes forfeited games from the results."""
ALL = "all games"
MAX_REGRET = 2.0
"""The maximum regret of a move, in units of the largest payoff: a win becomes a loss."""


@dataclass
class Tally:
    """Sums of a player's moves and results over some games."""

    games: int = 0
    points: float = 0.0
    """The sum of 1 for each win, and a half for each game that was drawn or cut."""
    cut: int = 0
    moves: int = 0
    best: int = 0
    mattered: int = 0
    """The number of moves at which some legal move was worse than another."""
    right: int = 0
    """The number of best moves among the moves that mattered."""
    regret: float = 0.0
    won_starts: int = 0
    wins_kept: int = 0
    lost_starts: int = 0
    losses_saved: int = 0

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for name in _COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def add_move(self, turn: Turn, largest_payoff: float) -> None:
        """Count a move of the player."""
        self.moves += 1
        self.best += turn.is_best
        self.mattered += turn.mattered
        self.right += turn.mattered and turn.is_best
        self.regret += turn.regret / largest_payoff


_COUNTED = tuple(field.name for field in fields(Tally))


@dataclass
class Expenses:
    """A player's time, calls, tokens, cost and forfeits."""

    turns: int = 0
    ms: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    reasoning: int = 0
    cost: float = 0.0
    cost_unknown: bool = False
    forfeits: Counter[str] = field(default_factory=Counter)


Clusters = dict[str, Tally]
"""The tally of each pair of games."""


@dataclass(frozen=True)
class PlayerRow:
    """A player's figures over some games."""

    player: str
    game: str
    games: int
    score: Interval
    regret: Interval
    """The mean regret of a move; 1 is the difference between a win and a draw."""
    best: Interval
    right: Interval
    """The share of best moves among the moves that mattered."""
    wins_kept: Interval
    losses_saved: Interval


class Measures:
    """The figures of a tournament; the sum over its games."""

    def __init__(self, games: Iterable[GameRecord]) -> None:
        self.results: dict[ForfeitPolicy, list[ScoredGame]] = {
            forfeit_policy: [] for forfeit_policy in FORFEIT_POLICIES
        }
        self.expenses: dict[str, Expenses] = {}
        self.depths: dict[tuple[str, str, int], Tally] = {}
        """The tally of each player in each game at each number of moves from the start."""
        self.games = 0
        self.cut = 0
        self._judges: dict[str, Judge] = {}
        self._tallies: dict[ForfeitPolicy, dict[tuple[str, str], Clusters]] = {
            forfeit_policy: {} for forfeit_policy in FORFEIT_POLICIES
        }
        for game in games:
            self._add(game)

    @property
    def players(self) -> list[str]:
        """The players, the one with the least regret first."""
        rows = {row.player: row for row in self.rows("forfeits as losses")}
        return sorted(rows, key=lambda label: (rows[label].regret.figure, label))

    @property
    def forfeits(self) -> int:
        """The number of forfeited games."""
        return sum(expenses.forfeits.total() for expenses in self.expenses.values())

    @property
    def slugs(self) -> list[str]:
        """The games of the tournament."""
        return sorted({game for _, game in self._tallies[FORFEIT_POLICIES[0]]})

    def rows(self, forfeit_policy: ForfeitPolicy, game: str = ALL) -> Iterator[PlayerRow]:
        """Yield a row for each player, over all games or over one game."""
        tallies = self._tallies[forfeit_policy]
        for player in sorted({player for player, _ in self._tallies[FORFEIT_POLICIES[0]]}):
            player_clusters: Clusters = {}
            for (label, slug), clusters in tallies.items():
                if label == player and game in (ALL, slug):
                    player_clusters |= clusters
            # Sort the pairs, so that the order of the games does not change the last digit.
            yield _row(player, game, [player_clusters[pair] for pair in sorted(player_clusters)])

    def ratings(self, forfeit_policy: ForfeitPolicy) -> Ratings:
        """Return the ratings."""
        return ratings(self.results[forfeit_policy])

    def _add(self, game: GameRecord) -> None:
        game_judge = self._judges.get(game["game"])
        if game_judge is None:
            game_judge = self._judges[game["game"]] = judge(find(game["game"]))
        opening = len(game["opening"])
        turns = game_judge.turns([*game["opening"], *game["moves"]])
        self.games += 1
        self.cut += game["end"] == "cut"
        for seat in (0, 1):
            self._add_expenses(game, seat, sum(turn.seat == seat for turn in turns[opening:]))
        for forfeit_policy in FORFEIT_POLICIES:
            self._count(forfeit_policy, game, game_judge, turns, opening)
        for turn in turns[opening:]:
            if turn.seat != CHANCE:
                key = game["players"][turn.seat], game["game"], turn.ply
                self.depths.setdefault(key, Tally()).add_move(turn, game_judge.game.largest_payoff)

    def _count(
        self,
        forfeit_policy: ForfeitPolicy,
        game: GameRecord,
        game_judge: Judge,
        turns: list[Turn],
        opening: int,
    ) -> None:
        legal_only = forfeit_policy == "legal moves only"
        start = turns[opening].before if len(turns) > opening else game_judge.value_after(turns)
        for seat in (0, 1):
            player = game["players"][seat]
            tally = Tally(cut=game["end"] == "cut")
            for turn in turns[opening:]:
                if turn.seat == seat:
                    tally.add_move(turn, game_judge.game.largest_payoff)
            forfeit = game["forfeit"]
            if forfeit and not legal_only and forfeit["seat"] == seat:
                tally.moves += 1
                value = game_judge.value_after(turns) * (1 - 2 * seat)
                regret = value / game_judge.game.largest_payoff + 1
                tally.regret += regret
                tally.mattered += regret > VALUE_TOLERANCE
            if not (forfeit and legal_only):
                _score(tally, game["payoffs"][seat], start * (1 - 2 * seat))
            clusters = self._tallies[forfeit_policy].setdefault((player, game["game"]), {})
            clusters.setdefault(game["pair"], Tally()).add(tally)
        if not (game["forfeit"] and legal_only):
            score = _points(game["payoffs"][0])
            players = game["players"][0], game["players"][1]
            self.results[forfeit_policy].append(
                ScoredGame(game["game"], players, score, game["pair"])
            )

    def _add_expenses(self, game: GameRecord, seat: int, moves: int) -> None:
        spent = self.expenses.setdefault(game["players"][seat], Expenses())
        spent.turns += moves
        spent.ms += game["ms"][seat]
        for turn in game["turns"]:
            if turn["seat"] == seat:
                spent.calls += turn["tries"]
                spent.tokens_in += turn["tokens_in"]
                spent.tokens_out += turn["tokens_out"]
                spent.reasoning += turn["reasoning"]
                spent.cost += turn["cost"] or 0.0
                spent.cost_unknown |= turn["cost"] is None
        if game["forfeit"] and game["forfeit"]["seat"] == seat:
            spent.forfeits[game["forfeit"]["kind"]] += 1


def _points(payoff: float) -> float:
    return 1.0 if payoff > 0 else 0.0 if payoff < 0 else 0.5


def _score(tally: Tally, payoff: float, start: float) -> None:
    """Count a result, and whether the player kept a won start or saved a lost one."""
    tally.games += 1
    tally.points += _points(payoff)
    if start > VALUE_TOLERANCE:
        tally.won_starts += 1
        tally.wins_kept += payoff > 0
    elif start < -VALUE_TOLERANCE:
        tally.lost_starts += 1
        tally.losses_saved += payoff >= 0


def _row(player: str, game: str, clusters: list[Tally]) -> PlayerRow:
    return PlayerRow(
        player,
        game,
        sum(tally.games for tally in clusters),
        score=confidence_intervals.share((tally.points, tally.games) for tally in clusters),
        regret=confidence_intervals.mean(
            ((tally.regret, tally.moves) for tally in clusters), MAX_REGRET
        ),
        best=confidence_intervals.share((tally.best, tally.moves) for tally in clusters),
        right=confidence_intervals.share((tally.right, tally.mattered) for tally in clusters),
        wins_kept=confidence_intervals.share(
            (tally.wins_kept, tally.won_starts) for tally in clusters
        ),
        losses_saved=confidence_intervals.share(
            (tally.losses_saved, tally.lost_starts) for tally in clusters
        ),
    )
