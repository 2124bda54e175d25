"""Computer moves, hints and analyses, computed in other processes so that no request waits.

The processes get what one seat has seen and heard, or the public view, so they cannot leak more.
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
from duelbook.play.match import DrawnBy, LostBy, Match
from duelbook.players import make
from duelbook.players.asking import ask, why_not
from duelbook.players.levels import oracle_for
from duelbook.position import Position
from duelbook.secrecy import Record
from duelbook.study.analysis import as_data
from duelbook.study.hint import hint
from duelbook.study.wording import standing
from duelbook.web.logs import LOG
from duelbook.web.rooms.commands import Refusal

MOST_WAITING = 50
MOST_CRASHES = 3
"""How often a process may end in the middle of one task before the task is given up."""
Seen = tuple[int, dict[str, Any], list[tuple[str, str, dict[str, Any]]]]
"""A record as JSON values: the seat, its view of the start, and the steps."""
P = ParamSpec("P")
T = TypeVar("T")


class Engines:
    """Two worker processes: one chooses moves, the other explains."""

    def __init__(self, games: Sequence[type[Position]] = ()) -> None:
        """Prepare; the workers load games of one's own from their source."""
        self._sources = tuple(filter(None, map(source_of, games)))
        self._pools: dict[str, ProcessPoolExecutor] = {}
        self._waiting = {"playing": 0, "explaining": 0}
        self._prepared: dict[tuple[str, str], asyncio.Task[str]] = {}

    def close(self) -> None:
        """End the processes, even in the middle of a computation."""
        for pool in self._pools.values():
            for process in list((pool._processes or {}).values()):  # noqa: SLF001 # nothing else ends a long thought
                process.terminate()
            pool.shutdown(cancel_futures=True)
        self._pools.clear()

    async def choose(self, record: Record, player: str, seed: str) -> str:
        """Return the move of a computer player; the same seed gives the same move."""
        return await self._run("playing", _choose, record.start.slug, _seen(record), player, seed)

    async def why_not(self, game: type[Position], player: str) -> str:
        """Return why a player cannot play a game, or nothing; each is asked once, and prepares."""
        key = game.slug, player
        if key not in self._prepared:
            self._prepared[key] = asyncio.create_task(self._prepare(game, player))
        try:
            return await asyncio.shield(self._prepared[key])
        except Refusal:  # too busy to say
            self._prepared.pop(key, None)
            raise

    def is_prepared(self, game: type[Position], player: str) -> bool:
        """Whether a player is known to be able to play a game."""
        asked = self._prepared.get((game.slug, player))
        if asked is None or not asked.done() or asked.cancelled() or asked.exception():
            return False
        return not asked.result()

    async def _prepare(self, game: type[Position], player: str) -> str:
        for _ in range(MOST_CRASHES):
            try:
                return await self._run("playing", _why_not, game.slug, player)
            except Refusal as refusal:
                if refusal.code != "later":
                    raise
            except Exception:  # a game of one's own, or a player of others, may do anything
                LOG.exception("%s cannot prepare for %s", player, game.slug)
                return f"{player} cannot play {game.title}: its preparation failed."
        return f"{player} cannot play {game.title}: its process ended while it prepared."

    async def hint(self, record: Record) -> str:
        """Return a hint for the player to move, who has seen and heard this."""
        return await self._run("explaining", _hint, record.start.slug, _seen(record))

    async def evaluate(self, position: Position) -> tuple[float, str]:
        """Return who is winning, 1 for Player 1 and -1 for Player 2, and the same in words."""
        return await self._run("explaining", _evaluate, position.slug, position.to_json())

    async def analyse(self, match: Match) -> dict[str, Any]:
        """Return the analysis of a finished game."""
        lost = None if match.resigned is None else (match.resigned, match.lost_by)
        told = (match.position.slug, match.first, match.moves, lost, match.drawn_by)
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


def _seen(record: Record) -> Seen:
    steps = [(own, told, view.to_json()) for own, told, view in record.steps]
    return record.seat, record.start.to_json(), steps


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


def _choose(slug: str, seen: Seen, player: str, seed: str) -> str:
    return ask(make(player), _record(slug, seen), Random(seed))


def _record(slug: str, seen: Seen) -> Record:
    game, (seat, start, steps) = find(slug), seen
    views = tuple((own, told, game.from_json(view)) for own, told, view in steps)
    return Record(seat, game.from_json(start), views)


def _why_not(slug: str, player: str) -> str:
    return why_not(player, find(slug))


def _hint(slug: str, seen: Seen) -> str:
    record = _record(slug, seen)
    return hint(oracle_for(find(slug)), record.view, record)


def _evaluate(slug: str, data: dict[str, Any]) -> tuple[float, str]:
    game = find(slug)
    oracle, position = oracle_for(game), game.from_json(data)
    return oracle.value_for(0, position) / game.largest_payoff, standing(oracle, position)


def _analyse(
    slug: str,
    first: int,
    moves: tuple[str, ...],
    lost: tuple[int, LostBy] | None,
    drawn_by: DrawnBy | None,
) -> dict[str, Any]:
    match = Match.begin(find(slug), first)
    for move in moves:
        match = match.play(move)
    if lost is not None:
        match = match.resign(*lost)
    if drawn_by is not None:
        match = match.draw(drawn_by)
    found, most = as_data(oracle_for(find(slug)), match), find(slug).largest_payoff
    return found | {"value_to_player_1": [value / most for value in found["value_to_player_1"]]}
