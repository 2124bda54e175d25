"""Verify a tournament's folder by the rules, move by move.

Every game must be in the schedule and every move legal. Every chance outcome must follow from its
seed, and every result from the rules. The payoff must equal the sum of value, regrets and chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from duelbook.arena.measures.regret import Judge, Turn, judge
from duelbook.arena.run.game_record import GameRecord, game_record
from duelbook.arena.run.play_game import play_game
from duelbook.arena.run.runner import Plan
from duelbook.arena.tournament.folder import Folder
from duelbook.arena.tournament.player_factory import PlayerFactory
from duelbook.arena.tournament.schedule import GameTask
from duelbook.chance import draw_from_seed
from duelbook.errors import DuelbookError
from duelbook.play.playthrough import Playthrough
from duelbook.position import CHANCE, Position

SUM_TOLERANCE = 1e-6
"""The maximum rounding error of the sums of a game."""


@dataclass
class VerificationResult:
    """The number of checked games and moves, and a sentence for each error."""

    games: int = 0
    moves: int = 0
    replayed: int = 0
    wrong: list[str] = field(default_factory=list)


def verify(plan: Plan, folder: Folder, *, replay: bool = False) -> VerificationResult:
    """Check all games of a folder; with `replay`, play games of built-in players again."""
    result = VerificationResult()
    tasks = {task.id: task for task in plan.tasks()}
    games = {game.slug: game for game in plan.games}
    factory = PlayerFactory(plan.tournament)
    for record in folder.games():
        result.games += 1
        result.moves += len(record["moves"])
        task = tasks.get(record["id"])
        if task is None:
            result.wrong.append(f"Game {record['id']} is not in the tournament.")
            continue
        try:
            for wrong in _wrong(plan, task, record, games[task.game]):
                result.wrong.append(f"Game {task.id}: {wrong}")
            if replay and factory.is_reproducible(task):
                result.replayed += 1
                with factory.players(task) as players:
                    again = play_game(games[task.game], task, players, plan.tournament.limits)
                if (again["moves"], again["end"]) != (record["moves"], record["end"]):
                    result.wrong.append(f"Game {task.id}: played again, it goes another way.")
        except (DuelbookError, KeyError, TypeError, IndexError) as error:
            result.wrong.append(f"Game {task.id}: {error}")
    return result


def _wrong(plan: Plan, task: GameTask, record: GameRecord, game: type[Position]) -> Iterator[str]:
    """Yield the errors in the record of a game."""
    scheduled = game_record(task, record["moves"], None, None)
    for name in ("pair", "game", "book", "round", "players", "opening"):
        if record[name] != scheduled[name]:
            yield f"its `{name}` differs from the schedule of the tournament."
    moves = [*task.opening, *record["moves"]]
    positions = Playthrough(game.start(), moves).positions
    for ply, position in enumerate(positions[:-1]):
        drawn = position.to_move == CHANCE and ply >= len(task.opening)
        if drawn and draw_from_seed(position, task.pair, ply) != moves[ply]:
            yield f"move {ply + 1} is not what chance drew."
    yield from _wrong_end(plan, record, positions)
    judged = judge(game)
    turns = judged.turns(moves)
    yield from _wrong_values(judged, positions, moves, turns)
    if record["end"] == "rules":
        yield from _wrong_sum(judged, turns, record["payoffs"][0])


def _wrong_end(plan: Plan, record: GameRecord, positions: Sequence[Position]) -> Iterator[str]:
    outcome, forfeit = positions[-1].outcome(), record["forfeit"]
    ended: dict[str, object] = {"end": "cut", "winner": None, "payoffs": [0.0, 0.0]}
    if outcome:
        ended = {"end": "rules", "winner": outcome.winner, "payoffs": list(outcome.payoffs)}
    elif forfeit:
        won = 1 - forfeit["seat"]
        ended = {"end": "forfeit", "winner": won, "payoffs": [1.0 - 2 * won, 2.0 * won - 1]}
    elif len(positions) - 1 < plan.tournament.limits.plies:
        yield "it is not over, but was not played to its end."
    for name, value in ended.items():
        if (recorded := dict(record)[name]) != value:
            yield f"its {name} is {recorded}, and by the rules {value}."
    if forfeit and positions[-1].to_move != forfeit["seat"]:
        yield "it was forfeited by a seat that was not to move."


def _wrong_values(
    judged: Judge, positions: Sequence[Position], moves: Sequence[str], turns: Sequence[Turn]
) -> Iterator[str]:
    """Check that the expected gain from chance is 0 at each move."""
    for turn in turns:
        if any(
            abs(mean) > SUM_TOLERANCE for mean in judged.mean_chance_gains(positions, moves, turn)
        ):
            yield f"move {turn.ply + 1} changes the value by more than its regret and fair chance."


def _wrong_sum(judged: Judge, turns: Sequence[Turn], paid: float) -> Iterator[str]:
    """Check that the payoff is the sum of the start's value, the regrets and chance."""
    sums = judged.start_value()
    for turn in turns:
        sums += turn.chance_gain - (
            0.0 if turn.seat == CHANCE else turn.regret * (1 - 2 * turn.seat)
        )
    if abs(sums - paid) > SUM_TOLERANCE:
        yield f"value, regrets and chance add up to {sums:g}, but it pays {paid:g}."
