"""Computer moves, hints and analyses, computed in other processes so that no request waits.

The processes get the view of one seat, or the public view, so they cannot leak more.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from random import Random
from typing import Any, ParamSpec, TypeVar

from duelbook.catalog.registry import find, load, source_of
from duelbook.play.match import LostBy, Match
from duelbook.players import make
from duelbook.players.levels import oracle_for
from duelbook.position import Position
from duelbook.study.analysis import as_data
from duelbook.study.hint import hint
from duelbook.study.wording import standing
from duelbook.web.rooms.commands import Refusal

MOST_WAITING = 50
P = ParamSpec("P")
T = TypeVar("T")


class Engines:
    """Two worker processes: one chooses moves, the other explains."""

    def __init__(self, games: Sequence[type[Position]] = ()) -> None:
        """Prepare; the workers load games of one's own from their source."""
        self._sources = tuple(filter(None, map(source_of, games)))
        self._pools: dict[str, ProcessPoolExecutor] = {}
        self._waiting = {"playing": 0, "explaining": 0}

    def close(self) -> None:
        """End the processes, even in the middle of a computation."""
        for pool in self._pools.values():
            for process in list((pool._processes or {}).values()):  # noqa: SLF001 # nothing else ends a long thought
                process.terminate()
            pool.shutdown(cancel_futures=True)
        self._pools.clear()

    async def choose(self, view: Position, player: str, seed: str) -> str:
        """Return the move of a computer player; the same seed gives the same move."""
        return await self._run("playing", _choose, view.slug, view.to_json(), player, seed)

    async def hint(self, view: Position) -> str:
        """Return a hint for the player to move, whose view this is."""
        return await self._run("explaining", _hint, view.slug, view.to_json())

    async def evaluate(self, position: Position) -> tuple[float, str]:
        """Return who is winning, 1 for Player 1 and -1 for Player 2, and the same in words."""
        return await self._run("explaining", _evaluate, position.slug, position.to_json())

    async def analyse(self, match: Match) -> dict[str, Any]:
        """Return the analysis of a finished game."""
        told = (match.position.slug, match.first, match.moves, match.resigned, match.lost_by)
        return await self._run("explaining", _analyse, *told)

    async def _run(
        self, pool: str, work: Callable[P, T], *arguments: P.args, **options: P.kwargs
    ) -> T:
        if self._waiting[pool] >= MOST_WAITING:
            raise Refusal("busy", "The computer is busy: try again later.")
        self._waiting[pool] += 1
        processes = self._pool(pool)
        try:
            return await asyncio.wrap_future(processes.submit(work, *arguments, **options))
        except BrokenProcessPool as error:  # it was killed, perhaps out of memory
            if self._pools.get(pool) is processes:  # and not a newer pool
                del self._pools[pool]
            raise Refusal("later", "The computer's process ended: try again.") from error
        finally:
            self._waiting[pool] -= 1

    def _pool(self, name: str) -> ProcessPoolExecutor:
        if name not in self._pools:
            self._pools[name] = ProcessPoolExecutor(
                1, get_context("spawn"), initializer=_begin, initargs=(self._sources,)
            )
        return self._pools[name]


# In the other process ---------------------------------------------------------------------------


def _begin(sources: tuple[str, ...]) -> None:
    """Prepare a worker process, which ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for source in sources:
        load(source)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _choose(slug: str, view: dict[str, Any], player: str, seed: str) -> str:
    return make(player).choose(find(slug).from_json(view), Random(seed))


def _hint(slug: str, view: dict[str, Any]) -> str:
    game = find(slug)
    return hint(oracle_for(game), game.from_json(view))


def _evaluate(slug: str, data: dict[str, Any]) -> tuple[float, str]:
    game = find(slug)
    oracle, position = oracle_for(game), game.from_json(data)
    value = oracle.value(position)
    return (value if position.to_move == 0 else -value), standing(oracle, position)


def _analyse(
    slug: str, first: int, moves: tuple[str, ...], resigned: int | None, lost_by: LostBy
) -> dict[str, Any]:
    match = Match.begin(find(slug), first)
    for move in moves:
        match = match.play(move)
    if resigned is not None:
        match = match.resign(resigned, lost_by)
    return as_data(oracle_for(find(slug)), match)
