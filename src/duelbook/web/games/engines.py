"""Computer moves, hints and analyses, computed in other processes so that no request waits.

The processes get what one seat has seen and heard, or the public view, so they cannot leak more.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from random import Random
from typing import Any

from duelbook.analysis.effort import GameEffort, measure
from duelbook.analysis.game_analysis import as_data
from duelbook.analysis.hint import MoveHint, hint
from duelbook.analysis.wording import standing
from duelbook.catalog.efforts import measured_efforts
from duelbook.catalog.registry import find, load, source_of
from duelbook.listener import BOOK, Listener
from duelbook.parent_process import end_with_parent
from duelbook.play.match import DrawnBy, LostBy, Match
from duelbook.players import make
from duelbook.players.asking import ask, why_not
from duelbook.players.levels import oracle_for
from duelbook.position import Position
from duelbook.secrecy import SeatRecord
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal
from duelbook.web.games.views import encode
from duelbook.web.games.workers import TooSlow, WorkerPool
from duelbook.web.logs import LOG, capture_output, log

PREPARATION, MOVE, EXPLANATION, ANALYSIS, MEASURING = 600.0, 60.0, 60.0, 120.0, 30.0
"""Seconds after which each is given up."""
MAX_CRASHES = 3
"""How often a process may end in the middle of one task before the task is given up."""
Seen = tuple[int, dict[str, Any], list[tuple[str, str, dict[str, Any]]]]
"""A record as JSON values: the seat, its view of the start, and the steps."""


class Engines:
    """For each game processes that choose moves, and others that explain."""

    def __init__(self, games: Sequence[type[Position]] = ()) -> None:
        """Prepare; the workers load games of one's own from their source."""
        sources = tuple(filter(None, map(source_of, games)))
        self._playing = WorkerPool(_begin, sources, max_processes=5, ended=self._forget)
        self._explaining = WorkerPool(_begin, sources, max_processes=3, max_jobs_per_address=5)
        self._prepared: dict[tuple[str, str], asyncio.Task[str]] = {}
        self._efforts: dict[str, p.Effort | None] = {
            slug: p.Effort(**known) for slug, known in measured_efforts().items()
        }
        self._measuring: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """End the processes, even in the middle of a computation."""
        self._playing.close()
        self._explaining.close()

    def _forget(self, slug: str) -> None:
        """Forget who was prepared in a process that is gone."""
        for game, player in [key for key in self._prepared if key[0] == slug]:
            if self._prepared[game, player].done():
                del self._prepared[game, player]

    async def choose(self, record: SeatRecord, player: str, seed: str) -> str:
        """Return the move of a computer player; the same seed gives the same move."""
        slug = record.start.slug
        return await self._playing.run(slug, MOVE, _choose, slug, _seen(record), player, seed)

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
        for _ in range(MAX_CRASHES):
            try:
                slug = game.slug
                return await self._playing.run(slug, PREPARATION, _why_not, slug, player)
            except Refusal as refusal:
                if refusal.code != "later":
                    raise
            except TooSlow:
                return f"{player} cannot play {game.title}: its preparation takes too long."
            except Exception:  # a game of one's own, or a player of others, may do anything
                LOG.exception("%s cannot prepare for %s", player, game.slug)
                return f"{player} cannot play {game.title}: its preparation failed."
        return f"{player} cannot play {game.title}: its process ended while it prepared."

    def effort(self, slug: str) -> p.Effort | None:
        """Return what a game asks of its players, if it is known; else it is measured, once."""
        if slug not in self._efforts:
            self._efforts[slug] = None
            measuring = asyncio.create_task(self._measure(slug))
            self._measuring.add(measuring)
            measuring.add_done_callback(self._measuring.discard)
        return self._efforts[slug]

    async def _measure(self, slug: str) -> None:
        try:
            found = await self._explaining.run(slug, MEASURING, _measure, slug)
        except Exception as error:  # a game of one's own may do anything, and cannot be measured
            log("not measured", game=slug, why=str(error))
        else:
            self._efforts[slug] = p.Effort(*found)

    async def hint(self, record: SeatRecord) -> MoveHint:
        """Return a hint for the player to move, who has seen and heard this."""
        slug = record.start.slug
        return await self._explaining.run(slug, EXPLANATION, _hint, slug, _seen(record))

    async def evaluate(
        self, position: Position, listeners: tuple[Listener, ...] = (BOOK,)
    ) -> tuple[float, list[str]]:
        """Return who is winning, 1 for Player 1 and -1 for Player 2, and a sentence to each."""
        slug, data = position.slug, position.to_json()
        return await self._explaining.run(slug, EXPLANATION, _evaluate, slug, data, listeners)

    async def analyse(self, match: Match) -> bytes:
        """Return the analysis of a finished game, encoded."""
        lost = None if match.resigned is None else (match.resigned, match.lost_by)
        slug, how = match.position.slug, (match.first, match.moves, lost, match.drawn_by)
        return await self._explaining.run(slug, ANALYSIS, _analyse, slug, *how)


def _seen(record: SeatRecord) -> Seen:
    steps = [(own, told, view.to_json()) for own, told, view in record.steps]
    return record.seat, record.start.to_json(), steps


# In the other process ---------------------------------------------------------------------------


def _begin(sources: tuple[str, ...]) -> None:
    """Prepare a worker process, which ends with its parent."""
    capture_output()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    end_with_parent()
    for source in sources:
        load(source)


def _choose(slug: str, seen: Seen, player: str, seed: str) -> str:
    return ask(make(player), _record(slug, seen), Random(seed))


def _record(slug: str, seen: Seen) -> SeatRecord:
    game, (seat, start, steps) = find(slug), seen
    views = tuple((own, told, game.from_json(view)) for own, told, view in steps)
    return SeatRecord(seat, game.from_json(start), views)


def _why_not(slug: str, player: str) -> str:
    return why_not(player, find(slug))


def _measure(slug: str) -> GameEffort:
    return measure(find(slug))


def _hint(slug: str, seen: Seen) -> MoveHint:
    record = _record(slug, seen)
    return hint(oracle_for(find(slug)), record.view, record)


def _evaluate(
    slug: str, data: dict[str, Any], listeners: tuple[Listener, ...]
) -> tuple[float, list[str]]:
    game = find(slug)
    oracle, position = oracle_for(game), game.from_json(data)
    said = [standing(oracle, position, listener) for listener in listeners]
    return oracle.value_for(0, position) / game.largest_payoff, said


def _analyse(
    slug: str,
    first: int,
    moves: tuple[str, ...],
    lost: tuple[int, LostBy] | None,
    drawn_by: DrawnBy | None,
) -> bytes:
    match = Match.begin(find(slug), first)
    for move in moves:
        match = match.play(move)
    if lost is not None:
        match = match.resign(*lost)
    if drawn_by is not None:
        match = match.draw(drawn_by)
    found, limit = as_data(oracle_for(find(slug)), match), find(slug).largest_payoff
    judged = [
        p.Judgement(
            m["number"],
            m["player"] - 1,
            m["move"],
            m["mark"],
            m["best"],
            m["does"] if m["mark"] == "best" else f"{m['does']}; the best {m['should']}",
        )
        for m in found["moves"]
    ]
    curve = [value / limit for value in found["value_to_player_1"]]
    return encode(p.Analysis(curve, judged, found["accuracy"], found["decided_by"]))
