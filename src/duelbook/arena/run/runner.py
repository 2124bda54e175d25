"""Plan a tournament, and run or resume it: play the games that its folder lacks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from duelbook.arena.measures.sprt import SprtState, sprt_state
from duelbook.arena.run.budget import Budget
from duelbook.arena.run.game_record import GameRecord
from duelbook.arena.run.game_workers import play_in_processes
from duelbook.arena.run.ray_runner import play_on_ray
from duelbook.arena.tournament import tournament_file as tournaments
from duelbook.arena.tournament.dependencies import book_hash, lock_data
from duelbook.arena.tournament.folder import Folder
from duelbook.arena.tournament.openings import START, openings
from duelbook.arena.tournament.schedule import GameTask, ScheduledGame, pairings, schedule, shard
from duelbook.arena.tournament.tournament_file import CURRENT_NAME, Tournament, beside
from duelbook.catalog.registry import load, source_of
from duelbook.errors import DuelbookError
from duelbook.players import Player
from duelbook.players.external.player_by_name import Models, is_model, player_by_name
from duelbook.players.levels import oracle_for
from duelbook.position import Position

Progress = Callable[[int, int], object]
"""Called with the number of games done, and the total."""
Part = tuple[int, int]
"""A share of the tournament: its number from 0, and the number of shares."""
WHOLE: Part = (0, 1)
PAIRS_PER_TEST = 16
"""The minimum number of pairs of games between two evaluations of a sequential test."""


@dataclass(frozen=True)
class Plan:
    """A tournament with its games loaded and its schedule."""

    tournament: Tournament
    text: str
    games: tuple[type[Position], ...]
    books: tuple[ScheduledGame, ...]
    models: Models | None
    """The prompt, prices and files that its language models share; None without models."""

    @property
    def sources(self) -> tuple[str, ...]:
        """The files or classes of games that other processes must load."""
        return tuple(filter(None, map(source_of, self.games)))

    @property
    def prompt(self) -> Mapping[str, Any]:
        """The version, hash and switches of the prompt for language models."""
        return self.models.prompt.as_data() if self.models and self.models.prompt else {}

    def tasks(self, part: Part = WHOLE) -> Iterator[GameTask]:
        """Yield the games of the tournament, or of one share."""
        return shard(schedule(self.tournament, self.books, self.prompt), *part)

    def asks_model(self, task: GameTask) -> bool:
        """Return whether a language model plays in a game."""
        names = {player.label: player.name for player in self.tournament.players}
        return any(is_model(names[label]) for label in task.players)


@dataclass(frozen=True)
class RunSummary:
    """The number of games stored before a run, played in it, and left after it."""

    before: int
    played: int
    left: int
    why: str = ""
    """The reason why games are left, if any are."""


def plan(file: Path, *, to_play: bool = True) -> Plan:
    """Read a tournament from its file or folder, and load its games.

    With `to_play`, create the players, and refuse those that cannot play the games. Without it, no
    key is needed.
    """
    if file.is_dir():
        file /= CURRENT_NAME
    tournament = tournaments.read(file)
    games = tuple(load(_game(name, file)) for name in tournament.games)
    has_models = any(is_model(entry.name) for entry in tournament.players)
    models = Models.read(tournament, partial(beside, file)) if has_models else None
    for entry in tournament.players if to_play else ():
        player = player_by_name(entry.name, entry.settings, limits=tournament.limits, models=models)
        for game in games:
            _check(player, entry.name, game)
    books = tuple(_book(tournament, game) for game in games)
    return Plan(tournament, file.read_text(encoding="utf-8"), games, books, models)


def run_tournament(  # noqa: PLR0913 # the options of a run
    plan: Plan,
    folder: Folder,
    *,
    part: Part = WHOLE,
    budget: Budget | None = None,
    ray: str | None = None,
    progress: Progress = lambda *_: None,
) -> RunSummary:
    """Play the games that a folder lacks; the same call resumes after any interruption."""
    budget = budget or Budget()
    with folder.locked():
        folder.create_or_check(plan.text, lock_data(list(plan.games), plan.prompt))
        folder.copy_files(plan.models.files if plan.models else {})
        scores = {game["id"]: _points(game) for game in folder.games()}
        before, total, played = 0, 0, 0
        for tasks in _rounds(plan, part, scores):
            missing = [task for task in tasks if task.id not in scores]
            before, total = before + len(tasks) - len(missing), total + len(tasks)
            progress(before + played, total)
            for games in _play_games(plan, missing, folder, budget, ray):
                folder.add_games(games)
                scores |= {game["id"]: _points(game) for game in games}
                played += len(games)
                progress(before + played, total)
            if budget.stopped:
                break
    return RunSummary(before, played, total - before - played, budget.stopped or budget.failed)


def _points(game: GameRecord) -> float:
    """Return the score of seat 0."""
    paid: float = game["payoffs"][0]
    return (1 + (paid > 0) - (paid < 0)) / 2


def _rounds(plan: Plan, part: Part, scores: dict[str, float]) -> Iterator[list[GameTask]]:
    """Yield the games to play: all at once, or by rounds if a sequential test may end them."""
    if plan.tournament.sprt is None:
        yield list(plan.tasks(part))
        return
    if part != WHOLE:
        raise DuelbookError("A sequential test cannot be played in shares.")
    tasks = list(plan.tasks())
    openings = sum(len(book.openings) for book in plan.books)
    step = -(-PAIRS_PER_TEST // openings)
    for number in range(0, plan.tournament.rounds, step):
        decided = {
            pairing
            for pairing in pairings(plan.tournament)
            if pair_test(plan, pairing, tasks, scores, number).verdict
        }
        now = [task for task in tasks if number <= task.round < number + step]
        yield [task for task in now if not decided & {task.players, task.players[::-1]}]


def pair_test(
    plan: Plan,
    pairing: tuple[str, str],
    tasks: list[GameTask],
    scores: dict[str, float],
    rounds: int,
) -> SprtState:
    """Return the sequential test of a pairing after some rounds."""
    assert plan.tournament.sprt is not None  # noqa: S101 # the caller has checked it
    pair_scores: dict[str, float] = {}
    for task in tasks:
        if task.round < rounds and set(task.players) == set(pairing) and task.id in scores:
            score = scores[task.id] if task.players == pairing else 1 - scores[task.id]
            pair_scores[task.pair] = pair_scores.get(task.pair, 0.0) + score
    return sprt_state(plan.tournament.sprt, list(pair_scores.values()))


def _play_games(
    plan: Plan, missing: list[GameTask], folder: Folder, budget: Budget, ray: str | None
) -> Iterator[list[GameRecord]]:
    """Play games, games without language models first, and yield them as they end."""
    tournament = plan.tournament
    without_models = [task for task in missing if not plan.asks_model(task)]
    if without_models and ray:
        yield from play_on_ray(without_models, tournament, plan.sources, ray)
    elif without_models:
        processes = min(tournament.concurrency or os.cpu_count() or 1, len(without_models))
        yield from play_in_processes(without_models, tournament, plan.sources, processes)
    with_models = [task for task in missing if plan.asks_model(task)]
    if with_models:
        from duelbook.arena.run.model_threads import play_in_threads  # in the extra `arena`

        yield from play_in_threads(with_models, tournament, plan.models, folder, budget)


def _book(tournament: Tournament, game: type[Position]) -> ScheduledGame:
    opening_moves = [START]
    if tournament.openings.positions:
        opening_moves = openings(game, tournament.openings, oracle_for(game), str(tournament.seed))
    return ScheduledGame(game.slug, book_hash(game), tuple(opening_moves))


def _check(player: Player, name: str, game: type[Position]) -> None:
    """Refuse a player that cannot play a game of the tournament."""
    try:
        player.prepare(game)
    except DuelbookError as error:
        raise DuelbookError(f"{name} cannot play {game.title}: {error}") from error


def _game(name: str, tournament: Path) -> str:
    """Return the name of a game to load; a file is beside the tournament."""
    file, colon, class_name = name.partition(":")
    return f"{beside(tournament, file)}{colon}{class_name}" if file.endswith(".py") else name
