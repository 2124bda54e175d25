"""The figures of a tournament against what is known: exact regrets, textbook intervals, other
programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import log, sqrt
from pathlib import Path
from random import Random

import choix
import numpy as np
import pytest
from scipy import stats

from duelbook import Position
from duelbook.arena.measures import confidence_intervals, regret
from duelbook.arena.measures.mistakes import costliest
from duelbook.arena.measures.player_measures import Measures, PlayerRow
from duelbook.arena.measures.ratings import ELO, ScoredGame, ratings
from duelbook.arena.measures.regret import Judge, judge
from duelbook.arena.measures.sprt import SprtState as SequentialTest
from duelbook.arena.measures.sprt import sprt_state as sequential_test
from duelbook.arena.report.standings import as_data
from duelbook.arena.run.game_record import GameRecord, game_record
from duelbook.arena.run.play_game import play_game
from duelbook.arena.tournament.folder import Folder
from duelbook.arena.tournament.schedule import GameTask
from duelbook.arena.tournament.tournament_file import GameLimits, Sprt
from duelbook.catalog import registry
from duelbook.catalog.registry import find, load
from duelbook.catalog.registry import list_games as own_games
from duelbook.players import Player, make
from duelbook.players.levels import Perfect
from duelbook.position import CHANCE
from duelbook.research.evaluation import evaluate
from duelbook.research.expectation import visits
from duelbook.research.policies import shares
from duelbook.secrecy import keeps_secrets
from shared_solutions import shared_solution, shared_table
from short_games import EXAMPLES, write_short

# Planted players --------------------------------------------------------------------------------

CUPS, PAIRS = 300, 10
PLANTED = ("perfect:0.15", "perfect:0.5")
ISLAND = "island-conquest"


class Witness(Random):
    """Sees between which moves a player draws, each as likely as the others."""

    def choices(  # type: ignore[override] # as the player calls it
        self, population: Sequence[str], *_: object, **__: object
    ) -> list[str]:
        self.seen = population
        return [population[0]]


def mixed(slips: float) -> dict[Position, dict[str, float]]:
    """Return how often `perfect:SLIPS` makes each move, which it does not say by itself."""
    player, witness, policy = Perfect(shared_solution(find(ISLAND))), Witness(), {}
    for position in shared_table(find(ISLAND)).positions:
        legal = position.moves()
        if legal:
            player.choose(position, witness)
            best, even = set(witness.seen), slips / len(legal)
            policy[position] = {m: even + (1 - slips) / len(best) * (m in best) for m in legal}
    return policy


@cache
def true_figures(name: str, other: str) -> tuple[float, float]:
    """Return the exact regret a move and share of best moves of a player against another one."""
    table = shared_table(find(ISLAND))
    ours, theirs = (mixed(float(one.partition(":")[2])) for one in (name, other))
    evaluation = evaluate(table, ours.__getitem__, against=theirs.__getitem__)
    given, against = shares(table, ours.__getitem__), shares(table, theirs.__getitem__)
    sums = np.zeros(3)
    for seat in (0, 1):
        joint = np.where(table.mover[table.sources] == seat, given, against)
        moves = (visits(table, joint)[table.sources] * joint)[table.mover[table.sources] == seat]
        lost = evaluation.move_regrets[table.mover[table.sources] == seat]
        sums += moves @ lost, moves @ (lost < 1e-9), moves.sum()
    return float(sums[0] / sums[2]), float(sums[1] / sums[2])


@cache
def planted(name: str) -> Player:
    return make(name)


def played(tournament: int) -> Iterator[GameRecord]:
    """Play a tournament of two planted players: pairs of games with seats swapped."""
    game = find(ISLAND)
    for pair in range(PAIRS):
        for pairing in (PLANTED, PLANTED[::-1]):
            task = GameTask(
                f"{tournament} {pair} {pairing[0]}",
                f"{tournament} {pair}",
                game.slug,
                "",
                (),
                pair,
                pairing,
            )
            yield play_game(game, task, (planted(pairing[0]), planted(pairing[1])), GameLimits())


@pytest.fixture(scope="module")
def rows() -> list[dict[str, PlayerRow]]:
    """The figures of many tournaments."""
    tournaments = (Measures(played(tournament)) for tournament in range(CUPS))
    return [
        {row.player: row for row in tournament.rows("forfeits as losses")}
        for tournament in tournaments
    ]


@pytest.mark.parametrize("at", [0, 1])
def test_intervals_of_players_with_known_strength_cover_the_truth(
    at: int, rows: list[dict[str, PlayerRow]]
) -> None:
    name, other = PLANTED[at], PLANTED[1 - at]
    regret_a_move, best = true_figures(name, other)
    mine = [row[name] for row in rows]
    for figures, truth in (
        ([row.regret for row in mine], regret_a_move),
        ([row.best for row in mine], best),
    ):
        centre = np.array([interval.figure for interval in figures])
        error = float(centre.std(ddof=1) / sqrt(CUPS))
        assert abs(centre.mean() - truth) < 4 * error
        covered = sum(interval.low <= truth <= interval.high for interval in figures)
        # As many of 300 as in 999 of 1000 cases, if an interval covers in 94 to 96 % of them.
        least, most = stats.binom.ppf(0.0005, CUPS, 0.94), stats.binom.ppf(0.9995, CUPS, 0.96)
        assert least <= covered <= most, covered


# Intervals --------------------------------------------------------------------------------------


def test_a_mean_of_many_parts_has_the_normal_interval() -> None:
    sample = np.random.default_rng(1).uniform(0.2, 0.9, 4000)
    interval = confidence_intervals.mean(((amount, 1) for amount in sample), maximum=2.0)
    low, high = stats.norm.interval(0.95, sample.mean(), stats.sem(sample))
    assert (interval.figure, interval.low, interval.high) == pytest.approx(
        (sample.mean(), low, high), 1e-3
    )


def test_a_mean_of_rare_amounts_has_the_interval_of_their_share() -> None:
    interval = confidence_intervals.mean(
        ((2.0 * (number < 3), 1) for number in range(200)), maximum=2.0
    )
    wilson = stats.binomtest(3, 200).proportion_ci(method="wilson")
    assert (interval.low / 2, interval.high / 2) == pytest.approx(
        (wilson.low, wilson.high), abs=1e-3
    )


@pytest.mark.parametrize(("hits", "of"), [(7, 40), (0, 25), (25, 25), (1, 500)])
def test_a_share_of_single_parts_has_wilsons_interval(hits: int, of: int) -> None:
    interval = confidence_intervals.share((float(number < hits), 1) for number in range(of))
    wilson = stats.binomtest(hits, of).proportion_ci(method="wilson")
    assert interval.figure == hits / of
    # The variance is estimated with one degree of freedom less.
    assert (interval.low, interval.high) == pytest.approx((wilson.low, wilson.high), abs=0.6 / of)


def test_equal_games_of_a_pair_count_once() -> None:
    sample = [(float(bit), 1.0) for bit in np.random.default_rng(2).integers(0, 2, 50)]
    twice = [(2 * hit, 2.0) for hit, _ in sample]
    assert confidence_intervals.share(twice) == confidence_intervals.share(sample)


def test_an_empty_sample_has_no_interval_and_zero_mistakes_leave_doubt() -> None:
    assert np.isnan(confidence_intervals.mean([], 2.0).figure)
    assert np.isnan(confidence_intervals.share([(0, 0)]).figure)
    spotless = confidence_intervals.mean([(0, 9)] * 20, 2.0)
    assert (spotless.figure, spotless.low) == (0, 0)
    wilson = stats.binomtest(0, 180).proportion_ci(method="wilson")
    assert spotless.high == pytest.approx(2 * wilson.high)
    alike = confidence_intervals.share([(1, 2)] * 20)  # such as pairs in which the first seat wins
    wilson = stats.binomtest(10, 20).proportion_ci(method="wilson")
    assert (alike.low, alike.high) == pytest.approx((wilson.low, wilson.high))


# Ratings ----------------------------------------------------------------------------------------


def results(
    strengths: dict[str, float], seat: float, pairs: int, random: Random
) -> Iterator[ScoredGame]:
    """Yield games whose winners are drawn from planted strengths, in units of the model."""
    names = sorted(strengths)
    for number in range(pairs):
        pairing = random.sample(names, 2)
        for first, second in (pairing, pairing[::-1]):
            chance = 1 / (1 + np.exp(strengths[second] - strengths[first] - seat))
            yield ScoredGame("game", (first, second), float(random.random() < chance), str(number))


def winners_first(games: Iterable[ScoredGame], names: list[str]) -> list[tuple[int, int]]:
    """Return games as choix wants them."""
    ordered = (game.players if game.score else game.players[::-1] for game in games)
    return [(names.index(winner), names.index(loser)) for winner, loser in ordered]


STRENGTHS = {"a": 1.2, "b": 0.4, "c": -0.1, "d": -1.5}


def test_ratings_agree_with_choix() -> None:
    games = list(results(STRENGTHS, 0.0, 120, Random(3)))
    # Each game from both sides: then the seat is worth nothing.
    mirrored = [ScoredGame(g.game, g.players[::-1], 1 - g.score, g.pair) for g in games]
    ours = ratings([*games, *mirrored], prior_deviation=1e4, samples=0)
    names = sorted(STRENGTHS)
    data = winners_first(games, names)
    theirs = choix.ilsr_pairwise(len(names), data, alpha=0.0)
    theirs -= theirs.mean()
    assert [ours.players[name].figure / ELO for name in names] == pytest.approx(theirs, abs=1e-5)
    assert ours.seats["game"].figure == pytest.approx(0, abs=1e-6)


def test_ratings_with_a_prior_agree_with_choix() -> None:
    """A prior of choix is a penalty alpha, which is the precision of ours."""
    games = list(results(STRENGTHS, 0.0, 30, Random(5)))
    mirrored = [ScoredGame(g.game, g.players[::-1], 1 - g.score, g.pair) for g in games]
    ours = ratings([*games, *mirrored], prior_deviation=2.0, samples=0)
    names = sorted(STRENGTHS)
    data = winners_first(games, names)
    # choix's penalty is alpha times the sum of squares; ours is half of it over the variance.
    theirs = choix.opt_pairwise(len(names), data * 2, alpha=1 / (2 * 2.0**2), tol=1e-10)
    assert [ours.players[name].figure / ELO for name in names] == pytest.approx(theirs, abs=1e-4)


def test_known_strengths_and_the_advantage_of_a_seat_are_recovered() -> None:
    rated = ratings(results(STRENGTHS, 0.7, 4000, Random(4)), samples=100)
    for name, strength in STRENGTHS.items():
        rating = rated.players[name]
        width = (rating.high - rating.low) / 4  # a standard error
        assert abs(rating.figure - strength * ELO) < 4 * width
        assert 1 < width < 8
    seat = rated.seats["game"]
    assert abs(seat.figure - 0.7 * ELO) < seat.high - seat.low


def test_a_player_who_won_every_game_has_a_finite_rating() -> None:
    games = [ScoredGame("game", ("a", "b"), 1.0, str(number)) for number in range(5)]
    rated = ratings(games)
    assert 0 < rated.players["a"].figure - rated.players["b"].figure < 2000


def test_the_order_of_the_games_changes_no_figure() -> None:
    games = list(played(0))
    mixed_up = Random(1).sample(games, len(games))
    first, second = (as_data(Measures(order)) for order in (games, mixed_up))
    for data in (first, second):
        for spent in data["expenses"].values():
            del spent["ms"]
    assert first == second


# A test in sequence -----------------------------------------------------------------------------


def test_the_bounds_are_those_that_fastchess_documents() -> None:
    state = sequential_test(Sprt(0, 5, alpha=0.05, beta=0.1), [])
    assert state.low == log(0.1 / (1 - 0.05))
    assert state.high == log((1 - 0.1) / 0.05)
    assert state.verdict == ""


def likelihood_ratio(sprt: Sprt, scores: list[float]) -> float:
    """Return the exact ratio of the best multinomials with the two means: what is approximated."""
    from scipy.optimize import brentq

    values = np.array([0, 0.25, 0.5, 0.75, 1])
    seen = np.array([scores.count(2 * value) for value in values]) + 1e-3
    seen /= seen.sum()

    def fitted(mean: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        def wrong(theta: float) -> float:
            return float((seen * (values - mean) / (1 + theta * (values - mean))).sum())

        ends = -1 / (1 - mean) + 1e-9, 1 / mean - 1e-9
        return seen / (1 + brentq(wrong, *ends) * (values - mean))

    means = [1 / (1 + 10 ** (-elo / 400)) for elo in (sprt.elo0, sprt.elo1)]
    low, high = map(fitted, means)
    return float(len(scores) * (seen * np.log(high / low)).sum())


def pair_scores(elo: float, random: Random, count: int) -> list[float]:
    """Draw the points of pairs of games without draws, whose games are alike."""
    chance = 1 / (1 + 10 ** (-elo / 400))
    return [float(sum(random.random() < chance for _ in range(2))) for _ in range(count)]


def test_the_likelihood_ratio_is_close_to_the_exact_one() -> None:
    sprt = Sprt(0, 20)
    for elo in (-20, 0, 10, 40):
        scores = pair_scores(elo, Random(elo), 400)
        exact = likelihood_ratio(sprt, scores)
        assert sequential_test(sprt, scores).llr == pytest.approx(exact, abs=0.05, rel=0.05)


def decided(sprt: Sprt, elo: float, random: Random) -> SequentialTest:
    scores: list[float] = []
    while True:
        scores += pair_scores(elo, random, 4)
        state = sequential_test(sprt, scores)
        if state.verdict and len(scores) >= 16:
            return state


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "H1"), (120.0, "H0")])
def test_the_error_rate_of_a_sequential_test_is_as_configured(elo: float, wrong: str) -> None:
    sprt, random, runs = Sprt(0, 120, alpha=0.1, beta=0.1), Random(6), 400
    errors = sum(decided(sprt, elo, random).verdict == wrong for _ in range(runs))
    # At most as many as in 999 of 1000 cases; and not so few that the promise would be empty.
    assert runs * 0.02 < errors <= stats.binom.ppf(0.999, runs, 0.1), errors


# What a game pays -------------------------------------------------------------------------------

OWN = [game.slug for game in own_games()]
LARGE = ("galaxy-conquest",)
BOOKS = [
    *(pytest.param(slug, marks=[pytest.mark.integration] * (slug in LARGE)) for slug in OWN),
    *sorted(file.stem for file in EXAMPLES.glob("*.py")),
]


def judge_of(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[type[Position], Judge]:
    if name not in OWN:
        monkeypatch.setattr(registry, "_loaded", {})  # other tests load the long games
        game = load(str(write_short(name, folder)))
        return game, judge(game)
    if name in LARGE:  # which other tests solve, too
        monkeypatch.setattr(regret, "solve", lambda game, max_positions: shared_solution(game))
    return find(name), judge(find(name))


def random_game(game: type[Position], random: Random) -> tuple[list[Position], list[str]]:
    positions, moves = [game.start()], list[str]()
    while positions[-1].moves() and len(moves) < 300:
        position = positions[-1]
        odds = position.odds() if position.to_move == CHANCE else dict.fromkeys(position.moves(), 1)
        moves += random.choices(list(odds), list(odds.values()))
        positions.append(position.play(moves[-1]))
    return positions, moves


@pytest.mark.parametrize("name", BOOKS)
def test_a_payoff_is_the_value_minus_own_regret_plus_opponent_regret_plus_chance(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, judged = judge_of(name, tmp_path, monkeypatch)
    random, is_chance = Random(7), 0
    for _ in range(5 if name in LARGE else 15):
        positions, moves = random_game(game, random)
        turns = judged.turns(moves)
        gave_away = [sum(turn.regret for turn in turns if turn.seat == seat) for seat in (0, 1)]
        chance = sum(turn.chance_gain for turn in turns)
        paid = judged.start_value() - gave_away[0] + gave_away[1] + chance
        outcome = positions[-1].outcome()
        assert outcome is not None
        assert paid == pytest.approx(outcome.payoffs[0], abs=1e-6)
        for turn in turns:
            means = judged.mean_chance_gains(positions, moves, turn)
            assert means == pytest.approx([0] * len(means), abs=1e-6)
            is_chance += abs(turn.chance_gain) > 1e-6
    assert bool(is_chance) == (bool(game.CHANCE_MOVES) or keeps_secrets(game))


def test_the_same_move_in_another_position_is_another_mistake(tmp_path: Path) -> None:
    game, random, mistakes = find(ISLAND), Random(3), set()
    folder, players = Folder(tmp_path), ("a", "b")
    for number in range(30):
        positions, moves = random_game(game, random)
        task = GameTask(str(number), str(number), game.slug, "", (), number, players)
        folder.add_games([game_record(task, moves, positions[-1].outcome(), None)])
        for turn in judge(game).turns(moves):
            if not turn.is_best:
                mistakes.add((turn.seat, turn.move, turn.ply, positions[turn.ply]))
    shown = costliest(folder, players, limit=len(mistakes) + 1)
    assert len(shown) == len(mistakes)
    assert len({(mistake.seat, mistake.move, mistake.number) for mistake in shown}) < len(shown)
