"""Goes on with a tournament: plays the games that its folder does not have yet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from duelbook.arena.measures.sprt import Test, test
from duelbook.arena.run.budget import Budget
from duelbook.arena.run.game_record import GameRecord
from duelbook.arena.run.game_workers import play_in_processes
from duelbook.arena.run.ray_runner import play_on_ray
from duelbook.arena.tournament import tournament_file as tournaments
from duelbook.arena.tournament.dependencies import book_hash, lock
from duelbook.arena.tournament.folder import TOURNAMENT, Folder
from duelbook.arena.tournament.openings import START, openings
from duelbook.arena.tournament.schedule import GameTask, ScheduledGame, pairings, schedule, shard
from duelbook.arena.tournament.tournament_file import Tournament, beside
from duelbook.catalog.registry import load, source_of
from duelbook.errors import DuelbookError
from duelbook.players import Player
from duelbook.players.external.naming import Models, is_model, player_by_name
from duelbook.players.levels import oracle_for
from duelbook.position import Position

Progress = Callable[[int, int], object]
"""Called with the number of games done, and the total."""
Part = tuple[int, int]
"""A share of the tournament: its number from 0, and of how many."""
WHOLE: Part = (0, 1)
PAIRS = 16
"""The pairs of games, at least, after which a sequential test is looked at."""


@dataclass(frozen=True)
class Plan:
    """A tournament with its games loaded, and all that is to be played."""

    tournament: Tournament
    text: str
    games: tuple[type[Position], ...]
    books: tuple[ScheduledGame, ...]
    models: Models | None
    """What its language models have in common, if any take part."""

    @property
    def sources(self) -> tuple[str, ...]:
        """The files or classes of games that other processes must load."""
        return tuple(filter(None, map(source_of, self.games)))

    @property
    def prompt(self) -> Mapping[str, Any]:
        """What identifies the prompt for language models: its version, hash and switches."""
        return self.models.prompt.as_data() if self.models and self.models.prompt else {}

    def tasks(self, part: Part = WHOLE) -> Iterator[GameTask]:
        """Yield the games of the tournament, or of one machine's share of it."""
        return shard(schedule(self.tournament, self.books, self.prompt), *part)

    def asks_model(self, task: GameTask) -> bool:
        """Whether a language model plays in a game."""
        names = {one.label: one.name for one in self.tournament.players}
        return any(is_model(names[label]) for label in task.players)


@dataclass(frozen=True)
class RunSummary:
    """What a run has done: games that were there, that were played, and that are left."""

    before: int
    played: int
    left: int
    why: str = ""
    """Why games are left, if any are."""


def plan(file: Path, *, to_play: bool = True) -> Plan:
    """Read a tournament, or the tournament of a folder, and load its games.

    If they are to be played, refuse players that cannot; otherwise no player is asked, and no key
    is needed.
    """
    if file.is_dir():
        file /= TOURNAMENT
    tournament = tournaments.read(file)
    games = tuple(load(_game(name, file)) for name in tournament.games)
    asked = any(is_model(one.name) for one in tournament.players)
    models = Models.read(tournament, partial(beside, file)) if asked else None
    for one in tournament.players if to_play else ():
        player = player_by_name(one.name, one.settings, limits=tournament.limits, models=models)
        for game in games:
            _check(player, one.name, game)
    books = tuple(_book(tournament, game) for game in games)
    return Plan(tournament, file.read_text(encoding="utf-8"), games, books, models)


