"""Worker processes that play games of built-in players, classes and programs.

Each process plays one game at a time. A player forfeits its game if it ends its process, or if it
thinks for too long where nothing can interrupt it. A new process then replaces the old one. Other
games are not affected.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import TYPE_CHECKING, Any

from duelbook.arena.run.game_record import Forfeit, GameRecord, game_record
from duelbook.arena.run.play_game import play_game
from duelbook.arena.tournament.player_factory import PlayerFactory
from duelbook.arena.tournament.schedule import GameTask
from duelbook.arena.tournament.tournament_file import Tournament
from duelbook.catalog.registry import find
from duelbook.players.failures import Failure
from duelbook.position import Position
from duelbook.system.parent_process import end_with_parent

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext  # Windows has no ForkContext

SLACK_SECONDS = 5.0
"""The time between a player's limit and the end of its process."""
QUEUE_PER_WORKER = 8
"""The number of queued games per process, so that no process is idle."""
NOBODY = -1


class Worker:
    """A process, its queue of games, the seat that is thinking, and the time since it started."""

    def __init__(
        self, context: ForkContext | SpawnContext, tournament: Tournament, sources: tuple[str, ...]
    ) -> None:
        self._pipe, worker_pipe = context.Pipe()
        self.thinking = context.RawArray("d", [NOBODY, 0.0])
        self._played = context.RawArray("i", tournament.limits.plies + 1)
        self.queue: deque[GameTask] = deque()
        arguments = (worker_pipe, self.thinking, self._played, tournament, sources)
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        worker_pipe.close()

    @property
    def pipe(self) -> Connection[Any, Any]:
        """The pipe on which finished games arrive."""
        return self._pipe

    def give(self, task: GameTask) -> None:
        """Add a game to the queue."""
        self.queue.append(task)
        with suppress(OSError):  # the process has just ended; `take` notices it
            self._pipe.send(task)

    def take(self) -> list[GameRecord | None]:
        """Return the finished games; if the process has ended, also the game that ended it."""
        over: list[GameRecord | None] = []
        try:
            while self.queue and self._pipe.poll():
                over.append(self._pipe.recv())
                self.queue.popleft()
        except (EOFError, OSError):
            over.append(self._forfeited_game("CRASHED", "The player ended its process."))
        return over

    def overdue(self, seconds: float) -> bool:
        """Return whether a player has exceeded its limit and the slack."""
        seat, since = self.thinking
        return bool(seat != NOBODY and monotonic() - since > seconds + SLACK_SECONDS)

    def stop(self, seconds: float) -> GameRecord | None:
        """End a process whose player does not return, and return its game."""
        self.end()
        return self._forfeited_game("TIMEOUT", f"No move came within {seconds:g} s.")

    def _forfeited_game(self, kind: Any, reason: str) -> GameRecord | None:  # noqa: ANN401 # a kind of failure
        """Return the current game, forfeited by the thinking seat; None if no seat was thinking."""
        self.end()
        seat = int(self.thinking[0])
        if seat == NOBODY or not self.queue:
            return None
        task = self.queue.popleft()
        words = _all_moves(find(task.game))
        moves = [words[number] for number in self._played[1 : self._played[0] + 1]]
        forfeit: Forfeit = {"seat": seat, "kind": kind, "said": reason}
        return game_record(task, moves[len(task.opening) :], None, forfeit)

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def play_in_processes(
    tasks: Iterable[GameTask],
    tournament: Tournament,
    sources: tuple[str, ...],
    processes: int,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[list[GameRecord]]:
    """Play games in worker processes, and yield them as they end."""
    # A forked process shares the solutions of the plan in memory.
    on_linux = sys.platform == "linux"
    context = get_context("fork") if on_linux else get_context("spawn")
    waiting = iter(tasks)
    again: deque[GameTask] = deque()
    workers: list[Worker] = []

    def feed(worker: Worker) -> None:
        while len(worker.queue) < QUEUE_PER_WORKER and not stop():
            task = again.popleft() if again else next(waiting, None)
            if task is None:
                return
            worker.give(task)

    def replace(worker: Worker) -> None:
        again.extend(worker.queue)
        fresh = Worker(context, tournament, sources)
        workers[workers.index(worker)] = fresh
        feed(fresh)

    try:
        for _ in range(processes):
            workers.append(Worker(context, tournament, sources))
            feed(workers[-1])
        while any(worker.queue for worker in workers):
            ready = wait([worker.pipe for worker in workers if worker.queue], timeout=1.0)
            over: list[GameRecord | None] = []
            for worker in workers:
                if worker.pipe in ready:
                    over += worker.take()
                elif worker.overdue(tournament.limits.seconds):
                    over.append(worker.stop(tournament.limits.seconds))
                if worker.pipe.closed:
                    replace(worker)
                else:
                    feed(worker)
            yield [record for record in over if record is not None]
    finally:
        for worker in workers:
            worker.end()


# In the other process ---------------------------------------------------------------------------


def _work(
    pipe: Connection[Any, Any],
    thinking: Any,  # noqa: ANN401 # shared memory
    played: Any,  # noqa: ANN401 # as above
    tournament: Tournament,
    sources: tuple[str, ...],
) -> None:
    """Play the games that arrive, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C and ends this process
    end_with_parent()
    factory = PlayerFactory(tournament, sources)

    numbers: dict[str, int] = {}

    def watch(seat: int | None, moves: Sequence[str]) -> None:
        """Mark the thinking seat, store the moves so far in shared memory, and set the alarm.

        Without a seat, clear the mark and the alarm. The moves survive if the player ends this
        process.
        """
        if seat is None:
            thinking[0] = NOBODY
            _set_alarm(0.0)
            return
        for at in range(played[0], len(moves)):
            played[at + 1] = numbers[moves[at]]
        played[0] = len(moves)
        thinking[1] = monotonic()
        thinking[0] = seat
        _set_alarm(tournament.limits.seconds)

    def late(*_: object) -> None:
        raise Failure("TIMEOUT", f"No move came within {tournament.limits.seconds:g} s.")

    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, late)
    while True:
        task = _next(pipe)
        game = factory.game(task)
        numbers = {move: number for number, move in enumerate(_all_moves(game))}
        played[0] = 0
        with factory.players(task) as players:
            pipe.send(play_game(game, task, players, tournament.limits, watch))


def _all_moves(game: type[Position]) -> tuple[str, ...]:
    """Return all moves of a game, of the players and of chance."""
    return (*game.ACTIONS, *game.CHANCE_MOVES)


def _next(pipe: Connection[Any, Any]) -> GameTask:
    """Return the next game; end the process when the run ends."""
    try:
        task: GameTask = pipe.recv()
    except (EOFError, OSError):
        os._exit(0)
    return task


def _set_alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
