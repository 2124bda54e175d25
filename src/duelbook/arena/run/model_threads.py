"""Threads that play the games of language models, which wait most of the time.

Every call is on disk before its game continues. A resumed run reads the calls of unfinished games
from disk, and does not repeat them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from queue import Empty, Queue
from threading import Lock, Thread

from duelbook.arena.run.budget import Budget, BudgetSpent
from duelbook.arena.run.game_record import GameRecord
from duelbook.arena.run.play_game import play_game
from duelbook.arena.tournament.folder import Folder
from duelbook.arena.tournament.player_factory import PlayerFactory
from duelbook.arena.tournament.schedule import GameTask
from duelbook.arena.tournament.tournament_file import Tournament
from duelbook.errors import DuelbookError
from duelbook.players.external.player_by_name import Models
from duelbook.players.failures import PROVIDER, ProviderError
from duelbook.players.llm.calls import Call

THREADS = 8
"""The default number of games at once."""
Ended = GameRecord | ProviderError | None
"""A finished game, the error of a game, or None when a thread has no game left."""
MAX_PROVIDER_ERRORS = 3
"""The number of provider errors in a row that stops the run."""


class FolderJournal:
    """Stores the calls of a run in the tournament's folder."""

    def __init__(self, folder: Folder, budget: Budget) -> None:
        self._folder, self._budget = folder, budget
        self._lock = Lock()
        over = {call for game in folder.games() for turn in game["turns"] for call in turn["calls"]}
        self._known = {
            call["id"]: Call(**call) for call in folder.calls() if call["id"] not in over
        }

    def find(self, call: str) -> Call | None:
        """Return a call that an earlier run made for an unfinished game."""
        return self._known.get(call)

    def reserve(self, ceiling: float | None) -> None:
        """Refuse a call that the budget does not allow."""
        self._budget.reserve(ceiling)

    def store(self, call: Call, ceiling: float | None) -> None:
        """Write a call to disk, unless the provider did not serve it."""
        self._budget.settle(ceiling, 0.0 if call.failure == PROVIDER else call.cost)
        if call.failure != PROVIDER:
            try:
                with self._lock:
                    self._folder.add_calls([asdict(call)])
            except DuelbookError as error:  # perhaps a full disk
                self._budget.stop(str(error))
                raise BudgetSpent(str(error)) from error


def play_in_threads(
    tasks: list[GameTask],
    tournament: Tournament,
    models: Models | None,
    folder: Folder,
    budget: Budget,
) -> Iterator[list[GameRecord]]:
    """Play games in threads, and yield each at its end; the budget or a provider may stop it."""
    journal = FolderJournal(folder, budget)
    factory = PlayerFactory(tournament, models=replace(models or Models(), journal=journal))
    waiting: Queue[GameTask] = Queue()
    for task in tasks:
        waiting.put(task)
    ended: Queue[Ended] = Queue()
    threads = min(tournament.concurrency or THREADS, len(tasks))
    for _ in range(threads):  # Ctrl-C does not wait for them
        arguments = (factory, tournament, waiting, ended, budget)
        Thread(target=_play_all, args=arguments, daemon=True).start()
    errors = 0
    while threads:
        result = ended.get()
        if result is None:
            threads -= 1
        elif isinstance(result, dict):
            errors = 0
            yield [result]
        else:
            errors += 1
            budget.failed = str(result)
            if errors >= MAX_PROVIDER_ERRORS:
                budget.stop(str(result))


def _play_all(
    factory: PlayerFactory,
    tournament: Tournament,
    waiting: Queue[GameTask],
    ended: Queue[Ended],
    budget: Budget,
) -> None:
    """Play games until none is left."""
    try:
        while not budget.stopped:
            task = waiting.get_nowait()
            try:
                with factory.players(task) as players:
                    ended.put(play_game(factory.game(task), task, players, tournament.limits))
            except BudgetSpent:
                break
            except ProviderError as error:
                ended.put(error)
    except Empty:
        pass  # no game is left
    except Exception as error:  # an error in Duelbook, or a full disk
        budget.stop(f"{type(error).__name__}: {error}")
    finally:
        ended.put(None)