def run_tournament(  # noqa: PLR0913 # what a run may be told
    plan: Plan,
    folder: Folder,
    *,
    part: Part = WHOLE,
    budget: Budget | None = None,
    ray: str | None = None,
    progress: Progress = lambda *_: None,
) -> RunSummary:
    """Play what is missing in a folder; the same call goes on after any interruption."""
    budget = budget or Budget()
    with folder.writing():
        folder.begin(plan.text, lock(list(plan.games), plan.prompt))
        folder.keep(plan.models.files if plan.models else {})
        kept = {game["id"]: _points(game) for game in folder.games()}
        before, total, played = 0, 0, 0
        for tasks in _rounds(plan, part, kept):
            missing = [task for task in tasks if task.id not in kept]
            before, total = before + len(tasks) - len(missing), total + len(tasks)
            progress(before + played, total)
            for games in _played(plan, missing, folder, budget, ray):
                folder.add_games(games)
                kept |= {game["id"]: _points(game) for game in games}
                played += len(games)
                progress(before + played, total)
            if budget.stopped:
                break
    return RunSummary(before, played, total - before - played, budget.stopped or budget.failed)


def _points(game: GameRecord) -> float:
    """Return what seat 0 scored."""
    paid: float = game["payoffs"][0]
    return (1 + (paid > 0) - (paid < 0)) / 2


def _rounds(plan: Plan, part: Part, kept: dict[str, float]) -> Iterator[list[GameTask]]:
    """Yield what is to be played: all at once, or round by round where a test may end it."""
    if plan.tournament.sprt is None:
        yield list(plan.tasks(part))
        return
    if part != WHOLE:
        raise DuelbookError("A sequential test cannot be played in shares.")
    tasks = list(plan.tasks())
    openings = sum(len(book.openings) for book in plan.books)
    step = -(-PAIRS // openings)
    for number in range(0, plan.tournament.rounds, step):
        decided = {
            pairing
            for pairing in pairings(plan.tournament)
            if pair_test(plan, pairing, tasks, kept, number).verdict
        }
        now = [task for task in tasks if number <= task.round < number + step]
        yield [task for task in now if not decided & {task.players, task.players[::-1]}]


def pair_test(
    plan: Plan,
    pairing: tuple[str, str],
    tasks: list[GameTask],
    kept: dict[str, float],
    rounds: int,
) -> Test:
    """Return the sequential test of a pairing after some rounds."""
    assert plan.tournament.sprt is not None  # noqa: S101 # as the caller has seen
    scores: dict[str, float] = {}
    for task in tasks:
        if task.round < rounds and set(task.players) == set(pairing) and task.id in kept:
            own = kept[task.id] if task.players == pairing else 1 - kept[task.id]
            scores[task.pair] = scores.get(task.pair, 0.0) + own
    return test(plan.tournament.sprt, list(scores.values()))


def _played(
    plan: Plan, missing: list[GameTask], folder: Folder, budget: Budget, ray: str | None
) -> Iterator[list[GameRecord]]:
    """Yield the games as they end, those of machines first."""
    tournament = plan.tournament
    quick = [task for task in missing if not plan.asks_model(task)]
    if quick and ray:
        yield from play_on_ray(quick, tournament, plan.sources, ray)
    elif quick:
        processes = min(tournament.concurrency or os.cpu_count() or 1, len(quick))
        yield from play_in_processes(quick, tournament, plan.sources, processes)
    slow = [task for task in missing if plan.asks_model(task)]
    if slow:
        from duelbook.arena.run.model_threads import play_in_threads  # in the extra `arena`

        yield from play_in_threads(slow, tournament, plan.models, folder, budget)


def _book(tournament: Tournament, game: type[Position]) -> ScheduledGame:
    found = [START]
    if tournament.openings.positions:
        found = openings(game, tournament.openings, oracle_for(game), str(tournament.seed))
    return ScheduledGame(game.slug, book_hash(game), tuple(found))


def _check(player: Player, name: str, game: type[Position]) -> None:
    """Refuse a player that cannot play a game of the tournament."""
    try:
        player.prepare(game)
    except DuelbookError as error:
        raise DuelbookError(f"{name} cannot play {game.title}: {error}") from error


def _game(name: str, tournament: Path) -> str:
    """Return a game as the tournament names it; a file lies beside the tournament."""
    file, colon, wanted = name.partition(":")
    return f"{beside(tournament, file)}{colon}{wanted}" if file.endswith(".py") else name
