"""Computer moves, hints and analyses, computed in worker processes so that requests do not wait.

A process receives only the record of one seat or the public view, so it cannot leak more.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from duelbook.analysis.game_analysis import as_data
from duelbook.analysis.game_effort import GameEffort, measure
from duelbook.analysis.hint import MoveHint, hint
from duelbook.analysis.score_texts import describe_evaluation
from duelbook.catalog.measured_efforts import measured_efforts
from duelbook.catalog.registry import find, load, source_of
from duelbook.compute.worker_pool import TooSlow, UnavailableError, WorkerPool
from duelbook.listener import BOOK, Listener
from duelbook.play.match import DrawnBy, LostBy, Match
from duelbook.players import make
from duelbook.players.asking import why_not
from duelbook.players.levels import oracle_for
from duelbook.position import Position
from duelbook.secrecy import SeatRecord
from duelbook.system.json_logs import LOG, capture_output, log
from duelbook.system.parent_process import end_with_parent

PREPARATION_SECONDS, ANALYSIS_SECONDS = 600.0, 120.0
MOVE_SECONDS, EXPLANATION_SECONDS, MEASUREMENT_SECONDS = 60.0, 60.0, 30.0
"""The time limit of each kind of job."""
MAX_CRASHES = 3
"""The number of crashes of a process after which its job fails."""
RecordData = tuple[int, dict[str, Any], list[tuple[str, str, dict[str, Any]]]]
"""A seat record as JSON values: the seat, its view of the start, and the steps."""
MatchData = tuple[int, tuple[str, ...], tuple[int, LostBy] | None, DrawnBy | None]
"""A match: the first player, the moves, the loser without a move, and the reason of a draw."""
EncodeAnalysis = Callable[[dict[str, Any], float], bytes]
"""A function that encodes the data of an analysis, given the largest payoff of the game."""


class Engines:
    """Processes that choose moves, and other processes that explain; each serves one game."""

    def __init__(self, games: Sequence[type[Position]] = ()) -> None:
        """Create the pools; the workers load custom games from their source."""
        sources = tuple(filter(None, map(source_of, games)))
        self._playing = WorkerPool(_start_worker, sources, max_processes=5, on_end=self._forget)
        self._explaining = WorkerPool(
            _start_worker, sources, max_processes=3, max_jobs_per_address=5
        )
        self._prepared: dict[tuple[str, str], asyncio.Task[str]] = {}
        self._efforts: dict[str, GameEffort | None] = {
            slug: GameEffort(**effort) for slug, effort in measured_efforts().items()
        }
        self._measuring: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """End the processes, even in the middle of a computation."""
        self._playing.close()
        self._explaining.close()

    def _forget(self, slug: str) -> None:
        """Forget the players that were prepared in an ended process."""
        for game, player in [key for key in self._prepared if key[0] == slug]:
            if self._prepared[game, player].done():
                del self._prepared[game, player]

    async def choose(self, record: SeatRecord, player: str, seed: str) -> str:
        """Return the move of a computer player; the same seed gives the same move."""
        slug = record.start.slug
        return await self._playing.run(
            slug, MOVE_SECONDS, _choose, slug, _record_data(record), player, seed
        )

    async def why_not(self, game: type[Position], player: str) -> str:
        """Prepare a player for a game, once; return why it cannot play, or an empty string."""
        key = game.slug, player
        if key not in self._prepared:
            self._prepared[key] = asyncio.create_task(self._prepare(game, player))
        try:
            return await asyncio.shield(self._prepared[key])
        except UnavailableError:  # try again next time
            self._prepared.pop(key, None)
            raise

    def is_prepared(self, game: type[Position], player: str) -> bool:
        """Return whether a player is prepared for a game and can play it."""
        task = self._prepared.get((game.slug, player))
        if task is None or not task.done() or task.cancelled() or task.exception():
            return False
        return not task.result()

    async def _prepare(self, game: type[Position], player: str) -> str:
        for _ in range(MAX_CRASHES):
            try:
                slug = game.slug
                return await self._playing.run(slug, PREPARATION_SECONDS, _why_not, slug, player)
            except UnavailableError as error:
                if error.code != "later":
                    raise
            except TooSlow:
                return f"{player} cannot play {game.title}: its preparation takes too long."
            except Exception:  # a custom game or player may raise anything
                LOG.exception("%s cannot prepare for %s", player, game.slug)
                return f"{player} cannot play {game.title}: its preparation failed."
        return f"{player} cannot play {game.title}: its process ended while it prepared."

    def effort(self, slug: str) -> GameEffort | None:
        """Return the effort of a game, or None if it is unknown; the first call measures it."""
        if slug not in self._efforts:
            self._efforts[slug] = None
            measuring = asyncio.create_task(self._measure(slug))
            self._measuring.add(measuring)
            measuring.add_done_callback(self._measuring.discard)
        return self._efforts[slug]

    async def _measure(self, slug: str) -> None:
        try:
            effort = await self._explaining.run(slug, MEASUREMENT_SECONDS, _measure, slug)
        except Exception as error:  # a custom game may raise anything
            log("not measured", game=slug, why=str(error))
        else:
            self._efforts[slug] = effort

    async def hint(self, record: SeatRecord) -> MoveHint:
        """Return a hint for the player to move, from their record."""
        slug = record.start.slug
        return await self._explaining.run(
            slug, EXPLANATION_SECONDS, _hint, slug, _record_data(record)
        )

    async def evaluate(
        self, position: Position, listeners: tuple[Listener, ...] = (BOOK,)
    ) -> tuple[float, list[str]]:
        """Return the value (1: Player 1 wins, -1: Player 2 wins) and a sentence per listener."""
        slug, data = position.slug, position.to_json()
        return await self._explaining.run(
            slug, EXPLANATION_SECONDS, _evaluate, slug, data, listeners
        )

    async def analyse(self, match: Match, encode: EncodeAnalysis) -> bytes:
        """Return the analysis of a finished game; the worker process encodes it."""
        lost = None if match.resigned is None else (match.resigned, match.lost_by)
        slug, data = match.position.slug, (match.first, match.moves, lost, match.drawn_by)
        return await self._explaining.run(slug, ANALYSIS_SECONDS, _analyse, slug, encode, data)


def _record_data(record: SeatRecord) -> RecordData:
    steps = [(move, text, view.to_json()) for move, text, view in record.steps]
    return record.seat, record.start.to_json(), steps


# In the other process ---------------------------------------------------------------------------


def _start_worker(sources: tuple[str, ...]) -> None:
    """Set up a worker process, which ends with its parent."""
    capture_output()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends the workers
    end_with_parent()
    for source in sources:
        load(source)


def _choose(slug: str, data: RecordData, player: str, seed: str) -> str:
    return make(player).choose_from_record(_record(slug, data), Random(seed))


def _record(slug: str, data: RecordData) -> SeatRecord:
    game, (seat, start, steps) = find(slug), data
    views = tuple((move, text, game.from_json(view)) for move, text, view in steps)
    return SeatRecord(seat, game.from_json(start), views)


def _why_not(slug: str, player: str) -> str:
    return why_not(player, find(slug))


def _measure(slug: str) -> GameEffort:
    return measure(find(slug))


def _hint(slug: str, data: RecordData) -> MoveHint:
    record = _record(slug, data)
    return hint(oracle_for(find(slug)), record.view, record)


def _evaluate(
    slug: str, data: dict[str, Any], listeners: tuple[Listener, ...]
) -> tuple[float, list[str]]:
    game = find(slug)
    oracle, position = oracle_for(game), game.from_json(data)
    texts = [describe_evaluation(oracle, position, listener) for listener in listeners]
    return oracle.value_for(0, position) / game.largest_payoff, texts


def _analyse(slug: str, encode: EncodeAnalysis, data: MatchData) -> bytes:
    first, moves, lost, drawn_by = data
    match = Match.begin(find(slug), first)
    for move in moves:
        match = match.play(move)
    if lost is not None:
        match = match.resign(*lost)
    if drawn_by is not None:
        match = match.draw(drawn_by)
    game = find(slug)
    return encode(as_data(oracle_for(game), match), game.largest_payoff)
